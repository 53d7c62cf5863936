#include "classifiers/libsvm.h"

#include <cmath>

namespace privpfc::testing {

namespace {

std::vector<svm_node> nodes_of(const InputVectors& points, std::size_t i) {
  std::vector<svm_node> nodes;
  for (std::size_t k = 0; k < points.number_width; ++k) {
    nodes.push_back({static_cast<int>(k) + 1, points.number_row(i)[k]});
  }
  for (std::size_t k = 0; k < points.category_width; ++k) {
    const std::uint32_t one = points.one_row(i)[k];
    if (one != InputVectors::kNoOne) nodes.push_back({static_cast<int>(one) + 1, 1});
  }
  nodes.push_back({-1, 0});
  return nodes;
}

}  // namespace

Libsvm::Libsvm(const InputVectors& points, const std::vector<double>& labels,
               const std::vector<double>& weights, const KernelFunction& kernel, double cost,
               double tolerance)
    : kernel_(kernel), points_(points) {
  for (std::size_t i = 0; i < points.count; ++i) nodes_.push_back(nodes_of(points, i));
  for (std::size_t i = 0; i < points.count; ++i) {
    for (double copy = 0; copy < weights[i]; ++copy) {
      rows_.push_back(nodes_[i].data());
      row_labels_.push_back(labels[i]);
      row_points_.push_back(i);
    }
  }
  parameter_.svm_type = C_SVC;
  parameter_.kernel_type = kernel.kind == KernelFunction::Kind::kLinear       ? LINEAR
                           : kernel.kind == KernelFunction::Kind::kPolynomial ? POLY
                                                                              : RBF;
  parameter_.degree = kernel.degree;
  parameter_.gamma = kernel.gamma;
  parameter_.coef0 = kernel.offset;
  parameter_.cache_size = 256;
  parameter_.eps = tolerance;
  parameter_.C = cost;
  parameter_.shrinking = 1;
  problem_ = {static_cast<int>(rows_.size()), row_labels_.data(), rows_.data()};
  svm_set_print_string_function([](const char*) {});
  model_ = svm_train(&problem_, &parameter_);
}

Libsvm::~Libsvm() {
  svm_free_and_destroy_model(&model_);
}

double Libsvm::objective() const {
  // The sum of a point's copies is what counts; sv_coef is y_i a_i.
  std::vector<double> coefficients(points_.count, 0);
  double sum = 0;
  for (int k = 0; k < model_->l; ++k) {
    const double coefficient = model_->sv_coef[0][k];
    coefficients[row_points_[static_cast<std::size_t>(model_->sv_indices[k] - 1)]] += coefficient;
    sum += std::abs(coefficient);
  }
  const KernelPoints kernel_points(points_, kernel_);
  double squares = 0;
  for (std::size_t i = 0; i < points_.count; ++i) {
    for (std::size_t j = 0; j < points_.count; ++j) {
      if (coefficients[i] != 0 && coefficients[j] != 0) {
        squares += coefficients[i] * coefficients[j] * kernel_points.value(i, j);
      }
    }
  }
  return squares / 2 - sum;
}

double Libsvm::predict(const InputVectors& points, std::size_t i) const {
  return svm_predict(model_, nodes_of(points, i).data());
}

std::vector<double> Libsvm::decisions(const InputVectors& points, std::size_t i) const {
  const auto classes = static_cast<std::size_t>(model_->nr_class);
  std::vector<double> values(classes * (classes - 1) / 2);
  svm_predict_values(model_, nodes_of(points, i).data(), values.data());
  return values;
}

}  // namespace privpfc::testing
