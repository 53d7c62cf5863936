#include "privpfc/experiments/memory_watch.h"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

using namespace privpfc;

namespace {

// Memory that is there only once it has been written to.
std::vector<char> megabytes(std::size_t count) {
  return std::vector<char>(count << 20, 'x');
}

}  // namespace

TEST_CASE("a part is told what it needed itself, not what was needed before") {
  MemoryWatch watch;
  const std::vector<char> before = megabytes(40);
  const auto large = watch.begin();
  { const std::vector<char> used = megabytes(64); }
  const auto large_needed = watch.end(large);
  if (!large_needed) return;  // a system that does not tell
  CHECK(*large_needed > 60);
  CHECK(*large_needed < 90);
  const auto small = watch.begin();
  { const std::vector<char> used = megabytes(8); }
  const auto small_needed = watch.end(small);
  REQUIRE(small_needed.has_value());
  CHECK(*small_needed > 4);
  CHECK(*small_needed < 30);
}

TEST_CASE("a part that another one begins and ends within loses nothing of its peak") {
  MemoryWatch watch;
  const auto outer = watch.begin();
  { const std::vector<char> used = megabytes(64); }
  const auto inner = watch.begin();
  const auto inner_needed = watch.end(inner);
  const auto outer_needed = watch.end(outer);
  if (!outer_needed) return;
  CHECK(*outer_needed > 60);
  CHECK(*inner_needed < 30);
}
