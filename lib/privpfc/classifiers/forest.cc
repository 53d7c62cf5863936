#include "privpfc/classifiers/forest.h"

#include <algorithm>

#include "privpfc/classifiers/cart_json.h"

namespace privpfc {

namespace {

constexpr std::size_t kMostTrees = 100'000;

class Forest final : public Model {
 public:
  Forest(std::vector<Cart> trees, Combine combine) : trees_(std::move(trees)), combine_(combine) {}

  ModelKind kind() const override { return ModelKind::kForest; }

  void predict(const Rows& rows, std::size_t begin, std::size_t end,
               Predictions& out) const override {
    const double weight = 1 / static_cast<double>(trees_.size());
    for (std::size_t i = begin; i < end; ++i) {
      double* sums = out.row(i);
      std::fill(sums, sums + out.class_count, 0);
      for (const Cart& cart : trees_) {
        std::uint32_t n = 0;
        while (!cart[n].is_leaf()) n = child_of(cart[n], rows, i);
        const double* shares = cart[n].class_weights.data();
        if (combine_ == Combine::kVotes) {
          sums[largest_class(shares, out.class_count)] += weight;
        } else {
          for (std::size_t c = 0; c < out.class_count; ++c) sums[c] += weight * shares[c];
        }
      }
      out.labels[i] = largest_class(sums, out.class_count);
    }
  }

  std::string parameters() const override {
    Json trees = Json::array();
    for (const Cart& cart : trees_) trees.push_back(Json{{"nodes", cart_nodes(cart)}});
    return Json{{"combine", combine_ == Combine::kVotes ? "votes" : "shares"},
                {"trees", std::move(trees)}}
        .dump();
  }

 private:
  std::vector<Cart> trees_;
  Combine combine_;
};

}  // namespace

std::unique_ptr<Model> make_forest(std::vector<Cart> trees, Combine combine) {
  return std::make_unique<Forest>(std::move(trees), combine);
}

Result<std::unique_ptr<Model>> read_forest(const FeatureSpace& space, std::string_view parameters) {
  const Json json = Json::parse(parameters, nullptr, false);
  PRIVPFC_ASSIGN(const std::string combine, json_text(json, "combine"));
  if (combine != "votes" && combine != "shares") {
    return bad_model("'combine' is neither votes nor shares");
  }
  PRIVPFC_ASSIGN(const Json* list, json_list(json, "trees", 1, kMostTrees));
  std::vector<Cart> trees;
  std::size_t memory = 0;
  for (const Json& entry : *list) {
    PRIVPFC_ASSIGN(Cart cart, read_cart(entry, space, memory));
    trees.push_back(std::move(cart));
  }
  return make_forest(std::move(trees), combine == "votes" ? Combine::kVotes : Combine::kShares);
}

}  // namespace privpfc
