#include <algorithm>

#include "privpfc/as_published/named_method.h"
#include "privpfc/as_published/plain_tree.h"
#include "privpfc/as_published/trees.h"
#include "privpfc/classifiers/tree.h"

namespace privpfc {
namespace {

constexpr std::size_t kCartDepth = 4;  // tuned by data set in the paper, which names no number
constexpr double kLeastCount = 1e-5;   // in place of what should be positive and is not

// Above the median of the rows, or not.
CartNode cut_at_median(const Dataset& rows, std::uint32_t feature) {
  std::vector<double> numbers;
  for (const double number : rows.rows.columns[feature].numbers) {
    if (!std::isnan(number)) numbers.push_back(number);
  }
  CartNode node;
  node.feature = feature;
  if (!numbers.empty()) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    node.threshold = *middle;
  }
  return node;
}

// Every value of a category is an attribute with the values 0 and 1, and so is every number.
std::vector<CartNode> binary_attributes(const Dataset& rows, const FeatureSpace& space) {
  std::vector<CartNode> attributes;
  for (std::uint32_t f = 0; f < space.features.size(); ++f) {
    if (space.features[f].is_number()) {
      attributes.push_back(cut_at_median(rows, f));
      continue;
    }
    const std::size_t codes = space.features[f].categories.size();
    for (std::size_t code = 0; code < codes; ++code) {
      CartNode node;
      node.feature = f;
      node.goes_left.assign(codes, 0);
      node.goes_left[code] = 1;
      attributes.push_back(std::move(node));
    }
  }
  return attributes;
}

bool same_question(const CartNode& a, const CartNode& b) {
  return a.feature == b.feature && a.goes_left == b.goes_left;
}

// The Gini impurity per row, from noisy counts.
double noisy_impurity(const AnswerCounts& counts, double scale, PlainNoise& noise) {
  double impurities = 0;
  double total = 0;
  for (const std::vector<double>* side : {&counts.yes, &counts.no}) {
    double sum = 0;
    double squares = 0;
    for (const double count : *side) {
      const double noisy = std::max(kLeastCount, count + noise.laplace(scale));
      sum += noisy;
      squares += noisy * noisy;
    }
    impurities += (sum * sum - squares) / sum;
    total += sum;
  }
  return impurities / total;
}

class PublishedCart final : public NamedPublishedMethod {
 public:
  PublishedCart()
      : NamedPublishedMethod(
            {"tree-cart-as-published", "CART from noisy counts, numbers cut at their median",
             "Lopuhaa-Zwakenberg et al. 2021",
             "NOT PRIVATE: numbers are cut at the median of the rows"},
            ModelKind::kTree) {}

  std::vector<AttributeView> views(const Schema& schema, double) const override {
    return plain_views(schema);
  }

  Result<std::unique_ptr<Model>> train(const Dataset& rows, const Schema&,
                                       const FeatureSpace& space, double epsilon,
                                       std::uint64_t seed) const override {
    PlainNoise noise(seed);
    const std::vector<CartNode> attributes = binary_attributes(rows, space);
    const std::size_t classes = space.class_count();
    // Each level pays for all attributes, the leaves too.
    const double scale = static_cast<double>(std::max<std::size_t>(1, attributes.size())) *
                         static_cast<double>(kCartDepth + 1) / epsilon;
    PlainGrowth growth;
    growth.depth = kCartDepth;
    growth.ask = [&](RowList here, std::span<const CartNode> path) -> std::optional<CartNode> {
      const CartNode* best = nullptr;
      double least = HUGE_VAL;
      for (const CartNode& attribute : attributes) {
        const auto is_it = [&](const CartNode& node) { return same_question(node, attribute); };
        if (std::any_of(path.begin(), path.end(), is_it)) continue;
        const double value =
            noisy_impurity(answer_counts(rows, here, attribute, classes), scale, noise);
        if (value < least) {
          least = value;
          best = &attribute;
        }
      }
      return best == nullptr ? std::nullopt : std::optional(*best);
    };
    growth.answer = [&](RowList here) {
      std::vector<double> counts = class_counts(rows, here, classes);
      for (double& count : counts) count += noise.laplace(scale);
      std::vector<double> shares(classes, 0.0);
      shares[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) -
                                      counts.begin())] = 1;
      return shares;
    };
    return make_tree(grow_plain(rows, all_rows(rows), growth));
  }
};

}  // namespace

std::unique_ptr<PublishedMethod> tree_cart_as_published() {
  return std::make_unique<PublishedCart>();
}

}  // namespace privpfc
