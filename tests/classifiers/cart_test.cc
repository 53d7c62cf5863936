#include "privpfc/classifiers/cart.h"

#include <algorithm>

#include "classifiers/generated.h"
#include "privpfc/classifiers/cart_split.h"
#include "privpfc/classifiers/folds.h"
#include "privpfc/classifiers/tree.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

// One number within [-4, 4], two classes.
FeatureSpace one_number() {
  FeatureSpace space = generated_space(2);
  space.features = {space.features[0]};
  return space;
}

Dataset numbers(std::vector<double> values, std::vector<std::uint8_t> labels,
                std::vector<double> weights) {
  Dataset data;
  data.rows.count = values.size();
  data.rows.columns.resize(1);
  data.rows.columns[0].numbers = std::move(values);
  data.labels = std::move(labels);
  data.weights = std::move(weights);
  return data;
}

GrowOptions no_limits(Impurity impurity = Impurity::kGini) {
  return {.impurity = impurity, .least_split_weight = 0, .least_leaf_weight = 0};
}

Groups random_groups(std::size_t count, std::size_t classes, std::uint64_t seed) {
  Random random(seed);
  Groups groups(classes);
  for (std::size_t g = 0; g < count; ++g) {
    groups.add();
    for (std::size_t c = 0; c < classes; ++c) {
      groups[g][c] = static_cast<double>(random.below(20)) + (c == g % classes ? 3 : 0);
    }
  }
  return groups;
}

// Every division, one after the other.
double best_gain_by_brute_force(const Groups& groups, Impurity impurity) {
  const std::size_t classes = groups.classes();
  double best = 0;
  for (std::uint32_t set = 1; set + 1 < (1U << groups.count()); ++set) {
    std::vector<double> left(classes, 0);
    std::vector<double> right(classes, 0);
    for (std::size_t g = 0; g < groups.count(); ++g) {
      for (std::size_t c = 0; c < classes; ++c) {
        (((set >> g) & 1) != 0 ? left : right)[c] += groups[g][c];
      }
    }
    std::vector<double> all(classes);
    for (std::size_t c = 0; c < classes; ++c) all[c] = left[c] + right[c];
    best = std::max(best, purity(left, impurity) + purity(right, impurity) - purity(all, impurity));
  }
  return best;
}

// The error of every pruned version of the tree below `node`, by its number of leaves.
struct Subtree {
  std::size_t leaves;
  double wrong;
};
std::vector<Subtree> all_prunings(const Cart& cart, std::uint32_t node) {
  const std::vector<double>& weights = cart[node].class_weights;
  double wrong = 0;
  for (const double weight : weights) wrong += weight;
  wrong -= *std::max_element(weights.begin(), weights.end());
  std::vector<Subtree> prunings = {{1, wrong}};
  if (cart[node].is_leaf()) return prunings;
  for (const Subtree& a : all_prunings(cart, cart[node].left)) {
    for (const Subtree& b : all_prunings(cart, cart[node].right)) {
      prunings.push_back({a.leaves + b.leaves, a.wrong + b.wrong});
    }
  }
  return prunings;
}

std::size_t leaves_of(const Cart& cart) {
  return (cart.size() + 1) / 2;
}

double wrong_in(const Cart& cart) {
  double wrong = 0;
  for (const CartNode& node : cart) {
    if (!node.is_leaf()) continue;
    for (const double weight : node.class_weights) wrong += weight;
    wrong -= *std::max_element(node.class_weights.begin(), node.class_weights.end());
  }
  return wrong;
}

