#include <doctest/doctest.h>

#include "privpfc/pipeline/publish.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

bool accepted(const PublishOptions& options, std::string_view epsilon = "1") {
  return check_publish_options(options, eps(epsilon)).ok();
}

}  // namespace

TEST_CASE("the defaults are accepted for every epsilon that is of any use") {
  for (const char* epsilon : {"0.0001", "0.01", "0.05", "1", "10", "1000"}) {
    CHECK(accepted(PublishOptions(), epsilon));
  }
  CHECK_FALSE(accepted(PublishOptions(), "0.000000001"));
}

TEST_CASE("limits with which the search could not end well are refused beforehand") {
  const auto with = [](auto change) {
    PublishOptions options;
    change(options.limits);
    return accepted(options);
  };
  CHECK_FALSE(with([](PoolLimits& l) { l.cells = 1; }));
  CHECK(with([](PoolLimits& l) { l.cells = 2; }));
  CHECK(with([](PoolLimits& l) { l.cells = 100'000'000; }));
  // Cells are numbered with 32 bits.
  CHECK_FALSE(with([](PoolLimits& l) { l.cells = std::uint64_t{1} << 32; }));
  CHECK_FALSE(with([](PoolLimits& l) { l.grids = 0; }));
  CHECK(with([](PoolLimits& l) { l.grids = 1; }));
  // Candidates of a selection are numbered with 32 bits.
  CHECK_FALSE(with([](PoolLimits& l) { l.grids = std::uint64_t{1} << 32; }));
}
