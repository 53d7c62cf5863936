#include "privpfc/io/parquet_footer.h"

#include <doctest/doctest.h>

#include <string>

using namespace privpfc;
using namespace std::string_literals;

namespace {

using Numbers = std::vector<std::vector<std::int64_t>>;

// Field 3, a struct of these fields, in a column chunk that begins with a path (field 1).
std::string column(const std::string& metadata) {
  return "\x18\x01p\x2C"s + metadata + "\0\0"s;
}

// A footer: version (field 1), then two row groups (field 4), which begin with their columns
// (field 1); then a text (field 6).
std::string footer(const std::string& columns_of_first, const std::string& columns_of_second) {
  const auto group = [](const std::string& columns) {
    return "\x19\x2C"s + columns + "\x16\x04\0"s;
  };
  return "\x15\x04\x39\x2C"s + group(columns_of_first) + group(columns_of_second) + "\x28\x02me\0"s;
}

}  // namespace

TEST_CASE("the codecs of a footer, by row group and column") {
  // Before the codec: a number, a list of three numbers, a list of a text, true; after it a double
  // and a map of one number to a text. One has no codec, one a number of two bytes.
  const std::string rich =
      "\x15\x0C\x19\x35\x02\x04\x06\x19\x18\x01q\x15\x02\x11\x17"
      "12345678"
      "\x1B\x01\x58\x02\x01z"s;
  CHECK(codec_numbers(footer(column(rich) + column("\x15\x02"),
                             column("\x45\x0E") + column("\x45\xC6\x01"))) ==
        Numbers{{1, -1}, {7, 99}});
}

TEST_CASE("the depth of a schema is that of its deepest column") {
  // An element: its name (field 4), and how many children it has (field 5).
  const auto element = [](int children) {
    return "\x48\x01g"s +
           (children == 0 ? ""s : "\x15"s + static_cast<char>(children < 0 ? 1 : 2 * children)) +
           "\0"s;
  };
  const auto depth = [&](const std::vector<int>& children) {
    std::string schema;
    for (const int count : children) schema += element(count);
    // The schema is field 2, after the version (field 1); no more than 14 elements.
    return nesting_depth("\x15\x04\x19"s + static_cast<char>(children.size() << 4 | 0xC) + schema +
                         "\0"s);
  };
  CHECK(depth({}) == 0);
  CHECK(depth({0}) == 0);
  CHECK(depth({3, 0, 0, 0}) == 0);
  CHECK(depth({2, 1, 0, 0}) == 1);
  CHECK(depth({3, 1, 1, 0, 2, 0, 0, 0}) == 2);
  CHECK(depth({1, 1, 1, 1, 0}) == 3);
  CHECK(depth({1, -1, 0}) == 0);
  CHECK(nesting_depth("\x15\x04\0"s) == 0);
  CHECK_FALSE(nesting_depth("\x15\x04"s).has_value());
}

TEST_CASE("a footer that is cut, or nothing but noise, has no codecs and does no harm") {
  const std::string sound =
      footer(column("\x45\x0E") + column("\x45\x0E"), column("\x45\x02") + column("\x45\x04"));
  REQUIRE(codec_numbers(sound) == Numbers{{7, 7}, {1, 2}});
  for (std::size_t size = 0; size < sound.size(); ++size) {
    CHECK_FALSE(codec_numbers(std::string_view(sound).substr(0, size)).has_value());
  }
  CHECK_FALSE(codec_numbers(std::string(100'000, '\x1C')).has_value());  // structs in structs
  CHECK_FALSE(codec_numbers("\x19\xFC\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"s).has_value());
  std::string noise = sound;
  std::uint32_t state = 7;
  for (int i = 0; i < 20'000; ++i) {
    state = state * 1'664'525 + 1'013'904'223;
    noise[(state >> 8) % noise.size()] = static_cast<char>(state >> 24);
    (void)codec_numbers(noise).has_value();
  }
}
