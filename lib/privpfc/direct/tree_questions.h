#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/classifiers/cart.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// A question with the answers yes and no. Trees see every feature as codes: categories as they are,
// numbers as the number of lattice thresholds below them. Yes is a run of codes; what is missing
// says no, unless the question is whether it is missing.
struct Question {
  std::uint32_t feature = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool missing = false;

  bool says_yes(std::uint16_t code) const {
    if (code == kMissingCode) return missing;
    return begin <= code && code < end;
  }
};

// What may be asked about one feature.
struct FeatureQuestions {
  struct Run {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t level = 0;  // the first level on which it is a node
  };

  std::uint32_t feature = 0;
  std::uint32_t codes = 0;  // how many there are, the missing one apart
  std::uint32_t cuts = 0;   // in order: codes 0 to j are yes, j < cuts; then no groups
  std::vector<Run> groups;  // nodes of the hierarchy, in no order: then no cuts
  bool asks_missing = false;

  std::uint64_t first = 0;  // candidate; the questions follow one another, each `copies` long
  std::uint64_t copies = 1;

  std::uint64_t question_count() const { return cuts + groups.size() + (asks_missing ? 1 : 0); }
  std::uint64_t candidate_count() const { return question_count() * copies; }
};

// How questions weigh as candidates of a selection: all alike, or every feature alike, with its
// weight shared by its questions (up to rounding).
enum class QuestionWeights { kEqual, kByFeature };

// kNodes: ordered categories are asked by the nodes of their hierarchy, like all others.
enum class OrderedQuestions { kCuts, kNodes };

// All questions that the schema allows, known before a row is read.
//
// Whole numbers with few values are cut between any two; all other numbers at the thresholds
// low + (high - low) (j + 1) / 2^16. Ordered categories are cut between any two neighbours. Of
// other categories, every node of the hierarchy is a question; of two that divide the categories
// alike there is one.
class QuestionSpace {
 public:
  // `features`: the positions of those that may be asked about.
  QuestionSpace(const Schema& schema, const FeatureSpace& space,
                std::span<const std::uint32_t> features, QuestionWeights weights,
                OrderedQuestions ordered = OrderedQuestions::kCuts);
  // About all features.
  QuestionSpace(const Schema& schema, const FeatureSpace& space, QuestionWeights weights,
                OrderedQuestions ordered = OrderedQuestions::kCuts);

  std::span<const FeatureQuestions> features() const { return features_; }
  std::uint64_t candidate_count() const { return candidates_; }
  Question question_of(std::uint64_t candidate) const;

  // The code of a number, which is not missing. Ensures: number <= threshold(f, j) exactly when
  // code_of(f, number) <= j.
  std::uint16_t code_of(std::uint32_t feature, double number) const;
  double threshold(std::uint32_t feature, std::uint32_t cut) const;

  // The question as a node of a tree asks it; `node` has its children already.
  void ask(const Question& question, CartNode& node) const;

  std::size_t feature_count() const { return scales_.size(); }
  std::uint32_t code_count(std::uint32_t feature) const { return scales_[feature].codes; }
  bool is_number(std::uint32_t feature) const { return scales_[feature].is_number; }

 private:
  struct Scale {
    bool is_number = false;
    double low = 0;
    double step = 1;  // thresholds are low + step (j + first); whole numbers are met exactly
    double first = 0;
    std::uint32_t cuts = 0;
    std::uint32_t codes = 0;
  };

  std::vector<Scale> scales_;  // of every feature of the space
  std::vector<FeatureQuestions> features_;
  std::uint64_t candidates_ = 0;
};

}  // namespace privpfc
