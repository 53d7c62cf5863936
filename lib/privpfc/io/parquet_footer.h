#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace privpfc {

// What must be known of a Parquet footer (Thrift's compact protocol) that Arrow does not tell, or
// not before it is too late. Nothing where the footer is not sound.

// How deep groups lie in groups: 0 where every column is flat. Arrow goes down by recursion,
// however deep, and would run out of stack.
std::optional<std::size_t> nesting_depth(std::string_view footer);

// The numbers of the codecs, by row group and column chunk. Arrow takes a number that it does not
// know for no compression at all, and would read what it cannot unpack.
std::optional<std::vector<std::vector<std::int64_t>>> codec_numbers(std::string_view footer);

// The largest that the format gives a meaning to.
inline constexpr std::int64_t kLastCodec = 7;

}  // namespace privpfc
