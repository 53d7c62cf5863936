#include "privpfc/privacy/smooth_noise.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "privpfc/privacy/discrete_cauchy.h"
#include "privpfc/privacy/kernel.h"
#include "support/chi_square.h"
#include "support/effort.h"
#include "support/recording_mechanisms.h"
#include "support/seeded_bits.h"
#include "support/stops.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

constexpr double kSignificance = 1e-6;

double number(Epsilon epsilon) {
  return static_cast<double>(epsilon.units()) / 1e9;
}

// The draws against the law with this scale: everything beyond the span falls into the ends.
ChiSquare against_cauchy(const std::vector<Int128>& drawn, double scale) {
  const auto span = static_cast<std::int64_t>(std::ceil(300 * scale));
  const double pi = std::numbers::pi;
  std::vector<double> law;
  double inside = 0;
  for (std::int64_t z = -span; z <= span; ++z) {
    const double x = static_cast<double>(z) / scale;
    law.push_back(1 / (1 + x * x) / (pi * scale / std::tanh(pi * scale)));
    inside += law.back();
  }
  law.front() += (1 - inside) / 2;
  law.back() += (1 - inside) / 2;
  std::vector<std::uint64_t> seen(law.size());
  for (const Int128 z : drawn) {
    ++seen[static_cast<std::size_t>(std::clamp<Int128>(z, -span, span) + span)];
  }
  return chi_square(seen, law, kSignificance);
}

// The loss between two continuous Cauchy laws.
double cauchy_loss(double scale, double other_scale, double shift) {
  const double r = other_scale / scale;
  const double t = shift / scale;
  return std::acosh((r + 1 / r + t * t / r) / 2);
}

// The largest loss that neighbours can have: bounds equal or as far apart as beta allows, the
// values as far apart as the smaller bound allows.
template <typename Scale>
double worst_loss(double beta, Scale scale_of) {
  const std::uint64_t bound = 1ULL << 40;
  const auto smaller =
      static_cast<std::uint64_t>(std::ceil(static_cast<double>(bound) * std::exp(-beta)));
  double worst = 0;
  for (const std::uint64_t other : {bound, smaller}) {
    const auto shift = static_cast<double>(std::min(bound, other));
    const double one = scale_of(bound);
    const double two = scale_of(other);
    worst = std::max({worst, cauchy_loss(one, two, shift), cauchy_loss(two, one, shift)});
  }
  return worst;
}

struct Setting {
  const char* epsilon;
  double beta_share;
};

Smoothness smoothness_of(const Setting& setting) {
  return {Epsilon::from_units(static_cast<std::uint64_t>(
      static_cast<double>(eps(setting.epsilon).units()) * setting.beta_share))};
}

// delta(epsilon) = sum over z of (p - e^epsilon q)+ for two Laplace laws, by summation on a grid
// that is fine against both scales.
double laplace_delta(double epsilon, double scale, double other_scale, double shift) {
  const double step = scale / 2'000;
  double delta = 0;
  for (double z = -80 * scale; z <= 80 * scale; z += step) {
    const double p = std::exp(-std::abs(z) / scale) / (2 * scale);
    const double q = std::exp(-std::abs(z - shift) / other_scale) / (2 * other_scale);
    delta += std::max(0.0, p - std::exp(epsilon) * q) * step;
  }
  return delta;
}

// The largest beta that fits.
Smoothness largest_beta(Epsilon epsilon, Delta delta) {
  std::uint64_t low = 0;
  std::uint64_t high = epsilon.units();
  while (high - low > 1) {
    const std::uint64_t middle = (low + high) / 2;
    (fits_laplace(epsilon, delta, {Epsilon::from_units(middle)}) ? low : high) = middle;
  }
  return {Epsilon::from_units(low)};
}

}  // namespace

TEST_CASE("discrete Cauchy noise has its law (chi-square, 1e-6), and not one that is 2 % off") {
  for (const std::uint64_t scale : {1U, 3U, 57U}) {
    CAPTURE(scale);
    SeededBits bits(scale);
    std::vector<Int128> drawn(draws(1'000'000));
    for (Int128& z : drawn) z = sample_discrete_cauchy(bits, scale);
    const auto exact = static_cast<double>(scale);
    CHECK_FALSE(against_cauchy(drawn, exact).rejects());
    if (kFullPower) CHECK(against_cauchy(drawn, exact * 1.02).rejects());
  }
}

