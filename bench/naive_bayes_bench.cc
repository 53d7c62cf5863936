// How long the private naive Bayes methods take on numbers, and how that grows.
//
//   naive_bayes_bench [EPSILON]
//
// Made-up rows with ten numeric attributes and two classes; one core.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "privpfc/direct/methods.h"
#include "privpfc/privacy/kernel.h"
#include "privpfc/privacy/system_bits.h"
#include "privpfc/schema/schema_reader.h"

namespace {

using namespace privpfc;

class BenchBudget : BudgetSource {
 public:
  static Budget of(Epsilon epsilon, Delta delta) { return issue(epsilon, delta); }
};

constexpr std::size_t kNumbers = 10;

Schema ten_numbers() {
  std::string text = "name: bench\nlabel: {column: y, classes: [a, b]}\nattributes:\n";
  for (std::size_t i = 0; i < kNumbers; ++i) {
    text += fmt::format("  x{}: {{type: real, domain: [0, 100], levels: [16], other: 0}}\n", i);
  }
  return *read_schema_text(text).schema;
}

// Bells of different widths, far from the ends: where smooth bounds reach far.
Dataset made_up_rows(const FeatureSpace& space, std::size_t count) {
  Dataset data;
  data.rows = empty_rows(space);
  data.rows.count = count;
  std::uint64_t state = 1;
  const auto unit = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  for (std::size_t i = 0; i < count; ++i) {
    data.labels.push_back(unit() < 0.3 ? 1 : 0);
    data.weights.push_back(1);
    for (std::size_t f = 0; f < kNumbers; ++f) {
      const double bell = unit() + unit() + unit() + unit() - 2;
      const double value = 40 + 10 * data.labels[i] + bell * (2 + 2 * static_cast<double>(f));
      if (space.features[f].is_number()) {
        data.rows.columns[f].numbers.push_back(value);
      } else {
        data.rows.columns[f].codes.push_back(static_cast<std::uint16_t>(value / 6.25));
      }
    }
  }
  return data;
}

Status run(const std::string& epsilon_text) {
  PRIVPFC_ASSIGN(const Epsilon epsilon, Epsilon::parse(epsilon_text));
  const Schema schema = ten_numbers();
  fmt::print("{:<20} {:>10} {:>10}\n", "method", "rows", "seconds");
  for (const std::unique_ptr<DirectMethod>& method : direct_methods({})) {
    if (!method->name().starts_with("nb-")) continue;
    PRIVPFC_ASSIGN(const FeatureSpace space,
                   make_feature_space(schema, method->views(schema, epsilon)));
    const DirectSetting setting{schema, space};
    PRIVPFC_TRY(method->check(setting, epsilon));
    for (const std::size_t count : {250'000, 1'000'000}) {
      const Private<Dataset> rows(made_up_rows(space, count));
      SystemBits bits;
      Kernel kernel(bits);
      const auto start = std::chrono::steady_clock::now();
      method->train(rows, setting, kernel, BenchBudget::of(epsilon, method->delta()));
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      fmt::print("{:<20} {:>10} {:>10.2f}\n", method->name(), count, taken.count());
      std::fflush(stdout);
    }
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const Status status = run(argc > 1 ? argv[1] : "1");
  if (!status.ok()) fmt::print(stderr, "{}\n", status.error().message);
  return status.ok() ? 0 : 1;
}
