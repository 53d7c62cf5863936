#include "privpfc/sample/patient.h"

#include <algorithm>

#include "privpfc/sample/row_bits.h"

namespace privpfc {
namespace {

// What the model knows about a diagnosis. Shares are relative, by age group; the rest is on the
// scale where 100 is about one step of severity.
struct DiagnosisTraits {
  std::array<std::int32_t, 4> share;  // 18-44, 45-64, 65-79, 80 and older
  std::int32_t winter;                // per cent of its share from December to February
  std::int32_t women;                 // per cent of its share among women
  std::int32_t severity;
  std::int32_t planned;      // per mille referred by a doctor
  bool chronic;              // comes with earlier stays, and comes back
  std::int32_t days;         // of a moderate case in hospital
  std::int32_t haemoglobin;  // tenths of g/dl below the usual
  bool anaemia_matters;      // little haemoglobin makes this one dangerous
  std::int32_t risk;         // of being readmitted
};

constexpr std::array<DiagnosisTraits, kDiagnoses.size()> kTraits{{
    // share                winter women sev plan chron days hb anaem risk
    {{1, 6, 14, 20}, 120, 95, 150, 200, true, 8, 8, true, 85},     // heart failure
    {{2, 9, 9, 7}, 110, 60, 190, 50, false, 6, 2, true, 15},       // heart attack
    {{3, 6, 9, 9}, 100, 95, 70, 350, false, 3, 0, true, -15},      // arrhythmia
    {{1, 5, 9, 12}, 105, 100, 200, 40, false, 10, 0, true, 0},     // stroke
    {{1, 7, 11, 7}, 160, 85, 140, 150, true, 7, 0, false, 80},     // COPD
    {{5, 5, 8, 13}, 220, 90, 120, 80, false, 7, 4, false, -5},     // pneumonia
    {{8, 3, 2, 1}, 150, 130, 50, 150, true, 3, 0, false, 20},      // asthma
    {{7, 8, 6, 4}, 100, 85, 60, 450, true, 4, 0, false, 40},       // diabetes
    {{2, 5, 7, 7}, 100, 90, 150, 400, true, 6, 25, true, 75},      // kidney failure
    {{14, 4, 1, 0}, 100, 90, 60, 30, false, 3, 0, false, -125},    // appendicitis
    {{9, 9, 5, 2}, 100, 150, 50, 550, false, 3, 0, false, -100},   // gallstones
    {{3, 6, 3, 1}, 100, 55, 140, 250, true, 7, 18, true, 65},      // liver disease
    {{0, 2, 6, 14}, 115, 170, 130, 20, false, 10, 12, true, -40},  // hip fracture
    {{15, 8, 5, 5}, 120, 90, 50, 60, false, 4, 4, false, -105},    // other fracture
    {{10, 4, 3, 4}, 100, 60, 100, 20, false, 3, 0, false, -65},    // head injury
    {{5, 13, 13, 7}, 100, 100, 130, 750, true, 6, 20, true, 35},   // cancer
    {{3, 4, 6, 9}, 110, 90, 230, 30, false, 11, 10, true, 25},     // sepsis
    {{18, 9, 3, 2}, 105, 130, 60, 400, true, 12, 0, false, 15},    // depression
}};

// Cumulative shares scaled to 65,536, by winter, sex and age group.
using Cumulative = std::array<std::uint32_t, kDiagnoses.size()>;
constexpr auto kDiagnosisTable = [] {
  std::array<std::array<std::array<Cumulative, 4>, 2>, 2> table{};
  for (std::size_t winter = 0; winter < 2; ++winter) {
    for (std::size_t sex = 0; sex < 2; ++sex) {
      for (std::size_t group = 0; group < 4; ++group) {
        const auto weight = [&](const DiagnosisTraits& traits) {
          const std::int64_t by_season = winter != 0 ? traits.winter : 100;
          return traits.share[group] * by_season * (sex == 0 ? traits.women : 100);
        };
        std::int64_t total = 0, sum = 0;
        for (const DiagnosisTraits& traits : kTraits) total += weight(traits);
        for (std::size_t i = 0; i < kTraits.size(); ++i) {
          sum += weight(kTraits[i]);
          table[winter][sex][group][i] = static_cast<std::uint32_t>(sum * 65536 / total);
        }
      }
    }
  }
  return table;
}();

bool is_winter(std::int32_t admitted) {
  const std::int32_t day_of_year = admitted % 365;
  return day_of_year < 59 || day_of_year >= 334;
}

std::size_t age_group(std::int32_t age) {
  return age < 45 ? 0 : age < 65 ? 1 : age < 80 ? 2 : 3;
}

std::int32_t make_age(RowBits& bits) {
  if (bits.chance(280)) return 18 + static_cast<std::int32_t>(bits.below_65536() * 32 >> 16);
  return std::clamp(68 + bits.bell(13), 18, 100);
}

Diagnosis make_diagnosis(const Patient& patient, RowBits& bits) {
  const Cumulative& table =
      kDiagnosisTable[is_winter(patient.admitted)][static_cast<std::size_t>(patient.sex)]
                     [age_group(patient.age)];
  const std::uint32_t point = bits.below_65536();
  std::size_t chosen = 0;
  while (point >= table[chosen]) ++chosen;
  return static_cast<Diagnosis>(chosen);
}

IllnessSeverity make_severity(const Patient& patient, const DiagnosisTraits& traits,
                              RowBits& bits) {
  const std::int32_t badness = traits.severity + (patient.age - 60) + bits.bell(75);
  return badness < 60    ? IllnessSeverity::kMinor
         : badness < 150 ? IllnessSeverity::kModerate
         : badness < 240 ? IllnessSeverity::kMajor
                         : IllnessSeverity::kExtreme;
}

std::int32_t make_earlier_stays(const Patient& patient, const DiagnosisTraits& traits,
                                RowBits& bits) {
  const std::int32_t again = (traits.chronic ? 520 : 200) + (patient.age >= 65 ? 60 : 0);
  std::int32_t stays = 0;
  while (stays < 20 && bits.chance(again)) ++stays;
  return stays;
}

Source make_source(const Patient& patient, const DiagnosisTraits& traits, IllnessSeverity severity,
                   RowBits& bits) {
  if (patient.age >= 75 && bits.chance(130)) return Source::kNursingHome;
  const bool grave = severity >= IllnessSeverity::kMajor;
  if (grave && bits.chance(80)) return Source::kOtherHospital;
  if (bits.chance(grave ? traits.planned / 2 : traits.planned)) {
    return bits.chance(traits.chronic ? 600 : 350) ? Source::kOutpatientClinic
                                                   : Source::kFamilyDoctor;
  }
  return bits.chance(grave ? 750 : 350) ? Source::kAmbulance : Source::kWalkIn;
}

bool is_planned(Source source) {
  return source == Source::kFamilyDoctor || source == Source::kOutpatientClinic;
}

std::int32_t make_stay(const Patient& patient, const DiagnosisTraits& traits, RowBits& bits) {
  const std::int32_t usual = traits.days * (2 + static_cast<std::int32_t>(patient.severity)) / 3;
  // A product of two uniform numbers has the long tail that stays have; its mean is a quarter.
  const std::uint64_t tail = std::uint64_t{bits.below_65536()} * bits.below_65536() >> 16;
  const std::int32_t spread =
      static_cast<std::int32_t>(tail * static_cast<std::uint64_t>(usual) * 5 >> 17);
  return std::clamp(usual / 3 + spread - (is_planned(patient.source) ? 1 : 0), 0, 60);
}

std::int32_t make_medications(const Patient& patient, const DiagnosisTraits& traits,
                              RowBits& bits) {
  const std::int32_t usual = 1 + patient.age / 15 +
                             3 * static_cast<std::int32_t>(patient.severity) +
                             (traits.chronic ? 3 : 0) + std::min(patient.earlier_stays, 4);
  return std::clamp(usual + bits.bell(3), 0, 40);
}

std::int32_t make_haemoglobin(const Patient& patient, const DiagnosisTraits& traits,
                              RowBits& bits) {
  const std::int32_t usual = patient.sex == Sex::kFemale ? 134 : 148;
  const std::int32_t loss = traits.haemoglobin + 7 * static_cast<std::int32_t>(patient.severity);
  return std::clamp(usual - loss + bits.bell(16), 40, 200);
}

bool make_lives_alone(const Patient& patient, RowBits& bits) {
  if (patient.source == Source::kNursingHome) return false;
  return bits.chance(patient.age < 65 ? 250 : patient.age < 80 ? 380 : 560);
}

Discharge make_discharge(const Patient& patient, RowBits& bits) {
  if (bits.chance(patient.age < 65 ? 40 : 10)) return Discharge::kAgainstAdvice;
  if (patient.source == Source::kNursingHome) {
    return bits.chance(880) ? Discharge::kNursingHome : Discharge::kRehabilitation;
  }
  const bool needs_training =
      patient.diagnosis == Diagnosis::kStroke || patient.diagnosis == Diagnosis::kHipFracture;
  const std::int32_t frailty = 3 * std::max(patient.age - 55, 0) +
                               40 * static_cast<std::int32_t>(patient.severity) +
                               (patient.lives_alone ? 30 : 0);
  if (bits.chance(needs_training ? 450 : frailty / 4)) return Discharge::kRehabilitation;
  if (bits.chance(frailty / 4)) return Discharge::kNursingHome;
  return bits.chance(frailty * 2) ? Discharge::kHomeWithCare : Discharge::kHome;
}

// What speaks for a readmission. Four of its parts are more than the sum of their causes, so that
// a tree can learn what a linear model cannot.
std::int32_t readmission_risk(const Patient& patient, const DiagnosisTraits& traits) {
  const auto severity = static_cast<std::int32_t>(patient.severity);
  std::int32_t risk = -225 + traits.risk + 25 * severity + (patient.age - 60) / 2;

  // Earlier emergencies announce the next one; earlier stays before a planned one are a course of
  // treatment that goes as it should.
  const std::int32_t stays = std::min(patient.earlier_stays, 4);
  risk += is_planned(patient.source) ? -60 * stays : 110 * stays;

  // Old, alone and sent home without help.
  if (patient.discharged_to == Discharge::kHome && patient.lives_alone && patient.age >= 65) {
    risk += 350;
  }
  // Grave, and out after a day or two.
  if (severity >= 2 && patient.stay_days <= 3) risk += 320;

  // Anaemia, where the heart or the kidneys cannot make up for it.
  if (traits.anaemia_matters && patient.haemoglobin_tenths < 105) risk += 210;

  if (patient.medications >= 15) risk += 40;
  switch (patient.discharged_to) {
    case Discharge::kHome:
      break;
    case Discharge::kHomeWithCare:
      risk -= 40;
      break;
    case Discharge::kRehabilitation:
      risk -= 110;
      break;
    case Discharge::kNursingHome:
      risk -= 20;
      break;
    case Discharge::kAgainstAdvice:
      risk += 230;
      break;
  }
  return risk;
}

Readmission make_readmission(const Patient& patient, const DiagnosisTraits& traits, RowBits& bits) {
  if (patient.risk + bits.bell(185) <= 0) return Readmission::kNo;
  // Early returns are of those who left too soon; what is chronic comes back in its own time.
  std::int32_t haste = 10 + 35 * static_cast<std::int32_t>(patient.severity);
  if (traits.chronic) haste -= 130;
  if (patient.stay_days <= 3) haste += 110;
  if (patient.discharged_to == Discharge::kAgainstAdvice) haste += 150;
  return haste + bits.bell(110) > 0 ? Readmission::kWithin30Days : Readmission::kLater;
}

}  // namespace

Patient make_patient(std::uint64_t seed, std::uint64_t row) {
  RowBits bits(seed, row);
  Patient patient;
  patient.age = make_age(bits);
  patient.sex = bits.chance(520) ? Sex::kFemale : Sex::kMale;
  patient.admitted = static_cast<std::int32_t>(
      bits.below_65536() * static_cast<std::uint32_t>(kAdmissionDays) >> 16);
  patient.diagnosis = make_diagnosis(patient, bits);
  const DiagnosisTraits& traits = kTraits[static_cast<std::size_t>(patient.diagnosis)];
  patient.severity = make_severity(patient, traits, bits);
  patient.earlier_stays = make_earlier_stays(patient, traits, bits);
  patient.source = make_source(patient, traits, patient.severity, bits);
  patient.stay_days = make_stay(patient, traits, bits);
  patient.medications = make_medications(patient, traits, bits);
  patient.haemoglobin_tenths = make_haemoglobin(patient, traits, bits);
  patient.lives_alone = make_lives_alone(patient, bits);
  patient.discharged_to = make_discharge(patient, bits);
  patient.risk = readmission_risk(patient, traits);
  patient.readmitted = make_readmission(patient, traits, bits);

  // Gaps: blood is not always taken in light cases, and not everybody is asked about home.
  patient.haemoglobin_known = !bits.chance(patient.severity == IllnessSeverity::kMinor ? 180 : 60);
  patient.lives_alone_known = !bits.chance(40);
  return patient;
}

}  // namespace privpfc
