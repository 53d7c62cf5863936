#include "privpfc/pipeline/synthetic_entries.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace privpfc;

namespace {

std::vector<std::uint32_t> order(std::uint32_t size, std::uint64_t seed) {
  std::vector<std::uint32_t> things(size);
  RowOrder(ReplayRandom(seed), size).fill(0, things);
  return things;
}

}  // namespace

TEST_CASE("an order holds each thing once, whatever their number") {
  std::vector<std::uint32_t> sizes(300);
  std::iota(sizes.begin(), sizes.end(), 0u);
  for (const std::uint32_t size : {1'000u, 65'536u, 65'537u, 100'003u, 1u << 20}) {
    sizes.push_back(size);
  }
  for (const std::uint32_t size : sizes) {
    CAPTURE(size);
    std::vector<std::uint32_t> things = order(size, size + 7);
    std::sort(things.begin(), things.end());
    bool is_complete = true;
    for (std::uint32_t i = 0; i < size; ++i) is_complete = is_complete && things[i] == i;
    CHECK(is_complete);
  }
}

TEST_CASE("a stretch of an order is that stretch of the whole, up to the largest sizes") {
  const std::vector<std::uint32_t> whole = order(100'003, 5);
  for (const std::uint32_t first : {0u, 1u, 4'321u, 99'000u}) {
    std::vector<std::uint32_t> stretch(1'000);
    RowOrder(ReplayRandom(5), 100'003).fill(first, stretch);
    CHECK(std::equal(stretch.begin(), stretch.end(), whole.begin() + first));
  }
  const RowOrder largest(ReplayRandom(6), 4'000'000'000u);
  std::vector<std::uint32_t> stretch(1'000);
  largest.fill(3'999'999'000u, stretch);
  CHECK(std::all_of(stretch.begin(), stretch.end(), [](auto t) { return t < 4'000'000'000u; }));
  std::sort(stretch.begin(), stretch.end());
  CHECK(std::adjacent_find(stretch.begin(), stretch.end()) == stretch.end());
}

TEST_CASE("places and things have nothing to do with each other") {
  // Neighbouring places, and places a power of two apart, are as often in the same order as not.
  const std::vector<std::uint32_t> things = order(1'000'000, 9);
  for (const std::size_t apart : {1u, 2u, 1'000u, 1'024u, 4'096u, 65'536u}) {
    CAPTURE(apart);
    std::size_t ascending = 0;
    for (std::size_t i = 0; i + apart < things.size(); ++i) {
      ascending += things[i] < things[i + apart] ? 1 : 0;
    }
    const double share =
        static_cast<double>(ascending) / static_cast<double>(things.size() - apart);
    CHECK(std::abs(share - 0.5) < 0.005);
  }
  // Every tenth of the places holds about as many of every tenth of the things.
  std::vector<double> counts(100, 0);
  for (std::size_t i = 0; i < things.size(); ++i) {
    ++counts[i / 100'000 * 10 + things[i] / 100'000];
  }
  for (const double count : counts) CHECK(std::abs(count - 10'000) < 700);
  CHECK(things != order(1'000'000, 10));
}

TEST_CASE("every entry comes as often as its count says") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::uint64_t> counts(1 + random() % 400);
    for (std::uint64_t& count : counts) {
      count = random() % 3 == 0 ? random() % 2 : random() % 9 == 0 ? random() % 2'000 : 0;
    }
    const SyntheticEntries entries(counts, ReplayRandom(random()));
    REQUIRE(entries.rows() == std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    std::vector<std::uint32_t> all(entries.rows());
    entries.fill(0, all);
    std::vector<std::uint64_t> found(counts.size(), 0);
    for (const std::uint32_t entry : all) ++found[entry];
    CHECK(found == counts);
    if (all.empty()) continue;
    const std::size_t first = random() % all.size();
    std::vector<std::uint32_t> stretch(std::min<std::size_t>(all.size() - first, 100));
    entries.fill(first, stretch);
    CHECK(std::equal(stretch.begin(), stretch.end(),
                     all.begin() + static_cast<std::ptrdiff_t>(first)));
  }
}
