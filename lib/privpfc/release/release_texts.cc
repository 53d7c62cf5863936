#include "privpfc/release/release_texts.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "privpfc/schema/unit.h"

namespace privpfc::internal {
namespace {

using Json = nlohmann::ordered_json;

const char* croissant_type(OutputColumn::Kind kind) {
  switch (kind) {
    case OutputColumn::Kind::kInteger:
      return "sc:Integer";
    case OutputColumn::Kind::kReal:
      return "sc:Float";
    case OutputColumn::Kind::kDate:
      return "sc:Date";
    case OutputColumn::Kind::kBoolean:
      return "sc:Boolean";
    case OutputColumn::Kind::kCategory:
    case OutputColumn::Kind::kText:
      return "sc:Text";
  }
  return "sc:Text";
}

Json file_object(const Manifest& manifest, std::string_view name) {
  Json object{{"@type", "cr:FileObject"},
              {"@id", name},
              {"name", name},
              {"contentUrl", name},
              {"encodingFormat", "application/vnd.apache.parquet"}};
  for (const Manifest::File& file : manifest.files) {
    if (file.name == name) {
      object["contentSize"] = fmt::format("{} B", file.bytes);
      object["sha256"] = file.sha256;
    }
  }
  return object;
}

}  // namespace

std::string release_readme(const Manifest& manifest, const Schema& schema) {
  const double epsilon =
      static_cast<double>(manifest.epsilon.units()) / static_cast<double>(Epsilon::kUnitsPerOne);
  std::string axes;
  for (const Synopsis::Axis& axis : manifest.synopsis.axes) {
    axes += fmt::format("| {} | {} | {} |\n", schema[axis.attribute].name, axis.level.value(),
                        schema[axis.attribute].hierarchy.node_count(axis.level));
  }
  if (axes.empty()) axes = "| (none: the label alone) | | |\n";
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
| `synthetic.parquet` | {rows} synthetic rows: the attributes below at their level, and the label `{label}` |
| `cells.parquet` | the released noisy counts: one row per cell, one count per class; they may be negative |
| `manifest.json` | every figure of the release, and the SHA-256 of every file |
| `schema.yaml` | the public schema: domains and hierarchies |
| `croissant.json` | metadata for data catalogues |

| attribute | level | groups |
|---|---|---|
{axes}
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
Train any classifier on it as on any table. `privpfc verify` on this directory checks the files and rebuilds the rows from the cells.
)",
      fmt::arg("name", manifest.name),
      fmt::arg("description", schema.description.empty() ? "" : schema.description + "\n\n"),
      fmt::arg("version", manifest.tool_version), fmt::arg("epsilon", manifest.epsilon.to_string()),
      fmt::arg("factor", std::exp(epsilon)), fmt::arg("steps", steps),
      fmt::arg("rows", manifest.synthetic_rows), fmt::arg("label", label_name(schema)),
      fmt::arg("axes", axes),
      fmt::arg("others", schema.person ? "everybody else" : "all other rows"),
      fmt::arg("unit", unit_in_words(schema)),
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

std::string release_croissant(const Manifest& manifest, const Schema& schema,
                              const std::vector<OutputColumn>& columns) {
  Json fields = Json::array();
  for (const OutputColumn& column : columns) {
    fields.push_back(
        {{"@type", "cr:Field"},
         {"@id", "rows/" + column.name},
         {"name", column.name},
         {"dataType", croissant_type(column.kind)},
         {"source",
          {{"fileObject", {{"@id", kSyntheticFile}}}, {"extract", {{"column", column.name}}}}}});
  }
  const Json json{
      {"@context",
       {{"@language", "en"},
        {"@vocab", "https://schema.org/"},
        {"sc", "https://schema.org/"},
        {"cr", "http://mlcommons.org/croissant/"},
        {"dct", "http://purl.org/dc/terms/"},
        {"conformsTo", "dct:conformsTo"},
        {"dataType", {{"@id", "cr:dataType"}, {"@type", "@vocab"}}},
        {"extract", "cr:extract"},
        {"field", "cr:field"},
        {"fileObject", "cr:fileObject"},
        {"recordSet", "cr:recordSet"},
        {"source", "cr:source"},
        {"column", "cr:column"}}},
      {"@type", "sc:Dataset"},
      {"conformsTo", "http://mlcommons.org/croissant/1.0"},
      {"name", manifest.name},
      {"description",
       fmt::format("{}{}Synthetic rows under pure differential privacy, epsilon {}, unit {}.",
                   schema.description, schema.description.empty() ? "" : " ",
                   manifest.epsilon.to_string(), unit_in_words(schema))},
      {"distribution",
       Json::array({file_object(manifest, kSyntheticFile), file_object(manifest, kCellsFile)})},
      {"recordSet", Json::array({{{"@type", "cr:RecordSet"},
                                  {"@id", "rows"},
                                  {"name", "rows"},
                                  {"field", std::move(fields)}}})},
  };
  return json.dump(2) + "\n";
}

}  // namespace privpfc::internal
