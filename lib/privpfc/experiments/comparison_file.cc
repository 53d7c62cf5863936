#include "privpfc/experiments/comparison_file.h"

#include <algorithm>

#include "privpfc/io/table_writer.h"

namespace privpfc {
namespace {

// Texts as a dictionary with the codes of each row.
struct Names {
  std::vector<std::string> names;
  std::vector<std::uint16_t> codes;

  void add(const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    codes.push_back(static_cast<std::uint16_t>(found - names.begin()));
    if (found == names.end()) names.push_back(name);
  }
};

}  // namespace

Status write_comparison(const ComparisonResults& results, const std::filesystem::path& path) {
  Names methods;
  Names classifiers;
  std::vector<double> epsilons;
  std::vector<std::uint8_t> has_epsilon;
  std::vector<std::int64_t> folds;
  std::vector<std::int64_t> repeats;
  std::vector<double> errors;
  std::vector<double> seconds;
  std::vector<double> megabytes;
  std::vector<std::uint8_t> has_megabytes;
  for (const ComparisonRow& row : results.rows) {
    methods.add(row.method);
    classifiers.add(row.classifier);
    has_epsilon.push_back(row.epsilon ? 1 : 0);
    epsilons.push_back(row.epsilon ? static_cast<double>(row.epsilon->units()) /
                                         static_cast<double>(Epsilon::kUnitsPerOne)
                                   : 0);
    folds.push_back(static_cast<std::int64_t>(row.fold));
    repeats.push_back(static_cast<std::int64_t>(row.repeat));
    errors.push_back(row.error);
    seconds.push_back(row.seconds);
    has_megabytes.push_back(row.megabytes ? 1 : 0);
    megabytes.push_back(row.megabytes.value_or(0));
  }
  using Kind = OutputColumn::Kind;
  PRIVPFC_ASSIGN(
      TableWriter writer,
      TableWriter::create(path, {{"method", Kind::kCategory, false, methods.names},
                                 {"classifier", Kind::kCategory, false, classifiers.names},
                                 {"epsilon", Kind::kReal, true},
                                 {"fold", Kind::kInteger},
                                 {"repeat", Kind::kInteger},
                                 {"error", Kind::kReal},
                                 {"seconds", Kind::kReal},
                                 {"megabytes", Kind::kReal, true}}));
  const std::vector<OutputSlice> slices{{std::span<const std::uint16_t>(methods.codes)},
                                        {std::span<const std::uint16_t>(classifiers.codes)},
                                        {std::span<const double>(epsilons), has_epsilon},
                                        {std::span<const std::int64_t>(folds)},
                                        {std::span<const std::int64_t>(repeats)},
                                        {std::span<const double>(errors)},
                                        {std::span<const double>(seconds)},
                                        {std::span<const double>(megabytes), has_megabytes}};
  PRIVPFC_TRY(writer.write(slices));
  return writer.close();
}

}  // namespace privpfc
