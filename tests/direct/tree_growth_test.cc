#include "privpfc/direct/tree_growth.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "direct/direct_schema.h"
#include "privpfc/direct/tree_leaves.h"
#include "privpfc/direct/tree_random.h"
#include "privpfc/direct/tree_scoring.h"
#include "privpfc/schema/schema_reader.h"
#include "support/direct_replay.h"

using namespace privpfc;

namespace {

FeatureSpace plain_space(const Schema& schema) {
  return make_feature_space(schema, plain_views(schema)).value();
}

CodedRows coded(const Dataset& data, const QuestionSpace& space) {
  CodedRows rows;
  rows.count = data.count();
  rows.labels = data.labels;
  for (std::uint32_t f = 0; f < space.feature_count(); ++f) {
    std::vector<std::uint16_t>& codes = rows.codes.emplace_back(data.rows.columns[f].codes);
    for (const double x : data.rows.columns[f].numbers) {
      codes.push_back(std::isnan(x) ? kMissingCode : space.code_of(f, x));
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("a number lies at or below a threshold exactly when its code does") {
  const Schema schema = direct_schema();
  const FeatureSpace space = plain_space(schema);
  const QuestionSpace questions(schema, space, QuestionWeights::kByFeature);
  Random random(1);
  for (std::uint32_t f = 0; f < 3; ++f) {
    const std::uint32_t cuts = questions.code_count(f) - 1;
    for (int round = 0; round < 20'000; ++round) {
      const auto cut = static_cast<std::uint32_t>(below(random, cuts));
      const double at = questions.threshold(f, cut);
      // Next to the threshold, on it, and anywhere.
      const double anywhere =
          space.features[f].low + (space.features[f].high - space.features[f].low) *
                                      static_cast<double>(below(random, 1'001)) / 1'000;
      for (const double x : {at, std::nextafter(at, -1e9), std::nextafter(at, 1e9), anywhere}) {
        REQUIRE((x <= at) == (questions.code_of(f, x) <= cut));
      }
    }
  }
  CHECK(questions.code_count(0) == 90 - 17 + 1);  // whole numbers are cut between any two
  CHECK(questions.code_count(1) == 65'535);
}

TEST_CASE("whole numbers have a code each, whatever their range") {
  const auto check_range = [](std::int64_t low, std::int64_t width) {
    CAPTURE(low);
    CAPTURE(width);
    const Schema schema =
        *read_schema_text(
             fmt::format("name: whole\nlabel: {{column: y, classes: [a, b]}}\nattributes:\n"
                         "  x: {{type: integer, domain: [{}, {}], levels: [2], missing: []}}\n",
                         low, low + width))
             .schema;
    const QuestionSpace questions(schema, plain_space(schema), QuestionWeights::kByFeature);
    REQUIRE(questions.code_count(0) == width + 1);
    for (std::int64_t j = 0; j <= width; ++j) {
      REQUIRE(questions.code_of(0, static_cast<double>(low + j)) == j);
    }
  };
  for (std::int64_t width = 1; width <= 200; ++width) check_range(0, width);
  for (const std::int64_t low : {-70'000, -3, 0, 1, 1'000'000'007}) {
    for (const std::int64_t width : {300, 999, 5'000, 7'200, 65'534}) check_range(low, width);
  }
}

TEST_CASE("what is missing can be told from the least number, however large it is") {
  for (const char* low : {"-1e17", "-1e300", "0", "1e17"}) {
    CAPTURE(low);
    const Schema schema =
        *read_schema_text(
             fmt::format(
                 "name: far\nlabel: {{column: y, classes: [a, b]}}\nattributes:\n"
                 "  x: {{type: real, domain: [{}, 1e301], levels: [2], missing: [\"?\"]}}\n",
                 low))
             .schema;
    const FeatureSpace space = plain_space(schema);
    const QuestionSpace questions(schema, space, QuestionWeights::kByFeature);
    CartNode node;
    questions.ask({0, 0, 0, true}, node);
    CHECK(node.threshold < space.features[0].low);
    CHECK(node.missing_goes_left);
  }
}

TEST_CASE("a question and the tree's node that asks it agree on every row") {
  const Schema schema = direct_schema();
  Random random(2);
  for (const bool as_categories : {false, true}) {
    std::vector<AttributeView> views = plain_views(schema);
    if (as_categories) {
      for (AttributeView& view : views) view.as_number = false;
    }
    const FeatureSpace space = make_feature_space(schema, views).value();
    for (const OrderedQuestions ordered : {OrderedQuestions::kCuts, OrderedQuestions::kNodes}) {
      const QuestionSpace questions(schema, space, QuestionWeights::kByFeature, ordered);
      const Dataset data = random_direct_rows(random, space, 60);
      const CodedRows rows = coded(data, questions);
      for (int round = 0; round < 2'000; ++round) {
        const Question question = questions.question_of(below(random, questions.candidate_count()));
        CartNode node;
        node.left = 1;
        node.right = 2;
        questions.ask(question, node);
        for (std::size_t i = 0; i < data.count(); ++i) {
          REQUIRE(question.says_yes(rows.codes[question.feature][i]) ==
                  (child_of(node, data.rows, i) == 1));
        }
      }
    }
  }
}

TEST_CASE("the runs of scores are those of every candidate, one by one") {
  const Schema schema = direct_schema();
  const FeatureSpace space = plain_space(schema);
  const QuestionSpace questions(schema, space, QuestionWeights::kByFeature);
  Random random(3);
  for (const std::size_t count : {0U, 1U, 7U, 300U}) {
    const Dataset data = random_direct_rows(random, space, count);
    const CodedRows rows = coded(data, questions);
    RowGroups groups;  // odd rows, even rows
    groups.begins = {0, count / 2, count};
    for (std::uint32_t i = 1; i < count; i += 2) groups.rows.push_back(i);
    for (std::uint32_t i = 0; i < count; i += 2) groups.rows.push_back(i);
    for (const SplitScore kind : {SplitScore::kErrors, SplitScore::kGini, SplitScore::kEntropy}) {
      const ImpurityScore score(kind, 100);
      const PartScores scores = impurity_runs(rows, groups, questions, score, 3, 1);
      CHECK(scores == impurity_runs(rows, groups, questions, score, 3, 3));
      for (std::size_t g = 0; g < 2; ++g) {
        std::uint64_t sum = 0;
        for (const ScoreRun& run : scores[g]) sum += run.length;
        REQUIRE(sum == questions.candidate_count());
        for (int round = 0; round < 300; ++round) {
          const std::uint64_t candidate = below(random, questions.candidate_count());
          std::uint64_t left = candidate;
          std::size_t run = 0;
          while (left >= scores[g][run].length) left -= scores[g][run++].length;
          const Question question = questions.question_of(candidate);
          std::vector<std::int64_t> yes(3, 0);
          std::vector<std::int64_t> no(3, 0);
          for (std::size_t k = groups.begins[g]; k < groups.begins[g + 1]; ++k) {
            const std::uint32_t row = groups.rows[k];
            ++(question.says_yes(rows.codes[question.feature][row]) ? yes : no)[rows.labels[row]];
          }
          REQUIRE(scores[g][run].score == score.side(yes) + score.side(no));
        }
      }
    }
  }
}

TEST_CASE("questions: no two of a feature divide its categories alike, and missing is asked once") {
  const Schema schema = direct_schema();
  const QuestionSpace questions(schema, plain_space(schema), QuestionWeights::kEqual);
  for (const FeatureQuestions& feature : questions.features()) {
    if (feature.feature == 3) {  // colour: Warm (Cold is the rest), red, orange; missing
      CHECK(feature.groups.size() == 3);
      CHECK(feature.asks_missing);
    }
    if (feature.feature == 4) CHECK(feature.question_count() == 1);  // ward: a or b
  }
}

TEST_CASE("random trees: the seed decides, no deeper than asked, no question that is settled") {
  const Schema schema = direct_schema();
  const QuestionSpace questions(schema, plain_space(schema), QuestionWeights::kByFeature);
  RandomGrowth growth;
  growth.trees = 5;
  growth.depth = 7;
  growth.distinct_roots = true;
  const GrowingTrees trees = random_trees(questions, growth);
  std::vector<bool> seen(5, false);
  for (const GrowingTree& tree : trees) {
    CHECK_FALSE(seen[tree[0].question.feature]);
    seen[tree[0].question.feature] = true;
    for (const GrowingNode& node : tree) {
      CHECK(node.depth <= 7);
      // `ward` and `flag` have two values: asked once, they are settled (but for what is missing).
      if (node.yes != 0 && (node.question.feature == 2 || node.question.feature == 4)) {
        for (const std::uint32_t child : {node.yes, node.no}) {
          if (tree[child].yes != 0) CHECK(tree[child].question.feature != node.question.feature);
        }
      }
    }
  }
  const GrowingTrees again = random_trees(questions, growth);
  growth.seed = 2;
  const GrowingTrees other = random_trees(questions, growth);
  const auto sizes = [](const GrowingTrees& all) {
    std::vector<std::size_t> result;
    for (const GrowingTree& tree : all) {
      for (const GrowingNode& node : tree) result.push_back(node.question.end);
    }
    return result;
  };
  CHECK(sizes(trees) == sizes(again));
  CHECK(sizes(trees) != sizes(other));
}

TEST_CASE("leaves: shares add up, whatever the counts; pruning leaves out what does not help") {
  const Schema schema = direct_schema();
  const QuestionSpace questions(schema, plain_space(schema), QuestionWeights::kByFeature);
  GrowingTree tree(1);
  for (int level = 0; level < 3; ++level) {
    const std::vector<std::uint32_t> open = open_nodes(tree);
    std::vector<Question> asked;
    for (std::size_t i = 0; i < open.size(); ++i) asked.push_back(questions.question_of(3 + i));
    tree = with_questions(tree, open, asked);
  }
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::int64_t> counts(8 * 3);
    for (std::int64_t& count : counts) {
      count = static_cast<std::int64_t>(below(random, 60)) - (round % 3 == 0 ? 80 : 20);
    }
    for (const Pruning pruning : {Pruning::kNone, Pruning::kPrice, Pruning::kSignal}) {
      const Cart cart = finish_tree(tree, questions, counts, {3, 5, pruning, round % 2 == 0});
      for (const CartNode& node : cart) {
        double sum = 0;
        for (const double share : node.class_weights) {
          CHECK(share >= 0);
          sum += share;
        }
        CHECK(sum == doctest::Approx(1));
      }
    }
  }
  std::vector<std::int64_t> same(8 * 3, 100);  // no question helps
  CHECK(finish_tree(tree, questions, same, {3, 5, Pruning::kPrice, false}).size() == 1);
  CHECK(finish_tree(tree, questions, same, {3, 5, Pruning::kNone, false}).size() == 15);
  same[1] = 1'000;  // the first leaf and the last are of different classes
  same[7 * 3 + 2] = 1'000;
  CHECK(finish_tree(tree, questions, same, {3, 5, Pruning::kPrice, false}).size() > 1);
  const std::vector<std::uint64_t> labels{1, 1, 1, 1, 2, 0, 1, 1};
  CHECK(label_leaves(tree, questions, labels, 3).size() == 7);
}
