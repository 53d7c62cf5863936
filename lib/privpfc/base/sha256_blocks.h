#pragma once

#include <cstddef>
#include <cstdint>

namespace privpfc::internal {

// Whether this processor has instructions of its own for SHA-256; they are several times as fast.
bool has_sha256_instructions();

// Takes `blocks` blocks of 64 bytes into the state. Requires has_sha256_instructions().
void sha256_blocks(std::uint32_t state[8], const unsigned char* bytes, std::size_t blocks);

}  // namespace privpfc::internal
