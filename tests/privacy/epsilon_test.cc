#include "privpfc/privacy/epsilon.h"

#include <doctest/doctest.h>

#include <clocale>
#include <numeric>

#include "privpfc/privacy/uint128.h"
#include "support/seeded_bits.h"
#include "support/stops.h"
#include "support/test_budget.h"

using namespace privpfc;

TEST_CASE("an epsilon is read exactly and written back") {
  CHECK(eps("0.05").units() == 50'000'000);
  CHECK(eps("1").units() == 1'000'000'000);
  CHECK(eps("0.000000001").units() == 1);
  CHECK(eps("1000").units() == Epsilon::kMostUnits);
  for (const char* text : {"0.05", "1", "0.000000001", "1000", "12.345", "0.1"}) {
    CHECK(eps(text).to_string() == text);
  }
  CHECK(eps("1.500").to_string() == "1.5");
  CHECK(Epsilon().to_string() == "0");
}

TEST_CASE("what is not a positive plain decimal up to 1000 is refused as a usage error") {
  for (const char* text : {"",
                           "0",
                           "0.0",
                           "-1",
                           "+1",
                           "nan",
                           "inf",
                           "1e-400",
                           "1e-3",
                           "0x1",
                           " 1",
                           "1 ",
                           "1,5",
                           ".5",
                           "5.",
                           "1.2.3",
                           ".",
                           "1000.1",
                           "1001",
                           "99999999999999999999",
                           "0.0000000001",
                           "0.1234567891",
                           "0.05\n",
                           "\xd9\xa1"}) {
    CAPTURE(text);
    const auto result = Epsilon::parse(text);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::kUsage);
  }
  CHECK_FALSE(Epsilon::parse(std::string_view("1\0", 2)).ok());
}

TEST_CASE("the locale changes nothing") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE", "C"}) {
    std::setlocale(LC_ALL, name);  // where there is one
    CHECK(eps("0.5").units() == 500'000'000);
    CHECK_FALSE(Epsilon::parse("0,5").ok());
    CHECK(eps("0.5").to_string() == "0.5");
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST_CASE("parts add up to the whole exactly and are in proportion") {
  SeededBits bits(1);
  for (int i = 0; i < 20'000; ++i) {
    const Epsilon whole = Epsilon::from_units(1 + bits.bits(40) % Epsilon::kMostUnits);
    std::vector<std::uint64_t> shares(1 + bits.bits(4));
    for (std::uint64_t& share : shares) share = bits.bits(i % 2 == 0 ? 7 : 27);
    shares[0] += 1;
    const std::uint64_t total = std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
    const std::vector<Epsilon> parts = whole.split(shares);
    REQUIRE(parts.size() == shares.size());
    Epsilon sum;
    bool close = true;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      sum = sum + parts[k];
      const Int128 off = static_cast<Int128>(parts[k].units()) * total -
                         static_cast<Int128>(whole.units()) * shares[k];
      close = close && -static_cast<Int128>(total) < off && off < static_cast<Int128>(total);
    }
    CHECK(sum == whole);
    CHECK(close);
  }
  const auto parts = eps("0.05").split(std::vector<std::uint64_t>{3, 37, 60});
  CHECK(parts == std::vector{eps("0.0015"), eps("0.0185"), eps("0.03")});
}

TEST_CASE("sums and differences outside the range stop the program") {
  CHECK(stops_the_program([] { eps("1000") + eps("0.000000001"); }));
  CHECK(stops_the_program([] { eps("1") - eps("1.000000001"); }));
  CHECK(stops_the_program([] { Epsilon::from_units(Epsilon::kMostUnits + 1); }));
  CHECK(stops_the_program([] { eps("1").split(std::vector<std::uint64_t>{0, 0}); }));
  CHECK_FALSE(stops_the_program([] { eps("1") - eps("1"); }));
}
