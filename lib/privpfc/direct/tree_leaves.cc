#include "privpfc/direct/tree_leaves.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace privpfc {

namespace {

Cart structure_of(const GrowingTree& tree, const QuestionSpace& questions) {
  Cart cart(tree.size());
  for (std::size_t n = 0; n < tree.size(); ++n) {
    if (tree[n].yes == 0) continue;
    cart[n].left = tree[n].yes;
    cart[n].right = tree[n].no;
    questions.ask(tree[n].question, cart[n]);
  }
  return cart;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

// The tree without the nodes that no longer hang from the root.
Cart without_orphans(const Cart& cart) {
  const std::vector<double> keep_all(cart.size(), 1);
  return prune_cart(cart, keep_all, 0);
}

Cart prune_by_signal(Cart cart, double least) {
  for (std::size_t n = cart.size(); n-- > 0;) {
    CartNode& node = cart[n];
    if (node.is_leaf()) continue;
    const CartNode& yes = cart[node.left];
    const CartNode& no = cart[node.right];
    if (!yes.is_leaf() || !no.is_leaf()) continue;
    if (sum_of(yes.class_weights) >= least && sum_of(no.class_weights) >= least) continue;
    node = CartNode{.class_weights = node.class_weights};
  }
  return without_orphans(cart);
}

// Turns weights into shares, from the root down.
void set_shares(Cart& cart, double prior_rows) {
  const std::size_t classes = cart[0].class_weights.size();
  const std::vector<double> even(classes, 1 / static_cast<double>(classes));
  const auto draw = [&](std::vector<double>& weights, const std::vector<double>& towards) {
    const double total = sum_of(weights) + prior_rows;
    for (std::size_t c = 0; c < classes; ++c) {
      weights[c] = (weights[c] + prior_rows * towards[c]) / total;
    }
  };
  draw(cart[0].class_weights, even);
  for (CartNode& node : cart) {
    if (node.is_leaf()) continue;
    draw(cart[node.left].class_weights, node.class_weights);
    draw(cart[node.right].class_weights, node.class_weights);
  }
}

void follow_the_surest(Cart& cart) {
  const std::vector<double> at_root = cart[0].class_weights;
  const auto sureness = [&](const std::vector<double>& shares) {
    double distance = 0;
    for (std::size_t c = 0; c < shares.size(); ++c) distance += std::abs(shares[c] - at_root[c]);
    return distance;
  };
  for (CartNode& node : cart) {
    if (node.is_leaf()) continue;
    for (const std::uint32_t child : {node.left, node.right}) {
      std::vector<double>& shares = cart[child].class_weights;
      if (sureness(shares) < sureness(node.class_weights)) shares = node.class_weights;
    }
  }
}

}  // namespace

Cart finish_tree(const GrowingTree& tree, const QuestionSpace& questions,
                 std::span<const std::int64_t> counts, const LeafRule& rule) {
  Cart cart = structure_of(tree, questions);
  const std::vector<std::uint32_t> leaves = leaves_of(tree);
  for (CartNode& node : cart) node.class_weights.assign(rule.classes, 0);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    for (std::size_t c = 0; c < rule.classes; ++c) {
      cart[leaves[i]].class_weights[c] = static_cast<double>(counts[i * rule.classes + c]);
    }
  }
  // Summed before anything is cut off at zero, so that noise cancels out.
  for (std::size_t n = cart.size(); n-- > 0;) {
    if (cart[n].is_leaf()) continue;
    for (std::size_t c = 0; c < rule.classes; ++c) {
      cart[n].class_weights[c] =
          cart[cart[n].left].class_weights[c] + cart[cart[n].right].class_weights[c];
    }
  }
  for (CartNode& node : cart) {
    for (double& weight : node.class_weights) weight = std::max(weight, 0.0);
  }
  const double rows = std::max(1.0, sum_of(cart[0].class_weights));
  if (rule.pruning == Pruning::kPrice && sum_of(cart[0].class_weights) > 0) {
    cart = prune_cart(cart, collapse_prices(cart), rule.noise / rows);
  }
  if (rule.pruning == Pruning::kSignal) {
    cart = prune_by_signal(std::move(cart),
                           std::numbers::sqrt2 * rule.noise * static_cast<double>(rule.classes));
  }
  set_shares(cart, rule.noise);
  if (rule.most_confident) follow_the_surest(cart);
  return cart;
}

std::vector<Cart> finish_trees(const GrowingTrees& trees, const QuestionSpace& questions,
                               std::span<const std::int64_t> counts, const LeafRule& rule) {
  std::vector<Cart> carts;
  std::size_t at = 0;
  for (const GrowingTree& tree : trees) {
    const std::size_t cells = leaves_of(tree).size() * rule.classes;
    carts.push_back(finish_tree(tree, questions, counts.subspan(at, cells), rule));
    at += cells;
  }
  return carts;
}

Cart label_leaves(const GrowingTree& tree, const QuestionSpace& questions,
                  std::span<const std::uint64_t> labels, std::size_t classes) {
  Cart cart = structure_of(tree, questions);
  const std::vector<std::uint32_t> leaves = leaves_of(tree);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    cart[leaves[i]].class_weights.assign(classes, 0);
    cart[leaves[i]].class_weights[labels[i]] = 1;
  }
  // What stands above has the mean of what stands below.
  for (std::size_t n = cart.size(); n-- > 0;) {
    if (cart[n].is_leaf()) continue;
    cart[n].class_weights.assign(classes, 0);
    for (std::size_t c = 0; c < classes; ++c) {
      cart[n].class_weights[c] =
          (cart[cart[n].left].class_weights[c] + cart[cart[n].right].class_weights[c]) / 2;
    }
    // Two leaves that say the same are one.
    const CartNode& yes = cart[cart[n].left];
    const CartNode& no = cart[cart[n].right];
    if (yes.is_leaf() && no.is_leaf() && yes.class_weights == no.class_weights) {
      cart[n] = CartNode{.class_weights = cart[n].class_weights};
    }
  }
  return without_orphans(cart);
}

}  // namespace privpfc
