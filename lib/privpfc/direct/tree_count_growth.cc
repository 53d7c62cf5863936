#include "privpfc/direct/tree_count_growth.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace privpfc {

namespace {

constexpr std::uint32_t kNotAsked = 0xFFFF'FFFF;

// Where the histograms of a level lie in one long list: by open node, by feature that it asks
// about, by code (the missing one last), by class.
struct Layout {
  std::vector<std::uint32_t> node_position;        // by node of the tree: which open one
  std::vector<std::uint32_t> nodes;                // the open ones
  std::vector<std::vector<std::size_t>> features;  // by open node: positions in the space
  std::vector<std::vector<std::size_t>> begins;    // by open node and feature listed
  std::size_t cells = 0;
  std::size_t classes = 0;
};

void collect_asked(const GrowingTree& tree, std::uint32_t node, std::vector<std::uint32_t>& asked,
                   std::vector<std::vector<std::uint32_t>>& by_node) {
  by_node[node] = asked;
  if (tree[node].yes == 0) return;
  asked.push_back(tree[node].question.feature);
  collect_asked(tree, tree[node].yes, asked, by_node);
  collect_asked(tree, tree[node].no, asked, by_node);
  asked.pop_back();
}

Layout layout_of(const GrowingTree& tree, const QuestionSpace& questions, bool asks_once,
                 std::size_t classes) {
  Layout layout;
  layout.classes = classes;
  layout.nodes = open_nodes(tree);
  layout.node_position.assign(tree.size(), kNotAsked);
  std::vector<std::vector<std::uint32_t>> asked(tree.size());
  std::vector<std::uint32_t> path;
  collect_asked(tree, 0, path, asked);
  for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
    layout.node_position[layout.nodes[i]] = static_cast<std::uint32_t>(i);
    const std::vector<std::uint32_t>& above = asked[layout.nodes[i]];
    std::vector<std::size_t>& listed = layout.features.emplace_back();
    std::vector<std::size_t>& begins = layout.begins.emplace_back();
    for (std::size_t f = 0; f < questions.features().size(); ++f) {
      const FeatureQuestions& feature = questions.features()[f];
      if (asks_once && std::find(above.begin(), above.end(), feature.feature) != above.end()) {
        continue;
      }
      listed.push_back(f);
      begins.push_back(layout.cells);
      layout.cells += (feature.codes + 1) * classes;
    }
  }
  return layout;
}

std::vector<std::int64_t> histograms(const CodedRows& rows, const Places& places,
                                     const Layout& layout, const QuestionSpace& questions) {
  std::vector<std::int64_t> cells(layout.cells, 0);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::uint32_t at = layout.node_position[places[i]];
    if (at == kNotAsked) continue;
    for (std::size_t k = 0; k < layout.features[at].size(); ++k) {
      const FeatureQuestions& feature = questions.features()[layout.features[at][k]];
      const std::uint16_t code = rows.codes[feature.feature][i];
      const std::size_t bin = code == kMissingCode ? feature.codes : code;
      ++cells[layout.begins[at][k] + bin * layout.classes + rows.labels[i]];
    }
  }
  return cells;
}

// n times the impurity of the counts, which may be noisy; what is below zero is nothing.
double impurity_of(const std::vector<double>& counts, Impurity impurity) {
  double total = 0;
  for (const double count : counts) total += std::max(0.0, count);
  if (!(total > 0)) return 0;
  double sum = 0;
  for (const double count : counts) {
    if (!(count > 0)) continue;
    sum += impurity == Impurity::kGini ? count * count / total : count * std::log2(count / total);
  }
  return impurity == Impurity::kGini ? total - sum : -sum;
}

// The best question about one feature, from its noisy histogram.
class BestQuestion {
 public:
  BestQuestion(const std::int64_t* cells, const FeatureQuestions& feature, Impurity impurity,
               std::size_t classes)
      : feature_(feature), impurity_(impurity), classes_(classes) {
    // below_[code]: what has a lower code; the missing ones come last.
    below_.assign((feature.codes + 2) * classes, 0);
    for (std::size_t at = 0; at < (feature.codes + 1) * classes; ++at) {
      below_[at + classes] = below_[at] + static_cast<double>(cells[at]);
    }
  }

