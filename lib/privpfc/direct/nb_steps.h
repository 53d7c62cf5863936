#pragma once

#include <vector>

#include "privpfc/direct/method.h"
#include "privpfc/direct/nb_model.h"
#include "privpfc/direct/nb_options.h"

namespace privpfc {

// The steps that the naive Bayes methods share. Proof: nb_laplace.md.

// One part of the budget for the class counts and one for each feature, in proportion to the
// shares. Zero for a feature where no budget is wanted.
std::vector<std::uint64_t> nb_shares(const FeatureSpace& space,
                                     const NaiveBayesDirectOptions::Shares& shares);

// Whether a number can be missing, by the schema: then the number of values that are there is asked
// as well, for a fifth of the attribute's budget.
bool nb_may_be_missing(const DirectSetting& setting, const Feature& feature);

// The parts of a number's budget: for its mean, for its deviation, for how many values are there.
std::vector<std::uint64_t> nb_number_parts(const DirectSetting& setting, const Feature& feature);

// How many values a number has in each class: asked, or the class counts so far (then without a
// budget).
Released<std::vector<std::int64_t>> nb_ask_present(const Released<NbAnswers>& answers,
                                                   std::size_t feature,
                                                   const Private<Dataset>& rows,
                                                   const DirectSetting& setting,
                                                   Mechanisms& mechanisms, Budget budget);

// Whether every part is large enough to be divided again, and the model small enough to be read; an
// error of kind kUsage or kLimit if not.
Status nb_check(const DirectSetting& setting, const NaiveBayesDirectOptions::Shares& shares,
                Epsilon epsilon);

// Noisy counts of the classes, to start from.
Released<NbAnswers> nb_ask_classes(const Private<Dataset>& rows, const DirectSetting& setting,
                                   Mechanisms& mechanisms, Budget budget);

// Noisy counts of a feature's categories in each class.
Released<NbAnswers> nb_ask_categories(Released<NbAnswers> answers, std::size_t feature,
                                      const Private<Dataset>& rows, const DirectSetting& setting,
                                      Mechanisms& mechanisms, Budget budget);

// Means and deviations of each class from noisy sums.
Released<NbAnswers> nb_ask_gaussians(Released<NbAnswers> answers, std::size_t feature,
                                     const Private<Dataset>& rows, const DirectSetting& setting,
                                     Mechanisms& mechanisms, Budget budget);

}  // namespace privpfc
