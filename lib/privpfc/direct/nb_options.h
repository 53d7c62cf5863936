#pragma once

#include <cstdint>

#include "privpfc/classifiers/naive_bayes.h"
#include "privpfc/privacy/delta.h"

namespace privpfc {

// The options of the naive Bayes family. All are public: they come from the user, never from rows.
struct NaiveBayesDirectOptions {
  // How numeric attributes are learned: as categories, the bins of a level of the schema, or as a
  // Gaussian per class.
  enum class Numbers { kBins, kGaussian };
  Numbers numbers = Numbers::kBins;  // of nb-laplace; the others learn Gaussians
  NaiveBayesOptions::Density density = NaiveBayesOptions::Density::kGaussian;

  // Parts of the budget: the class counts, each attribute that is learned as categories, each that
  // is learned as a Gaussian. They are scaled to the whole.
  struct Shares {
    std::uint32_t classes = 1;
    std::uint32_t categories = 1;
    std::uint32_t numbers = 2;
  };
  Shares shares;

  // Of nb-smooth, nb-bun-steinke and nb-smooth-delta: so many of every hundred values are left out
  // at each end before the mean is taken.
  unsigned trim_percent = 5;
  Delta delta = Delta::from_units(1'000'000'000'000);  // of nb-smooth-delta: 1e-6
};

}  // namespace privpfc
