#include "privpfc/classifiers/tree.h"

#include <algorithm>
#include <cmath>

#include "privpfc/classifiers/cart_json.h"

namespace privpfc {

namespace {

class Tree final : public Model {
 public:
  // `cart` has class shares in the place of class weights.
  explicit Tree(Cart cart) : cart_(std::move(cart)) {
    for (const CartNode& node : cart_) {
      answers_.push_back(largest_class(node.class_weights.data(), node.class_weights.size()));
    }
  }

  ModelKind kind() const override { return ModelKind::kTree; }

  void predict(const Rows& rows, std::size_t begin, std::size_t end,
               Predictions& out) const override {
    for (std::size_t i = begin; i < end; ++i) {
      std::uint32_t n = 0;
      while (!cart_[n].is_leaf()) n = child_of(cart_[n], rows, i);
      out.labels[i] = answers_[n];
      std::copy(cart_[n].class_weights.begin(), cart_[n].class_weights.end(), out.row(i));
    }
  }

  std::string parameters() const override { return Json{{"nodes", cart_nodes(cart_)}}.dump(); }

 private:
  Cart cart_;
  std::vector<std::uint8_t> answers_;
};

}  // namespace

Result<std::unique_ptr<Model>> train_tree(const FeatureSpace& space, const Dataset& data,
                                          const TreeOptions& options) {
  if (options.folds == 1 || options.folds > 100) {
    return make_error(ErrorKind::kUsage, "the number of folds must be 0 or 2 to 100");
  }
  if (!(options.grow.least_split_weight >= 0) || !(options.grow.least_leaf_weight >= 0) ||
      !(options.standard_errors >= 0) || !(options.price >= 0)) {
    return make_error(ErrorKind::kUsage, "no option of a tree may be negative");
  }
  Cart cart = grow_and_prune(space, data, options).cart;
  for (CartNode& node : cart) {
    double total = 0;
    for (const double weight : node.class_weights) total += weight;
    for (double& weight : node.class_weights) weight /= total;
  }
  return std::unique_ptr<Model>(std::make_unique<Tree>(std::move(cart)));
}

std::unique_ptr<Model> make_tree(Cart cart) {
  return std::make_unique<Tree>(std::move(cart));
}

std::uint64_t most_tree_bytes(const FeatureSpace& space, std::uint64_t trees,
                              std::uint64_t questions) {
  constexpr std::uint64_t kAround = 64;  // the names and brackets of a tree; of the whole
  constexpr std::uint64_t kLeaf = 13;    // {"shares":[]},
  // {"feature":1023,"missing":false,"no":4294967295,"one_of":[],"shares":[],"yes":4294967295},
  constexpr std::uint64_t kQuestion = 96;
  std::uint64_t answer = kMostNumberBytes;
  for (const Feature& feature : space.features) {
    const std::uint64_t codes = feature.categories.size();
    answer = std::max(answer, codes * (std::to_string(codes).size() + 1));
  }
  const std::uint64_t shares = space.class_count() * kMostNumberBytes;
  return kAround + trees * (kAround + kLeaf + shares) +
         questions * (kQuestion + answer + kLeaf + 2 * shares);
}

Result<std::unique_ptr<Model>> read_tree(const FeatureSpace& space, std::string_view parameters) {
  const Json json = Json::parse(parameters, nullptr, false);
  std::size_t memory = 0;
  PRIVPFC_ASSIGN(Cart cart, read_cart(json, space, memory));
  return make_tree(std::move(cart));
}

}  // namespace privpfc
