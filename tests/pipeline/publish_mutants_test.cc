#include <doctest/doctest.h>

#include <map>

#include "pipeline/neighbours.h"
#include "privpfc/counting/grid_counts.h"
#include "privpfc/counting/row_counts.h"
#include "privpfc/pipeline/pool_plan.h"
#include "privpfc/privacy/private.h"
#include "privpfc/quality/pool_scores.h"
#include "support/random_tables.h"
#include "support/seeded_bits.h"
#include "support/stops.h"
#include "support/test_budget.h"

using namespace privpfc;

// The story of publish() told once more, with the mistakes that one could make in it. Each must be
// caught by the rule that it breaks; without a mistake no rule may speak.

namespace {

enum class Mistake {
  kNone,
  kTrueRowsInThreshold,
  kNonEmptyCellsOnly,
  kDomainFromData,
  kFullEpsilonPerStep,
  kRangeOfOneRow,
  kCountsRowsTwice,
};

// Leaves as they appear in the data, in order of appearance in the code: what nobody may do.
void take_domain_from_data(Schema& schema, std::vector<Row>& rows) {
  for (std::size_t a = 0; a < schema.attributes.size(); ++a) {
    std::map<std::uint16_t, std::uint16_t> seen;
    for (const Row& row : rows) seen.emplace(row.leaves[a], 0);
    std::uint16_t next = 0;
    for (auto& [leaf, code] : seen) code = next++;
    for (Row& row : rows) row.leaves[a] = seen[row.leaves[a]];
    schema.attributes[a].hierarchy =
        Hierarchy::from_tree(flat_tree(std::max<std::size_t>(1, next)));
  }
}

void tell(Schema schema, std::vector<Row> rows, Mechanisms& mechanisms, Mistake mistake) {
  const auto budget = [&](const char* part) {
    return TestBudget::of(mistake == Mistake::kFullEpsilonPerStep ? "10" : part);
  };
  if (mistake == Mistake::kDomainFromData) take_domain_from_data(schema, rows);
  const std::size_t classes = schema.class_count();
  const EncodedTable table = encoded(schema, rows);
  const auto class_counts = mechanisms.noisy_counts(Private(count_classes(table, classes)), classes,
                                                    L1Sensitivity(1), budget("1"));
  std::int64_t noisy_rows = 0;
  for (const std::int64_t count : class_counts.value()) noisy_rows += count;
  if (mistake == Mistake::kTrueRowsInThreshold) noisy_rows = static_cast<std::int64_t>(rows.size());

  const GridSpace space(schema);
  const std::uint64_t most_cells =
      cell_threshold(std::max<std::int64_t>(1, noisy_rows), eps("5"), {});
  const auto pool = GridPool::enumerate(space, most_cells, 1'000'000).value();
  const Points points = group_rows(table, space, classes, usable_levels(space, most_cells));
  const MisclassificationTable excess(eps("0.5").units(), Epsilon::kUnitsPerOne);
  const std::int64_t range =
      mistake == Mistake::kRangeOfOneRow ? MisclassificationTable::kOneRow : excess.score_range();
  const auto winner = mechanisms.select(
      Private(score_pool(space, pool, points, excess, 1)), pool.size(), Better::kLower,
      ScoreRange(static_cast<std::uint64_t>(range)), Rule::kPermuteAndFlip, budget("4"));

  std::vector<std::int64_t> counts = count_grid(space, points, pool.grid(space, winner.value()));
  if (mistake == Mistake::kNonEmptyCellsOnly) std::erase(counts, 0);
  if (mistake == Mistake::kCountsRowsTwice) {
    for (std::int64_t& count : counts) count *= 2;
  }
  const std::size_t cells = counts.size();
  (void)mechanisms.noisy_counts(Private(std::move(counts)), cells, L1Sensitivity(1), budget("5"));
}

// A tree with a level of every number of nodes from 1 to `leaves`.
std::vector<TreeNode> staircase(std::size_t leaves) {
  if (leaves == 1) return {{"end", {}}};
  return {{"step", {}}, {"more", staircase(leaves - 1)}};
}

struct Verdict {
  bool other_calls = false;  // the replay met another call than was recorded
  std::string rule;          // the first that was broken, of those that compare inputs
  bool costs_ten = true;
};

// Rows that leave the last leaf of each attribute empty, and one more that has it throughout.
Verdict try_out(Mistake mistake) {
  Verdict verdict;
  Random random(1);
  for (std::uint64_t round = 0; round < 12; ++round) {
    const Schema schema =
        schema_of({Hierarchy::from_tree(flat_tree(3)), Hierarchy::from_tree(staircase(62)),
                   Hierarchy::from_tree(random_tree(random, 3, 3))},
                  2);
    std::vector<Row> rows = random_rows(random, schema, 30 + below(random, 30));
    Row last;
    last.label = static_cast<std::uint8_t>(below(random, 2));
    for (std::size_t a = 0; a < schema.attributes.size(); ++a) {
      const std::size_t leaves = schema.attributes[a].hierarchy.leaf_count();
      last.leaves.push_back(static_cast<std::uint16_t>(leaves - 1));
      for (Row& row : rows) {
        if (leaves > 1 && row.leaves[a] == leaves - 1) row.leaves[a] = 0;
      }
    }
    std::vector<Row> more = rows;
    more.push_back(round % 2 == 0 ? last : rows[below(random, rows.size())]);

    SeededBits bits(round);
    RecordingMechanisms recorder(bits);
    tell(schema, rows, recorder, mistake);
    verdict.costs_ten &= recorder.spent() == eps("10");
    const bool stopped = stops_the_program([&] {
      RecordingMechanisms replay(recorder.calls());
      tell(schema, more, replay, mistake);
    });
    verdict.other_calls |= stopped;
    if (stopped) continue;
    RecordingMechanisms replay(recorder.calls());
    tell(schema, more, replay, mistake);
    if (verdict.rule.empty()) verdict.rule = broken_rule(recorder.calls(), replay.calls());
  }
  return verdict;
}

}  // namespace

TEST_CASE("without a mistake, no rule speaks") {
  const Verdict verdict = try_out(Mistake::kNone);
  CHECK_FALSE(verdict.other_calls);
  CHECK(verdict.rule == "");
  CHECK(verdict.costs_ten);
}

TEST_CASE("mutant: the true number of rows in the threshold is caught, the pool changes") {
  CHECK(try_out(Mistake::kTrueRowsInThreshold).other_calls);
}

TEST_CASE("mutant: noise on the non-empty cells only is caught, their number changes") {
  CHECK(try_out(Mistake::kNonEmptyCellsOnly).other_calls);
}

TEST_CASE("mutant: a domain taken from the data is caught, the pool changes") {
  CHECK(try_out(Mistake::kDomainFromData).other_calls);
}

TEST_CASE("mutant: the whole epsilon in every step is caught, the sum is not the budget") {
  CHECK_FALSE(try_out(Mistake::kFullEpsilonPerStep).costs_ten);
}

TEST_CASE("mutant: scores said to change by one row at most are caught") {
  CHECK(try_out(Mistake::kRangeOfOneRow).rule == "scores within their range");
}

TEST_CASE("mutant: a row that counts twice, with sensitivity 1, is caught") {
  CHECK(try_out(Mistake::kCountsRowsTwice).rule == "counts within their sensitivity");
}
