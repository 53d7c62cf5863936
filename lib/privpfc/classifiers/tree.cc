#include "privpfc/classifiers/tree.h"

#include <algorithm>
#include <cmath>

#include "privpfc/classifiers/model_json.h"

namespace privpfc {

namespace {

constexpr std::size_t kMostCategoryBytes = std::size_t{1} << 28;

class Tree final : public Model {
 public:
  // `cart` has class shares in the place of class weights.
  Tree(Cart cart, const FeatureSpace& space) : cart_(std::move(cart)) {
    for (const Feature& feature : space.features) is_number_.push_back(feature.is_number());
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

  std::string parameters() const override {
    Json nodes = Json::array();
    for (const CartNode& node : cart_) {
      Json entry = {{"shares", node.class_weights}};
      if (!node.is_leaf()) {
        entry["feature"] = node.feature;
        if (is_number_[node.feature]) {
          entry["at_most"] = node.threshold;
        } else {
          Json codes = Json::array();
          for (std::size_t code = 0; code < node.goes_left.size(); ++code) {
            if (node.goes_left[code] != 0) codes.push_back(code);
          }
          entry["one_of"] = std::move(codes);
        }
        entry["missing"] = node.missing_goes_left;
        entry["yes"] = node.left;
        entry["no"] = node.right;
      }
      nodes.push_back(std::move(entry));
    }
    return Json{{"nodes", std::move(nodes)}}.dump();
  }

 private:
  Cart cart_;
  std::vector<bool> is_number_;  // by feature
  std::vector<std::uint8_t> answers_;
};

Status read_question(const Json& entry, const FeatureSpace& space, std::size_t own,
                     std::size_t count, CartNode& node) {
  PRIVPFC_ASSIGN(const std::size_t feature, json_index(entry, "feature", space.features.size()));
  PRIVPFC_ASSIGN(const std::size_t left, json_index(entry, "yes", count));
  PRIVPFC_ASSIGN(const std::size_t right, json_index(entry, "no", count));
  // Children come after their parents: there is no way round in circles.
  if (left <= own || right <= own) return bad_model("a node stands before its parent");
  node.feature = static_cast<std::uint32_t>(feature);
  node.left = static_cast<std::uint32_t>(left);
  node.right = static_cast<std::uint32_t>(right);
  PRIVPFC_ASSIGN(const Json* missing, json_member(entry, "missing"));
  if (!missing->is_boolean()) return bad_model("'missing' is neither true nor false");
  node.missing_goes_left = missing->get<bool>();
  if (space.features[feature].is_number()) {
    PRIVPFC_ASSIGN(node.threshold, json_number(entry, "at_most"));
    return {};
  }
  const std::size_t categories = space.features[feature].categories.size();
  if (categories == 0) return bad_model("a node asks about a feature without categories");
  PRIVPFC_ASSIGN(const Json* codes, json_list(entry, "one_of", 0, categories));
  node.goes_left.assign(categories, 0);
  for (const Json& code : *codes) {
    if (!code.is_number_unsigned() || code.get<std::uint64_t>() >= categories) {
      return bad_model("a node asks about a category that is not there");
    }
    node.goes_left[code.get<std::uint64_t>()] = 1;
  }
  return {};
}

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
  return std::unique_ptr<Model>(std::make_unique<Tree>(std::move(cart), space));
}

Result<std::unique_ptr<Model>> read_tree(const FeatureSpace& space, std::string_view parameters) {
  const Json json = Json::parse(parameters, nullptr, false);
  PRIVPFC_ASSIGN(const Json* list, json_list(json, "nodes", 1, 100'000'000));
  Cart cart;
  std::size_t memory = 0;  // a short list of codes can stand for many categories
  for (std::size_t n = 0; n < list->size(); ++n) {
    const Json& entry = (*list)[n];
    CartNode& node = cart.emplace_back();
    PRIVPFC_ASSIGN(const Json* shares, json_member(entry, "shares"));
    PRIVPFC_ASSIGN(node.class_weights, shares_of(*shares, "shares", space.class_count()));
    if (entry.contains("feature")) {
      PRIVPFC_TRY(read_question(entry, space, n, list->size(), node));
      memory += node.goes_left.size();
      if (memory > kMostCategoryBytes) {
        return make_error(ErrorKind::kLimit, "the tree has too many nodes for so many categories");
      }
    }
  }
  return std::unique_ptr<Model>(std::make_unique<Tree>(std::move(cart), space));
}

}  // namespace privpfc
