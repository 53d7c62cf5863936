// Scores a complete pool of grids, and compares that with counting all rows anew for each grid.
//
// The data is the sample of samples/readmission.yaml; or, by environment variables,
//   PRIVPFC_BENCH_DATA, PRIVPFC_BENCH_SCHEMA  a table and its schema
//   PRIVPFC_BENCH_ROWS                        rows of the sample (100,000)
//   PRIVPFC_BENCH_GRIDS                       most grids in the pool (2,000,000); fewer attributes
//                                             take part where that is too few
//   PRIVPFC_BENCH_EPSILON                     of the histogram (0.6): with the rows, it sets the
//                                             most cells of a grid
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>

#include "privpfc/counting/row_counts.h"
#include "privpfc/pipeline/pool_plan.h"
#include "privpfc/quality/grid_score.h"
#include "privpfc/quality/pool_scores.h"
#include "privpfc/sample/sample_table.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/table/encoder.h"

namespace {

using namespace privpfc;

std::string setting(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

EncodedTable read_table(const std::string& path, const Schema& schema) {
  TableReader reader = TableReader::open({path}, schema.csv).value();
  EncoderOptions options;
  options.ignore_extra_columns = true;
  const Encoder encoder = Encoder::create(schema, reader.columns(), options).value();
  return encode_table(reader, encoder, 2).value();
}

EncodedTable make_sample(const Schema& schema) {
  std::string folder = (std::filesystem::temp_directory_path() / "privpfc-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) std::abort();
  const std::string path = folder + "/sample.parquet";
  const SampleOptions options{std::stoull(setting("PRIVPFC_BENCH_ROWS", "100000")), 1,
                              SampleClasses::kTwo};
  TableWriter writer = TableWriter::create(path, sample_columns(options.classes)).value();
  if (!write_sample(options, writer) || !writer.close()) std::abort();
  EncodedTable table = read_table(path, schema);
  std::filesystem::remove_all(folder);
  return table;
}

// A table and the pool that its rows and epsilon allow, made once.
struct Work {
  Schema schema;
  EncodedTable table;
  ChosenPool chosen;
  MisclassificationTable excess;
  Points points;
  double grouping_seconds = 0;

  static const Work& get() {
    static const Work work = make();
    return work;
  }

 private:
  static Work make() {
    const std::string data = setting("PRIVPFC_BENCH_DATA", "");
    const std::string path = setting("PRIVPFC_BENCH_SCHEMA", "");
    Schema schema = path.empty() ? *read_schema_text(sample_schema_yaml(SampleClasses::kTwo)).schema
                                 : load_schema(path).value();
    EncodedTable table = data.empty() ? make_sample(schema) : read_table(data, schema);
    const Epsilon epsilon = Epsilon::parse(setting("PRIVPFC_BENCH_EPSILON", "0.6")).value();
    const auto rows = static_cast<std::int64_t>(table.rows());
    PoolLimits limits;
    limits.grids = std::stoull(setting("PRIVPFC_BENCH_GRIDS", std::to_string(limits.grids)));
    std::vector<AttributeIndex> used;
    for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
      if (schema.attributes[i].used) used.emplace_back(i);
    }
    ChosenPool chosen =
        pool_over_picks(schema, used, cell_threshold(rows, epsilon, limits), rows, limits);
    const double before = cpu_seconds();
    Points points = group_rows(table, chosen.space, schema.class_count(),
                               usable_levels(chosen.space, chosen.pool.most_cells()));
    const double grouping = cpu_seconds() - before;
    return {std::move(schema), std::move(table),
            std::move(chosen), MisclassificationTable(epsilon.units(), Epsilon::kUnitsPerOne),
            std::move(points), grouping};
  }
};

// The plain way: every row's cell from its codes, one axis after the other.
std::vector<std::int64_t> recount(const Work& work, const Grid& grid) {
  const GridSpace& space = work.chosen.space;
  const std::size_t classes = work.schema.class_count();
  std::vector<std::int64_t> counts(space.cell_count(grid) * classes, 0);
  std::vector<std::uint32_t> cells;
  for (const EncodedBatch& batch : work.table.batches()) {
    cells.assign(batch.rows, 0);
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
      if (grid[axis] == 0) continue;
      const std::uint16_t* map =
          space.coarsening(axis, space.finest_level(axis), grid[axis]).data();
      const std::uint32_t radix = space.node_count(axis, grid[axis]);
      std::visit(
          [&](auto codes) {
            for (std::size_t row = 0; row < cells.size(); ++row) {
              cells[row] = cells[row] * radix + map[codes[row]];
            }
          },
          batch.attribute(space.attribute(axis)));
    }
    for (std::size_t row = 0; row < cells.size(); ++row) {
      ++counts[cells[row] * classes + batch.classes[row]];
    }
  }
  return counts;
}

// Seconds that recounting would take for the whole pool, from grids spread evenly over it; stops
// the program if a recounted score is not the fast one.
double recount_seconds(const Work& work, const std::vector<std::int64_t>& scores) {
  const GridPool& pool = work.chosen.pool;
  const std::uint64_t sample = std::min<std::uint64_t>(200, pool.size());
  double seconds = 0;
  for (std::uint64_t i = 0; i < sample; ++i) {
    const std::uint64_t index = i * pool.size() / sample;
    const Grid grid = pool.grid(work.chosen.space, index);
    const double before = cpu_seconds();
    const std::int64_t score =
        grid_score(recount(work, grid), work.schema.class_count(), work.excess);
    seconds += cpu_seconds() - before;
    if (score != scores[index]) {
      fmt::print(stderr, "grid {}: {} is not {}\n", index, scores[index], score);
      std::abort();
    }
  }
  return seconds / static_cast<double>(sample) * static_cast<double>(pool.size());
}

void score_complete_pool(benchmark::State& state) {
  const Work& work = Work::get();
  const auto threads = static_cast<unsigned>(state.range(0));
  std::vector<std::int64_t> scores;
  const double before = cpu_seconds();
  for (auto _ : state) {
    scores = score_pool(work.chosen.space, work.chosen.pool, work.points, work.excess, threads);
    benchmark::DoNotOptimize(scores.data());
  }
  const double cpu = (cpu_seconds() - before) / static_cast<double>(state.iterations());
  const double plain = recount_seconds(work, scores);
  state.counters["rows"] = static_cast<double>(work.table.rows());
  state.counters["points"] = static_cast<double>(work.points.size());
  state.counters["grids"] = static_cast<double>(work.chosen.pool.size());
  state.counters["axes"] = static_cast<double>(work.chosen.space.axis_count());
  state.counters["total_cells"] = static_cast<double>(work.chosen.pool.total_cells());
  state.counters["ns/cell"] = cpu * 1e9 / static_cast<double>(work.chosen.pool.total_cells());
  state.counters["most_cells"] = static_cast<double>(work.chosen.pool.most_cells());
  state.counters["group_rows_s"] = work.grouping_seconds;
  state.counters["cpu_s"] = cpu;
  state.counters["recount_s"] = plain;
  state.counters["recount/score"] = plain / cpu;
}
BENCHMARK(score_complete_pool)
    ->Arg(1)
    ->Arg(2)
    ->ArgName("threads")
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
