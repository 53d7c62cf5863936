#include "privpfc/base/result.h"

#include <doctest/doctest.h>

#include <memory>

using namespace privpfc;

namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return make_error(ErrorKind::kData, "{} is odd", n);
  return n / 2;
}

Result<int> quarter(int n) {
  PRIVPFC_ASSIGN(const int first, half(n));
  PRIVPFC_ASSIGN(const int second, half(first));
  return second;
}

Status is_even(int n) {
  PRIVPFC_TRY(half(n));
  return {};
}

}  // namespace

TEST_CASE("a result holds a value or an error, and errors pass through") {
  CHECK(quarter(8).value() == 2);
  REQUIRE_FALSE(quarter(6).ok());
  CHECK(quarter(6).error().message == "3 is odd");
  CHECK(quarter(6).error().kind == ErrorKind::kData);
  CHECK(is_even(2).ok());
  CHECK_FALSE(is_even(3).ok());
}

TEST_CASE("a result can hold what can only be moved") {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  std::unique_ptr<int> taken = std::move(result).value();
  CHECK(*taken == 7);
}
