#include "privpfc/evaluation/released_table.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "evaluation/made_release.h"
#include "privpfc/classifiers/histogram.h"
#include "privpfc/evaluation/released_histogram.h"
#include "privpfc/pipeline/synthetic_counts.h"

using namespace privpfc;

namespace {

struct Seen {
  FeatureSpace space;
  Dataset data;
};

Seen see(const Release& release, ReleaseView view) {
  Seen seen;
  auto space = make_feature_space(release.schema, release_views(release, view));
  REQUIRE(space.ok());
  seen.space = *std::move(space);
  auto data = read_released_rows(release, seen.space, 2);
  REQUIRE_MESSAGE(data.ok(), (data.ok() ? "" : data.error().message));
  seen.data = *std::move(data);
  return seen;
}

// The number of rows of each cell of the grid and class, by the codes of the grid's features.
std::map<std::vector<std::uint16_t>, std::vector<double>> cells_of(const Seen& grid) {
  std::map<std::vector<std::uint16_t>, std::vector<double>> cells;
  for (std::size_t i = 0; i < grid.data.count(); ++i) {
    std::vector<std::uint16_t> key;
    for (const FeatureColumn& column : grid.data.rows.columns) key.push_back(column.codes[i]);
    auto& counts = cells[key];
    counts.resize(grid.space.class_count(), 0);
    counts[grid.data.labels[i]] += 1;
  }
  return cells;
}

}  // namespace

TEST_CASE("synthetic rows are read back into the cells that they were made from, in every style") {
  for (const NumericStyle style : {NumericStyle::kDrawn, NumericStyle::kLabels}) {
    for (const bool all_columns : {false, true}) {
      CAPTURE(all_columns);
      const MadeRelease made(style, all_columns);
      const Release release = made.open();
      const Seen grid = see(release, ReleaseView::kGrid);
      CHECK(check_dataset(grid.data, grid.space).ok());
      CHECK(grid.data.count() == release.manifest.synthetic_rows);

      const std::vector<std::uint64_t> expected = synthetic_counts(release.manifest.synopsis);
      const auto cells = cells_of(grid);
      std::vector<std::uint64_t> found;
      std::size_t filled = 0;
      for (std::size_t cell = 0; cell * 3 < expected.size(); ++cell) {
        std::vector<std::uint16_t> key(grid.space.features.size());
        std::size_t rest = cell;
        for (std::size_t f = key.size(); f-- > 0;) {
          const Feature& feature = grid.space.features[f];
          const Hierarchy& hierarchy = release.schema[feature.view.attribute].hierarchy;
          const std::size_t nodes = hierarchy.node_count(feature.view.level);
          const std::string& label = hierarchy.label(feature.view.level, NodeIndex(rest % nodes));
          rest /= nodes;
          key[f] = kMissingCode;
          for (std::size_t c = 0; c < feature.categories.size(); ++c) {
            if (feature.categories[c] == label) key[f] = static_cast<std::uint16_t>(c);
          }
        }
        const auto of_cell = cells.find(key);
        for (std::size_t c = 0; c < 3; ++c) {
          const double rows = of_cell == cells.end() ? 0 : of_cell->second[c];
          CHECK(rows == static_cast<double>(expected[cell * 3 + c]));
          filled += rows > 0 ? 1 : 0;
        }
      }
      CHECK(filled > 10);
    }
  }
}

