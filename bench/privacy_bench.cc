// How fast the kernel draws, with the system's randomness as `publish` has it. For the ratio: a
// plain floating-point Laplace, which is what the exactness costs against.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "privpfc/privacy/discrete_laplace.h"
#include "privpfc/privacy/laplace_table.h"
#include "privpfc/privacy/noisy_counts.h"
#include "privpfc/privacy/selection.h"
#include "privpfc/privacy/system_bits.h"

namespace {

using namespace privpfc;

// The benchmark's argument is epsilon in thousandths.
Epsilon epsilon_of(const benchmark::State& state) {
  return Epsilon::from_units(static_cast<std::uint64_t>(state.range(0)) * 1'000'000);
}

void epsilons(benchmark::internal::Benchmark* bench) {
  for (const int thousandths : {1, 10, 100, 1000, 3000}) bench->Arg(thousandths);
}

void discrete_laplace_table(benchmark::State& state) {
  SystemBits bits;
  const LaplaceTable table(decay_of(epsilon_of(state), L1Sensitivity(1)));
  for (auto _ : state) benchmark::DoNotOptimize(table.sample(bits));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(discrete_laplace_table)->Apply(epsilons);

void discrete_laplace_exact(benchmark::State& state) {
  SystemBits bits;
  const Decay decay = decay_of(epsilon_of(state), L1Sensitivity(1));
  for (auto _ : state) benchmark::DoNotOptimize(sample_discrete_laplace(bits, decay));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(discrete_laplace_exact)->Apply(epsilons);

void laplace_floating_point(benchmark::State& state) {
  SystemBits bits;
  const double scale = 1000.0 / static_cast<double>(state.range(0));
  for (auto _ : state) {
    const std::uint64_t word = bits.bits(64);
    const double u = (static_cast<double>(word >> 11) + 0.5) * 0x1p-53;
    const double magnitude = -scale * std::log(u);
    benchmark::DoNotOptimize((word & 1) == 1 ? -magnitude : magnitude);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(laplace_floating_point)->Arg(1000);

void laplace_floating_point_mt19937(benchmark::State& state) {
  std::mt19937_64 generator(1);
  const double scale = 1000.0 / static_cast<double>(state.range(0));
  for (auto _ : state) {
    const std::uint64_t word = generator();
    const double u = (static_cast<double>(word >> 11) + 0.5) * 0x1p-53;
    const double magnitude = -scale * std::log(u);
    benchmark::DoNotOptimize((word & 1) == 1 ? -magnitude : magnitude);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(laplace_floating_point_mt19937)->Arg(1000);

void build_laplace_table(benchmark::State& state) {
  const Decay decay = decay_of(epsilon_of(state), L1Sensitivity(1));
  for (auto _ : state) benchmark::DoNotOptimize(LaplaceTable(decay));
}
BENCHMARK(build_laplace_table)->Apply(epsilons)->Unit(benchmark::kMillisecond);

void histogram_of_a_million_cells(benchmark::State& state) {
  SystemBits bits;
  const std::vector<std::int64_t> counts(1'000'000, 3);
  for (auto _ : state) {
    benchmark::DoNotOptimize(add_noise(bits, counts, L1Sensitivity(1), epsilon_of(state)));
  }
  state.SetItemsProcessed(state.iterations() * 1'000'000);
}
BENCHMARK(histogram_of_a_million_cells)->Apply(epsilons)->Unit(benchmark::kMillisecond);

// Ten million candidates. Argument: 0, all scores alike; 1, one far better than all others, which
// makes both rules look at nearly every candidate.
std::vector<std::int64_t> ten_million_scores(const benchmark::State& state) {
  std::vector<std::int64_t> scores(10'000'000, 0);
  if (state.range(0) == 1) scores[7'654'321] = INT64_MIN;
  return scores;
}

void permute_and_flip_ten_million(benchmark::State& state) {
  SystemBits bits;
  const std::vector<std::int64_t> scores = ten_million_scores(state);
  const Sharpness sharpness{Epsilon::from_units(Epsilon::kUnitsPerOne), ScoreRange(1'235'000)};
  for (auto _ : state) {
    benchmark::DoNotOptimize(permute_and_flip(bits, scores, Better::kLower, sharpness));
  }
}
BENCHMARK(permute_and_flip_ten_million)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void exponential_ten_million(benchmark::State& state) {
  SystemBits bits;
  const std::vector<std::int64_t> scores = ten_million_scores(state);
  const Sharpness sharpness{Epsilon::from_units(Epsilon::kUnitsPerOne), ScoreRange(1'235'000)};
  for (auto _ : state) {
    benchmark::DoNotOptimize(exponential_choice(bits, scores, Better::kLower, sharpness));
  }
}
BENCHMARK(exponential_ten_million)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
