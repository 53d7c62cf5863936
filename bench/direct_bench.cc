// How long each private method takes to train, and how that grows with the rows.
//
//   direct_bench METHOD[,METHOD...]|all EPSILON ROWS...      rows of samples/readmission.yaml
//   direct_bench METHOD[,METHOD...]|all EPSILON DATA.csv SCHEMA.yaml
//
// Processor seconds of one training on one thread, reading not included. `growth` is the power of
// the number of rows that the time follows from the first number to the last: 1 is linear.

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "privpfc/direct/methods.h"
#include "privpfc/features/feature_reader.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/privacy/kernel.h"
#include "privpfc/privacy/system_bits.h"
#include "privpfc/sample/sample_table.h"
#include "privpfc/schema/schema_reader.h"

namespace {

using namespace privpfc;

// A benchmark has no ledger.
class BenchBudget : BudgetSource {
 public:
  static Budget of(Epsilon epsilon, Delta delta) { return issue(epsilon, delta); }
};

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Table {
  std::string path;
  Schema schema;
};

// The sample as a file in a folder of its own, which goes when this goes.
class SampleFile {
 public:
  explicit SampleFile(std::uint64_t rows) {
    folder_ = (std::filesystem::temp_directory_path() / "privpfc-bench-XXXXXX").string();
    if (mkdtemp(folder_.data()) == nullptr) std::abort();
    const SampleOptions options{rows, 1, SampleClasses::kTwo};
    TableWriter writer = TableWriter::create(path(), sample_columns(options.classes)).value();
    if (!write_sample(options, writer) || !writer.close()) std::abort();
  }
  SampleFile(const SampleFile&) = delete;
  SampleFile& operator=(const SampleFile&) = delete;
  ~SampleFile() { std::filesystem::remove_all(folder_); }

  std::string path() const { return folder_ + "/sample.parquet"; }

 private:
  std::string folder_;
};

// The first `rows` of the table, or all.
Result<double> seconds_of(const DirectMethod& method, const Table& table, Epsilon epsilon,
                          std::size_t rows) {
  PRIVPFC_ASSIGN(const FeatureSpace space,
                 make_feature_space(table.schema, method.views(table.schema, epsilon)));
  const DirectSetting setting{table.schema, space};
  PRIVPFC_TRY(method.check(setting, epsilon));
  PRIVPFC_ASSIGN(TableReader reader, TableReader::open({table.path}, table.schema.csv));
  PRIVPFC_ASSIGN(
      const FeatureReader features,
      FeatureReader::create(table.schema, space, reader.columns(), {.ignore_extra_columns = true}));
  PRIVPFC_ASSIGN(Dataset data, read_dataset(reader, features, 1));
  if (rows < data.count()) {
    std::vector<std::size_t> first(rows);
    std::iota(first.begin(), first.end(), std::size_t{0});
    data = take_rows(data, first);
  }
  const Private<Dataset> private_rows(std::move(data));
  SystemBits bits;
  Kernel kernel(bits);
  const double start = cpu_seconds();
  method.train(private_rows, setting, kernel, BenchBudget::of(epsilon, method.delta()));
  return cpu_seconds() - start;
}

Status run(const std::string& wanted, Epsilon epsilon, const Table& table,
           const std::vector<std::size_t>& sizes) {
  fmt::print("{:<28}", "rows");
  for (const std::size_t size : sizes)
    fmt::print("{:>10}", size == SIZE_MAX ? "all" : fmt::to_string(size));
  fmt::print("{}\n", sizes.size() > 1 ? "    growth" : "");
  for (const std::unique_ptr<DirectMethod>& method : direct_methods({})) {
    const std::string listed = "," + wanted + ",";
    if (wanted != "all" && listed.find(fmt::format(",{},", method->name())) == listed.npos) {
      continue;
    }
    fmt::print("{:<28}", method->name());
    double first = 0;
    double last = 0;
    for (const std::size_t size : sizes) {
      PRIVPFC_ASSIGN(last, seconds_of(*method, table, epsilon, size));
      if (first == 0) first = last;
      fmt::print("{:>10.3f}", last);
      std::fflush(stdout);
    }
    if (sizes.size() > 1) {
      const double times = static_cast<double>(sizes.back()) / static_cast<double>(sizes.front());
      fmt::print("{:>10.2f}", std::log(last / first) / std::log(times));
    }
    fmt::print("\n");
  }
  return {};
}

Status start(const std::vector<std::string>& arguments) {
  PRIVPFC_ASSIGN(const Epsilon epsilon, Epsilon::parse(arguments[1]));
  if (arguments.size() == 4 && arguments[3].ends_with(".yaml")) {
    PRIVPFC_ASSIGN(Schema schema, load_schema(arguments[3]));
    return run(arguments[0], epsilon, {arguments[2], std::move(schema)}, {SIZE_MAX});
  }
  std::vector<std::size_t> sizes;
  for (std::size_t i = 2; i < arguments.size(); ++i) sizes.push_back(std::stoull(arguments[i]));
  const SampleFile sample(sizes.back());
  return run(arguments[0], epsilon,
             {sample.path(), *read_schema_text(sample_schema_yaml(SampleClasses::kTwo)).schema},
             sizes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: direct_bench METHODS EPSILON ROWS... | DATA.csv SCHEMA.yaml\n");
    return 2;
  }
  const Status status = start({argv + 1, argv + argc});
  if (!status.ok()) fmt::print(stderr, "{}\n", status.error().message);
  return status.ok() ? 0 : 1;
}