TEST_CASE("numbers are numbers where the release has numbers, and lie in their groups") {
  const MadeRelease made(NumericStyle::kDrawn, /*all_columns=*/true);
  const Release release = made.open();
  const Seen numbers = see(release, ReleaseView::kAsReleased);
  const Seen groups = see(release, ReleaseView::kGroups);
  CHECK(check_dataset(numbers.data, numbers.space).ok());
  CHECK(check_dataset(groups.data, groups.space).ok());
  REQUIRE(numbers.space.features.size() == 6);
  std::size_t missing = 0;
  for (std::size_t f = 0; f < 6; ++f) {
    const Feature& feature = numbers.space.features[f];
    const Attribute& attribute = release.schema[feature.view.attribute];
    CHECK(feature.is_number() == is_numeric(attribute.kind));
    CHECK_FALSE(groups.space.features[f].is_number());
    if (!feature.is_number()) continue;
    for (std::size_t i = 0; i < numbers.data.count(); ++i) {
      const double number = numbers.data.rows.columns[f].numbers[i];
      const std::uint16_t code = groups.data.rows.columns[f].codes[i];
      if (std::isnan(number)) {
        CHECK(code == kMissingCode);
        ++missing;
      } else {
        CHECK(code == groups.space.features[f].category_of_leaf[bin_of(feature.bins, number)]);
      }
    }
  }
  CHECK(missing > 0);
  const MadeRelease labels(NumericStyle::kLabels);
  const Seen as_labels = see(labels.open(), ReleaseView::kAsReleased);
  for (const Feature& feature : as_labels.space.features) CHECK_FALSE(feature.is_number());
}

TEST_CASE("a file that is not the released one is not learned from") {
  for (const std::string_view name : {kSyntheticFile, kCellsFile}) {
    const MadeRelease made;
    {
      std::ofstream file(made.path() / name, std::ios::app | std::ios::binary);
      file << "x";
    }
    const auto release = open_release_to_learn(made.path());
    REQUIRE_FALSE(release.ok());
    CHECK(release.error().kind == ErrorKind::kData);
  }
}

TEST_CASE("the histogram of a release predicts by the raw counts, and knows every cell") {
  const MadeRelease made(NumericStyle::kDrawn, false, "0.3");
  const Release release = made.open();
  const auto grid = make_feature_space(release.schema, release_views(release, ReleaseView::kGrid));
  REQUIRE(grid.ok());
  const auto model = released_histogram(release, *grid);
  const Synopsis& synopsis = release.manifest.synopsis;
  std::size_t negative = 0;
  Rows rows = empty_rows(*grid);
  rows.count = synopsis.cell_count();
  std::vector<std::uint8_t> expected;
  for (std::size_t cell = 0; cell < rows.count; ++cell) {
    std::size_t rest = cell;
    for (std::size_t f = grid->features.size(); f-- > 0;) {
      const Feature& feature = grid->features[f];
      const Hierarchy& hierarchy = release.schema[feature.view.attribute].hierarchy;
      const std::size_t node = rest % hierarchy.node_count(feature.view.level);
      rest /= hierarchy.node_count(feature.view.level);
      const auto nodes = hierarchy.nodes_of_leaves(feature.view.level);
      std::size_t leaf = 0;
      while (nodes[leaf] != node) ++leaf;
      rows.columns[f].codes.push_back(feature.category_of_leaf[leaf]);
    }
    const std::int64_t* counts = synopsis.cell_counts.data() + cell * 3;
    const std::int64_t most = std::max({counts[0], counts[1], counts[2]});
    negative += most < 0 ? 1 : 0;
    std::uint8_t best = 0;
    std::int64_t best_total = -1;
    for (std::uint8_t c = 0; c < 3; ++c) {
      if (counts[c] == most && synopsis.class_counts[c] > best_total) {
        best = c;
        best_total = synopsis.class_counts[c];
      }
    }
    expected.push_back(best);
  }
  CHECK(negative > 0);  // so that signs matter
  const Predictions predictions = predict_rows(*model, rows, 3, 1);
  CHECK(predictions.labels == expected);
  // Kept in a file, it is the same; some class is not that of the largest share.
  const auto again = read_histogram(*grid, model->parameters());
  REQUIRE(again.ok());
  const Predictions repeated = predict_rows(**again, rows, 3, 1);
  CHECK(repeated.labels == predictions.labels);
  CHECK(repeated.probabilities == predictions.probabilities);
  std::size_t other_class = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    other_class += largest_class(predictions.row(i), 3) != predictions.labels[i] ? 1 : 0;
  }
  CHECK(other_class > 0);
}
