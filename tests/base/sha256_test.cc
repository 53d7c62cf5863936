#include "privpfc/base/sha256.h"

#include <doctest/doctest.h>

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
