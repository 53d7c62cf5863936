#include "privpfc/as_published/plain_tree.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace privpfc {
namespace {

class Grower {
 public:
  Grower(const Dataset& data, const PlainGrowth& growth) : data_(data), growth_(growth) {}

  std::uint32_t grow(std::vector<std::uint32_t> rows) {
    const auto at = static_cast<std::uint32_t>(cart_.size());
    cart_.emplace_back();
    std::optional<CartNode> question;
    if (path_.size() < growth_.depth) question = growth_.ask(rows, path_);
    if (!question) {
      cart_[at].class_weights = growth_.answer(rows);
      return at;
    }
    const auto middle = std::stable_partition(
        rows.begin(), rows.end(), [&](std::uint32_t row) { return yes(*question, row); });
    std::vector<std::uint32_t> others(middle, rows.end());
    rows.erase(middle, rows.end());
    path_.push_back(*question);
    const std::uint32_t left = grow(std::move(rows));
    const std::uint32_t right = grow(std::move(others));
    path_.pop_back();
    // What stands above has the mean of what stands below: nobody asks for it.
    std::vector<double> shares = cart_[left].class_weights;
    for (std::size_t c = 0; c < shares.size(); ++c) {
      shares[c] = (shares[c] + cart_[right].class_weights[c]) / 2;
    }
    cart_[at] = std::move(*question);
    cart_[at].left = left;
    cart_[at].right = right;
    cart_[at].class_weights = std::move(shares);
    return at;
  }

  Cart take() { return std::move(cart_); }

 private:
  bool yes(CartNode& question, std::uint32_t row) const {
    question.left = 1;
    question.right = 2;
    return child_of(question, data_.rows, row) == 1;
  }

  const Dataset& data_;
  const PlainGrowth& growth_;
  std::vector<CartNode> path_;
  Cart cart_;
};

}  // namespace

std::vector<std::uint32_t> all_rows(const Dataset& data) {
  std::vector<std::uint32_t> rows(data.count());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

WeightedQuestions questions_about(const QuestionSpace& space) {
  WeightedQuestions questions;
  for (const FeatureQuestions& feature : space.features()) {
    for (std::uint64_t i = 0; i < feature.question_count(); ++i) {
      CartNode& node = questions.nodes.emplace_back();
      space.ask(space.question_of(feature.first + i * feature.copies), node);
      questions.log_weights.push_back(std::log(static_cast<double>(feature.copies)));
    }
  }
  return questions;
}

std::vector<double> class_counts(const Dataset& data, RowList rows, std::size_t classes) {
  std::vector<double> counts(classes, 0.0);
  for (const std::uint32_t row : rows) ++counts[data.labels[row]];
  return counts;
}

AnswerCounts answer_counts(const Dataset& data, RowList rows, const CartNode& question,
                           std::size_t classes) {
  CartNode node = question;
  node.left = 1;
  node.right = 2;
  AnswerCounts counts{std::vector<double>(classes, 0.0), std::vector<double>(classes, 0.0)};
  for (const std::uint32_t row : rows) {
    ++(child_of(node, data.rows, row) == 1 ? counts.yes : counts.no)[data.labels[row]];
  }
  return counts;
}

std::vector<AnswerCounts> answer_counts(const Dataset& data, RowList rows,
                                        std::span<const CartNode> questions,
                                        const FeatureSpace& space) {
  const std::size_t classes = space.class_count();
  // By feature: counts by code and class, the missing code last.
  std::vector<std::vector<double>> tables(space.features.size());
  std::vector<AnswerCounts> all;
  for (const CartNode& question : questions) {
    const std::size_t codes = space.features[question.feature].categories.size();
    std::vector<double>& table = tables[question.feature];
    if (table.empty()) {
      table.assign((codes + 1) * classes, 0.0);
      for (const std::uint32_t row : rows) {
        const std::uint16_t code = data.rows.columns[question.feature].codes[row];
        ++table[std::min<std::size_t>(code, codes) * classes + data.labels[row]];
      }
    }
    AnswerCounts counts{std::vector<double>(classes, 0.0), std::vector<double>(classes, 0.0)};
    for (std::size_t code = 0; code <= codes; ++code) {
      const bool yes = code < codes ? question.goes_left[code] != 0 : question.missing_goes_left;
      for (std::size_t c = 0; c < classes; ++c) {
        (yes ? counts.yes : counts.no)[c] += table[code * classes + c];
      }
    }
    all.push_back(std::move(counts));
  }
  return all;
}

Cart grow_plain(const Dataset& data, std::vector<std::uint32_t> rows, const PlainGrowth& growth) {
  Grower grower(data, growth);
  grower.grow(std::move(rows));
  return grower.take();
}

std::vector<double> noisy_shares(std::vector<double> counts, double scale, PlainNoise& noise) {
  double sum = 0;
  for (double& count : counts) {
    count = std::max(0.0, count + noise.laplace(scale));
    sum += count;
  }
  for (double& count : counts) {
    count = sum > 0 ? count / sum : 1 / static_cast<double>(counts.size());
  }
  return counts;
}

}  // namespace privpfc
