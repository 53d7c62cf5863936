#include "privpfc/direct/linear_points.h"

#include <algorithm>
#include <cmath>

#include "privpfc/base/contract.h"
#include "privpfc/classifiers/linear_svm.h"
#include "privpfc/classifiers/logistic.h"
#include "privpfc/counting/row_counts.h"

namespace privpfc {

namespace {

// A Hessian of this many rows and columns is still solved in a second or so.
constexpr std::size_t kMostCategories = 2'000;

}  // namespace

std::vector<AttributeView> category_views(const Schema& schema) {
  std::vector<AttributeView> views = plain_views(schema);
  std::size_t categories = 0;
  const auto size = [&](const AttributeView& view) {
    return schema[view.attribute].hierarchy.node_count(view.level);
  };
  for (AttributeView& view : views) {
    view.as_number = false;
    categories += size(view);
  }
  while (categories > kMostCategories) {
    const auto largest =
        std::max_element(views.begin(), views.end(),
                         [&](const auto& a, const auto& b) { return size(a) < size(b); });
    if (size(*largest) == 1) break;  // nothing left to merge
    categories -= size(*largest);
    largest->level = LevelIndex(largest->level.value() - 1);
    categories += size(*largest);
  }
  return views;
}

FeatureSpace with_features(const FeatureSpace& space, std::span<const std::size_t> positions) {
  FeatureSpace part{{}, space.classes};
  for (const std::size_t f : positions) part.features.push_back(space.features[f]);
  return part;
}

Dataset with_features(const Dataset& rows, std::span<const std::size_t> positions) {
  Dataset part{{rows.rows.count, {}}, rows.labels, rows.weights};
  for (const std::size_t f : positions) part.rows.columns.push_back(rows.rows.columns[f]);
  return part;
}

std::vector<std::int64_t> feature_scores(const Dataset& rows, const FeatureSpace& space,
                                         const FeatureScore& score) {
  const std::size_t classes = space.class_count();
  std::vector<std::int64_t> scores;
  for (std::size_t f = 0; f < space.features.size(); ++f) {
    const std::size_t codes = space.features[f].categories.size();
    std::vector<std::int64_t> counts((codes + 1) * classes, 0);
    for (std::size_t i = 0; i < rows.count(); ++i) {
      const std::size_t code = std::min<std::size_t>(rows.rows.columns[f].codes[i], codes);
      ++counts[code * classes + rows.labels[i]];
    }
    scores.push_back(score(counts));
  }
  return scores;
}

OneHotShape::OneHotShape(const FeatureSpace& space) {
  for (const Feature& feature : space.features) dimension += feature.categories.size();
  dimension = std::max<std::size_t>(dimension, 1);
  reach = std::sqrt(static_cast<double>(std::max<std::size_t>(space.features.size(), 1)));
  // A little less than 1 / reach, so that the kernel has no row to shorten.
  entry = static_cast<double>(static_cast<float>((1 - 0x1p-19) / reach));
}

LabelledPoints one_hot_points(const Dataset& rows, const FeatureSpace& space) {
  require(rows.count() <= kMostRows, "a table has fewer than 2^31 rows");
  // In an order that depends on the values alone, and equal rows as one point.
  const Dataset merged = merge_equal_rows(rows);
  const OneHotShape shape(space);
  LabelledPoints points(shape.dimension, shape.reach);
  std::vector<LabelledPoints::Entry> entries;
  for (std::size_t i = 0; i < merged.count(); ++i) {
    entries.clear();
    std::size_t offset = 0;
    for (std::size_t f = 0; f < space.features.size(); ++f) {
      const std::uint16_t code = merged.rows.columns[f].codes[i];
      if (code != kMissingCode) {
        entries.push_back(
            {static_cast<std::uint32_t>(offset + code), static_cast<float>(shape.entry)});
      }
      offset += space.features[f].categories.size();
    }
    points.add(entries, merged.labels[i], static_cast<std::uint32_t>(merged.weights[i]));
  }
  return points;
}

std::unique_ptr<Model> one_hot_model(ModelKind kind, std::vector<std::vector<double>> weights,
                                     double entry, const FeatureSpace& space) {
  std::size_t categories = 0;
  for (const Feature& feature : space.features) categories += feature.categories.size();
  for (std::vector<double>& vector : weights) {
    vector.resize(categories);
    for (double& weight : vector) weight *= entry;
    vector.push_back(0);
  }
  if (weights.size() == 1) weights.insert(weights.begin(), std::vector<double>(categories + 1));
  return kind == ModelKind::kLogistic ? make_logistic(space, weights)
                                      : make_linear_svm(space, weights);
}

LabelledPoints fourier_points(const Dataset& rows, const FourierMap& map) {
  require(rows.count() <= kMostRows, "a table has fewer than 2^31 rows");
  const Dataset merged = merge_equal_rows(rows);
  const InputVectors inputs = map.inputs().map(merged.rows, 0, merged.count());
  // |cos| + |sin| is at most the square root of 2.
  LabelledPoints points(map.dimension(), std::sqrt(static_cast<double>(map.dimension())));
  std::vector<double> features(map.dimension());
  std::vector<LabelledPoints::Entry> entries(map.dimension());
  for (std::size_t i = 0; i < merged.count(); ++i) {
    map.map(inputs, i, features.data());
    for (std::size_t k = 0; k < features.size(); ++k) {
      entries[k] = {static_cast<std::uint32_t>(k), static_cast<float>(features[k])};
    }
    points.add(entries, merged.labels[i], static_cast<std::uint32_t>(merged.weights[i]));
  }
  return points;
}

}  // namespace privpfc
