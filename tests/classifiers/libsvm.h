#pragma once

#include <libsvm/svm.h>

#include <vector>

#include "privpfc/classifiers/input_vectors.h"
#include "privpfc/classifiers/kernel.h"

namespace privpfc::testing {

// LIBSVM as an oracle. It knows no weights: it gets every point as often as its weight says.
class Libsvm {
 public:
  Libsvm(const InputVectors& points, const std::vector<double>& labels,
         const std::vector<double>& weights, const KernelFunction& kernel, double cost,
         double tolerance);
  ~Libsvm();
  Libsvm(const Libsvm&) = delete;
  Libsvm& operator=(const Libsvm&) = delete;

  // Two classes only: sum_i a_i y_i K(x_i, x) summed over itself, halved, less the sum of a_i.
  double objective() const;
  double predict(const InputVectors& points, std::size_t i) const;
  std::vector<double> decisions(const InputVectors& points, std::size_t i) const;
  std::size_t rows() const { return rows_.size(); }

 private:
  KernelFunction kernel_;
  svm_parameter parameter_{};
  svm_problem problem_{};
  std::vector<std::vector<svm_node>> nodes_;
  std::vector<svm_node*> rows_;
  std::vector<double> row_labels_;
  std::vector<std::size_t> row_points_;
  const InputVectors& points_;
  svm_model* model_ = nullptr;
};

}  // namespace privpfc::testing
