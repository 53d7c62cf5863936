#pragma once

#include <cstdint>

namespace privpfc {

// The exponents of the kernel are quotients of integers that pass 64 bits and stay below 127.
__extension__ using Uint128 = unsigned __int128;
__extension__ using Int128 = __int128;

}  // namespace privpfc
