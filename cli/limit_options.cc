#include "limit_options.h"

#include <cstdint>

namespace privpfc::cli {

void add_limit_options(CLI::App& command, PoolLimits& limits) {
  command.add_option("--max-cells", limits.cells, "Most cells of a grid")
      ->check(CLI::Range(std::uint64_t{2}, std::uint64_t{100'000'000}))
      ->capture_default_str();
  command.add_option("--max-grids", limits.grids, "Most grids in the pool")
      ->check(CLI::Range(std::uint64_t{64}, std::uint64_t{1'000'000'000}))
      ->capture_default_str();
}

}  // namespace privpfc::cli