  double gain() const { return gain_; }
  const Question& question() const { return question_; }

  void find() {
    for (std::uint32_t cut = 0; cut < feature_.cuts; ++cut) {
      consider({feature_.feature, 0, cut + 1, false});
    }
    for (const FeatureQuestions::Run& run : feature_.groups) {
      consider({feature_.feature, run.begin, run.end, false});
    }
    if (feature_.asks_missing) consider({feature_.feature, 0, 0, true});
  }

 private:
  void consider(const Question& question) {
    const std::size_t begin = question.missing ? feature_.codes : question.begin;
    const std::size_t end = question.missing ? feature_.codes + 1 : question.end;
    std::vector<double> yes(classes_);
    std::vector<double> no(classes_);
    std::vector<double> all(classes_);
    for (std::size_t c = 0; c < classes_; ++c) {
      all[c] = below_[(feature_.codes + 1) * classes_ + c];
      yes[c] = below_[end * classes_ + c] - below_[begin * classes_ + c];
      no[c] = all[c] - yes[c];
    }
    const double gain =
        impurity_of(all, impurity_) - impurity_of(yes, impurity_) - impurity_of(no, impurity_);
    if (found_ && gain <= gain_) return;
    found_ = true;
    gain_ = gain;
    question_ = question;
  }

  const FeatureQuestions& feature_;
  Impurity impurity_;
  std::size_t classes_;
  std::vector<double> below_;
  bool found_ = false;
  double gain_ = 0;
  Question question_;
};

GrowingTree split_by_counts(const GrowingTree& tree, const std::vector<std::int64_t>& cells,
                            const QuestionSpace& questions, const Layout& layout,
                            Impurity impurity) {
  std::vector<Question> chosen;
  for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
    double best = 0;
    for (std::size_t k = 0; k < layout.features[i].size(); ++k) {
      const FeatureQuestions& feature = questions.features()[layout.features[i][k]];
      BestQuestion candidate(cells.data() + layout.begins[i][k], feature, impurity, layout.classes);
      candidate.find();
      if (k > 0 && candidate.gain() <= best) continue;
      best = candidate.gain();
      if (k > 0) chosen.pop_back();
      chosen.push_back(candidate.question());
    }
  }
  return with_questions(tree, layout.nodes, chosen);
}

}  // namespace

std::size_t features_at(const QuestionSpace& questions, const CountGrowth& growth,
                        std::size_t depth) {
  const std::size_t all = questions.features().size();
  return growth.asks_once ? all - std::min(all, depth) : all;
}

Released<GrowingTree> grow_by_counts(const Private<CodedRows>& rows, const QuestionSpace& questions,
                                     const CountGrowth& growth, const DirectSetting& setting,
                                     Mechanisms& mechanisms, Budget& budget) {
  Released<GrowingTree> tree = post_process([] { return GrowingTree(1); });
  Private<Places> places = at_root(rows);
  for (std::size_t level = 0; level < growth.levels.size(); ++level) {
    const std::size_t features = features_at(questions, growth, level);
    if (features == 0 || growth.levels[level] == Epsilon()) break;
    const Released<Layout> layout =
        post_process(layout_of, tree, as_public(questions), as_public(growth.asks_once),
                     as_public(setting.space.class_count()));
    const auto cells = mechanisms.noisy_counts(
        transform(histograms, rows, places, layout.value(), questions), layout.value().cells,
        L1Sensitivity(features), budget.take(growth.levels[level]));
    tree = post_process(split_by_counts, tree, cells, as_public(questions), layout,
                        as_public(growth.impurity));
    places = move_down(rows, std::move(places), tree.value());
  }
  return tree;
}

}  // namespace privpfc
