#pragma once

#include <array>

#include "privpfc/direct/tree_options.h"
#include "privpfc/direct/tree_steps.h"

namespace privpfc {

// What the methods of this family have in common: names, options, views, and what is refused.
class TreeMethod : public DirectMethod {
 public:
  struct Text {
    std::string_view name;
    std::string_view summary;
    std::string_view source;
  };

  TreeMethod(const Text& text, ModelKind model, const TreeDirectOptions& options)
      : text_(text), model_(model), options_(options) {}

  std::string_view name() const override { return text_.name; }
  std::string_view summary() const override { return text_.summary; }
  std::string_view source() const override { return text_.source; }
  ModelKind model() const override { return model_; }

  // Numbers as numbers, categories as leaves.
  std::vector<AttributeView> views(const Schema& schema, Epsilon epsilon) const override;
  Status check(const DirectSetting& setting, Epsilon epsilon) const override;

 protected:
  const TreeDirectOptions& options() const { return options_; }

  // The number of trees that was asked for, or the most that the method's own rule plants.
  std::size_t most_trees(const DirectSetting& setting) const;
  virtual std::size_t most_trees_by_rule(const DirectSetting&) const { return 1; }

 private:
  Text text_;
  ModelKind model_;
  TreeDirectOptions options_;
};

// Random trees: every attribute as a category of at most 64 groups, and a small part of epsilon for
// the number of rows, which decides how deep they are.
class RandomTreeMethod : public TreeMethod {
 public:
  using TreeMethod::TreeMethod;
  std::vector<AttributeView> views(const Schema& schema, Epsilon epsilon) const override;

 protected:
  static QuestionSpace questions_of(const DirectSetting& setting);

  // Per mille: the number of rows; leaves.
  static constexpr std::array<std::uint64_t, 2> kMainShares = {20, 980};
};

// Views for methods that do not look for thresholds: all attributes as categories, at the finest
// level of at most `most_nodes` nodes (or at level 1).
std::vector<AttributeView> category_views(const Schema& schema, std::size_t most_nodes);

// The deepest that so many trees may grow, 16 at most, so that their model can be read again
// whatever they turn out to be. What is deeper is refused before a budget is withdrawn, and rules
// for the depth stop here. 0: they are too many trees.
std::size_t deepest(const DirectSetting& setting, std::size_t trees);

// The largest d from `least` to `most` for which 2^d leaves still have `rows_per_leaf` rows each,
// in units of the noise: epsilon rows / 2^d.
std::size_t depth_for(double epsilon_rows, double rows_per_leaf, std::size_t least,
                      std::size_t most);

// For random trees: as many questions as there are features, but no more than leave some eight rows
// to a leaf, were the rows spread evenly. Noise is no reason to stop earlier: most leaves are
// nearly empty anyway, and the full ones bear it.
std::size_t random_depth(std::int64_t row_estimate, std::size_t features);

double as_real(Epsilon epsilon);

}  // namespace privpfc
