#include "privpfc/privacy/delta.h"

#include <doctest/doctest.h>

#include "privpfc/privacy/budget.h"
#include "support/stops.h"
#include "support/test_budget.h"

using namespace privpfc;

TEST_CASE("a delta is read and written exactly") {
  for (const auto& written : {std::pair<const char*, std::uint64_t>{"1e-6", 1'000'000'000'000},
                              {"0.000001", 1'000'000'000'000},
                              {"2.5e-7", 250'000'000'000},
                              {"0.5", 500'000'000'000'000'000},
                              {"1e-18", 1},
                              {"0.10e-17", 1}}) {
    const auto [text, units] = written;
    CAPTURE(written.first);
    REQUIRE(Delta::parse(text).ok());
    CHECK(Delta::parse(text).value().units() == units);
    CHECK(Delta::parse(Delta::from_units(units).to_string()).value().units() == units);
  }
  CHECK(Delta::from_units(1'000'000'000'000).to_string() == "1e-6");
  CHECK(Delta::from_units(250'000'000'000).to_string() == "2.5e-7");
  CHECK(Delta().to_string() == "0");
  for (const char* text : {"", "0", "1", "1e-19", "1.5e-18", "-0.1", "1e6", "e-6", "1e-", "0.1.1",
                           "nan", " 0.1", "1e-006x", "10e-6", "0,1", "1e-999"}) {
    CAPTURE(text);
    CHECK_FALSE(Delta::parse(text).ok());
  }
}

TEST_CASE("parts of a delta add up, and a budget gives it to whom it is told") {
  const Delta whole = Delta::from_units(1'000'000'007);
  const std::vector<std::uint64_t> shares{0, 3, 3, 1};
  const std::vector<Delta> parts = whole.split(shares);
  CHECK(parts[0] == Delta());
  CHECK(parts[0] + parts[1] + parts[2] + parts[3] == whole);

  const std::vector<std::uint64_t> even{1, 1, 1, 1};
  std::vector<Budget> budgets = TestBudget::of(eps("1"), whole).split(even, shares);
  CHECK(budgets[1].delta() == parts[1]);
  CHECK(std::move(budgets[0]).spend() == eps("0.25"));  // pure
  const PrivacyLoss loss = std::move(budgets[1]).spend_with_delta();
  CHECK(loss.epsilon == eps("0.25"));
  CHECK(loss.delta == parts[1]);
  CHECK(stops_the_program([&] { budgets[1].delta(); }));             // spent
  CHECK(stops_the_program([&] { std::move(budgets[2]).spend(); }));  // it has a delta
  CHECK(stops_the_program([&] { TestBudget::of(eps("1"), whole).split(even); }));
  Budget budget = TestBudget::of(eps("1"), whole);
  CHECK(budget.take(eps("0.5")).delta() == Delta());
  CHECK(budget.delta() == whole);
}
