#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "privpfc/release/markdown.h"
#include "privpfc/release/release_texts.h"
#include "privpfc/schema/unit.h"

namespace privpfc::internal {
namespace {

constexpr std::size_t kLongestLabel = 40;  // bytes of one group's name
constexpr std::size_t kLongestList = 160;  // and of all that are listed

constexpr const char* kColumnsFileRow =
    "| `columns.parquet` | the noisy counts of the columns outside the grid: one row per value, "
    "one "
    "count per class; they may be negative |\n";

constexpr const char* kFillGaps = R"(
For learners that refuse nulls, in pandas: a column that says what was missing, and the most frequent value in its place.
```python
for name in table.columns[table.isna().any()]:
    table[name + "_missing"] = table[name].isna()
    table[name] = table[name].fillna(table[name].mode()[0])
```

)";

// A name that is cut short, never within a character.
std::string shortened(const std::string& label) {
  if (label.size() <= kLongestLabel) return label;
  std::size_t end = kLongestLabel;
  while (end > 0 && (static_cast<unsigned char>(label[end]) & 0xC0) == 0x80) --end;
  return label.substr(0, end) + "...";
}

// All groups, or the first ones and the last.
std::string listed(std::span<const std::string> labels) {
  std::vector<std::string> names;
  std::size_t length = 0;
  for (const std::string& label : labels) {
    names.push_back(shortened(label));
    length += names.back().size() + 2;
    if (length > kLongestList && names.size() + 1 < labels.size()) {
      names.emplace_back("...");
      names.push_back(shortened(labels.back()));
      break;
    }
  }
  return escape_markdown(fmt::format("{}", fmt::join(names, "; ")));
}

std::string axis_rows(const Manifest& manifest, const Schema& schema) {
  std::string rows;
  for (const Synopsis::Axis& axis : manifest.synopsis.axes) {
    const Attribute& attribute = schema[axis.attribute];
    const Hierarchy& hierarchy = attribute.hierarchy;
    rows += fmt::format("| {} | {} of {} | {} | {} |\n", escape_markdown(attribute.name),
                        axis.level.value(), hierarchy.finest_level().value(),
                        hierarchy.node_count(axis.level), listed(hierarchy.labels(axis.level)));
  }
  return rows.empty() ? "| (none: the label alone) | | | |\n" : rows;
}

// The columns outside the grid, and why they are not like the others.
std::string side_columns_part(const Manifest& manifest, const Schema& schema) {
  if (manifest.synopsis.side_columns.empty()) return {};
  std::string rows;
  for (const Synopsis::SideColumn& side : manifest.synopsis.side_columns) {
    const Attribute& attribute = schema[side.attribute];
    const Hierarchy& hierarchy = attribute.hierarchy;
    rows += fmt::format("| {} | {} | {} |\n", escape_markdown(attribute.name),
                        hierarchy.leaf_count(), listed(hierarchy.labels(hierarchy.finest_level())));
  }
  return fmt::format(R"(
These columns are each known with the label alone: a value was drawn for the row's class, without a look at any other column. How they go with each other, or with the attributes above, means nothing beyond that.

| column | groups | which |
|---|---|---|
{})",
                     rows);
}

// The names of those attributes in the synthetic table of which something is true.
template <typename Predicate>
std::vector<std::string> names_where(const Manifest& manifest, const Schema& schema,
                                     const Predicate& is_true) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
    const auto is_it = [i](const auto& one) { return one.attribute.value() == i; };
    const bool is_there = std::ranges::any_of(manifest.synopsis.axes, is_it) ||
                          std::ranges::any_of(manifest.synopsis.side_columns, is_it);
    const Attribute& attribute = schema.attributes[i];
    if (is_there && is_true(attribute)) names.push_back(escape_markdown(attribute.name));
  }
  return names;
}

bool has_numbers(const Attribute& attribute) {
  return attribute.bins.has_value();
}

// No number stands for the bucket of those that are not in the domain.
bool has_other_as_null(const Attribute& attribute) {
  return has_numbers(attribute) && attribute.has_other_leaf;
}

bool may_be_null(const Attribute& attribute) {
  return attribute.has_missing_leaf || has_other_as_null(attribute);
}

std::string numbers_part(const Manifest& manifest, const Schema& schema) {
  const std::vector<std::string> names = names_where(manifest, schema, has_numbers);
  if (names.empty()) return {};
  if (manifest.numeric_style == NumericStyle::kDrawn) {
    return fmt::format(
        "* {}: drawn at random within their group. Only the group comes from the counts; a number "
        "such as 22.640380859375 or a day such as 1945-09-05 is nobody's.\n",
        fmt::join(names, ", "));
  }
  return fmt::format(
      "* {0}: the name of the group. Its bounds are in two more columns, such as {1}_lo and "
      "{1}_hi; "
      "a square bracket in the name means that the bound belongs to the group.\n",
      fmt::join(names, ", "), names.front());
}

