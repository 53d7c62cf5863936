#include "privpfc/sample/sample_table.h"

#include <algorithm>
#include <span>

#include "privpfc/sample/patient.h"

namespace privpfc {
namespace {

constexpr std::size_t kBatchRows = 65'536;

using Kind = OutputColumn::Kind;

template <std::size_t N>
OutputColumn category(std::string name, const std::array<std::string_view, N>& values,
                      bool ordered = false) {
  return {.name = std::move(name),
          .kind = Kind::kCategory,
          .categories = {values.begin(), values.end()},
          .ordered = ordered};
}

}  // namespace

std::vector<OutputColumn> sample_columns(SampleClasses classes) {
  OutputColumn label{.name = "readmitted", .kind = Kind::kCategory};
  if (classes == SampleClasses::kTwo) {
    label.categories = {"no", "yes"};
  } else {
    label.categories = {"no", "later", "within-30-days"};
  }
  return {{.name = "age", .kind = Kind::kInteger},
          category("sex", kSexes),
          {.name = "admitted", .kind = Kind::kDate},
          category("source", kSources),
          category("diagnosis", kDiagnoses),
          category("severity", kSeverities, true),
          {.name = "earlier_stays", .kind = Kind::kInteger},
          {.name = "stay_days", .kind = Kind::kInteger},
          {.name = "medications", .kind = Kind::kInteger},
          {.name = "haemoglobin", .kind = Kind::kReal, .nullable = true},
          {.name = "lives_alone", .kind = Kind::kBoolean, .nullable = true},
          category("discharged_to", kDischarges),
          std::move(label)};
}

void SampleBatch::fill(std::uint64_t seed, std::uint64_t first, std::size_t count) {
  for (auto* column : {&age_, &earlier_stays_, &stay_days_, &medications_}) column->resize(count);
  for (auto* column : {&sex_, &source_, &diagnosis_, &severity_, &lives_alone_, &discharged_to_,
                       &readmitted_, &haemoglobin_known_, &lives_alone_known_}) {
    column->resize(count);
  }
  haemoglobin_.resize(count);
  admitted_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Patient patient = make_patient(seed, first + i);
    age_[i] = patient.age;
    sex_[i] = static_cast<std::uint8_t>(patient.sex);
    admitted_[i] = kFirstAdmission + patient.admitted;
    source_[i] = static_cast<std::uint8_t>(patient.source);
    diagnosis_[i] = static_cast<std::uint8_t>(patient.diagnosis);
    severity_[i] = static_cast<std::uint8_t>(patient.severity);
    earlier_stays_[i] = patient.earlier_stays;
    stay_days_[i] = patient.stay_days;
    medications_[i] = patient.medications;
    haemoglobin_[i] = patient.haemoglobin_tenths / 10.0;
    haemoglobin_known_[i] = patient.haemoglobin_known;
    lives_alone_[i] = patient.lives_alone;
    lives_alone_known_[i] = patient.lives_alone_known;
    discharged_to_[i] = static_cast<std::uint8_t>(patient.discharged_to);
    readmitted_[i] = classes_ == SampleClasses::kThree
                         ? static_cast<std::uint8_t>(patient.readmitted)
                         : patient.readmitted != Readmission::kNo;
  }
}

std::vector<OutputSlice> SampleBatch::slices() const {
  const auto plain = [](const auto& column) { return OutputSlice{std::span(column)}; };
  return {plain(age_),
          plain(sex_),
          plain(admitted_),
          plain(source_),
          plain(diagnosis_),
          plain(severity_),
          plain(earlier_stays_),
          plain(stay_days_),
          plain(medications_),
          {std::span(haemoglobin_), haemoglobin_known_},
          {std::span(lives_alone_), lives_alone_known_},
          plain(discharged_to_),
          plain(readmitted_)};
}

Status write_sample(const SampleOptions& options, TableWriter& writer,
                    const std::function<void(std::uint64_t)>& progress) {
  SampleBatch batch(options.classes);
  for (std::uint64_t done = 0; done < options.rows;) {
    const std::size_t count = std::min<std::uint64_t>(kBatchRows, options.rows - done);
    batch.fill(options.seed, done, count);
    PRIVPFC_TRY(writer.write(batch.slices()));
    done += count;
    if (progress) progress(done);
  }
  return {};
}

}  // namespace privpfc