// Fisher's irises (1936), fifty of each of three kinds, in millimetres: length and width of sepals,
// then of petals.
const std::vector<int> kIrises = {
    51, 35, 14, 2,  49, 30, 14, 2,  47, 32, 13, 2,  46, 31, 15, 2,  50, 36, 14, 2,  54, 39, 17, 4,
    46, 34, 14, 3,  50, 34, 15, 2,  44, 29, 14, 2,  49, 31, 15, 1,  54, 37, 15, 2,  48, 34, 16, 2,
    48, 30, 14, 1,  43, 30, 11, 1,  58, 40, 12, 2,  57, 44, 15, 4,  54, 39, 13, 4,  51, 35, 14, 3,
    57, 38, 17, 3,  51, 38, 15, 3,  54, 34, 17, 2,  51, 37, 15, 4,  46, 36, 10, 2,  51, 33, 17, 5,
    48, 34, 19, 2,  50, 30, 16, 2,  50, 34, 16, 4,  52, 35, 15, 2,  52, 34, 14, 2,  47, 32, 16, 2,
    48, 31, 16, 2,  54, 34, 15, 4,  52, 41, 15, 1,  55, 42, 14, 2,  49, 31, 15, 2,  50, 32, 12, 2,
    55, 35, 13, 2,  49, 36, 14, 1,  44, 30, 13, 2,  51, 34, 15, 2,  50, 35, 13, 3,  45, 23, 13, 3,
    44, 32, 13, 2,  50, 35, 16, 6,  51, 38, 19, 4,  48, 30, 14, 3,  51, 38, 16, 2,  46, 32, 14, 2,
    53, 37, 15, 2,  50, 33, 14, 2,  70, 32, 47, 14, 64, 32, 45, 15, 69, 31, 49, 15, 55, 23, 40, 13,
    65, 28, 46, 15, 57, 28, 45, 13, 63, 33, 47, 16, 49, 24, 33, 10, 66, 29, 46, 13, 52, 27, 39, 14,
    50, 20, 35, 10, 59, 30, 42, 15, 60, 22, 40, 10, 61, 29, 47, 14, 56, 29, 36, 13, 67, 31, 44, 14,
    56, 30, 45, 15, 58, 27, 41, 10, 62, 22, 45, 15, 56, 25, 39, 11, 59, 32, 48, 18, 61, 28, 40, 13,
    63, 25, 49, 15, 61, 28, 47, 12, 64, 29, 43, 13, 66, 30, 44, 14, 68, 28, 48, 14, 67, 30, 50, 17,
    60, 29, 45, 15, 57, 26, 35, 10, 55, 24, 38, 11, 55, 24, 37, 10, 58, 27, 39, 12, 60, 27, 51, 16,
    54, 30, 45, 15, 60, 34, 45, 16, 67, 31, 47, 15, 63, 23, 44, 13, 56, 30, 41, 13, 55, 25, 40, 13,
    55, 26, 44, 12, 61, 30, 46, 14, 58, 26, 40, 12, 50, 23, 33, 10, 56, 27, 42, 13, 57, 30, 42, 12,
    57, 29, 42, 13, 62, 29, 43, 13, 51, 25, 30, 11, 57, 28, 41, 13, 63, 33, 60, 25, 58, 27, 51, 19,
    71, 30, 59, 21, 63, 29, 56, 18, 65, 30, 58, 22, 76, 30, 66, 21, 49, 25, 45, 17, 73, 29, 63, 18,
    67, 25, 58, 18, 72, 36, 61, 25, 65, 32, 51, 20, 64, 27, 53, 19, 68, 30, 55, 21, 57, 25, 50, 20,
    58, 28, 51, 24, 64, 32, 53, 23, 65, 30, 55, 18, 77, 38, 67, 22, 77, 26, 69, 23, 60, 22, 50, 15,
    69, 32, 57, 23, 56, 28, 49, 20, 77, 28, 67, 20, 63, 27, 49, 18, 67, 33, 57, 21, 72, 32, 60, 18,
    62, 28, 48, 18, 61, 30, 49, 18, 64, 28, 56, 21, 72, 30, 58, 16, 74, 28, 61, 19, 79, 38, 64, 20,
    64, 28, 56, 22, 63, 28, 51, 15, 61, 26, 56, 14, 77, 30, 61, 23, 63, 34, 56, 24, 64, 31, 55, 18,
    60, 30, 48, 18, 69, 31, 54, 21, 67, 31, 56, 24, 69, 31, 51, 23, 58, 27, 51, 19, 68, 32, 59, 23,
    67, 33, 57, 25, 67, 30, 52, 23, 63, 25, 50, 19, 65, 30, 52, 20, 62, 34, 54, 23, 59, 30, 51, 18,
};

}  // namespace