std::string nulls_part(const Manifest& manifest, const Schema& schema) {
  const std::vector<std::string> names = names_where(manifest, schema, may_be_null);
  if (names.empty()) return "* There are no nulls.\n";
  const bool has_other = !names_where(manifest, schema, has_other_as_null).empty();
  return fmt::format(
      "* Null means that the value is missing; it may stand in: {}. The noisy counts have "
      "a group for it, `missing`.{} Some learners refuse nulls: see below.\n",
      fmt::join(names, ", "),
      has_other ? " Numbers and dates are also null where their group is `other`, which has none."
                : "");
}

// A description is the curator's own and may hold Markdown, but no HTML.
std::string description_part(const Schema& schema) {
  std::string part;
  for (const char c : schema.description)
    part += c == '<' ? std::string("&lt;") : std::string(1, c);
  return part.empty() ? part : part + "\n\n";
}

}  // namespace

std::string release_readme(const Manifest& manifest, const Schema& schema) {
  const double epsilon =
      static_cast<double>(manifest.epsilon.units()) / static_cast<double>(Epsilon::kUnitsPerOne);
  std::string steps;
  for (const Synopsis::Step& step : manifest.synopsis.steps) {
    steps += fmt::format("| {} | {} | {} |\n", step.name, step.mechanism, step.epsilon.to_string());
  }
  return fmt::format(
      R"(# {name}: synthetic data

{description}Made with privpfc {version}. The rows in `synthetic.parquet` are not people: they were drawn from noisy counts, so that what holds for the real table holds roughly for them, and nobody's own row can be told from them.

## What is promised
Differential privacy with epsilon = {epsilon}. Whatever somebody already knows about {others}, this release makes any conclusion about {unit} at most e^{epsilon} = {factor:.2f} times more or less likely than if {absent} in the table. {per_row}It holds against any method and any amount of computing, now and later, and whatever is done with these files afterwards does not weaken it.

What is not promised: that nothing can be learned about a group, that a conclusion about you that would have been drawn without your {rows_of_one} is not drawn; or anything about a person who has several {several} (the unit is {unit_name}). Who publishes again from the same table adds up the epsilons.

| step | mechanism | epsilon |
|---|---|---|
{steps}
## What is in it
| file | what |
|---|---|
| `synthetic.parquet` | {rows} synthetic rows: the attributes below at their level, and the label: {label} |
| `cells.parquet` | the released noisy counts: one row per cell, one count per class; they may be negative |
{columns_file}| `manifest.json` | every figure of the release, and the SHA-256 of every file |
| `schema.yaml` | the public schema: domains and hierarchies |
| `croissant.json` | metadata for data catalogues |

| attribute | level | groups | which |
|---|---|---|---|
{axes}{side_columns}
{numbers}{nulls}
Counts are noisy: the smaller a group, the less its numbers mean. Do not read meaning into single rows.

## Loading it
```python
import pandas as pd
table = pd.read_parquet("synthetic.parquet")
```
```python
import polars as pl
table = pl.read_parquet("synthetic.parquet")
```
```sql
-- DuckDB
SELECT * FROM 'synthetic.parquet' LIMIT 5;
```
```r
table <- arrow::read_parquet("synthetic.parquet")
```
{fill_gaps}Train any classifier on it as on any table. `privpfc verify` on this directory checks the files and rebuilds the rows from the cells.
)",
      fmt::arg("name", escape_markdown(manifest.name)),
      fmt::arg("description", description_part(schema)), fmt::arg("version", manifest.tool_version),
      fmt::arg("epsilon", manifest.epsilon.to_string()), fmt::arg("factor", std::exp(epsilon)),
      fmt::arg("steps", steps), fmt::arg("rows", manifest.synthetic_rows),
      fmt::arg("label", escape_markdown(label_name(schema))),
      fmt::arg("columns_file", manifest.synopsis.side_columns.empty() ? "" : kColumnsFileRow),
      fmt::arg("axes", axis_rows(manifest, schema)),
      fmt::arg("side_columns", side_columns_part(manifest, schema)),
      fmt::arg("numbers", numbers_part(manifest, schema)),
      fmt::arg("nulls", nulls_part(manifest, schema)),
      fmt::arg("fill_gaps", names_where(manifest, schema, may_be_null).empty() ? "" : kFillGaps),
      fmt::arg("others", schema.person ? "everybody else" : "all other rows"),
      fmt::arg("unit", escape_markdown(unit_in_words(schema))),
      fmt::arg("absent",
               schema.person ? "no row of that person had been" : "that row had not been"),
      fmt::arg("per_row", schema.person
                              ? fmt::format("Each row is used with epsilon = {}; the steps add up "
                                            "to that. ",
                                            manifest.row_epsilon.to_string())
                              : ""),
      fmt::arg("rows_of_one", schema.person ? "rows" : "row"),
      fmt::arg("several", schema.person ? "ids" : "rows"),
      fmt::arg("unit_name", unit_name(schema)));
}

}  // namespace privpfc::internal
