#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace privpfc {

// BLAKE2b of 128 bits: short, and nobody finds two texts with the same one by chance.
std::array<std::uint64_t, 2> blake2b_128(std::string_view text);

}  // namespace privpfc
