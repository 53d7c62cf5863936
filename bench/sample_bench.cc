#include <benchmark/benchmark.h>

#include "privpfc/sample/sample_table.h"

namespace {

// Making rows as columns, without writing them.
void make_rows(benchmark::State& state) {
  constexpr std::size_t kRows = 65'536;
  privpfc::SampleBatch batch(privpfc::SampleClasses::kTwo);
  std::uint64_t first = 0;
  for (auto _ : state) {
    batch.fill(1, first, kRows);
    benchmark::DoNotOptimize(batch);
    benchmark::ClobberMemory();
    first += kRows;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(first));
}
BENCHMARK(make_rows)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
