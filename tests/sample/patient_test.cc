#include "privpfc/sample/patient.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "privpfc/base/sha256.h"
#include "privpfc/sample/row_bits.h"

using namespace privpfc;

namespace {

constexpr std::uint64_t kRows = 100'000;

std::string text_of(const Patient& patient) {
  std::string text;
  for (const std::int32_t value :
       {patient.age, static_cast<std::int32_t>(patient.sex), patient.admitted,
        static_cast<std::int32_t>(patient.source), static_cast<std::int32_t>(patient.diagnosis),
        static_cast<std::int32_t>(patient.severity), patient.earlier_stays, patient.stay_days,
        patient.medications, patient.haemoglobin_tenths, std::int32_t{patient.haemoglobin_known},
        std::int32_t{patient.lives_alone}, std::int32_t{patient.lives_alone_known},
        static_cast<std::int32_t>(patient.discharged_to),
        static_cast<std::int32_t>(patient.readmitted)}) {
    text += std::to_string(value) + ',';
  }
  return text + '\n';
}

bool returns(const Patient& patient) {
  return patient.readmitted != Readmission::kNo;
}

// Bits that `feature` tells about being readmitted.
double information(const std::function<std::int32_t(const Patient&)>& feature) {
  std::map<std::int32_t, std::array<double, 2>> counts;
  std::array<double, 2> classes{};
  for (std::uint64_t row = 0; row < kRows; ++row) {
    const Patient patient = make_patient(1, row);
    counts[feature(patient)][returns(patient)] += 1;
    classes[returns(patient)] += 1;
  }
  double bits = 0;
  for (const auto& [value, by_class] : counts) {
    for (std::size_t c = 0; c < 2; ++c) {
      if (by_class[c] == 0) continue;
      const double expected = (by_class[0] + by_class[1]) * classes[c] / kRows;
      bits += by_class[c] / kRows * std::log2(by_class[c] / expected);
    }
  }
  return bits;
}

// The share of rows that a guess gets wrong.
double error_of(const std::function<bool(const Patient&)>& guess) {
  double wrong = 0;
  for (std::uint64_t row = 0; row < kRows; ++row) {
    const Patient patient = make_patient(1, row);
    wrong += guess(patient) != returns(patient);
  }
  return wrong / kRows;
}

}  // namespace

TEST_CASE("the first thousand patients of a seed are what they have always been") {
  Sha256 hash;
  for (std::uint64_t row = 0; row < 1000; ++row) hash.update(text_of(make_patient(1, row)));
  CHECK(hash.finish_hex() == "dfb00b43455be02a48fa7cc63efb573e381f94881fca0867f90626163c0f2ca9");
}

TEST_CASE("another seed gives other patients, another row too") {
  std::size_t same = 0;
  for (std::uint64_t row = 0; row < 1000; ++row) {
    same += text_of(make_patient(1, row)) == text_of(make_patient(2, row));
    same += text_of(make_patient(1, row)) == text_of(make_patient(1, row + 1));
    same += text_of(make_patient(1, row)) == text_of(make_patient(row, 1));
  }
  CHECK(same == 1);  // row 1 of seed 1 is itself
}

TEST_CASE("every value keeps to its bounds") {
  const auto within = [](std::int32_t value, std::int32_t low, std::int32_t high) {
    return low <= value && value <= high;
  };
  std::array<std::size_t, kDiagnoses.size()> diagnoses{};
  std::array<std::size_t, kSources.size()> sources{};
  std::array<std::size_t, kDischarges.size()> discharges{};
  std::array<std::size_t, kSeverities.size()> severities{};
  for (std::uint64_t row = 0; row < kRows; ++row) {
    const Patient patient = make_patient(7, row);
    REQUIRE(within(patient.age, 18, 100));
    REQUIRE(within(patient.admitted, 0, kAdmissionDays - 1));
    REQUIRE(within(patient.earlier_stays, 0, 20));
    REQUIRE(within(patient.stay_days, 0, 60));
    REQUIRE(within(patient.medications, 0, 40));
    REQUIRE(within(patient.haemoglobin_tenths, 40, 200));
    ++diagnoses.at(static_cast<std::size_t>(patient.diagnosis));
    ++sources.at(static_cast<std::size_t>(patient.source));
    ++discharges.at(static_cast<std::size_t>(patient.discharged_to));
    ++severities.at(static_cast<std::size_t>(patient.severity));
  }
  // No category is only there on paper: the rarest has more than 1 % of the rows.
  for (const std::size_t count : diagnoses) CHECK(count > kRows / 100);
  for (const std::size_t count : sources) CHECK(count > kRows / 100);
  for (const std::size_t count : discharges) CHECK(count > kRows / 100);
  for (const std::size_t count : severities) CHECK(count > kRows / 100);
}

