#include "privpfc/base/blake2b.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>

using namespace privpfc;

TEST_CASE("128 bits of BLAKE2b are those that other programs compute") {
  const auto hex = [](std::string_view text) {
    const auto hash = blake2b_128(text);
    unsigned char bytes[16];
    std::memcpy(bytes, hash.data(), sizeof(bytes));
    return fmt::format("{:02x}", fmt::join(bytes, ""));
  };
  // hashlib.blake2b(text, digest_size=16)
  CHECK(hex("") == "cae66941d9efbd404e4d88758ea67670");
  CHECK(hex("abc") == "cf4ab791c62b8d2b2109c90275287816");
  CHECK(hex(std::string(1000, 'a')) == "a0e5a332e985551c28a377c40f4139c3");
}
