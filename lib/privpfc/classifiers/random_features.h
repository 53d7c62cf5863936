#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "privpfc/classifiers/input_vectors.h"
#include "privpfc/classifiers/model.h"

namespace privpfc {

// Random Fourier features (Rahimi and Recht 2007) of the kernel exp(-gamma |x - y|^2) on rows as
// vectors, numbers between -1 and 1 by their bounds, categories one-hot. All public: from the space
// and a seed, the same on every machine.
struct FourierOptions {
  static constexpr double kLeastGamma = 1e-9;
  static constexpr double kMostGamma = 1e6;

  std::size_t frequencies = 50;  // 1 to 2,000
  double gamma = 0;              // of the kernel; 0: 1 over the number of features
  std::uint64_t seed = 1;
};

class FourierMap {
 public:
  // Requires: options in range.
  FourierMap(const FeatureSpace& space, const FourierOptions& options);

  const FourierOptions& options() const { return options_; }  // with its gamma
  std::size_t dimension() const { return 2 * options_.frequencies; }

  // cos and sin for each frequency, over the square root of their number: length 1.
  void map(const InputVectors& points, std::size_t i, double* out) const;
  const InputMap& inputs() const { return inputs_; }

 private:
  InputMap inputs_;
  FourierOptions options_;
  std::vector<double> table_;  // [frequencies][inputs]
};

// One vector of weights per class, one against the rest; the largest decision wins. With two
// classes there is one vector, and it speaks for the second class.
std::unique_ptr<Model> make_fourier_svm(const FeatureSpace& space, const FourierOptions& options,
                                        std::vector<std::vector<double>> weights);
Result<std::unique_ptr<Model>> read_fourier_svm(const FeatureSpace& space,
                                                std::string_view parameters);

}  // namespace privpfc