TEST_CASE("the classes have believable shares") {
  std::array<double, 3> shares{};
  for (std::uint64_t row = 0; row < kRows; ++row) {
    shares[static_cast<std::size_t>(make_patient(1, row).readmitted)] += 1.0 / kRows;
  }
  CHECK(shares[0] == doctest::Approx(0.63).epsilon(0.02));
  CHECK(shares[1] == doctest::Approx(0.16).epsilon(0.05));
  CHECK(shares[2] == doctest::Approx(0.21).epsilon(0.05));
}

TEST_CASE("attributes tell about the label, some more than others, and chance tells nothing") {
  CHECK(information([](const Patient& p) { return p.medications; }) > 0.10);
  CHECK(information([](const Patient& p) { return static_cast<int>(p.diagnosis); }) > 0.08);
  CHECK(information([](const Patient& p) { return static_cast<int>(p.severity); }) > 0.05);
  CHECK(information([](const Patient& p) { return p.earlier_stays; }) > 0.05);
  CHECK(information([](const Patient& p) { return p.age / 10; }) > 0.03);
  CHECK(information([](const Patient& p) { return p.haemoglobin_tenths / 10; }) > 0.02);
  CHECK(information([](const Patient& p) { return static_cast<int>(p.source); }) > 0.01);
  CHECK(information([](const Patient& p) { return int{p.lives_alone}; }) > 0.01);
  CHECK(information([](const Patient& p) { return static_cast<int>(p.discharged_to); }) > 0.005);
  CHECK(information([](const Patient& p) { return p.admitted / 91; }) < 0.001);
  CHECK(information([](const Patient& p) { return static_cast<int>(p.sex); }) < 0.001);
}

TEST_CASE("the label can be guessed well, but not surely") {
  CHECK(error_of([](const Patient&) { return false; }) > 0.35);
  const double best = error_of([](const Patient& p) { return p.risk > 0; });
  CHECK(best > 0.15);
  CHECK(best < 0.22);
}

TEST_CASE("attributes depend on each other: old age, winter, severity") {
  double old_hips = 0, young_hips = 0, winter_pneumonia = 0, other_pneumonia = 0;
  double grave_days = 0, grave = 0, light_days = 0, light = 0;
  for (std::uint64_t row = 0; row < kRows; ++row) {
    const Patient p = make_patient(3, row);
    const bool hip = p.diagnosis == Diagnosis::kHipFracture;
    (p.age >= 65 ? old_hips : young_hips) += hip;
    if (p.diagnosis == Diagnosis::kPneumonia) {
      (p.admitted % 365 < 59 || p.admitted % 365 >= 334 ? winter_pneumonia : other_pneumonia) += 1;
    }
    (p.severity >= IllnessSeverity::kMajor ? grave : light) += 1;
    (p.severity >= IllnessSeverity::kMajor ? grave_days : light_days) += p.stay_days;
  }
  CHECK(old_hips > 5 * young_hips);
  CHECK(winter_pneumonia / 90 > 1.5 * other_pneumonia / 275);  // per day
  CHECK(grave_days / grave > 1.5 * light_days / light);
}

TEST_CASE("values are unknown where blood was not taken or nobody asked, and only so often") {
  double light = 0, light_gaps = 0, other = 0, other_gaps = 0, not_asked = 0;
  for (std::uint64_t row = 0; row < kRows; ++row) {
    const Patient p = make_patient(5, row);
    (p.severity == IllnessSeverity::kMinor ? light : other) += 1;
    (p.severity == IllnessSeverity::kMinor ? light_gaps : other_gaps) += !p.haemoglobin_known;
    not_asked += !p.lives_alone_known;
  }
  CHECK(light_gaps / light == doctest::Approx(0.18).epsilon(0.05));
  CHECK(other_gaps / other == doctest::Approx(0.06).epsilon(0.05));
  CHECK(not_asked / kRows == doctest::Approx(0.04).epsilon(0.05));
}

TEST_CASE("the bell has mean 0 and the standard deviation asked for") {
  RowBits bits(1, 1);
  double sum = 0, squares = 0;
  for (std::uint64_t i = 0; i < kRows; ++i) {
    const double value = bits.bell(1000);
    sum += value;
    squares += value * value;
  }
  CHECK(std::abs(sum / kRows) < 20);
  CHECK(std::sqrt(squares / kRows) == doctest::Approx(1000).epsilon(0.02));
}
