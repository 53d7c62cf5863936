#include <algorithm>
#include <numeric>

#include "privpfc/as_published/named_method.h"
#include "privpfc/as_published/plain_tree.h"
#include "privpfc/as_published/trees.h"
#include "privpfc/classifiers/forest.h"
#include "privpfc/direct/tree_leaves.h"
#include "privpfc/direct/tree_method.h"
#include "privpfc/direct/tree_random.h"

namespace privpfc {
namespace {

constexpr std::size_t kMostGroups = 64;  // of an attribute: continuous ones are cut beforehand

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

// Per row, from the counts as they are.
double gini(const AnswerCounts& counts) {
  double rows = 0;
  double impurities = 0;
  for (const std::vector<double>* side : {&counts.yes, &counts.no}) {
    const double sum = sum_of(*side);
    if (sum == 0) continue;
    double squares = 0;
    for (const double count : *side) squares += count * count;
    impurities += sum - squares / sum;
    rows += sum;
  }
  return rows == 0 ? 0 : impurities / rows;
}

class GroupedForest : public NamedPublishedMethod {
 public:
  explicit GroupedForest(const PublishedText& text)
      : NamedPublishedMethod(text, ModelKind::kForest) {}

  std::vector<AttributeView> views(const Schema& schema, double) const override {
    return category_views(schema, kMostGroups);
  }
};

// A few greedy trees. Each node is counted with noise, and the noisy count gives the "local"
// sensitivity of the mean Gini impurity, for the exponential mechanism.
class Published2015a final : public GroupedForest {
 public:
  Published2015a()
      : GroupedForest(
            {"forest-fletcher-islam-2015a-as-published",
             "four greedy trees, the Gini impurity's sensitivity by the node's noisy size",
             "Fletcher and Islam 2015: A differentially private decision forest",
             "NOT PRIVATE: the sensitivity is a local one, at the noisy number of rows of a "
             "node"}) {}

  Result<std::unique_ptr<Model>> train(const Dataset& rows, const Schema& schema,
                                       const FeatureSpace& space, double epsilon,
                                       std::uint64_t seed) const override {
    PlainNoise noise(seed);
    // Two queries in every level of every tree, the leaves' level included.
    const double part = epsilon / static_cast<double>(kTrees * 2 * (kDepth + 1));
    std::vector<std::uint32_t> features(space.features.size());
    std::iota(features.begin(), features.end(), 0U);
    std::vector<Cart> trees;
    while (trees.size() < kTrees) {
      const QuestionSpace about(schema, space, features, QuestionWeights::kByFeature);
      const WeightedQuestions questions = questions_about(about);
      PlainGrowth growth;
      growth.depth = questions.nodes.empty() ? 0 : kDepth;
      growth.ask = [&](RowList here, std::span<const CartNode>) -> std::optional<CartNode> {
        const double count =
            std::max(1.0, static_cast<double>(here.size()) + noise.laplace(1 / part));
        const double sensitivity = 1 - (count * count + 1) / ((count + 1) * (count + 1));
        std::vector<double> scores;
        for (const AnswerCounts& counts : answer_counts(rows, here, questions.nodes, space)) {
          scores.push_back(questions.log_weights[scores.size()] -
                           part / (2 * sensitivity) * gini(counts));
        }
        return questions.nodes[draw_exponential(scores, 1, noise)];
      };
      growth.answer = [&](RowList here) {
        return noisy_shares(class_counts(rows, here, space.class_count()), 1 / part, noise);
      };
      trees.push_back(grow_plain(rows, all_rows(rows), growth));
      // No tree asks about what an earlier one has asked at its root, as long as there is more.
      if (!trees.back()[0].is_leaf() && features.size() > 1) {
        std::erase(features, trees.back()[0].feature);
      }
    }
    return make_forest(std::move(trees), Combine::kShares);
  }

