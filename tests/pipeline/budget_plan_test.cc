#include "privpfc/pipeline/budget_plan.h"

#include <doctest/doctest.h>

#include "support/random_tables.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

Epsilon sum(const BudgetPlan& plan) {
  return plan.columns + plan.classes + plan.features + plan.selection + plan.histogram;
}

// Shares that add up, drawn at random.
Shares random_shares(Random& random) {
  Shares shares;
  shares.classes = between(random, 1, 50'000);
  const std::uint64_t rest = Shares::kWhole - shares.classes;
  shares.selection = between(random, 1, rest - 1);
  shares.histogram = rest - shares.selection;
  shares.features = between(random, 1, rest - 2);
  shares.selection_after_features = between(random, 1, rest - shares.features - 1);
  shares.histogram_after_features = rest - shares.features - shares.selection_after_features;
  shares.columns = below(random, 2) == 0 ? 0 : between(random, 1, Shares::kWhole - 1);
  return shares;
}

}  // namespace

TEST_CASE("the steps of a release sum to its epsilon, to the last billionth") {
  Random random(1);
  int planned = 0;
  for (int round = 0; round < 20'000; ++round) {
    const Shares shares = random_shares(random);
    REQUIRE(check_shares(shares).ok());
    const Epsilon total =
        Epsilon::from_units(between(random, 1, std::size_t{1} << between(random, 5, 39)));
    const auto plain = plan_budget(total, shares, false);
    const auto with_features = plan_budget(total, shares, true);
    if (!plain || !with_features) continue;
    ++planned;
    CHECK(sum(*plain) == total);
    CHECK(sum(*with_features) == total);
    CHECK(plain->features == Epsilon());
    // The class counts are paid before it is known whether features will be selected.
    CHECK(plain->classes == with_features->classes);
    CHECK(plain->columns == with_features->columns);
  }
  CHECK(planned > 10'000);
}

TEST_CASE("epsilon 1 is shared as the defaults say") {
  const BudgetPlan plain = plan_budget(eps("1"), Shares(), false).value();
  CHECK(plain.classes == eps("0.03"));
  CHECK(plain.selection == eps("0.37"));
  CHECK(plain.histogram == eps("0.6"));
  const BudgetPlan with_features = plan_budget(eps("1"), Shares(), true).value();
  CHECK(with_features.classes == eps("0.03"));
  CHECK(with_features.features == eps("0.291"));
  CHECK(with_features.selection == eps("0.291"));
  CHECK(with_features.histogram == eps("0.388"));
  Shares shares;
  shares.columns = 20'000;
  const BudgetPlan with_columns = plan_budget(eps("1"), shares, false).value();
  CHECK(with_columns.columns == eps("0.2"));
  CHECK(with_columns.classes == eps("0.024"));
}

TEST_CASE("an epsilon of which a step would get nothing is refused") {
  for (std::uint64_t units = 1; units < 30; ++units) {
    CHECK_FALSE(plan_budget(Epsilon::from_units(units), Shares(), false).ok());
  }
  CHECK(plan_budget(eps("0.000001"), Shares(), false).ok());
}

TEST_CASE("a step that is divided among attributes gets a part for each, or epsilon is refused") {
  const Shares plain;
  Shares with_columns;
  with_columns.columns = 10;
  for (const std::string text : {"0.00000004", "0.000001", "0.000003", "0.00001", "0.001", "1"}) {
    CAPTURE(text);
    if (const auto plan = plan_budget(eps(text), plain, true)) {
      CHECK(plan->features.units() >= Schema::kMaxAttributes);
    }
    if (const auto plan = plan_budget(eps(text), with_columns, false)) {
      CHECK(plan->columns.units() >= Schema::kMaxAttributes);
    }
  }
}

TEST_CASE("percentages are read exactly") {
  const auto read = [](std::string_view text, std::size_t count) {
    return parse_percentages(text, count).value();
  };
  CHECK(read("3,37,60", 3) == std::vector<std::uint64_t>{3'000, 37'000, 60'000});
  CHECK(read("3,29.1,29.1,38.8", 4) == std::vector<std::uint64_t>{3'000, 29'100, 29'100, 38'800});
  CHECK(read("0.001,99.999", 2) == std::vector<std::uint64_t>{1, 99'999});
  CHECK(read("100", 1) == std::vector<std::uint64_t>{100'000});
  CHECK(parse_percentage_below_100("12.5").value() == 12'500);
}

TEST_CASE("what is not a list of percentages is refused") {
  for (const std::string text :
       {"", ",", "3,37", "3,37,60,0", "3,37,61", "3,37,59.9999", "3,37,,60", "3, 37,60", "-3,43,60",
        "3e0,37,60", "3,37,60,", "+3,37,60", "3.0.0,37,60", "99999999,1,1",
        "18446744073709551616,0,100"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_percentages(text, 3).ok());
  }
  for (const std::string text : {".,40,60", "40.,0,60", ".5,39.5,60"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_percentages(text, 3).ok());
  }
  for (const std::string text : {"", ".", "0", "0.000", "100", "100.5", "-1", "x"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_percentage_below_100(text).ok());
  }
}

TEST_CASE("shares that do not add up, or leave a step without any, are refused") {
  const auto refused = [](auto change) {
    Shares shares;
    change(shares);
    return !check_shares(shares).ok();
  };
  CHECK(check_shares(Shares()).ok());
  CHECK(refused([](Shares& s) { s.histogram += 1; }));
  CHECK(refused([](Shares& s) { s.histogram_after_features -= 1; }));
  CHECK(refused([](Shares& s) { s.columns = Shares::kWhole; }));
  CHECK(refused([](Shares& s) {
    s.selection = 0;
    s.histogram = 97'000;
  }));
  // Numbers that only add up because 64 bits end.
  CHECK(refused([](Shares& s) {
    s.selection = std::uint64_t{0} - 1'000;
    s.histogram = 98'000;
  }));
}
