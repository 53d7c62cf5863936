#include "privpfc/table/spelling_table.h"

#include <doctest/doctest.h>

#include <string>

using namespace privpfc;

TEST_CASE("every text added is found with its code, and no other") {
  SpellingTable table;
  for (std::uint16_t i = 0; i < 20'000; ++i) {
    table.add("category number " + std::to_string(i) + " of many", {i, Note::kFine});
  }
  for (std::uint16_t i = 0; i < 20'000; ++i) {
    const Coded* coded = table.find("category number " + std::to_string(i) + " of many");
    REQUIRE(coded != nullptr);
    CHECK(coded->code == i);
  }
  CHECK(table.find("category number 20000 of many") == nullptr);
  CHECK(table.find("") == nullptr);
}

TEST_CASE("the first code added for a text counts; an empty text is a text") {
  SpellingTable table;
  CHECK(table.empty());
  table.add("", {1, Note::kMissing});
  table.add("", {2, Note::kFine});
  table.add("a", {3, Note::kFine});
  CHECK(table.find("")->code == 1);
  CHECK(table.find("a")->code == 3);
  CHECK(table.find("b") == nullptr);
}
