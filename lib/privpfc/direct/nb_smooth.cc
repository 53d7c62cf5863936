#include "privpfc/direct/nb_smooth.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "privpfc/direct/nb_counts.h"
#include "privpfc/direct/nb_smooth_bounds.h"
#include "privpfc/direct/nb_steps.h"

namespace privpfc {

namespace {

using Counts = std::vector<std::int64_t>;

// A list has at least ten values, so that it can be trimmed, and no more than fit into memory.
constexpr std::int64_t kLeastList = 10;
constexpr std::int64_t kMostList = 1 << 26;

ListSizes list_sizes(const Counts& noisy) {
  ListSizes sizes;
  for (const std::int64_t count : noisy) {
    sizes.push_back(static_cast<std::size_t>(std::clamp(count, kLeastList, kMostList)));
  }
  return sizes;
}

// Half of epsilon for Cauchy noise; with a delta, what `fits_laplace` allows.
Smoothness smoothness_for(Epsilon epsilon, Delta delta) {
  if (delta == Delta()) return {Epsilon::from_units(epsilon.units() / 2)};
  const double e = static_cast<double>(epsilon.units()) / 1e9;
  const double d = static_cast<double>(delta.units()) / 1e18;
  const double units = std::log1p(e / (2 * std::log(2 / d))) * 1e9 - kRoundingUnits - 2;
  return {Epsilon::from_units(static_cast<std::uint64_t>(std::max(units, 0.0)))};
}

bool fits(Epsilon epsilon, Delta delta) {
  const Smoothness smoothness = smoothness_for(epsilon, delta);
  if (smoothness.beta.units() < 2 * kNbRoundingUnits) return false;
  return delta == Delta() ? fits_cauchy(epsilon, smoothness)
                          : fits_laplace(epsilon, delta, smoothness);
}

struct Kind {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  bool smooth_deviation;
  bool with_delta;
};

class NbSmooth final : public DirectMethod {
 public:
  NbSmooth(const Kind& kind, const NaiveBayesDirectOptions& options)
      : kind_(kind), options_(options) {}

  std::string_view name() const override { return kind_.name; }
  std::string_view summary() const override { return kind_.summary; }
  std::string_view source() const override { return kind_.source; }
  ModelKind model() const override { return ModelKind::kNaiveBayes; }
  Guarantee guarantee() const override {
    return kind_.with_delta ? Guarantee::kApproximate : Guarantee::kPure;
  }
  Delta delta() const override { return kind_.with_delta ? options_.delta : Delta(); }

  std::vector<AttributeView> views(const Schema& schema, Epsilon) const override {
    return plain_views(schema);
  }

  Status check(const DirectSetting& setting, Epsilon epsilon) const override {
    PRIVPFC_TRY(nb_check(setting, options_.shares, epsilon));
    if (options_.trim_percent >= 50) {
      return make_error(ErrorKind::kUsage, "less than 50 percent can be trimmed at each end");
    }
    const std::vector<std::uint64_t> delta_shares = this->delta_shares(setting.space);
    const auto numbers = std::count(delta_shares.begin(), delta_shares.end(), 1);
    const bool has_numbers = numbers > 0;
    if (kind_.with_delta && !has_numbers) {
      return make_error(ErrorKind::kUsage,
                        "{} spends a delta on numeric attributes, and there are none; nb-laplace "
                        "does the same without a delta",
                        kind_.name);
    }
    if (!has_numbers) return {};
    // A delta of nothing means Cauchy noise to fits(): a step whose part is rounded to that would
    // pass here, and stop the program after the debit.
    const Delta least = Delta::from_units(2 * static_cast<std::uint64_t>(numbers));
    if (kind_.with_delta && delta() < least) {
      return make_error(ErrorKind::kUsage,
                        "delta {} is too small to be shared by {} numeric attributes; the least is "
                        "{}",
                        delta().to_string(), numbers, least.to_string());
    }
    const std::vector<Epsilon> parts = epsilon.split(nb_shares(setting.space, options_.shares));
    const std::vector<Delta> deltas = delta().split(delta_shares);
    for (std::size_t f = 0; f < setting.space.features.size(); ++f) {
      const Feature& feature = setting.space.features[f];
      if (!feature.is_number()) continue;
      const std::vector<Epsilon> own = parts[f + 1].split(nb_number_parts(setting, feature));
      const std::vector<Delta> own_delta = deltas[f + 1].split(kDeltaParts);
      for (const std::size_t step : {0U, 1U}) {
        if (!fits(own[step], own_delta[step])) {
          return make_error(ErrorKind::kUsage, "epsilon {} is too small for {} with {} attributes",
                            epsilon.to_string(), kind_.name, setting.space.features.size());
        }
      }
    }
    return {};
  }

