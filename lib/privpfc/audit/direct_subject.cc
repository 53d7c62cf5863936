#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "privpfc/audit/audit_budget.h"
#include "privpfc/audit/audit_subject.h"
#include "privpfc/privacy/kernel.h"

namespace privpfc {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostParameters = 256;  // of a larger model only the predictions are seen
constexpr std::size_t kMostProbes = 5;
constexpr double kSurest = 700;  // of log-odds, where a probability is zero

struct Parameter {
  std::string name;
  std::optional<double> value;  // none: the name says it all
};

// All that a model holds, by its place.
void tell_parameters(const Json& json, const std::string& place,
                     std::vector<Parameter>& parameters) {
  if (parameters.size() > kMostParameters) return;
  if (json.is_number()) {
    parameters.push_back({place, json.get<double>()});
  } else if (json.is_boolean()) {
    parameters.push_back({place, json.get<bool>() ? 1 : 0});
  } else if (json.is_string()) {
    parameters.push_back({place + " is " + json.get<std::string>(), std::nullopt});
  } else if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      tell_parameters(value, place.empty() ? key : place + "/" + key, parameters);
    }
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) {
      tell_parameters(json[i], fmt::format("{}/{}", place, i), parameters);
    }
  }
}

class DirectSubject final : public AuditSubject {
 public:
  DirectSubject(std::shared_ptr<const DirectMethod> method, Schema schema, FeatureSpace space,
                NeighbourTables tables, Epsilon epsilon)
      : method_(std::move(method)),
        schema_(std::move(schema)),
        space_(std::move(space)),
        without_(std::move(tables.without.dataset)),
        probes_(probes_of(tables)),
        with_(std::move(tables.with.dataset)),
        epsilon_(epsilon) {}

  Epsilon epsilon() const override { return epsilon_; }
  Delta delta() const override { return method_->delta(); }

  void run(Side side, BitSource& bits, Observer& observer) const override {
    Kernel kernel(bits);
    const DirectSetting setting{schema_, space_, 1};
    const Released<std::unique_ptr<Model>> released =
        method_->train(side == Side::kWith ? with_ : without_, setting, kernel,
                       AuditBudget::of(epsilon_, method_->delta()));
    const Model& model = *released.value();
    std::vector<Parameter> parameters;
    tell_parameters(Json::parse(model.parameters()), "", parameters);
    const bool has_all = parameters.size() <= kMostParameters;
    for (std::size_t i = 0; has_all && i < parameters.size(); ++i) {
      const std::string name = "the model's " + parameters[i].name;
      if (parameters[i].value) {
        observer.add(name, *parameters[i].value);
      } else {
        observer.mark(name);
      }
    }
    const Predictions said = predict_rows(model, probes_.rows, space_.class_count(), 1);
    for (std::size_t i = 0; i < probes_.count(); ++i) {
      const std::string row = i == 0 ? std::string("the row apart") : fmt::format("row {}", i);
      for (std::size_t c = 1; c < space_.class_count(); ++c) {
        const double odds = std::log(said.row(i)[c]) - std::log(said.row(i)[0]);
        observer.add(fmt::format("log-odds of class {} for {}", space_.classes[c], row),
                     std::isnan(odds) ? 0 : std::clamp(odds, -kSurest, kSurest), !has_all);
      }
      observer.add(fmt::format("predicted class of {}", row), said.labels[i], false);
    }
  }

 private:
  // What the models are asked about: the row that the tables differ by, then some of the others.
  static Dataset probes_of(const NeighbourTables& tables) {
    const Dataset& data = tables.with.dataset;
    std::vector<std::size_t> positions{tables.row.position};
    const std::size_t step = std::max<std::size_t>(1, data.count() / (kMostProbes - 1));
    for (std::size_t i = 0; i < data.count() && positions.size() < kMostProbes; i += step) {
      if (i != tables.row.position) positions.push_back(i);
    }
    return take_rows(data, positions);
  }

  std::shared_ptr<const DirectMethod> method_;
  Schema schema_;
  FeatureSpace space_;
  Private<Dataset> without_;
  Dataset probes_;  // taken before the rows are handed over
  Private<Dataset> with_;
  Epsilon epsilon_;
};

}  // namespace

Result<FeatureSpace> method_space(const DirectMethod& method, const Schema& schema,
                                  Epsilon epsilon) {
  return make_feature_space(schema, method.views(schema, epsilon));
}

Result<std::unique_ptr<AuditSubject>> direct_subject(std::shared_ptr<const DirectMethod> method,
                                                     Schema schema, NeighbourTables tables,
                                                     Epsilon epsilon) {
  PRIVPFC_ASSIGN(FeatureSpace space, method_space(*method, schema, epsilon));
  PRIVPFC_TRY(method->check(DirectSetting{schema, space, 1}, epsilon));
  std::unique_ptr<AuditSubject> subject = std::make_unique<DirectSubject>(
      std::move(method), std::move(schema), std::move(space), std::move(tables), epsilon);
  return subject;
}

}  // namespace privpfc