TEST_CASE("a tree by hand: two cuts at the midpoints") {
  // Weights of class 0 / 1 at -2, -1, 1, 3: 4/0, 0/3, 0/3, 5/0. The first cut is between 1 and 3:
  // gini parts 4^2/10 + 6^2/10 + 5 = 10.2 beat 4 + (36+25)/11 = 9.55 and others.
  const Dataset data = numbers({-2, -1, 1, 3}, {0, 1, 1, 0}, {4, 3, 3, 5});
  const Cart cart = grow_cart(one_number(), data, data.weights, no_limits());
  REQUIRE(cart.size() == 5);
  CHECK(cart[0].threshold == 2);
  CHECK(cart[0].class_weights == std::vector<double>{9, 6});
  CHECK(cart[cart[0].right].is_leaf());
  CHECK(cart[cart[0].left].threshold == -1.5);
  CHECK(cart[cart[0].left].class_weights == std::vector<double>{4, 6});
}

TEST_CASE("least weights and depth stop the growth") {
  const Dataset data = numbers({-2, -1, 1, 3}, {0, 1, 1, 0}, {4, 3, 3, 5});
  GrowOptions options = no_limits();
  options.least_leaf_weight = 5;
  const Cart cart = grow_cart(one_number(), data, data.weights, options);
  CHECK(cart.size() == 3);  // 4 against 11 is not allowed any more, nor is 4 against 6 below it
  options = no_limits();
  options.least_split_weight = 16;
  CHECK(grow_cart(one_number(), data, data.weights, options).size() == 1);
  options = no_limits();
  options.most_depth = 1;
  CHECK(grow_cart(one_number(), data, data.weights, options).size() == 3);
}

TEST_CASE(
    "what is missing goes to the side where it does better, and may be a question of its own") {
  const double none = std::nan("");
  const Dataset data = numbers({-1, 1, none}, {0, 1, 1}, {5, 5, 3});
  Cart cart = grow_cart(one_number(), data, data.weights, no_limits());
  REQUIRE(cart.size() == 3);
  CHECK(cart[0].threshold == 0);
  CHECK_FALSE(cart[0].missing_goes_left);
  CHECK(cart[cart[0].right].class_weights == std::vector<double>{0, 8});
  const Dataset other = numbers({-1, 1, none}, {1, 1, 0}, {5, 5, 3});
  cart = grow_cart(one_number(), other, other.weights, no_limits());
  REQUIRE(cart.size() == 3);
  CHECK(cart[0].threshold == 4);
  CHECK(cart[cart[0].left].class_weights == std::vector<double>{0, 10});
  // Nothing missing in training: with the heavier side.
  const Dataset full = numbers({-1, 1}, {0, 1}, {5, 6});
  CHECK_FALSE(grow_cart(one_number(), full, full.weights, no_limits())[0].missing_goes_left);
  const Dataset heavy = numbers({-1, 1}, {0, 1}, {6, 5});
  CHECK(grow_cart(one_number(), heavy, heavy.weights, no_limits())[0].missing_goes_left);
}

TEST_CASE("category subsets: the best of all for two classes, and for a few categories of more") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (const Impurity impurity : {Impurity::kGini, Impurity::kEntropy}) {
      CAPTURE(seed);
      const Groups two = random_groups(9, 2, seed);
      CHECK(best_division(two, no_limits(impurity)).gain ==
            doctest::Approx(best_gain_by_brute_force(two, impurity)).epsilon(1e-10));
      const Groups four = random_groups(6, 4, seed);
      CHECK(best_division(four, no_limits(impurity)).gain ==
            doctest::Approx(best_gain_by_brute_force(four, impurity)).epsilon(1e-10));
    }
  }
}

