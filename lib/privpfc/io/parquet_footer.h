#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace privpfc {

// The numbers of the codecs in a Parquet footer (Thrift's compact protocol), by row group and
// column chunk. Arrow takes a number that it does not know for no compression at all, and would
// read what it cannot unpack. Nothing where the footer is not sound.
std::optional<std::vector<std::vector<std::int64_t>>> codec_numbers(std::string_view footer);

// The largest that the format gives a meaning to.
inline constexpr std::int64_t kLastCodec = 7;

}  // namespace privpfc
