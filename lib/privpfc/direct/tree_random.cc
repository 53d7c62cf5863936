#include "privpfc/direct/tree_random.h"

#include <algorithm>
#include <numeric>

#include "privpfc/base/splitmix.h"

namespace privpfc {

namespace {

// Public choices, the same on every machine.
class PublicChoices {
 public:
  explicit PublicChoices(std::uint64_t seed) : numbers_(seed) {}

  std::uint64_t below(std::uint64_t limit) { return numbers_.next() % limit; }

 private:
  SplitMix numbers_;
};

struct Answer {
  Question question;
  bool yes = false;
};

// Whether some value that gave these answers says yes and another says no. Between two ends of runs
// all codes answer alike, so that one of each stretch will do.
bool divides(const Question& question, const std::vector<Answer>& path, std::uint32_t codes) {
  std::vector<std::uint32_t> stops = {0, question.begin, question.end};
  for (const Answer& answer : path) {
    if (answer.question.feature != question.feature) continue;
    stops.push_back(answer.question.begin);
    stops.push_back(answer.question.end);
  }
  bool some_yes = false;
  bool some_no = false;
  const auto consider = [&](std::uint16_t code) {
    for (const Answer& answer : path) {
      if (answer.question.feature != question.feature) continue;
      if (answer.question.says_yes(code) != answer.yes) return;
    }
    (question.says_yes(code) ? some_yes : some_no) = true;
  };
  for (const std::uint32_t stop : stops) {
    if (stop < codes) consider(static_cast<std::uint16_t>(stop));
  }
  if (question.missing) consider(kMissingCode);
  return some_yes && some_no;
}

class Planter {
 public:
  Planter(const QuestionSpace& questions, const RandomGrowth& growth)
      : questions_(questions), growth_(growth), choices_(growth.seed) {}

  GrowingTrees plant() {
    std::vector<std::size_t> roots(questions_.features().size());
    std::iota(roots.begin(), roots.end(), std::size_t{0});
    for (std::size_t i = roots.size(); i > 1; --i)
      std::swap(roots[i - 1], roots[choices_.below(i)]);
    GrowingTrees trees;
    for (std::size_t t = 0; t < growth_.trees; ++t) {
      std::optional<std::size_t> root;
      if (growth_.distinct_roots && !roots.empty()) root = roots[t % roots.size()];
      tree_.assign(1, GrowingNode{});
      path_.clear();
      split(0, growth_.rows, root);
      trees.push_back(tree_);
    }
    return trees;
  }

 private:
  static constexpr int kTries = 30;

  Question draw(std::optional<std::size_t> feature) {
    const auto features = questions_.features();
    const FeatureQuestions& chosen =
        features[feature.value_or(static_cast<std::size_t>(choices_.below(features.size())))];
    std::uint64_t first = 0;
    std::uint64_t count = chosen.question_count();
    if (!chosen.groups.empty()) {
      // A level, all alike, then one of its nodes: few nodes hold most rows, and they stand high.
      const std::uint32_t lowest = chosen.groups.back().level;
      const auto level = static_cast<std::uint32_t>(1 + choices_.below(lowest));
      const auto at = [&](std::uint32_t wanted) {
        return static_cast<std::uint64_t>(
            std::partition_point(
                chosen.groups.begin(), chosen.groups.end(),
                [&](const FeatureQuestions::Run& run) { return run.level < wanted; }) -
            chosen.groups.begin());
      };
      first = at(level);
      count = at(level + 1) - first;
      if (count == 0) return draw(feature);
    }
    return questions_.question_of(chosen.first + (first + choices_.below(count)) * chosen.copies);
  }

  std::optional<Question> useful_question(std::optional<std::size_t> feature) {
    if (questions_.features().empty()) return std::nullopt;
    for (int i = 0; i < kTries; ++i) {
      const Question question = draw(feature);
      if (divides(question, path_, questions_.code_count(question.feature))) return question;
    }
    return std::nullopt;
  }

  void split(std::uint32_t node, double rows, std::optional<std::size_t> feature) {
    if (tree_[node].depth >= growth_.depth || rows / 2 < growth_.least_rows) return;
    const std::optional<Question> question = useful_question(feature);
    if (!question) return;
    const std::uint32_t nodes[] = {node};
    const Question asked[] = {*question};
    tree_ = with_questions(std::move(tree_), nodes, asked);
    const std::uint32_t yes = tree_[node].yes;
    for (const bool answer : {true, false}) {
      path_.push_back({*question, answer});
      split(answer ? yes : yes + 1, rows / 2, std::nullopt);
      path_.pop_back();
    }
  }

  const QuestionSpace& questions_;
  const RandomGrowth& growth_;
  PublicChoices choices_;
  GrowingTree tree_;
  std::vector<Answer> path_;
};

}  // namespace

GrowingTrees random_trees(const QuestionSpace& questions, const RandomGrowth& growth) {
  return Planter(questions, growth).plant();
}

}  // namespace privpfc
