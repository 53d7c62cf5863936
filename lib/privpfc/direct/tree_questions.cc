#include "privpfc/direct/tree_questions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "privpfc/schema/interval.h"

namespace privpfc {

namespace {

constexpr std::uint32_t kMostCuts = 65'534;  // the codes 0 to kMostCuts, and the missing one
constexpr std::uint64_t kWeightOfFeature = std::uint64_t{1} << 16;

std::vector<std::uint32_t> all_features(const FeatureSpace& space) {
  std::vector<std::uint32_t> features(space.features.size());
  std::iota(features.begin(), features.end(), 0U);
  return features;
}

// The nodes of the levels above the view's and of the view's own, as runs of categories.
std::vector<FeatureQuestions::Run> groups_of(const Hierarchy& hierarchy, const Feature& feature) {
  const auto categories = static_cast<std::uint32_t>(feature.categories.size());
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  std::vector<FeatureQuestions::Run> groups;
  for (std::size_t level = 1; level <= feature.view.level.value(); ++level) {
    const auto nodes = hierarchy.nodes_of_leaves(LevelIndex(level));
    const std::size_t count = hierarchy.node_count(LevelIndex(level));
    std::vector<FeatureQuestions::Run> runs(count,
                                            {categories, 0, static_cast<std::uint32_t>(level)});
    for (std::size_t leaf = 0; leaf < nodes.size(); ++leaf) {
      const std::uint16_t category = feature.category_of_leaf[leaf];
      if (category == kMissingCode) continue;
      FeatureQuestions::Run& run = runs[nodes[leaf]];
      run.begin = std::min<std::uint32_t>(run.begin, category);
      run.end = std::max<std::uint32_t>(run.end, category + 1U);
    }
    for (const FeatureQuestions::Run& run : runs) {
      if (run.begin >= run.end || run.end - run.begin == categories) continue;
      // The rest of the categories, where that is a run too, is the same question.
      const bool rest_seen = (run.begin == 0 && seen.contains({run.end, categories})) ||
                             (run.end == categories && seen.contains({0, run.begin}));
      if (!rest_seen && seen.insert({run.begin, run.end}).second) groups.push_back(run);
    }
  }
  return groups;
}

// Where there is nothing but what is missing. Far from zero, one less is the same number.
double just_below(double low) {
  return std::max(std::min(low - 1, std::nextafter(low, -std::numeric_limits<double>::infinity())),
                  std::numeric_limits<double>::lowest());
}

}  // namespace

QuestionSpace::QuestionSpace(const Schema& schema, const FeatureSpace& space,
                             QuestionWeights weights, OrderedQuestions ordered)
    : QuestionSpace(schema, space, all_features(space), weights, ordered) {}

QuestionSpace::QuestionSpace(const Schema& schema, const FeatureSpace& space,
                             std::span<const std::uint32_t> features, QuestionWeights weights,
                             OrderedQuestions ordered) {
  for (const Feature& feature : space.features) {
    Scale& scale = scales_.emplace_back();
    scale.is_number = feature.is_number();
    if (!scale.is_number) {
      scale.codes = static_cast<std::uint32_t>(feature.categories.size());
      continue;
    }
    scale.low = feature.low;
    const double width = feature.high - feature.low;
    const bool whole = is_whole(schema[feature.view.attribute].kind) && width <= kMostCuts;
    scale.step = whole ? 1 : width / 65'536;
    scale.first = whole ? 0 : 1;
    // A range so narrow that its parts cannot be told from nothing is not divided.
    if (scale.step > 0) scale.cuts = whole ? static_cast<std::uint32_t>(width) : kMostCuts;
    scale.codes = scale.cuts + 1;
  }
  for (const std::uint32_t f : features) {
    const Feature& feature = space.features[f];
    const Attribute& attribute = schema[feature.view.attribute];
    FeatureQuestions questions;
    questions.feature = f;
    questions.codes = scales_[f].codes;
    if (feature.is_number()) {
      questions.cuts = scales_[f].cuts;
    } else if (feature.ordered && ordered == OrderedQuestions::kCuts) {
      questions.cuts = questions.codes > 0 ? questions.codes - 1 : 0;
    } else {
      questions.groups = groups_of(attribute.hierarchy, feature);
    }
    questions.asks_missing = attribute.has_missing_leaf && questions.codes > 0;
    if (questions.question_count() == 0) continue;
    if (weights == QuestionWeights::kByFeature) {
      questions.copies = std::max<std::uint64_t>(1, kWeightOfFeature / questions.question_count());
    }
    questions.first = candidates_;
    candidates_ += questions.candidate_count();
    features_.push_back(std::move(questions));
  }
}

Question QuestionSpace::question_of(std::uint64_t candidate) const {
  const auto after = std::upper_bound(
      features_.begin(), features_.end(), candidate,
      [](std::uint64_t value, const FeatureQuestions& feature) { return value < feature.first; });
  const FeatureQuestions& feature = *(after - 1);
  const std::uint64_t at = (candidate - feature.first) / feature.copies;
  if (at < feature.cuts) {
    return {feature.feature, 0, static_cast<std::uint32_t>(at) + 1, false};
  }
  if (at < feature.groups.size()) {
    return {feature.feature, feature.groups[at].begin, feature.groups[at].end, false};
  }
  return {feature.feature, 0, 0, true};
}

double QuestionSpace::threshold(std::uint32_t feature, std::uint32_t cut) const {
  const Scale& scale = scales_[feature];
  return scale.low + scale.step * (static_cast<double>(cut) + scale.first);
}

std::uint16_t QuestionSpace::code_of(std::uint32_t feature, double number) const {
  const Scale& scale = scales_[feature];
  if (scale.cuts == 0) return 0;
  // A guess, made right by the thresholds themselves: they do not fall.
  const double guess = std::floor((number - scale.low) / scale.step);
  auto code = static_cast<std::uint32_t>(std::clamp(guess, 0.0, static_cast<double>(scale.cuts)));
  while (code > 0 && number <= threshold(feature, code - 1)) --code;
  while (code < scale.cuts && number > threshold(feature, code)) ++code;
  return static_cast<std::uint16_t>(code);
}

void QuestionSpace::ask(const Question& question, CartNode& node) const {
  node.feature = question.feature;
  node.missing_goes_left = question.missing;
  const Scale& scale = scales_[question.feature];
  if (scale.is_number) {
    node.threshold =
        question.missing ? just_below(scale.low) : threshold(question.feature, question.end - 1);
    return;
  }
  node.goes_left.assign(scale.codes, 0);
  for (std::uint32_t code = question.begin; code < question.end; ++code) node.goes_left[code] = 1;
}

}  // namespace privpfc