TEST_CASE("many categories and classes: on average within 2 % of the best division") {
  double ours = 0;
  double best = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Groups groups = random_groups(12, 3, 100 + seed);
    ours += best_division(groups, no_limits()).gain;
    best += best_gain_by_brute_force(groups, Impurity::kGini);
  }
  CHECK(ours > 0.98 * best);
  CHECK(ours <= best * (1 + 1e-12));
}

TEST_CASE("ordered categories are cut in their order") {
  FeatureSpace space = generated_space(2);
  space.features = {space.features[3]};
  Dataset data;
  data.rows.count = 4;
  data.rows.columns.resize(1);
  data.rows.columns[0].codes = {0, 1, 3, 3};
  data.labels = {0, 0, 1, 0};
  data.weights = {5, 5, 9, 1};
  const Cart cart = grow_cart(space, data, data.weights, no_limits());
  REQUIRE(cart.size() == 3);
  CHECK(cart[0].goes_left == std::vector<std::uint8_t>{1, 1, 0, 0});
}

TEST_CASE("copies of rows give the same tree, bit for bit, before merging") {
  const FeatureSpace space = generated_space(3);
  const Dataset data = generated_data(3, 600, 71);
  const Dataset copies = copies_of(data);
  const Cart a = grow_cart(space, data, data.weights, {});
  const Cart b = grow_cart(space, copies, copies.weights, {});
  REQUIRE(a.size() == b.size());
  CHECK(a.size() > 20);
  for (std::size_t n = 0; n < a.size(); ++n) {
    CHECK(a[n].class_weights == b[n].class_weights);
    CHECK(a[n].feature == b[n].feature);
    CHECK(a[n].threshold == b[n].threshold);
    CHECK(a[n].goes_left == b[n].goes_left);
    CHECK(a[n].missing_goes_left == b[n].missing_goes_left);
    CHECK(a[n].left == b[n].left);
  }
}

TEST_CASE("pruning at a price gives the best of all pruned trees, by brute force") {
  const FeatureSpace space = generated_space(2);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Dataset data = generated_data(2, 150, 80 + seed);
    GrowOptions options;
    options.most_depth = 4;
    const Cart cart = grow_cart(space, data, data.weights, options);
    double total = 0;
    for (const double weight : data.weights) total += weight;
    const std::vector<double> collapse = collapse_prices(cart);
    const std::vector<Subtree> all = all_prunings(cart, 0);
    for (const double price : {0.0, 0.001, 0.004, 0.01, 0.03, 0.1, 0.5}) {
      CAPTURE(seed);
      CAPTURE(price);
      const Cart pruned = prune_cart(cart, collapse, price);
      const double cost = wrong_in(pruned) / total + price * static_cast<double>(leaves_of(pruned));
      std::size_t fewest = cart.size();
      for (const Subtree& other : all) {
        const double other_cost = other.wrong / total + price * static_cast<double>(other.leaves);
        CHECK(cost <= other_cost + 1e-12);
        if (other_cost <= cost + 1e-12) fewest = std::min(fewest, other.leaves);
      }
      CHECK(leaves_of(pruned) == fewest);
    }
  }
}

TEST_CASE("cross-validation keeps a small tree where there is little to learn") {
  // x decides, with a tenth of the labels turned round; everything else is noise.
  const FeatureSpace space = generated_space(2);
  Dataset data = generated_data(2, 1500, 91, false);
  Random random(92);
  for (std::size_t i = 0; i < data.count(); ++i) {
    const bool above = data.rows.columns[0].numbers[i] > 0;
    data.labels[i] = static_cast<std::uint8_t>(above != (random.below(10) == 0) ? 1 : 0);
  }
  data = merge_equal_rows(data);
  const PrunedCart pruned = grow_and_prune(space, data, {});
  CHECK(grow_cart(space, data, data.weights, {}).size() > 50);
  REQUIRE(pruned.cart.size() == 3);
  CHECK(pruned.cart[0].feature == 0);
  CHECK(pruned.cart[0].threshold == 0.125);
  CHECK(pruned.steps[pruned.chosen].leaves == 2);
  CHECK(pruned.steps[pruned.chosen].error == doctest::Approx(0.1).epsilon(0.2));
  CHECK(pruned.steps.back().leaves == 1);
  for (std::size_t k = 1; k < pruned.steps.size(); ++k) {
    CHECK(pruned.steps[k].leaves < pruned.steps[k - 1].leaves);
    CHECK(pruned.steps[k].price > pruned.steps[k - 1].price);
  }
}

