// Reading and encoding against Arrow's plain reading of the same file, in one run.
//
// Each iteration does one plain read and one read with encoding, back to back, so that whatever
// else the machine does hits both; `ratio` is the median of their quotients in elapsed time,
// `cpu_ratio` in processor time, which means more where other programs run. The table has 12
// columns: four integers, two reals, a date, four categories and the label.
//
//   PRIVPFC_BENCH_ROWS=10000000 build/release/bench/input_bench

#include <arrow/api.h>
#include <arrow/csv/api.h>
#include <arrow/io/file.h>
#include <arrow/util/thread_pool.h>
#include <benchmark/benchmark.h>
#include <parquet/arrow/reader.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>

#include "privpfc/io/table_writer.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/table/encoder.h"

namespace {

using namespace privpfc;

constexpr const char* kSchema = R"(
name: bench
label: {column: outcome, classes: [well, ill, dead]}
attributes:
  age:      {type: integer, domain: [0, 119], levels: [12, 6, 2], missing: []}
  visits:   {type: integer, domain: [0, 999], levels: [100, 10], missing: []}
  code:     {type: integer, domain: [0, 9999999], levels: [1000, 10], missing: []}
  days:     {type: integer, domain: [0, 365], levels: [6, 2], missing: []}
  weight:   {type: real, domain: [30, 200], levels: [16, 4], missing: []}
  pressure: {type: real, domain: [0, 300], levels: [300, 30], missing: []}
  admitted: {type: date, domain: [2015-01-01, 2024-12-31], levels: [12, 4], missing: []}
  ward:     {type: categorical, values: [Heart, Bone, Lung, Kidney, Eye], missing: [], other: true}
  region:   {type: categorical, values: [north, south, east, west], missing: [], other: true}
  drug:     {type: categorical, values: [d00, d01, d02, d03, d04, d05, d06, d07], missing: [], other: true}
  sex:      {type: categorical, values: [f, m, x], missing: [], other: true}
)";

std::size_t row_count() {
  const char* rows = std::getenv("PRIVPFC_BENCH_ROWS");
  return rows == nullptr ? 1'000'000 : std::strtoull(rows, nullptr, 10);
}

const Schema& schema() {
  static const Schema schema = *read_schema_text(kSchema).schema;
  return schema;
}

// Column by column, in the order of the file.
std::vector<OutputColumn> file_columns() {
  using Kind = OutputColumn::Kind;
  std::vector<OutputColumn> columns;
  for (const Attribute& attribute : schema().attributes) {
    OutputColumn column{.name = attribute.name, .nullable = true};
    switch (attribute.kind) {
      case AttributeKind::kInteger:
        column.kind = Kind::kInteger;
        break;
      case AttributeKind::kReal:
        column.kind = Kind::kReal;
        break;
      case AttributeKind::kDate:
        column.kind = Kind::kDate;
        break;
      default:
        column.kind = Kind::kCategory;
        for (const auto& [text, leaf] : attribute.spellings) column.categories.push_back(text);
        column.categories.push_back("unheard of");
    }
    columns.push_back(std::move(column));
  }
  columns.push_back(
      {.name = "outcome", .kind = Kind::kCategory, .categories = schema().label.classes});
  return columns;
}

void write_file(const std::filesystem::path& path) {
  const std::vector<OutputColumn> columns = file_columns();
  TableWriter writer = std::move(TableWriter::create(path, columns, {.overwrite = true})).value();
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  constexpr std::size_t kBatch = 1 << 16;
  for (std::size_t first = 0; first < row_count(); first += kBatch) {
    const std::size_t rows = std::min(kBatch, row_count() - first);
    std::vector<std::vector<std::int64_t>> integers(columns.size());
    std::vector<std::vector<double>> reals(columns.size());
    std::vector<std::vector<std::int32_t>> days(columns.size());
    std::vector<std::vector<std::uint8_t>> codes(columns.size());
    std::vector<std::uint8_t> valid(rows);
    for (auto& v : valid) v = random() % 50 != 0;
    std::vector<OutputSlice> slices;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      switch (columns[c].kind) {
        case OutputColumn::Kind::kInteger: {
          const double top = schema().attributes[c].bins->edges.back();
          for (std::size_t i = 0; i < rows; ++i) {
            integers[c].push_back(static_cast<std::int64_t>(std::abs(normal(random)) * top / 3));
          }
          slices.push_back({std::span<const std::int64_t>(integers[c]), valid});
          break;
        }
        case OutputColumn::Kind::kReal:
          for (std::size_t i = 0; i < rows; ++i) {
            reals[c].push_back(std::round((80 + 30 * normal(random)) * 100) / 100);
          }
          slices.push_back({std::span<const double>(reals[c]), valid});
          break;
        case OutputColumn::Kind::kDate:
          for (std::size_t i = 0; i < rows; ++i) {
            days[c].push_back(static_cast<std::int32_t>(16436 + random() % 3653));
          }
          slices.push_back({std::span<const std::int32_t>(days[c]), valid});
          break;
        default:
          for (std::size_t i = 0; i < rows; ++i) {
            codes[c].push_back(static_cast<std::uint8_t>(random() % columns[c].categories.size()));
          }
          slices.push_back({std::span<const std::uint8_t>(codes[c]),
                            columns[c].nullable ? std::span<const std::uint8_t>(valid)
                                                : std::span<const std::uint8_t>()});
      }
    }
    if (!writer.write(slices).ok()) std::abort();
  }
  if (!writer.close().ok()) std::abort();
}

