#include "privpfc/base/sha256.h"

#include <doctest/doctest.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <random>

using namespace privpfc;

TEST_CASE("sha256 agrees with the published test vectors") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("feeding the text in pieces gives the same hash") {
  Sha256 hash;
  hash.update("a");
  hash.update("");
  hash.update("bc");
  CHECK(hash.finish_hex() == sha256_hex("abc"));
}

TEST_CASE("the processor's own instructions give what the library gives, for every length") {
  std::mt19937 random(1);
  std::string text;
  for (std::size_t length = 0; length < 700; ++length) {
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    crypto_hash_sha256(digest.data(), reinterpret_cast<const unsigned char*>(text.data()), length);
    std::string expected(65, '\0');
    sodium_bin2hex(expected.data(), expected.size(), digest.data(), digest.size());
    expected.pop_back();
    CHECK(sha256_hex(text) == expected);
    Sha256 in_pieces;
    for (std::size_t first = 0; first < length;) {
      const std::size_t size = std::min<std::size_t>(random() % 150, length - first);
      in_pieces.update(std::string_view(text).substr(first, size));
      first += size;
    }
    CHECK(in_pieces.finish_hex() == expected);
    text += static_cast<char>(random());
  }
}
