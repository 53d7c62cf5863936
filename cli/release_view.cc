#include "release_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "privpfc/base/shown_text.h"
#include "privpfc/schema/unit.h"

namespace privpfc::cli {

std::string epsilon_bar(const Manifest& manifest) {
  constexpr std::size_t kWidth = 48;
  std::size_t name_width = 0;
  for (const Synopsis::Step& step : manifest.synopsis.steps) {
    name_width = std::max(name_width, step.name.size());
  }
  std::string out;
  std::uint64_t before = 0;
  for (const Synopsis::Step& step : manifest.synopsis.steps) {
    const std::uint64_t whole = std::max<std::uint64_t>(1, manifest.row_epsilon.units());
    const std::size_t begin = before * kWidth / whole;
    before += step.epsilon.units();
    const std::size_t end = std::max(begin + 1, before * kWidth / whole);
    std::string bar;
    for (std::size_t i = 0; i < kWidth; ++i) bar += i >= begin && i < end ? "█" : "·";
    out += fmt::format("  {:<{}}  {}  {}\n", shown_text(step.name), name_width, bar,
                       step.epsilon.to_string());
  }
  return out;
}

std::string describe_release(const Manifest& manifest, const Schema& schema) {
  const Synopsis& synopsis = manifest.synopsis;
  std::string out =
      fmt::format("{}: epsilon {} (pure differential privacy; unit: {})\n",
                  shown_text(manifest.name), manifest.epsilon.to_string(), unit_in_words(schema));
  if (schema.person) {
    out += fmt::format("epsilon of each row: {}, the sum of the steps\n",
                       manifest.row_epsilon.to_string());
  }
  out += fmt::format("\n{}\n", epsilon_bar(manifest));
  std::size_t name_width = 9;
  for (const Synopsis::Axis& axis : synopsis.axes) {
    name_width = std::max(name_width, schema[axis.attribute].name.size());
  }
  out += fmt::format("grid: {} cells, one of {} candidates with at most {} cells{}\n",
                     manifest.cell_count, synopsis.pool_size, synopsis.cell_threshold,
                     synopsis.selected_features.empty()
                         ? ""
                         : fmt::format(" over {} selected attributes", synopsis.features_in_pool));
  for (const Synopsis::Axis& axis : synopsis.axes) {
    const Hierarchy& hierarchy = schema[axis.attribute].hierarchy;
    std::string labels;
    for (const std::string& label : hierarchy.labels(axis.level)) {
      if (labels.size() + label.size() > 56) {
        labels += " ...";
        break;
      }
      labels += (labels.empty() ? "" : " | ") + shown_text(label);
    }
    out += fmt::format("  {:<{}}  level {} of {}  {:>4} groups  {}\n",
                       shown_text(schema[axis.attribute].name), name_width, axis.level.value(),
                       hierarchy.level_count() - 1, hierarchy.node_count(axis.level), labels);
  }
  if (synopsis.axes.empty()) out += "  no attribute: epsilon is too small for this many rows\n";
  if (!synopsis.side_columns.empty()) {
    std::vector<std::string> names;
    for (const Synopsis::SideColumn& side : synopsis.side_columns) {
      names.push_back(shown_text(schema[side.attribute].name));
    }
    out +=
        fmt::format("other columns, each known with the label alone: {}\n", fmt::join(names, ", "));
  }
  std::vector<std::string> classes;
  for (std::size_t c = 0; c < schema.class_count(); ++c) {
    classes.push_back(
        fmt::format("{} {}", shown_text(schema.label.classes[c]), synopsis.class_counts[c]));
  }
  out += fmt::format("\nnoisy class counts: {}\nsynthetic rows: {}\n", fmt::join(classes, ", "),
                     manifest.synthetic_rows);
  return out;
}

}  // namespace privpfc::cli
