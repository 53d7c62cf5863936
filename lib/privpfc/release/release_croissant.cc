#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "privpfc/release/release_texts.h"
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

Json file_object(const Manifest& manifest, std::string_view name, const char* description) {
  Json object{{"@type", "cr:FileObject"},
              {"@id", name},
              {"name", name},
              {"description", description},
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

Json file_objects(const Manifest& manifest) {
  Json files = Json::array();
  files.push_back(file_object(manifest, kSyntheticFile, "The synthetic rows"));
  files.push_back(file_object(manifest, kCellsFile, "The noisy counts that the rows come from"));
  if (!manifest.synopsis.side_columns.empty()) {
    files.push_back(file_object(
        manifest, kColumnsFile,
        "The noisy counts of the columns outside the grid, each known with the label alone"));
  }
  return files;
}

// The names, in the synthetic table, of what is known with the label alone.
std::set<std::string> names_outside_the_grid(const Manifest& manifest, const Schema& schema) {
  std::set<std::string> names;
  for (const Synopsis::SideColumn& side : manifest.synopsis.side_columns) {
    const Attribute& attribute = schema[side.attribute];
    names.insert(attribute.name);
    if (attribute.bins && manifest.numeric_style == NumericStyle::kLabels) {
      names.insert({attribute.name + "_lo", attribute.name + "_hi"});
    }
  }
  return names;
}

}  // namespace

std::string release_croissant(const Manifest& manifest, const Schema& schema,
                              const std::vector<OutputColumn>& columns) {
  const std::set<std::string> outside_the_grid = names_outside_the_grid(manifest, schema);
  Json fields = Json::array();
  for (const OutputColumn& column : columns) {
    Json field{
        {"@type", "cr:Field"},
        {"@id", "rows/" + column.name},
        {"name", column.name},
        {"dataType", croissant_type(column.kind)},
        {"source",
         {{"fileObject", {{"@id", kSyntheticFile}}}, {"extract", {{"column", column.name}}}}}};
    if (outside_the_grid.contains(column.name)) {
      field["description"] =
          "Known with the label alone: how it goes with other columns means nothing beyond that";
    }
    fields.push_back(std::move(field));
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
      {"distribution", file_objects(manifest)},
      {"recordSet", Json::array({{{"@type", "cr:RecordSet"},
                                  {"@id", "rows"},
                                  {"name", "rows"},
                                  {"field", std::move(fields)}}})},
  };
  return json.dump(2) + "\n";
}

}  // namespace privpfc::internal
