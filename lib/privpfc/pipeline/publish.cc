#include "privpfc/pipeline/publish.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "privpfc/base/contract.h"
#include "privpfc/base/memory.h"
#include "privpfc/counting/grid_counts.h"
#include "privpfc/counting/row_counts.h"
#include "privpfc/quality/feature_score.h"
#include "privpfc/quality/misclassification.h"

namespace privpfc {
namespace {

using Counts = std::vector<std::int64_t>;

// Where the search for a grid stands: what the noisy class counts, and later the selected features,
// have decided.
struct Search {
  BudgetPlan plan;
  std::int64_t noisy_rows = 1;
  std::uint64_t most_cells = 0;
  std::size_t feature_picks = 0;  // 0: all attributes take part
  std::vector<AttributeIndex> picks;
  std::optional<ChosenPool> chosen;  // none until the features are selected
};

Search begin_search(const Counts& class_counts, const Schema& schema, const PublishOptions& options,
                    Epsilon epsilon) {
  Search search;
  const std::int64_t sum =
      std::accumulate(class_counts.begin(), class_counts.end(), std::int64_t{0});
  search.noisy_rows = std::max<std::int64_t>(1, sum);
  search.plan = plan_budget(epsilon, options.shares, /*with_features=*/false).value();
  search.most_cells = cell_threshold(search.noisy_rows, search.plan.histogram, options.limits);
  GridSpace space(schema);
  auto pool = fitting_pool(space, search.most_cells, search.noisy_rows, options.limits);
  if (pool) {
    search.chosen = ChosenPool{std::move(space), std::move(*pool)};
  } else {
    search.plan = plan_budget(epsilon, options.shares, /*with_features=*/true).value();
    search.most_cells = cell_threshold(search.noisy_rows, search.plan.histogram, options.limits);
    search.feature_picks = feature_picks(space, search.most_cells);
  }
  return search;
}

Search end_search(Search search, const std::vector<std::size_t>& winners, const Schema& schema,
                  const PublishOptions& options) {
  const std::vector<AttributeIndex> used = used_attributes(schema);
  for (const std::size_t winner : winners) search.picks.push_back(used[winner]);
  search.chosen =
      pool_over_picks(schema, search.picks, search.most_cells, search.noisy_rows, options.limits);
  return search;
}

Counts feature_scores(const EncodedTable& table, const Schema& schema, const FeatureScore& score,
                      unsigned threads) {
  Counts scores;
  for (const AttributeIndex attribute : used_attributes(schema)) {
    scores.push_back(score(count_leaves(table, attribute, schema[attribute].hierarchy.leaf_count(),
                                        schema.class_count(), threads)));
  }
  return scores;
}

// The chosen grid's axes in the schema's order, which is the order of the released histogram.
std::vector<HistogramAxis> histogram_axes(const GridSpace& space, const Grid& grid) {
  std::vector<HistogramAxis> axes;
  for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
    if (grid[axis] != 0) axes.push_back({axis, grid[axis]});
  }
  std::sort(axes.begin(), axes.end(), [&](const HistogramAxis& a, const HistogramAxis& b) {
    return space.attribute(a.axis) < space.attribute(b.axis);
  });
  return axes;
}

Synopsis assemble(const Search& search, const std::vector<HistogramAxis>& axes,
                  const Counts& class_counts, const Counts& cell_counts) {
  Synopsis synopsis;
  synopsis.class_counts = class_counts;
  synopsis.noisy_rows = search.noisy_rows;
  synopsis.cell_threshold = search.chosen->pool.most_cells();
  synopsis.pool_size = search.chosen->pool.size();
  synopsis.selected_features = search.picks;
  synopsis.features_in_pool = search.chosen->space.axis_count();
  for (const HistogramAxis& axis : axes) {
    synopsis.axes.push_back({search.chosen->space.attribute(axis.axis), LevelIndex(axis.level)});
  }
  synopsis.cell_counts = cell_counts;
  synopsis.steps.push_back({"class counts", "discrete Laplace", search.plan.classes});
  if (search.feature_picks > 0) {
    synopsis.steps.push_back({"feature selection", "permute-and-flip", search.plan.features});
  }
  synopsis.steps.push_back({"grid selection", "permute-and-flip", search.plan.selection});
  synopsis.steps.push_back({"grid histogram", "discrete Laplace", search.plan.histogram});
  return synopsis;
}

Synopsis with_side_column(Synopsis synopsis, const Counts& counts, AttributeIndex attribute) {
  synopsis.side_columns.push_back({attribute, counts});
  return synopsis;
}

Synopsis with_step(Synopsis synopsis, const Synopsis::Step& step) {
  synopsis.steps.push_back(step);
  return synopsis;
}

// The label's share of every attribute outside the grid, each with an equal part of the budget.
Released<Synopsis> add_side_columns(Released<Synopsis> synopsis, const Private<EncodedTable>& table,
                                    const Schema& schema, Mechanisms& mechanisms, Budget budget) {
  std::vector<AttributeIndex> outside;
  for (const AttributeIndex attribute : used_attributes(schema)) {
    const auto& axes = synopsis.value().axes;
    const bool in_grid = std::any_of(axes.begin(), axes.end(), [&](const Synopsis::Axis& axis) {
      return axis.attribute == attribute;
    });
    if (!in_grid) outside.push_back(attribute);
  }
  const Synopsis::Step step{"columns outside the grid", "discrete Laplace", budget.epsilon()};
  synopsis = post_process(with_step, std::move(synopsis), as_public(step));
  if (outside.empty()) return synopsis;  // the budget counts as spent all the same
  const std::vector<std::uint64_t> equal_shares(outside.size(), 1);
  std::vector<Budget> parts = std::move(budget).split(equal_shares);
  for (std::size_t i = 0; i < outside.size(); ++i) {
    const std::size_t leaves = schema[outside[i]].hierarchy.leaf_count();
    const std::size_t classes = schema.class_count();
    const auto counts =
        mechanisms.noisy_counts(transform(count_leaves, table, outside[i], leaves, classes, 1u),
                                leaves * classes, L1Sensitivity(1), std::move(parts[i]));
    synopsis = post_process(with_side_column, std::move(synopsis), counts, as_public(outside[i]));
  }
  return synopsis;
}

}  // namespace

