#include "privpfc/classifiers/majority.h"

#include <algorithm>

#include "privpfc/classifiers/model_json.h"

namespace privpfc {

namespace {

class Majority final : public Model {
 public:
  explicit Majority(std::vector<double> shares) : shares_(std::move(shares)) {}

  ModelKind kind() const override { return ModelKind::kMajority; }

  void predict(const Rows&, std::size_t begin, std::size_t end, Predictions& out) const override {
    const std::uint8_t label = largest_class(shares_.data(), shares_.size());
    for (std::size_t i = begin; i < end; ++i) {
      out.labels[i] = label;
      std::copy(shares_.begin(), shares_.end(), out.row(i));
    }
  }

  std::string parameters() const override { return Json{{"shares", shares_}}.dump(); }

 private:
  std::vector<double> shares_;
};

}  // namespace

Result<std::unique_ptr<Model>> train_majority(const FeatureSpace& space, const Dataset& data) {
  std::vector<double> shares = class_weights(data, space.class_count());
  double total = 0;
  for (const double share : shares) total += share;
  for (double& share : shares) share /= total;
  return std::unique_ptr<Model>(std::make_unique<Majority>(std::move(shares)));
}

Result<std::unique_ptr<Model>> read_majority(const FeatureSpace& space,
                                             std::string_view parameters) {
  const Json json = Json::parse(parameters, nullptr, false);
  PRIVPFC_ASSIGN(const Json* list, json_member(json, "shares"));
  PRIVPFC_ASSIGN(std::vector<double> shares, shares_of(*list, "shares", space.class_count()));
  return std::unique_ptr<Model>(std::make_unique<Majority>(std::move(shares)));
}

}  // namespace privpfc
