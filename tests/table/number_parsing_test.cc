#include "privpfc/table/number_parsing.h"

#include <doctest/doctest.h>

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <locale>
#include <random>
#include <string>

using namespace privpfc;

TEST_CASE("numbers out of a double's range keep their side") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(read_real("1e309") == kInfinity);
  CHECK(read_real("-1e309") == -kInfinity);
  CHECK(read_real("1e99999999999999999999") == kInfinity);
  CHECK(read_real("1e-400") == 0.0);
  CHECK(read_real("-1e-99999999999999999999") == 0.0);
  CHECK(read_real(std::string(400, '9')) == kInfinity);
  CHECK(read_real("0." + std::string(400, '0') + "1") == 0.0);
  CHECK(read_real("0." + std::string(400, '0') + "1e800") == kInfinity);
  CHECK(read_real(std::string(400, '9') + "e-800") == 0.0);
  CHECK(read_real("inf") == kInfinity);
  CHECK(std::isnan(*read_real("nan")));
}

TEST_CASE("what is not a number is none") {
  for (const char* text : {"", " ", "x", "1x", "1 2", "0x1", "1,5", "+-1", "++1", "-", "e", "1e"}) {
    CAPTURE(text);
    CHECK_FALSE(read_real(text).has_value());
  }
}

TEST_CASE("short integers, and nothing else") {
  CHECK(read_short_integer("0") == 0);
  CHECK(read_short_integer("-17") == -17);
  CHECK(read_short_integer("999999999999999999") == 999999999999999999);
  for (const char* text : {"", "-", "+1", " 1", "1.0", "1e3", "9999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(read_short_integer(text).has_value());
  }
}

TEST_CASE("short decimals are the same numbers that the long way gives") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200'000; ++i) {
    std::string text = std::to_string(random() % 1'000'000'000'000'000);
    text = text.substr(0, 1 + random() % text.size());
    text.insert(random() % (text.size() + 1), ".");
    if (random() % 2 == 0) text = "-" + text;
    CAPTURE(text);
    REQUIRE(read_short_decimal(text) == read_real(text));
  }
  for (const char* text : {"", ".", "-.", "1", "1.2.3", "1.x", "1e5.0", "+1.5", " 1.5"}) {
    CAPTURE(text);
    CHECK_FALSE(read_short_decimal(text).has_value());
  }
}

TEST_CASE("the locale changes nothing") {
  struct DecimalComma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
  const std::string c_before = std::setlocale(LC_ALL, nullptr);
  const bool is_german = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  if (std::getenv("LOCPATH") != nullptr) CHECK(is_german);  // ctest has made it
  CHECK(read_real("1.5") == 1.5);
  CHECK(read_real("1234.5") == 1234.5);
  CHECK_FALSE(read_real("1,5").has_value());
  std::setlocale(LC_ALL, c_before.c_str());
  std::locale::global(before);
}

TEST_CASE("dates") {
  CHECK(read_days("1970-01-01") == 0);
  CHECK(read_days("1969-12-31") == -1);
  CHECK(read_days("2024-02-29 10:00:00") == 19782);
  for (const char* text : {"", "2023-02-29", "2024-13-01", "2024-00-10", "2024-1-1", "20240101",
                           "2024-01-01x", "2024-01-01T", "x024-01-01", "2024-01-0x"}) {
    CAPTURE(text);
    CHECK_FALSE(read_days(text).has_value());
  }
}
