#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace privpfc {

// One row of the sample: a stay in a hospital that does not exist. The category types list their
// values in the order of the name tables below.
enum class Sex : std::uint8_t { kFemale, kMale };
enum class Source : std::uint8_t {
  kFamilyDoctor,
  kOutpatientClinic,
  kWalkIn,
  kAmbulance,
  kOtherHospital,
  kNursingHome,
};
enum class Diagnosis : std::uint8_t {
  kHeartFailure,
  kHeartAttack,
  kArrhythmia,
  kStroke,
  kCopd,
  kPneumonia,
  kAsthma,
  kDiabetes,
  kKidneyFailure,
  kAppendicitis,
  kGallstones,
  kLiverDisease,
  kHipFracture,
  kOtherFracture,
  kHeadInjury,
  kCancer,
  kSepsis,
  kDepression,
};
enum class IllnessSeverity : std::uint8_t { kMinor, kModerate, kMajor, kExtreme };
enum class Discharge : std::uint8_t {
  kHome,
  kHomeWithCare,
  kRehabilitation,
  kNursingHome,
  kAgainstAdvice,
};
// Readmitted within a year: not at all, after 30 days, within 30 days.
enum class Readmission : std::uint8_t { kNo, kLater, kWithin30Days };

inline constexpr std::array<std::string_view, 2> kSexes{"female", "male"};
inline constexpr std::array<std::string_view, 6> kSources{
    "family-doctor", "outpatient-clinic", "walk-in", "ambulance", "other-hospital", "nursing-home"};
inline constexpr std::array<std::string_view, 18> kDiagnoses{
    "heart-failure", "heart-attack",  "arrhythmia",   "stroke",         "copd",
    "pneumonia",     "asthma",        "diabetes",     "kidney-failure", "appendicitis",
    "gallstones",    "liver-disease", "hip-fracture", "other-fracture", "head-injury",
    "cancer",        "sepsis",        "depression"};
inline constexpr std::array<std::string_view, 4> kSeverities{"minor", "moderate", "major",
                                                             "extreme"};
inline constexpr std::array<std::string_view, 5> kDischarges{
    "home", "home-with-care", "rehabilitation", "nursing-home", "against-advice"};

struct Patient {
  std::int32_t age = 0;  // years, 18 to 100
  Sex sex{};
  std::int32_t admitted = 0;  // days since 2021-01-01, up to 2023-12-31
  Source source{};
  Diagnosis diagnosis{};
  IllnessSeverity severity{};
  std::int32_t earlier_stays = 0;       // in the year before, 0 to 20
  std::int32_t stay_days = 0;           // 0 to 60
  std::int32_t medications = 0;         // 0 to 40
  std::int32_t haemoglobin_tenths = 0;  // of g/dl, 40 to 200
  bool haemoglobin_known = true;
  bool lives_alone = false;
  bool lives_alone_known = true;
  Discharge discharged_to{};
  Readmission readmitted{};

  // How much speaks for a readmission, above 0 more for than against: what the best possible guess
  // would go by. Not a column.
  std::int32_t risk = 0;
};

inline constexpr std::int32_t kFirstAdmission = 18628;   // 2021-01-01 in days since 1970-01-01
inline constexpr std::int32_t kAdmissionDays = 3 * 365;  // none of the three years is a leap year

// Row `row` of the sample with this seed. Whole-number arithmetic throughout: the same on every
// machine.
Patient make_patient(std::uint64_t seed, std::uint64_t row);

}  // namespace privpfc
