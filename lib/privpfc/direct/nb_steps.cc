#include "privpfc/direct/nb_steps.h"

#include <utility>

#include "privpfc/classifiers/model_file.h"
#include "privpfc/classifiers/naive_bayes.h"
#include "privpfc/direct/nb_counts.h"

namespace privpfc {

namespace {

using Counts = std::vector<std::int64_t>;

}  // namespace

std::vector<std::uint64_t> nb_shares(const FeatureSpace& space,
                                     const NaiveBayesDirectOptions::Shares& shares) {
  std::vector<std::uint64_t> parts{shares.classes};
  for (const Feature& feature : space.features) {
    parts.push_back(feature.is_number() ? shares.numbers : shares.categories);
  }
  return parts;
}

Status nb_check(const DirectSetting& setting, const NaiveBayesDirectOptions::Shares& shares,
                Epsilon epsilon) {
  constexpr std::uint32_t kMostShare = 1'000;  // times 1,025 parts stays far below 2^32
  for (const std::uint32_t share : {shares.classes, shares.categories, shares.numbers}) {
    if (share == 0 || share > kMostShare) {
      return make_error(ErrorKind::kUsage,
                        "a share of the budget is a whole number between 1 and {}", kMostShare);
    }
  }
  constexpr std::uint64_t kLeastUnits = 100;  // is divided by five at most, and rounded
  for (const Epsilon part : epsilon.split(nb_shares(setting.space, shares))) {
    if (part.units() < kLeastUnits) {
      return make_error(ErrorKind::kUsage, "epsilon {} is too small to be shared by {} attributes",
                        epsilon.to_string(), setting.space.features.size());
    }
  }
  if (most_naive_bayes_bytes(setting.space) > room_for_parameters(setting.schema, setting.space)) {
    return make_error(ErrorKind::kLimit,
                      "so many categories by so many classes can become a model of more than {} "
                      "MiB, which nobody could read: group them in the schema, or leave some out",
                      kMostModelBytes >> 20);
  }
  return {};
}

Released<NbAnswers> nb_ask_classes(const Private<Dataset>& rows, const DirectSetting& setting,
                                   Mechanisms& mechanisms, Budget budget) {
  const std::size_t classes = setting.space.class_count();
  const Private<Counts> counts = transform(nb_class_counts, rows, classes);
  return post_process(
      [](const Counts& noisy) {
        return NbAnswers{noisy, {}};
      },
      mechanisms.noisy_counts(counts, classes, L1Sensitivity(1), std::move(budget)));
}

Released<NbAnswers> nb_ask_categories(Released<NbAnswers> answers, std::size_t feature,
                                      const Private<Dataset>& rows, const DirectSetting& setting,
                                      Mechanisms& mechanisms, Budget budget) {
  const std::size_t classes = setting.space.class_count();
  const std::size_t categories = setting.space.features[feature].categories.size();
  const Epsilon epsilon = budget.epsilon();
  const Private<Counts> counts = transform(nb_category_counts, rows, feature, categories, classes);
  const Released<Counts> noisy =
      mechanisms.noisy_counts(counts, classes * categories, L1Sensitivity(1), std::move(budget));
  return post_process(
      [](NbAnswers&& so_far, const Counts& table, const Epsilon& paid) {
        so_far.features.push_back({paid, table, {}, {}});
        return std::move(so_far);
      },
      std::move(answers), noisy, as_public(epsilon));
}

bool nb_may_be_missing(const DirectSetting& setting, const Feature& feature) {
  return setting.schema[feature.view.attribute].has_missing_leaf;
}

std::vector<std::uint64_t> nb_number_parts(const DirectSetting& setting, const Feature& feature) {
  return {2, 2, nb_may_be_missing(setting, feature) ? 1U : 0U};
}

Released<std::vector<std::int64_t>> nb_ask_present(const Released<NbAnswers>& answers,
                                                   std::size_t feature,
                                                   const Private<Dataset>& rows,
                                                   const DirectSetting& setting,
                                                   Mechanisms& mechanisms, Budget budget) {
  if (!nb_may_be_missing(setting, setting.space.features[feature])) {
    return post_process([](const NbAnswers& so_far) { return so_far.classes; }, answers);
  }
  const std::size_t classes = setting.space.class_count();
  const Private<Counts> present = transform(nb_present_counts, rows, feature, classes);
  return mechanisms.noisy_counts(present, classes, L1Sensitivity(1), std::move(budget));
}

Released<NbAnswers> nb_ask_gaussians(Released<NbAnswers> answers, std::size_t feature,
                                     const Private<Dataset>& rows, const DirectSetting& setting,
                                     Mechanisms& mechanisms, Budget budget) {
  const std::size_t classes = setting.space.class_count();
  const Feature& bounds = setting.space.features[feature];
  std::vector<Budget> parts = std::move(budget).split(nb_number_parts(setting, bounds));
  const Private<Counts> sums = transform(nb_sums, rows, feature, bounds, classes);
  const Private<Counts> squares = transform(nb_centred_squares, rows, feature, bounds, classes);
  const Released<Counts> noisy_sums =
      mechanisms.noisy_counts(sums, classes, L1Sensitivity(kNbUnit), std::move(parts[0]));
  const Released<Counts> noisy_squares =
      mechanisms.noisy_counts(squares, classes, L1Sensitivity(kNbUnit / 2), std::move(parts[1]));
  const Released<Counts> rows_of_class =
      nb_ask_present(answers, feature, rows, setting, mechanisms, std::move(parts[2]));
  return post_process(
      [](NbAnswers&& so_far, const Counts& n, const Counts& s, const Counts& t, const Feature& f) {
        so_far.features.push_back(nb_gaussians(n, s, t, f));
        return std::move(so_far);
      },
      std::move(answers), rows_of_class, noisy_sums, noisy_squares, as_public(bounds));
}

}  // namespace privpfc