Status check_publish_options(const PublishOptions& options, Epsilon epsilon) {
  PRIVPFC_TRY(check_shares(options.shares));
  PRIVPFC_TRY(plan_budget(epsilon, options.shares, false));
  PRIVPFC_TRY(plan_budget(epsilon, options.shares, true));
  return check_limits(options.limits);
}

Released<Synopsis> publish(Private<EncodedTable> table, const Schema& schema,
                           const PublishOptions& options, Mechanisms& mechanisms, Budget budget,
                           const Progress& progress, PublishMemory* memory) {
  const std::size_t classes = schema.class_count();
  const Epsilon epsilon = budget.epsilon();
  const BudgetPlan first_plan = plan_budget(epsilon, options.shares, false).value();
  std::optional<Budget> columns_budget;
  if (options.shares.columns > 0) columns_budget.emplace(budget.take(first_plan.columns));

  progress("class counts");
  const Released<Counts> class_counts =
      mechanisms.noisy_counts(transform(count_classes, table, classes), classes, L1Sensitivity(1),
                              budget.take(first_plan.classes));
  Released<Search> search = post_process(begin_search, class_counts, as_public(schema),
                                         as_public(options), as_public(epsilon));

  if (search.value().feature_picks > 0) {
    progress("feature selection");
    const FeatureScore score(class_counts.value());
    const Released<std::vector<std::size_t>> winners = mechanisms.select_top(
        transform(feature_scores, table, schema, score, options.threads),
        used_attributes(schema).size(), search.value().feature_picks, Better::kHigher,
        ScoreRange(static_cast<std::uint64_t>(score.score_range())), Rule::kPermuteAndFlip,
        budget.take(search.value().plan.features));
    search =
        post_process(end_search, std::move(search), winners, as_public(schema), as_public(options));
  }

  progress("distinct rows");
  const GridSpace& space = search.value().chosen->space;
  const GridPool& pool = search.value().chosen->pool;
  const Epsilon noise = search.value().plan.histogram;
  const MisclassificationTable excess(noise.units(), Epsilon::kUnitsPerOne);
  PublishMemory only_now;
  PublishMemory& kept = memory != nullptr ? *memory : only_now;
  const Private<Points>& points =
      kept.points(table, space, classes, usable_levels(space, pool.most_cells()), options.threads);
  if (!columns_budget) table = Private<EncodedTable>(EncodedTable());
  if (memory == nullptr) give_back_memory();  // scoring needs it
  progress("grid scores");
  const Private<Counts> scores =
      kept.scores(space, pool, excess, noise.units(), options.limits, options.threads);
  progress("grid selection");
  const Released<std::size_t> winner =
      mechanisms.select(scores, pool.size(), Better::kLower,
                        ScoreRange(static_cast<std::uint64_t>(excess.score_range())),
                        Rule::kPermuteAndFlip, budget.take(search.value().plan.selection));

  progress("grid histogram");
  const Released<std::vector<HistogramAxis>> axes = post_process(
      [](const Search& found, std::size_t index) {
        return histogram_axes(found.chosen->space,
                              found.chosen->pool.grid(found.chosen->space, index));
      },
      search, winner);
  std::size_t cells = 1;
  for (const HistogramAxis& axis : axes.value()) cells *= space.node_count(axis.axis, axis.level);
  const Released<Counts> cell_counts = mechanisms.noisy_counts(
      transform([](const GridSpace& in, const Points& rows,
                   const std::vector<HistogramAxis>& over) { return count_cells(in, rows, over); },
                space, points, axes.value()),
      cells * classes, L1Sensitivity(1), budget.take(noise));
  Released<Synopsis> synopsis = post_process(assemble, search, axes, class_counts, cell_counts);

  if (columns_budget) {
    progress("other columns");
    synopsis = add_side_columns(std::move(synopsis), table, schema, mechanisms,
                                std::move(*columns_budget));
  }
  return synopsis;
}

}  // namespace privpfc
