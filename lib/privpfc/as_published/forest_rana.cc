#include <algorithm>

#include "privpfc/as_published/named_method.h"
#include "privpfc/as_published/plain_tree.h"
#include "privpfc/as_published/trees.h"
#include "privpfc/classifiers/forest.h"

namespace privpfc {
namespace {

constexpr std::size_t kRanaTrees = 20;  // the paper's bound allows thousands
constexpr std::size_t kRanaDepth = 5;
constexpr double kLeastShare = 0.001;  // of the rows: the least of a class in a child

struct ClassMoments {
  double count = 0;
  double sum = 0;
  double squares = 0;
};

// Halfway between the means of the two classes, with noise by three deviations over the rows of the
// smaller class; nothing where a class has no values.
std::optional<CartNode> cut_between_means(const Dataset& data, RowList rows, std::uint32_t feature,
                                          double epsilon, PlainNoise& noise) {
  ClassMoments by_class[2];
  for (const std::uint32_t row : rows) {
    const double number = data.rows.columns[feature].numbers[row];
    if (std::isnan(number)) continue;
    ClassMoments& moments = by_class[data.labels[row]];
    ++moments.count;
    moments.sum += number;
    moments.squares += number * number;
  }
  const auto& [first, second] = by_class;
  const double smaller = std::min(first.count, second.count);
  if (smaller == 0) return std::nullopt;
  const double count = first.count + second.count;
  const double mean = (first.sum + second.sum) / count;
  const double deviation =
      std::sqrt(std::max(0.0, (first.squares + second.squares) / count - mean * mean));
  CartNode node;
  node.feature = feature;
  node.threshold = (first.sum / first.count + second.sum / second.count) / 2 +
                   noise.laplace(3 * deviation / smaller / epsilon);
  return node;
}

// Greedy trees on bootstrapped rows, each with the whole epsilon.
class PublishedRana final : public NamedPublishedMethod {
 public:
  PublishedRana()
      : NamedPublishedMethod(
            {"forest-rana-2016-as-published",
             "greedy trees on bootstrapped rows, numbers cut between the means of two classes",
             "Rana, Gupta, Venkatesh 2016",
             "NOT PRIVATE: every tree spends the whole epsilon on drawn rows, and a cut's noise "
             "follows the number of rows and the deviation in a node"},
            ModelKind::kForest) {}

  std::vector<AttributeView> views(const Schema& schema, double) const override {
    return plain_views(schema);
  }

  Result<std::unique_ptr<Model>> train(const Dataset& rows, const Schema& schema,
                                       const FeatureSpace& space, double epsilon,
                                       std::uint64_t seed) const override {
    if (space.class_count() != 2) {
      return make_error(ErrorKind::kUsage, "{} is for two classes", name());
    }
    if (rows.count() == 0) return make_error(ErrorKind::kData, "{} needs rows to draw", name());
    PlainNoise noise(seed);
    const double part = epsilon / (3 * static_cast<double>(kRanaDepth));
    std::vector<std::uint32_t> categories;
    for (std::uint32_t f = 0; f < space.features.size(); ++f) {
      if (!space.features[f].is_number()) categories.push_back(f);
    }
    const std::vector<CartNode> fixed =
        questions_about(QuestionSpace(schema, space, categories, QuestionWeights::kEqual)).nodes;
    const double least = kLeastShare * static_cast<double>(rows.count());
    PlainGrowth growth;
    growth.depth = kRanaDepth;
    growth.ask = [&](RowList here, std::span<const CartNode>) -> std::optional<CartNode> {
      std::vector<CartNode> questions = fixed;
      std::vector<AnswerCounts> counts = answer_counts(rows, here, fixed, space);
      for (std::uint32_t f = 0; f < space.features.size(); ++f) {
        if (!space.features[f].is_number()) continue;
        const auto cut = cut_between_means(rows, here, f, part, noise);
        if (!cut) continue;
        questions.push_back(*cut);
        counts.push_back(answer_counts(rows, here, *cut, 2));
      }
      if (questions.empty()) return std::nullopt;
      std::vector<double> scores;  // rows of the majority of their side
      for (const AnswerCounts& answers : counts) {
        scores.push_back(std::max(answers.yes[0], answers.yes[1]) +
                         std::max(answers.no[0], answers.no[1]));
      }
      const std::size_t chosen = draw_exponential(scores, part / 2, noise);
      const AnswerCounts& answers = counts[chosen];
      const double smallest =
          std::min({answers.yes[0], answers.yes[1], answers.no[0], answers.no[1]});
      return smallest < least ? std::nullopt : std::optional(questions[chosen]);
    };
    growth.answer = [&](RowList here) {
      return noisy_shares(class_counts(rows, here, 2), 1 / part, noise);
    };
    std::vector<Cart> trees;
    for (std::size_t tree = 0; tree < kRanaTrees; ++tree) {
      std::vector<std::uint32_t> drawn(rows.count());
      for (std::uint32_t& row : drawn)
        row = static_cast<std::uint32_t>(noise.bits() % drawn.size());
      trees.push_back(grow_plain(rows, std::move(drawn), growth));
    }
    return make_forest(std::move(trees), Combine::kShares);
  }
};

}  // namespace

std::unique_ptr<PublishedMethod> forest_rana_as_published() {
  return std::make_unique<PublishedRana>();
}

}  // namespace privpfc