// Made once per run, removed at the end of it.
class Files {
 public:
  Files() {
    std::string name = (std::filesystem::temp_directory_path() / "privpfc-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    directory_ = name;
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  ~Files() { std::filesystem::remove_all(directory_); }

  std::filesystem::path get(const std::string& name) {
    const std::filesystem::path path = directory_ / name;
    if (!std::filesystem::exists(path)) write_file(path);
    return path;
  }

 private:
  std::filesystem::path directory_;
};

Files& files() {
  static Files files;
  return files;
}

struct Cost {
  double wall = 0;  // seconds
  double cpu = 0;   // of all threads, user and system
};

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Cost cost_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  const double cpu_start = cpu_seconds();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          cpu_seconds() - cpu_start};
}

void check(bool ok) {
  if (!ok) std::abort();
}

// Reads and encodes; keeps nothing but a sum, which shows that the codes were made.
void read_and_encode(const std::filesystem::path& path, unsigned threads) {
  auto reader = TableReader::open({path});
  check(reader.ok());
  const auto encoder = Encoder::create(schema(), reader->columns());
  check(encoder.ok());
  std::uint64_t rows = 0;
  check(encode_rows(*reader, *encoder, threads, [&](const EncodedBatch& batch) -> Status {
          rows += batch.rows;
          return {};
        }).ok());
  check(rows == row_count());
}

void arrow_parquet_stream(const std::filesystem::path& path, unsigned threads) {
  parquet::arrow::FileReaderBuilder builder;
  check(builder.OpenFile(path.string()).ok());
  parquet::ArrowReaderProperties properties(threads > 1);
  auto reader = builder.properties(properties)->Build().ValueOrDie();
  auto batches = reader->GetRecordBatchReader().ValueOrDie();
  std::int64_t rows = 0;
  std::shared_ptr<arrow::RecordBatch> batch;
  while (batches->ReadNext(&batch).ok() && batch != nullptr) rows += batch->num_rows();
  check(rows == static_cast<std::int64_t>(row_count()));
}

void arrow_parquet_table(const std::filesystem::path& path, unsigned threads) {
  parquet::arrow::FileReaderBuilder builder;
  check(builder.OpenFile(path.string()).ok());
  parquet::ArrowReaderProperties properties(threads > 1);
  auto reader = builder.properties(properties)->Build().ValueOrDie();
  check(reader->ReadTable().ok());
}

// With the options that our reader uses (quoted newlines allowed) and Arrow's own type inference.
arrow::csv::ParseOptions csv_options() {
  auto options = arrow::csv::ParseOptions::Defaults();
  options.newlines_in_values = true;
  return options;
}

void arrow_csv_table(const std::filesystem::path& path, unsigned threads) {
  auto read = arrow::csv::ReadOptions::Defaults();
  read.use_threads = threads > 1;
  auto reader =
      arrow::csv::TableReader::Make(arrow::io::default_io_context(),
                                    arrow::io::ReadableFile::Open(path.string()).ValueOrDie(), read,
                                    csv_options(), arrow::csv::ConvertOptions::Defaults())
          .ValueOrDie();
  check(reader->Read().ok());
}

void arrow_csv_stream(const std::filesystem::path& path, unsigned threads) {
  auto read = arrow::csv::ReadOptions::Defaults();
  read.use_threads = threads > 1;
  auto reader =
      arrow::csv::StreamingReader::Make(arrow::io::default_io_context(),
                                        arrow::io::ReadableFile::Open(path.string()).ValueOrDie(),
                                        read, csv_options(), arrow::csv::ConvertOptions::Defaults())
          .ValueOrDie();
  std::shared_ptr<arrow::RecordBatch> batch;
  while (reader->ReadNext(&batch).ok() && batch != nullptr) benchmark::DoNotOptimize(batch);
}

using Read = void (*)(const std::filesystem::path&, unsigned);

void compare(benchmark::State& state, const std::string& file, Read plain) {
  const auto threads = static_cast<unsigned>(state.range(0));
  const std::filesystem::path path = files().get(file);
  check(arrow::SetCpuThreadPoolCapacity(static_cast<int>(threads)).ok());
  std::vector<double> ratios, cpu_ratios, plain_times, our_times;
  for (auto _ : state) {
    const Cost theirs = cost_of([&] { plain(path, threads); });
    const Cost ours = cost_of([&] { read_and_encode(path, threads); });
    plain_times.push_back(theirs.wall);
    our_times.push_back(ours.wall);
    ratios.push_back(ours.wall / theirs.wall);
    cpu_ratios.push_back(ours.cpu / theirs.cpu);
    state.SetIterationTime(ours.wall);
  }
  const auto median = [](std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
    return values[values.size() / 2];
  };
  state.counters["ratio"] = median(ratios);
  state.counters["cpu_ratio"] = median(cpu_ratios);
  state.counters["plain_s"] = median(plain_times);
  state.counters["ours_s"] = median(our_times);
  state.counters["rows/s"] = static_cast<double>(row_count()) / median(our_times);
}

void parquet_against_stream(benchmark::State& state) {
  compare(state, "t.parquet", arrow_parquet_stream);
}
void parquet_against_table(benchmark::State& state) {
  compare(state, "t.parquet", arrow_parquet_table);
}
void csv_against_stream(benchmark::State& state) {
  compare(state, "t.csv", arrow_csv_stream);
}
void csv_against_table(benchmark::State& state) {
  compare(state, "t.csv", arrow_csv_table);
}

BENCHMARK(parquet_against_stream)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(5);
BENCHMARK(parquet_against_table)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(5);
BENCHMARK(csv_against_stream)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(3);
BENCHMARK(csv_against_table)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(3);

}  // namespace

BENCHMARK_MAIN();