TEST_CASE("scales as large as they come are drawn, and far draws are moved to 2^100") {
  SeededBits bits(1);
  const Uint128 most = Uint128{1} << 100;
  int beyond = 0;
  for (int i = 0; i < 2'000; ++i) {
    const Int128 z = sample_discrete_cauchy(bits, most);
    beyond += z == static_cast<Int128>(most) || z == -static_cast<Int128>(most) ? 1 : 0;
  }
  CHECK(beyond > 850);  // half of them
  CHECK(beyond < 1'150);
  CHECK(stops_the_program([] {
    SeededBits none(1);
    sample_discrete_cauchy(none, 0);
  }));
}

TEST_CASE("Cauchy noise: the loss of the worst neighbours reaches epsilon and never passes it") {
  for (const Setting& setting :
       {Setting{"0.00005", 0.5}, Setting{"0.003", 0.5}, Setting{"0.05", 0.5}, Setting{"0.05", 0.1},
        Setting{"0.05", 0.9}, Setting{"1", 0.5}, Setting{"1", 0.7}, Setting{"1", 0.99},
        Setting{"8", 0.5}, Setting{"20", 0.25}}) {
    CAPTURE(setting.epsilon);
    CAPTURE(setting.beta_share);
    const Epsilon epsilon = eps(setting.epsilon);
    const Smoothness smoothness = smoothness_of(setting);
    REQUIRE(fits_cauchy(epsilon, smoothness));
    const double worst = worst_loss(number(smoothness.beta), [&](std::uint64_t bound) {
      return static_cast<double>(cauchy_scale(epsilon, smoothness, bound));
    });
    CHECK(worst <= number(epsilon) * (1 + 1e-9));
    CHECK(worst >= number(epsilon) * 0.93);  // what rounding reserves is small
  }
}

TEST_CASE("mutants: beta as large as epsilon with the published constant, halved scales") {
  for (const double epsilon : {0.01, 0.1, 1.0}) {
    const double published = worst_loss(epsilon, [&](std::uint64_t bound) {
      return std::sqrt(2.0) * static_cast<double>(bound) / epsilon;
    });
    CHECK(published > epsilon * 1.05);
  }
  const Smoothness smoothness{eps("0.05")};
  CHECK(worst_loss(0.05, [&](std::uint64_t bound) {
          return static_cast<double>(cauchy_scale(eps("0.1"), smoothness, bound)) / 2;
        }) > 0.15);
  CHECK_FALSE(fits_cauchy(eps("0.1"), {eps("0.1")}));
  CHECK_FALSE(fits_cauchy(eps("0.1"), {eps("0.0999999")}));  // no room for rounding
}

TEST_CASE("rounding: scales of neighbouring bounds are as close as the proof says") {
  const Epsilon epsilon = eps("0.1");
  const Smoothness smoothness{eps("0.05")};
  const double most = 0.05 + static_cast<double>(kRoundingUnits) / 1e9;
  for (std::uint64_t bound = 1; bound < (1ULL << 40); bound = bound * 3 / 2 + 1) {
    const auto other = static_cast<std::uint64_t>(static_cast<double>(bound) * std::exp(0.05));
    const auto ratio = static_cast<double>(cauchy_scale(epsilon, smoothness, other)) /
                       static_cast<double>(cauchy_scale(epsilon, smoothness, bound));
    CHECK(std::log(ratio) <= most);
    const double laplace = static_cast<double>(laplace_scale(epsilon, other)) /
                           static_cast<double>(laplace_scale(epsilon, bound));
    CHECK(std::log(laplace) <= most);
  }
}

TEST_CASE("smooth values get the noise of their own bounds (chi-square, 1e-6)") {
  const Epsilon epsilon = eps("0.5");
  const Smoothness smoothness{eps("0.25")};
  const std::vector<SmoothValue> two{{1'000, 1ULL << 30}, {-5, 1ULL << 36}};
  std::vector<SmoothValue> values;
  for (int i = 0; i < 1'000; ++i) values.insert(values.end(), two.begin(), two.end());
  const Private<std::vector<SmoothValue>> secret(values);
  const std::size_t rounds = draws(600);
  constexpr std::size_t kBins = 64;
  const std::vector<double> law(kBins, 1.0 / kBins);
  for (const bool with_delta : {false, true}) {
    std::vector<std::vector<std::uint64_t>> seen(2, std::vector<std::uint64_t>(kBins));
    std::vector<std::vector<std::uint64_t>> off(2, std::vector<std::uint64_t>(kBins));
    SeededBits bits(11);
    Kernel kernel(bits);
    const Delta delta = Delta::from_units(1'000'000'000'000);
    const Smoothness beta = with_delta ? Smoothness{eps("0.01")} : smoothness;
    std::vector<double> scales;
    for (const SmoothValue& value : two) {
      scales.push_back(with_delta ? static_cast<double>(laplace_scale(epsilon, value.bound))
                                  : static_cast<double>(cauchy_scale(epsilon, beta, value.bound)));
    }
    const auto bin = [&](double x) {  // the law's own quantiles
      const double below = with_delta ? (x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2)
                                      : 0.5 + std::atan(x) / std::numbers::pi;
      return std::min(kBins - 1, static_cast<std::size_t>(below * kBins));
    };
    for (std::size_t round = 0; round < rounds; ++round) {
      const auto noisy =
          with_delta ? kernel.smooth_values_with_delta(secret, values.size(), beta,
                                                       TestBudget::of(epsilon, delta))
                     : kernel.smooth_values(secret, values.size(), beta, TestBudget::of(epsilon));
      for (std::size_t k = 0; k < values.size(); ++k) {
        const double x = static_cast<double>(noisy.value()[k] - values[k].value) / scales[k % 2];
        ++seen[k % 2][bin(x)];
        ++off[k % 2][bin(x * 1.02)];
      }
    }
    for (std::size_t k = 0; k < 2; ++k) {
      CHECK_FALSE(chi_square(seen[k], law, kSignificance).rejects());
      if (kFullPower) CHECK(chi_square(off[k], law, kSignificance).rejects());
    }
  }
}

TEST_CASE("Laplace noise with a delta: the true delta of the worst neighbours is below it") {
  for (const auto& promise :
       {std::pair{"0.05", 1e-6}, {"0.5", 1e-3}, {"1", 1e-5}, {"1", 0.05}, {"4", 1e-2}}) {
    CAPTURE(promise.first);
    const Epsilon epsilon = eps(promise.first);
    const double delta = promise.second;
    const Delta exact = Delta::from_units(static_cast<std::uint64_t>(delta * 1e18));
    const Smoothness smoothness = largest_beta(epsilon, exact);
    const double formula = std::log1p(number(epsilon) / (2 * std::log(2 / delta)));
    CHECK(number(smoothness.beta) <= formula);
    CHECK(number(smoothness.beta) >= formula - 2e-6);
    const std::uint64_t bound = 1ULL << 40;
    const auto smaller = static_cast<std::uint64_t>(
        static_cast<double>(bound) * std::exp(-number(smoothness.beta)) + 1);
    const auto scale = static_cast<double>(laplace_scale(epsilon, bound));
    const auto other = static_cast<double>(laplace_scale(epsilon, smaller));
    const auto shift = static_cast<double>(smaller);
    CHECK(laplace_delta(number(epsilon), scale, other, shift) <= delta);
    CHECK(laplace_delta(number(epsilon), other, scale, shift) <= delta);
    // Not blind: the same with half the noise, which has twice the epsilon.
    CHECK(laplace_delta(number(epsilon), scale / 2.5, other / 2.5, shift) > delta);
  }
  CHECK_FALSE(fits_laplace(eps("1"), Delta(), {eps("0.001")}));
  CHECK_FALSE(fits_laplace(eps("0.00001"), Delta::from_units(1'000'000'000), {eps("0.000000001")}));
}

TEST_CASE("smooth noise, attacked from outside: nearly epsilon, and not more (2e-6)") {
  using Binomial = boost::math::binomial_distribution<double>;
  const std::size_t count = draws(600'000);
  constexpr std::size_t kBins = 60;
  // Equal bounds, values a bound apart: the worst there is for beta well below epsilon.
  for (const bool with_delta : {false, true}) {
    const Delta delta = with_delta ? Delta::from_units(1'000'000'000'000) : Delta();
    const Smoothness smoothness{eps(with_delta ? "0.01" : "0.25")};
    const std::uint64_t bound = 1ULL << 40;
    const auto answers = [&](std::int64_t value, std::uint64_t seed) {
      SeededBits bits(seed);
      Kernel kernel(bits);
      const Private<std::vector<SmoothValue>> secret(
          std::vector<SmoothValue>(count, SmoothValue{value, bound}));
      return with_delta
                 ? kernel
                       .smooth_values_with_delta(secret, count, smoothness,
                                                 TestBudget::of(eps("1"), delta))
                       .value()
                 : kernel.smooth_values(secret, count, smoothness, TestBudget::of("1")).value();
    };
    const std::vector<std::int64_t> first = answers(0, 1);
    const std::vector<std::int64_t> second = answers(1LL << 40, 2);
    std::vector<std::int64_t> cuts = first;
    std::sort(cuts.begin(), cuts.end());
    const auto tally = [&](const std::vector<std::int64_t>& values) {
      std::vector<double> bins(kBins);
      for (const std::int64_t value : values) {
        std::size_t bin = 0;
        while (bin + 1 < kBins && value >= cuts[(bin + 1) * count / kBins]) ++bin;
        ++bins[bin];
      }
      return bins;
    };
    const std::vector<double> a = tally(first);
    const std::vector<double> b = tally(second);
    std::size_t best = 0;
    for (std::size_t i = 0; i < kBins; ++i) {
      if (a[i] * b[best] > a[best] * b[i]) best = i;
    }
    const auto n = static_cast<double>(count);
    const double often = tally(answers(0, 3))[best];
    const double seldom = tally(answers(1LL << 40, 4))[best];
    const double found = std::log(Binomial::find_lower_bound_on_p(n, often, kSignificance) /
                                  Binomial::find_upper_bound_on_p(n, seldom, kSignificance));
    CAPTURE(with_delta);
    CHECK(found <= 1);
    // Half of epsilon pays for the bound's own change where there is a delta.
    if (kFullPower) CHECK(found >= (with_delta ? 0.35 : 0.85));
  }
}

TEST_CASE("a smooth mechanism refuses what does not fit") {
  const Private<std::vector<SmoothValue>> values(std::vector<SmoothValue>{{0, 1}});
  const auto stops = [&](auto call) {
    return stops_the_program([&] {
      SeededBits bits(1);
      Kernel kernel(bits);
      call(kernel);
    });
  };
  const Delta delta = Delta::from_units(1'000'000'000'000);
  CHECK(stops([&](Kernel& k) { k.smooth_values(values, 2, {eps("0.1")}, TestBudget::of("1")); }));
  CHECK(stops([&](Kernel& k) { k.smooth_values(values, 1, {eps("1")}, TestBudget::of("1")); }));
  CHECK(stops([&](Kernel& k) {
    k.smooth_values(values, 1, {eps("0.1")}, TestBudget::of(eps("1"), delta));
  }));
  CHECK(stops([&](Kernel& k) {
    k.smooth_values_with_delta(values, 1, {eps("0.01")}, TestBudget::of("1"));
  }));
  CHECK(stops([&](Kernel& k) {
    k.smooth_values_with_delta(values, 1, {eps("0.1")}, TestBudget::of(eps("1"), delta));
  }));
  const Private<std::vector<SmoothValue>> large(std::vector<SmoothValue>{{0, UINT64_MAX}});
  CHECK(stops([&](Kernel& k) { k.smooth_values(large, 1, {eps("0.1")}, TestBudget::of("1")); }));
}
