#pragma once

#include <memory>
#include <span>
#include <vector>

#include "privpfc/classifiers/dataset.h"
#include "privpfc/classifiers/model.h"
#include "privpfc/classifiers/random_features.h"
#include "privpfc/privacy/labelled_points.h"
#include "privpfc/quality/feature_score.h"

namespace privpfc {

// How linear methods see the attributes: all as categories, at their finest level, as long as there
// are not too many in all; then the largest become coarser first. A matter of the schema alone.
std::vector<AttributeView> category_views(const Schema& schema);

// Some of the features, in increasing order of their positions, and the rows without the others.
FeatureSpace with_features(const FeatureSpace& space, std::span<const std::size_t> positions);
Dataset with_features(const Dataset& rows, std::span<const std::size_t> positions);

// By feature: how much it tells about the label (quality/feature_score.h); what is missing is one
// more category.
std::vector<std::int64_t> feature_scores(const Dataset& rows, const FeatureSpace& space,
                                         const FeatureScore& score);

// Rows as points: each category of a row is a 1, and all are scaled so that a row without missing
// values has length 1. What is missing adds nothing. There is no constant: each attribute's
// categories span one already, and a penalised one would only take a share of the length.
struct OneHotShape {
  explicit OneHotShape(const FeatureSpace& space);
  std::size_t dimension = 0;
  double entry = 0;  // what stands for a 1
  double reach = 0;  // the sum of a row's entries, at most
};
LabelledPoints one_hot_points(const Dataset& rows, const FeatureSpace& space);

// The model of weights for such points: by model, one per category; one model speaks for the second
// of two classes. `entry`: what the points had where the model's inputs are 1. There is no bias.
// Requires: kLinearSvm or kLogistic.
std::unique_ptr<Model> one_hot_model(ModelKind kind, std::vector<std::vector<double>> weights,
                                     double entry, const FeatureSpace& space);

// Rows as random Fourier features.
LabelledPoints fourier_points(const Dataset& rows, const FourierMap& map);

}  // namespace privpfc