 private:
  static constexpr std::size_t kTrees = 4;
  static constexpr std::size_t kDepth = 5;
};

// A hundred random trees on disjoint rows; the majority class of a leaf by the exponential
// mechanism with the smooth sensitivity exp(-gap epsilon) in the exponent.
class Published2016 final : public GroupedForest {
 public:
  Published2016()
      : GroupedForest(
            {"forest-fletcher-islam-2016-as-published",
             "random trees on disjoint rows, majority by smooth sensitivity in the exponent",
             "Fletcher and Islam 2016: Differentially private random decision forests using smooth "
             "sensitivity",
             "NOT PRIVATE: smooth sensitivity does not fit the exponential mechanism; a leaf with "
             "a gap of 5 rows loses 47 epsilon at epsilon 1"}) {}

  Result<std::unique_ptr<Model>> train(const Dataset& rows, const Schema& schema,
                                       const FeatureSpace& space, double epsilon,
                                       std::uint64_t seed) const override {
    PlainNoise noise(seed);
    const QuestionSpace questions(schema, space, QuestionWeights::kByFeature,
                                  OrderedQuestions::kNodes);
    RandomGrowth growth;
    growth.trees = kTrees;
    growth.seed = noise.bits();
    growth.depth = depth(static_cast<double>(questions.features().size()));
    const GrowingTrees grown = random_trees(questions, growth);
    const std::size_t classes = space.class_count();
    std::vector<std::vector<std::vector<double>>> counts;  // by tree, node and class
    for (const GrowingTree& tree : grown) {
      counts.emplace_back(tree.size(), std::vector<double>(classes, 0.0));
    }
    for (std::size_t row = 0; row < rows.count(); ++row) {
      const std::size_t tree = noise.bits() % kTrees;
      ++counts[tree][leaf_of(grown[tree], rows, row)][rows.labels[row]];
    }
    std::vector<Cart> trees;
    for (std::size_t tree = 0; tree < kTrees; ++tree) {
      std::vector<std::uint64_t> labels;
      for (const std::uint32_t leaf : leaves_of(grown[tree])) {
        labels.push_back(majority(counts[tree][leaf], epsilon, noise));
      }
      trees.push_back(label_leaves(grown[tree], questions, labels, classes));
    }
    return make_forest(std::move(trees), Combine::kVotes);
  }

 private:
  static constexpr std::size_t kTrees = 100;

  // The first depth at which half of m attributes, or more, have been asked about on the way.
  static std::size_t depth(double attributes) {
    std::size_t questions = 1;
    for (double left = attributes - 1; left > 0 && left >= attributes / 2; ++questions) {
      left *= (attributes - 1) / attributes;
    }
    return questions;
  }

  static std::uint32_t leaf_of(const GrowingTree& tree, const Dataset& rows, std::size_t row) {
    std::uint32_t node = 0;
    while (tree[node].yes != 0) {
      const std::uint16_t code = rows.rows.columns[tree[node].question.feature].codes[row];
      node = tree[node].question.says_yes(code) ? tree[node].yes : tree[node].no;
    }
    return node;
  }

  static std::size_t majority(const std::vector<double>& counts, double epsilon,
                              PlainNoise& noise) {
    const auto first = std::max_element(counts.begin(), counts.end());
    const auto winner = static_cast<std::size_t>(first - counts.begin());
    double second = 0;
    for (std::size_t c = 0; c < counts.size(); ++c) {
      if (c != winner) second = std::max(second, counts[c]);
    }
    const double sensitivity = std::exp(-epsilon * (*first - second));
    std::vector<double> scores(counts.size(), 0.0);
    scores[winner] = 1;
    return draw_exponential(scores, epsilon / (2 * sensitivity), noise);
  }
};

}  // namespace

std::unique_ptr<PublishedMethod> forest_fletcher_islam_2015a_as_published() {
  return std::make_unique<Published2015a>();
}

std::unique_ptr<PublishedMethod> forest_fletcher_islam_2016_as_published() {
  return std::make_unique<Published2016>();
}

}  // namespace privpfc
