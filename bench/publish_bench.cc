// What a whole release of a large table takes, stage by stage, against reading and encoding alone.
//
// Each measurement runs in a process of its own, so that its peak of memory is its own too. The
// rows are those of samples/readmission.yaml.
//
//   publish_bench ROWS [THREADS ...]           (50,000,000 rows are the aim; threads: 1 2)
//
// With PRIVPFC_BENCH_DATA=F.parquet the sample is taken from there instead of being made first.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "privpfc/pipeline/publish.h"
#include "privpfc/privacy/kernel.h"
#include "privpfc/privacy/system_bits.h"
#include "privpfc/release/release_writer.h"
#include "privpfc/sample/sample_table.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/table/encoder.h"

namespace {

using namespace privpfc;
using Clock = std::chrono::steady_clock;

// A benchmark has no ledger.
class BenchBudget : BudgetSource {
 public:
  static Budget of(Epsilon epsilon) { return issue(epsilon); }
};

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Prints how long each stage took when the next one begins.
class Stages {
 public:
  void begin(std::string_view name) {
    end();
    name_ = name;
    start_ = Clock::now();
    cpu_ = cpu_seconds();
  }
  void end() const {
    if (name_.empty()) return;
    const std::chrono::duration<double> elapsed = Clock::now() - start_;
    fmt::print("    {:<20}{:>8.2f} s{:>8.2f} s of processor\n", name_, elapsed.count(),
               cpu_seconds() - cpu_);
  }

 private:
  std::string name_;
  Clock::time_point start_;
  double cpu_ = 0;
};

EncodedTable encode(const std::string& path, const Schema& schema, unsigned threads) {
  TableReader reader = TableReader::open({path}).value();
  const Encoder encoder = Encoder::create(schema, reader.columns()).value();
  return encode_table(reader, encoder, threads).value();
}

void publish_table(const std::string& path, const Schema& schema, unsigned threads,
                   const std::filesystem::path& out) {
  Stages stages;
  stages.begin("reading");
  Private<EncodedTable> table(encode(path, schema, threads));
  SystemBits bits;
  Kernel kernel(bits);
  PublishOptions options;
  options.threads = threads;
  StagingDirectory staging = StagingDirectory::create(out).value();
  const Released<Synopsis> synopsis = publish(std::move(table), schema, options, kernel,
                                              BenchBudget::of(Epsilon::parse("1").value()),
                                              [&](std::string_view name) { stages.begin(name); });
  stages.begin("writing");
  const Manifest manifest =
      write_release(std::move(staging), synopsis, schema, NumericStyle::kDrawn, bits.bits(64),
                    kMostSyntheticRows, threads)
          .value();
  stages.end();
  fmt::print("    {} grids in the pool, {} cells, {} synthetic rows, {:.0f} MB\n",
             manifest.synopsis.pool_size, manifest.cell_count, manifest.synthetic_rows,
             static_cast<double>(manifest.files.front().bytes) / 1e6);
}

struct Cost {
  double elapsed = 0;
  double cpu = 0;
  double megabytes = 0;
};

Cost measure(const std::function<void()>& work) {
  std::fflush(stdout);
  const auto start = Clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    std::fflush(stdout);
    ::_exit(0);
  }
  int status = 0;
  rusage usage{};
  if (::wait4(child, &status, 0, &usage) != child || status != 0) std::abort();
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  return {elapsed.count(), seconds(usage.ru_utime) + seconds(usage.ru_stime),
          static_cast<double>(usage.ru_maxrss) * 1024 / 1e6};
}

std::string make_sample(const std::filesystem::path& folder, std::uint64_t rows) {
  const std::string path = folder / "sample.parquet";
  const SampleOptions options{rows, 7, SampleClasses::kTwo};
  TableWriter writer = TableWriter::create(path, sample_columns(options.classes)).value();
  if (!write_sample(options, writer) || !writer.close()) std::abort();
  return path;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t rows = argc > 1 ? std::stoull(argv[1]) : 5'000'000;
  std::vector<unsigned> threads;
  for (int i = 2; i < argc; ++i) threads.push_back(static_cast<unsigned>(std::atoi(argv[i])));
  if (threads.empty()) threads = {1, 2};
  std::string folder = (std::filesystem::temp_directory_path() / "privpfc-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  const char* given = std::getenv("PRIVPFC_BENCH_DATA");
  std::string path = given != nullptr ? given : folder + "/sample.parquet";
  // In a process of its own: Arrow's threads do not live through a fork.
  if (given == nullptr) measure([&] { make_sample(folder, rows); });
  const Schema schema = *read_schema_text(sample_schema_yaml(SampleClasses::kTwo)).schema;
  for (const unsigned count : threads) {
    fmt::print("{} threads\n", count);
    const Cost reading = measure([&] { encode(path, schema, count); });
    const std::string out = fmt::format("{}/release{}", folder, count);
    const Cost whole = measure([&] { publish_table(path, schema, count, out); });
    for (const auto& [name, cost] : {std::pair("encoding alone", reading), {"publish", whole}}) {
      fmt::print("  {:<20}{:>8.2f} s{:>8.2f} s of processor{:>8.0f} MB\n", name, cost.elapsed,
                 cost.cpu, cost.megabytes);
    }
    fmt::print("  publish / encoding  {:>8.2f}  {:>8.2f}\n", whole.elapsed / reading.elapsed,
               whole.cpu / reading.cpu);
  }
  std::filesystem::remove_all(folder);
  return 0;
}