TEST_CASE("cross-validated errors are those of trees grown and pruned fold by fold") {
  const FeatureSpace space = generated_space(3);
  const Dataset data = merge_equal_rows(generated_data(3, 400, 93));
  const TreeOptions options{.folds = 5, .seed = 7};
  const PrunedCart pruned = grow_and_prune(space, data, options);
  REQUIRE(pruned.steps.size() > 3);
  const auto parts = deal_folds(data.labels, data.weights, 5, 7);
  double total = 0;
  for (const double weight : data.weights) total += weight;
  for (const std::size_t k : {std::size_t{1}, pruned.steps.size() - 2}) {
    const double price = std::sqrt(pruned.steps[k].price * pruned.steps[k + 1].price);
    double wrong = 0;
    for (const std::vector<double>& part : parts) {
      std::vector<double> weights = data.weights;
      for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= part[i];
      const Cart whole = grow_cart(space, data, weights, {});
      const Cart cart = prune_cart(whole, collapse_prices(whole), price);
      for (std::size_t i = 0; i < data.count(); ++i) {
        std::uint32_t n = 0;
        while (!cart[n].is_leaf()) n = child_of(cart[n], data.rows, i);
        if (largest_class(cart[n].class_weights.data(), 3) != data.labels[i]) wrong += part[i];
      }
    }
    CHECK(pruned.steps[k].error == doctest::Approx(wrong / total).epsilon(1e-12));
  }
}

TEST_CASE("Fisher's irises: the tree and the table of complexities that rpart's users know") {
  FeatureSpace space = generated_space(3);
  space.features.assign(4, space.features[1]);
  for (Feature& feature : space.features) feature.high = 100;
  Dataset data;
  data.rows = empty_rows(space);
  data.rows.count = kIrises.size() / 4;
  for (std::size_t i = 0; i < kIrises.size(); ++i) {
    data.rows.columns[i % 4].numbers.push_back(kIrises[i]);
  }
  for (std::size_t i = 0; i < data.count(); ++i) {
    data.labels.push_back(static_cast<std::uint8_t>(i / 50));
  }
  data.weights.assign(data.count(), 1);
  REQUIRE(data.count() == 150);
  // Least split 20, least leaf 7, Gini, ten folds, one standard error: as rpart has it.
  const PrunedCart pruned = grow_and_prune(space, data, {});
  const Cart& cart = pruned.cart;
  REQUIRE(cart.size() == 5);
  CHECK(cart[0].feature == 2);  // petal length below 2.45 cm
  CHECK(cart[0].threshold == 24.5);
  CHECK(cart[cart[0].left].class_weights == std::vector<double>{50, 0, 0});
  const CartNode& second = cart[cart[0].right];
  CHECK(second.feature == 3);  // petal width below 1.75 cm
  CHECK(second.threshold == 17.5);
  CHECK(cart[second.left].class_weights == std::vector<double>{0, 49, 5});
  CHECK(cart[second.right].class_weights == std::vector<double>{0, 1, 45});
  // Complexities 0.50 and 0.44 of the root's error, which is 100 of 150.
  const std::size_t last = pruned.steps.size() - 1;
  CHECK(pruned.steps[last].leaves == 1);
  CHECK(pruned.steps[last].price == doctest::Approx(0.5 * 100 / 150).epsilon(1e-12));
  CHECK(pruned.steps[last - 1].leaves == 2);
  CHECK(pruned.steps[last - 1].price == doctest::Approx(0.44 * 100 / 150).epsilon(1e-12));
}
