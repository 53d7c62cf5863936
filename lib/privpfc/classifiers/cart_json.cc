#include "privpfc/classifiers/cart_json.h"

namespace privpfc {

namespace {

constexpr std::size_t kMostCategoryBytes = std::size_t{1} << 28;

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

Json cart_nodes(const Cart& cart) {
  Json nodes = Json::array();
  for (const CartNode& node : cart) {
    Json entry = {{"shares", node.class_weights}};
    if (!node.is_leaf()) {
      entry["feature"] = node.feature;
      if (node.goes_left.empty()) {
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
  return nodes;
}

Result<Cart> read_cart(const Json& object, const FeatureSpace& space, std::size_t& memory) {
  PRIVPFC_ASSIGN(const Json* list, json_list(object, "nodes", 1, 100'000'000));
  Cart cart;
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
  return cart;
}

}  // namespace privpfc