  Released<std::unique_ptr<Model>> train(const Private<Dataset>& rows, const DirectSetting& setting,
                                         Mechanisms& mechanisms, Budget budget) const override {
    const std::vector<std::uint64_t> shares = nb_shares(setting.space, options_.shares);
    std::vector<Budget> parts = kind_.with_delta
                                    ? std::move(budget).split(shares, delta_shares(setting.space))
                                    : std::move(budget).split(shares);
    const Private<std::size_t> count =
        transform([](const Dataset& data) { return data.count(); }, rows);
    const Private<std::vector<std::uint64_t>> coins = mechanisms.draw_coins(count);
    Released<NbAnswers> answers = nb_ask_classes(rows, setting, mechanisms, std::move(parts[0]));
    for (std::size_t f = 0; f < setting.space.features.size(); ++f) {
      Budget part = std::move(parts[f + 1]);
      answers =
          setting.space.features[f].is_number()
              ? ask_number(std::move(answers), f, rows, coins, setting, mechanisms, std::move(part))
              : nb_ask_categories(std::move(answers), f, rows, setting, mechanisms,
                                  std::move(part));
    }
    return post_process(nb_model, answers, as_public(setting.space), as_public(options_.density));
  }

 private:
  // Of a number's mean, deviation and count.
  static constexpr std::uint64_t kDeltaParts[] = {1, 1, 0};

  static std::vector<std::uint64_t> delta_shares(const FeatureSpace& space) {
    std::vector<std::uint64_t> shares{0};
    for (const Feature& feature : space.features) shares.push_back(feature.is_number() ? 1 : 0);
    return shares;
  }

  Released<Counts> ask_smooth(const Private<std::vector<SmoothValue>>& values,
                              const DirectSetting& setting, const Smoothness& smoothness,
                              Mechanisms& mechanisms, Budget budget) const {
    const std::size_t classes = setting.space.class_count();
    return kind_.with_delta
               ? mechanisms.smooth_values_with_delta(values, classes, smoothness, std::move(budget))
               : mechanisms.smooth_values(values, classes, smoothness, std::move(budget));
  }

  Released<NbAnswers> ask_number(Released<NbAnswers> answers, std::size_t feature,
                                 const Private<Dataset>& rows,
                                 const Private<std::vector<std::uint64_t>>& coins,
                                 const DirectSetting& setting, Mechanisms& mechanisms,
                                 Budget budget) const {
    const std::size_t classes = setting.space.class_count();
    const Feature& bounds = setting.space.features[feature];
    const std::vector<std::uint64_t> shares = nb_number_parts(setting, bounds);
    std::vector<Budget> parts = kind_.with_delta ? std::move(budget).split(shares, kDeltaParts)
                                                 : std::move(budget).split(shares);
    const Released<Counts> counts =
        nb_ask_present(answers, feature, rows, setting, mechanisms, std::move(parts[2]));
    const ListSizes sizes = list_sizes(counts.value());
    const Private<std::vector<SortedPlaces>> lists =
        transform(nb_fixed_lists, rows, coins, feature, bounds, sizes);

    const Smoothness of_mean = smoothness_for(parts[0].epsilon(), parts[0].delta());
    const Released<Counts> means =
        ask_smooth(transform(nb_smooth_means, lists, options_.trim_percent, of_mean), setting,
                   of_mean, mechanisms, std::move(parts[0]));
    if (kind_.smooth_deviation) {
      const Smoothness of_deviation = smoothness_for(parts[1].epsilon(), parts[1].delta());
      const Released<Counts> deviations =
          ask_smooth(transform(nb_smooth_deviations, lists, of_deviation), setting, of_deviation,
                     mechanisms, std::move(parts[1]));
      return post_process(
          [](NbAnswers&& so_far, const Counts& m, const Counts& d, const Feature& f) {
            so_far.features.push_back(nb_gaussians_of_moments(m, d, f));
            return std::move(so_far);
          },
          std::move(answers), means, deviations, as_public(bounds));
    }
    const Released<Counts> squares =
        mechanisms.noisy_counts(transform(nb_centred_squares, rows, feature, bounds, classes),
                                classes, L1Sensitivity(kNbUnit / 2), std::move(parts[1]));
    return post_process(
        [](NbAnswers&& so_far, const Counts& n, const Counts& m, const Counts& t,
           const Feature& f) {
          so_far.features.push_back(nb_gaussians_of_mean_and_squares(n, m, t, f));
          return std::move(so_far);
        },
        std::move(answers), counts, means, squares, as_public(bounds));
  }

  Kind kind_;
  NaiveBayesDirectOptions options_;
};

}  // namespace

std::unique_ptr<DirectMethod> nb_smooth(const NaiveBayesDirectOptions& options) {
  return std::make_unique<NbSmooth>(
      Kind{"nb-smooth", "naive Bayes with noise by smooth sensitivity of means and deviations",
           "Zafarani and Clifton 2021, with the exact loss of Cauchy noise", true, false},
      options);
}

std::unique_ptr<DirectMethod> nb_bun_steinke(const NaiveBayesDirectOptions& options) {
  return std::make_unique<NbSmooth>(
      Kind{"nb-bun-steinke", "naive Bayes with trimmed means and variances from noisy squares",
           "Bun and Steinke 2019 as used by Zafarani and Clifton 2021, with pure Cauchy noise",
           false, false},
      options);
}

std::unique_ptr<DirectMethod> nb_smooth_delta(const NaiveBayesDirectOptions& options) {
  return std::make_unique<NbSmooth>(
      Kind{"nb-smooth-delta", "as nb-smooth with lighter noise, for an (epsilon, delta) promise",
           "Zafarani and Clifton 2021; Nissim, Raskhodnikova and Smith 2007", true, true},
      options);
}

}  // namespace privpfc
