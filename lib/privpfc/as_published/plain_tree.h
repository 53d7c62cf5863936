#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "privpfc/as_published/plain_noise.h"
#include "privpfc/classifiers/cart.h"
#include "privpfc/direct/tree_questions.h"

namespace privpfc {

// Trees grown on rows that may be seen. A question is a CartNode without children or weights; yes
// goes left.

using RowList = std::span<const std::uint32_t>;  // positions; a row may occur more than once

std::vector<std::uint32_t> all_rows(const Dataset& data);

// The questions of a space without numbers, those of one feature after another, and the logarithm
// of what each weighs.
struct WeightedQuestions {
  std::vector<CartNode> nodes;
  std::vector<double> log_weights;
};
WeightedQuestions questions_about(const QuestionSpace& space);

// How many of the rows are of each class.
std::vector<double> class_counts(const Dataset& data, RowList rows, std::size_t classes);

// The same by answer: first of those that say yes, then of those that say no.
struct AnswerCounts {
  std::vector<double> yes;
  std::vector<double> no;
};
AnswerCounts answer_counts(const Dataset& data, RowList rows, const CartNode& question,
                           std::size_t classes);
// For all these questions about categories at once, in one pass for each feature.
std::vector<AnswerCounts> answer_counts(const Dataset& data, RowList rows,
                                        std::span<const CartNode> questions,
                                        const FeatureSpace& space);

// From the root down, the yes side first. `ask` gives a node its question, or none: then it is a
// leaf, as at the greatest depth. `answer` gives a leaf its class shares.
struct PlainGrowth {
  std::size_t depth = 0;
  std::function<std::optional<CartNode>(RowList rows, std::span<const CartNode> path)> ask;
  std::function<std::vector<double>(RowList rows)> answer;
};
Cart grow_plain(const Dataset& data, std::vector<std::uint32_t> rows, const PlainGrowth& growth);

// Noisy counts as shares, what is negative counting as nothing; all alike where nothing is left.
std::vector<double> noisy_shares(std::vector<double> counts, double scale, PlainNoise& noise);

}  // namespace privpfc
