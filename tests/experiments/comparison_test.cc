#include "privpfc/experiments/comparison.h"

#include <doctest/doctest.h>

#include <fstream>
#include <random>

#include "privpfc/experiments/comparison_summary.h"
#include "privpfc/schema/schema_reader.h"
#include "support/temporary_folder.h"

using namespace privpfc;

namespace {

const char* const kSchema = R"(
name: wards
label: {column: y, classes: [well, ill, worse]}
attributes:
  age:  {type: integer, domain: [0, 119], levels: [12, 4]}
  ward: {type: categorical, missing: ["?"], tree: {Surgery: [Heart, Bone], Other: }}
)";

// Three classes that age and ward tell about.
ExperimentTable made_table(const TemporaryFolder& folder, std::size_t rows) {
  std::mt19937_64 random(2);
  std::ofstream file(folder / "rows.csv");
  file << "age,ward,part,y\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const auto age = random() % 120;
    const char* const wards[] = {"Heart", "Bone", "Other", "?"};
    const std::size_t ward = random() % 4;
    const char* const classes[] = {"well", "ill", "worse"};
    const std::size_t label = random() % 8 == 0 ? random() % 3 : (age > 60 ? 1 : 0) + (ward == 0);
    file << age << ',' << wards[ward] << ",p" << i % 3 << ',' << classes[label] << '\n';
  }
  file.close();
  ExperimentTable::Source source;
  source.paths = {(folder / "rows.csv").string()};
  source.fold_column = "part";
  return ExperimentTable::load(source, *read_schema_text(kSchema).schema).value();
}

ComparisonResults run(const ExperimentTable& table, const std::vector<std::string>& methods,
                      unsigned threads, const std::filesystem::path& journal,
                      std::size_t* parts = nullptr) {
  ComparisonOptions options;
  options.epsilons = {Epsilon::parse("0.2").value(), Epsilon::parse("2").value()};
  options.repeats = 2;
  options.threads = threads;
  std::size_t first = 0;
  bool begun = false;
  ComparisonResults results =
      compare_methods(table, splits_by_fold(table.column_folds()), find_contenders(methods).value(),
                      options, *Journal::open(journal, "test").value(),
                      [&](std::size_t done, std::size_t) {
                        if (!begun) first = done;
                        begun = true;
                      })
          .value();
  if (parts != nullptr) *parts = first;
  return results;
}

std::vector<double> errors_of(const ComparisonResults& results, const std::string& method) {
  std::vector<double> errors;
  for (const ComparisonRow& row : results.rows) {
    if (row.method == method) errors.push_back(row.error);
  }
  return errors;
}

}  // namespace

TEST_CASE("results depend on neither threads nor company, and an interrupted run goes on") {
  const TemporaryFolder folder;
  const ExperimentTable table = made_table(folder, 600);
  const ComparisonResults alone = run(table, {"privpfc"}, 1, folder / "one");
  const ComparisonResults together =
      run(table, {"privpfc", "majority", "noise-free", "privpfc-as-published"}, 3, folder / "two");
  CHECK(errors_of(alone, "privpfc").size() == 3u * 2 * 2 * 4);
  CHECK(errors_of(alone, "privpfc") == errors_of(together, "privpfc"));
  CHECK(errors_of(together, "majority").size() == 3);
  // Every method's time is told by parts.
  REQUIRE(together.times.size() == 4);
  for (const MethodTimes& method : together.times) CHECK(method.parts.size() >= 3);
  CHECK(alone.times[0].parts[0].part == "training rows of the split");

  std::size_t already = 0;
  const ComparisonResults again = run(table, {"privpfc", "majority"}, 2, folder / "one", &already);
  CHECK(already == 6);
  CHECK(errors_of(again, "privpfc") == errors_of(alone, "privpfc"));
}

TEST_CASE("what there is to learn is learned") {
  const TemporaryFolder folder;
  const ExperimentTable table = made_table(folder, 3'000);
  const ComparisonResults results = run(
      table, {"all", "privpfc-as-published", "privpfc-selnf-as-published"}, 2, folder / "journal");
  CHECK(results.gaps.empty());
  double majority = 0;
  for (const ComparisonLine& line : summarise(results)) {
    if (line.method == "majority") majority = line.error.mean;
  }
  CHECK(majority > 0.4);
  for (const ComparisonLine& line : summarise(results)) {
    CAPTURE(line.label);
    CHECK(line.error.low <= line.error.mean);
    CHECK(line.error.mean <= line.error.high);
    CHECK(line.folds.size() == 3);
    const bool telling = line.method.starts_with("privpfc") && line.epsilon &&
                         *line.epsilon == Epsilon::parse("2").value();
    if (telling || line.method == "noise-free") CHECK(line.error.mean < 0.25);
  }
}

TEST_CASE("rows are seen as each method wants to see them") {
  const TemporaryFolder folder;
  const ExperimentTable table = made_table(folder, 30);
  CHECK(table.rows() == 30);
  CHECK(table.column_folds()[4] == 1);
  const Schema& schema = table.schema();
  const FeatureSpace plain = make_feature_space(schema, plain_views(schema)).value();
  const std::vector<std::uint32_t> rows{3, 7};
  const Dataset data = table.dataset(plain, rows);
  CHECK(data.count() == 2);
  CHECK(data.labels[1] == table.labels()[7]);
  CHECK(check_dataset(data, plain).ok());
  std::vector<AttributeView> coarse = plain_views(schema);
  for (AttributeView& view : coarse) view = {view.attribute, false, LevelIndex(1u)};
  const FeatureSpace grid = make_feature_space(schema, coarse).value();
  CHECK(check_dataset(table.dataset(grid, rows), grid).ok());
  CHECK(table.encoded(rows).rows() == 2);
}

TEST_CASE("a name that is no method is refused, with the names that are") {
  const auto found = find_contenders({"privpfc", "nonsense"});
  REQUIRE_FALSE(found.ok());
  CHECK(found.error().kind == ErrorKind::kUsage);
  CHECK(found.error().message.find("privpfc-as-published") != std::string::npos);
}
