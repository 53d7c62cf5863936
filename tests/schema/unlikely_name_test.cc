#include "privpfc/schema/unlikely_name.h"

#include <doctest/doctest.h>

#include <vector>

using namespace privpfc;

namespace {

std::optional<UnlikelyName> first(const std::vector<std::string>& names) {
  return first_unlikely_name(names);
}

}  // namespace

TEST_CASE("names of columns pass, in any script") {
  for (const char* name : {"age",
                           "x2",
                           "income-2024",
                           "_id",
                           "PM2.5",
                           "Temp (°C)",
                           "Blood pressure [mmHg]",
                           "No",
                           "Na",
                           "q1_2_3",
                           "Größe",
                           "Ångström",
                           "élan",
                           "возраст",
                           "ηλικία",
                           "גיל",
                           "العمر",
                           "年齢",
                           "나이",
                           "उम्र",
                           "อายุ",
                           "ʻokina",
                           "µg/l",
                           "income, total",
                           "Visit 2",
                           "deaths per 1000"}) {
    CHECK_MESSAGE(!doubt_about_name(name), name);
  }
}

TEST_CASE("what is more likely a cell is doubted") {
  for (const char* cell :
       {"", " ", "?", "39", " -1.5e3", "+7", "3,5", "1st", "12 kg", "<5", ">50K", "50%", "€5", "£3",
        "½", "−5", "٣٤", "３９", "१२", "(none)", "'39'", "-", ".", "#1",
        "\xc2\xa0"
        "7",
        "😀",
        // Dates and times, also within.
        "2024-01-31", "26.10.1982", "10/26/1982", "10/26/82", "1982-10-26T10:00:00", "12:30",
        "born 26.10.1982", "seen 1982/1/5", "at 9:05", "Oct 26, 1982", "Oct 26 1982",
        "d_1982_10_26",
        // Codes, addresses, and words that stand for nothing.
        "D-80331", "P-00123", "DE89370400440532013000", "b3f1c2d4-ab12-4cde-8f00-abcdefabcdef",
        "anna@example.org", "https://example.org/anna", "NA", "N/A", "n/a", "NaN", "NULL", "null",
        "None", "true", "FALSE", "yes",
        // A note, and rows that a stray quote has swallowed.
        "Complains of chest pain since Monday, was sent home, came back at night with a fever.",
        "Anna\nBert", "a\x1b[31m"}) {
    CHECK_MESSAGE(doubt_about_name(cell) == NameDoubt::kValue, cell);
  }
}

TEST_CASE("a name with the separator of another dialect may be a whole row") {
  for (const char* row : {"Müller 0;1982-10-26;167,7;m", "anna\t39", "anna|39|f", "a;b"}) {
    CHECK_MESSAGE(doubt_about_name(row) == NameDoubt::kSeparator, row);
  }
}

TEST_CASE("the first unlikely name is found, and a name that is there twice") {
  CHECK(first({"age", "x2"}) == std::nullopt);
  CHECK(first({"a", "39", "?"}) == UnlikelyName{2, NameDoubt::kValue});
  CHECK(first({"a", "b;c"}) == UnlikelyName{2, NameDoubt::kSeparator});
  CHECK(first({"y", "n", " y"}) == UnlikelyName{3, NameDoubt::kRepeated});
}
