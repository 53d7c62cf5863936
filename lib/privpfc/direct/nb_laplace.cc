#include "privpfc/direct/nb_laplace.h"

#include <utility>

#include "privpfc/direct/nb_steps.h"

namespace privpfc {

namespace {

class NbLaplace final : public DirectMethod {
 public:
  explicit NbLaplace(const NaiveBayesDirectOptions& options) : options_(options) {}

  std::string_view name() const override { return "nb-laplace"; }
  std::string_view summary() const override {
    return "naive Bayes from counts, sums and squares with discrete Laplace noise";
  }
  std::string_view source() const override {
    return "Vaidya et al. 2013; Lopuhaa-Zwakenberg et al. 2021; with sums in place of means";
  }
  ModelKind model() const override { return ModelKind::kNaiveBayes; }

  std::vector<AttributeView> views(const Schema& schema, Epsilon) const override {
    std::vector<AttributeView> views = plain_views(schema);
    if (options_.numbers == NaiveBayesDirectOptions::Numbers::kBins) {
      for (AttributeView& view : views) view.as_number = false;
    }
    return views;
  }

  Status check(const DirectSetting& setting, Epsilon epsilon) const override {
    return nb_check(setting, options_.shares, epsilon);
  }

  Released<std::unique_ptr<Model>> train(const Private<Dataset>& rows, const DirectSetting& setting,
                                         Mechanisms& mechanisms, Budget budget) const override {
    std::vector<Budget> parts = std::move(budget).split(nb_shares(setting.space, options_.shares));
    Released<NbAnswers> answers = nb_ask_classes(rows, setting, mechanisms, std::move(parts[0]));
    for (std::size_t f = 0; f < setting.space.features.size(); ++f) {
      const auto ask = setting.space.features[f].is_number() ? nb_ask_gaussians : nb_ask_categories;
      answers = ask(std::move(answers), f, rows, setting, mechanisms, std::move(parts[f + 1]));
    }
    return post_process(nb_model, answers, as_public(setting.space), as_public(options_.density));
  }

 private:
  NaiveBayesDirectOptions options_;
};

}  // namespace

std::unique_ptr<DirectMethod> nb_laplace(const NaiveBayesDirectOptions& options) {
  return std::make_unique<NbLaplace>(options);
}

}  // namespace privpfc
