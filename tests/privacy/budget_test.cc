#include "privpfc/privacy/budget.h"

#include <doctest/doctest.h>

#include <utility>

#include "support/stops.h"
#include "support/test_budget.h"

using namespace privpfc;

TEST_CASE("a budget splits into parts that sum to it") {
  Budget whole = TestBudget::of("0.1");
  Budget part = whole.take(eps("0.03"));
  CHECK(part.epsilon() == eps("0.03"));
  CHECK(whole.epsilon() == eps("0.07"));
  const auto thirds = std::move(whole).split(std::vector<std::uint64_t>{1, 1, 1});
  CHECK(thirds[0].epsilon() + thirds[1].epsilon() + thirds[2].epsilon() == eps("0.07"));
}

TEST_CASE("a budget is spent once") {
  CHECK_FALSE(stops_the_program([] {
    Budget budget = TestBudget::of("1");
    std::move(budget).spend();
  }));
  CHECK(stops_the_program([] {
    Budget budget = TestBudget::of("1");
    std::move(budget).spend();
    std::move(budget).spend();  // NOLINT(bugprone-use-after-move)
  }));
  CHECK(stops_the_program([] {
    Budget budget = TestBudget::of("1");
    const Budget elsewhere = std::move(budget);
    std::move(budget).spend();  // NOLINT(bugprone-use-after-move)
  }));
  CHECK(stops_the_program([] {
    Budget budget = TestBudget::of("1");
    const auto parts = std::move(budget).split(std::vector<std::uint64_t>{1, 1});
    budget.take(eps("0.1"));  // NOLINT(bugprone-use-after-move)
  }));
}

TEST_CASE("no more can be taken out of a budget than is in it") {
  CHECK(stops_the_program([] { TestBudget::of("1").take(eps("1.000000001")); }));
  CHECK(stops_the_program([] { TestBudget::of("1").take(Epsilon()); }));
  CHECK(stops_the_program([] { TestBudget::of(Epsilon()); }));
  CHECK(stops_the_program([] {
    Budget budget = TestBudget::of("1");
    budget.take(eps("1"));
    std::move(budget).spend();  // nothing is left
  }));
}
