#include "privpfc/base/blake2b.h"

#include <sodium.h>

#include <cstring>

#include "privpfc/base/contract.h"

namespace privpfc {

std::array<std::uint64_t, 2> blake2b_128(std::string_view text) {
  std::array<std::uint64_t, 2> hash{};
  std::array<unsigned char, sizeof(hash)> bytes{};
  const int failed = crypto_generichash(bytes.data(), bytes.size(),
                                        reinterpret_cast<const unsigned char*>(text.data()),
                                        text.size(), nullptr, 0);
  require(failed == 0, "a hash of 16 bytes");
  std::memcpy(hash.data(), bytes.data(), sizeof(hash));
  return hash;
}

}  // namespace privpfc
