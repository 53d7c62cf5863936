#include "privpfc/release/manifest.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "privpfc/schema/unit.h"

namespace privpfc {
namespace {

using Json = nlohmann::ordered_json;

// 2: rows are numbered by a public permutation, and have a limit.
constexpr int kFormatVersion = 2;
constexpr const char* kCitation =
    "Synthetic data made with privpfc after: Su, Cao, Li: PrivPfC: differentially private data "
    "publication for classification. The VLDB Journal 27 (2018).";

Json steps_json(const Synopsis& synopsis) {
  Json steps = Json::array();
  for (const Synopsis::Step& step : synopsis.steps) {
    steps.push_back({{"step", step.name},
                     {"mechanism", step.mechanism},
                     {"epsilon", step.epsilon.to_string()}});
  }
  return steps;
}

Json privacy_json(const Manifest& manifest, const Schema& schema) {
  Json privacy{{"guarantee", "pure epsilon-differential privacy"},
               {"epsilon", manifest.epsilon.to_string()},
               {"unit", unit_name(schema)}};
  if (schema.person) {
    privacy["person"] = {{"column", column_name(schema.person->column)},
                         {"most_rows", schema.person->most_rows},
                         {"epsilon_per_person", manifest.epsilon.to_string()},
                         {"epsilon_per_row", manifest.row_epsilon.to_string()}};
  }
  privacy["neighbours"] =
      fmt::format("tables that differ by adding or removing {}", rows_of_unit(schema));
  privacy["steps"] = steps_json(manifest.synopsis);
  return privacy;
}

Json facts_json(const Manifest& manifest, const Schema& schema) {
  const Synopsis& synopsis = manifest.synopsis;
  Json class_counts = Json::object();
  for (std::size_t c = 0; c < schema.class_count(); ++c) {
    class_counts[schema.label.classes[c]] = synopsis.class_counts[c];
  }
  Json axes = Json::array();
  for (const Synopsis::Axis& axis : synopsis.axes) {
    axes.push_back({{"attribute", schema[axis.attribute].name},
                    {"level", axis.level.value()},
                    {"nodes", schema[axis.attribute].hierarchy.node_count(axis.level)}});
  }
  Json features = Json::array();
  for (const AttributeIndex index : synopsis.selected_features) {
    features.push_back(schema[index].name);
  }
  Json columns = Json::array();
  for (const Synopsis::SideColumn& side : synopsis.side_columns) {
    columns.push_back(schema[side.attribute].name);
  }
  return {
      {"format", "privpfc release"},
      {"format_version", kFormatVersion},
      {"tool", {{"name", "privpfc"}, {"version", manifest.tool_version}}},
      {"name", manifest.name},
      {"privacy", privacy_json(manifest, schema)},
      {"schema_sha256", manifest.schema_sha256},
      {"class_counts", std::move(class_counts)},
      {"noisy_rows", synopsis.noisy_rows},
      {"grid",
       {{"axes", std::move(axes)},
        {"cells", manifest.cell_count},
        {"cell_threshold", synopsis.cell_threshold},
        {"pool_size", synopsis.pool_size},
        {"selected_features", std::move(features)},
        {"attributes_in_pool", synopsis.features_in_pool}}},
      {"other_columns", std::move(columns)},
      {"synthetic",
       {{"rows", manifest.synthetic_rows},
        {"most_rows", manifest.synthetic_most_rows},
        {"numeric", manifest.numeric_style == NumericStyle::kDrawn ? "drawn" : "labels"},
        {"seed", fmt::format("{:016x}", manifest.synthetic_seed)}}},
      {"cite", kCitation},
  };
}

// Fetches members with a check of their type; the first problem is remembered.
class Fields {
 public:
  explicit Fields(const Json& root) : root_(root) {}

  const Json* find(const char* path, Json::value_t type) {
    const Json::json_pointer pointer(path);
    if (root_.contains(pointer)) {
      const Json& value = root_.at(pointer);
      const bool unsigned_number =
          type == Json::value_t::number_integer && value.is_number_integer();
      if (value.type() == type || unsigned_number) return &value;
    }
    if (problem_.empty()) problem_ = path;
    return nullptr;
  }
  std::string text(const char* path) {
    const Json* value = find(path, Json::value_t::string);
    return value != nullptr ? value->get<std::string>() : std::string();
  }
  std::int64_t integer(const char* path) {
    const Json* value = find(path, Json::value_t::number_integer);
    return value != nullptr ? value->get<std::int64_t>() : 0;
  }
  std::uint64_t natural(const char* path) {
    const std::int64_t value = integer(path);
    if (value < 0) fail(path);
    return value < 0 ? 0 : static_cast<std::uint64_t>(value);
  }
  void fail(const char* path) {
    if (problem_.empty()) problem_ = path;
  }
  const std::string& problem() const { return problem_; }

 private:
  const Json& root_;
  std::string problem_;
};

std::optional<AttributeIndex> attribute_named(const Schema& schema, const Json& name) {
  if (!name.is_string()) return std::nullopt;
  for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
    if (schema.attributes[i].name == name.get<std::string>()) return AttributeIndex(i);
  }
  return std::nullopt;
}

Epsilon read_epsilon(Fields& fields, const char* path) {
  const auto epsilon = Epsilon::parse(fields.text(path));
  if (!epsilon.ok()) fields.fail(path);
  return epsilon.ok() ? *epsilon : Epsilon();
}

// To whom what is promised. It must be the schema's unit: the promise to a person is no promise
// where rows were not capped by that person's column.
void read_promise(Fields& fields, const Schema& schema, Manifest& manifest) {
  manifest.epsilon = read_epsilon(fields, "/privacy/epsilon");
  manifest.row_epsilon = manifest.epsilon;
  if (fields.text("/privacy/unit") != unit_name(schema)) fields.fail("/privacy/unit");
  if (!schema.person) return;
  if (fields.text("/privacy/person/column") != column_name(schema.person->column)) {
    fields.fail("/privacy/person/column");
  }
  if (fields.natural("/privacy/person/most_rows") != schema.person->most_rows) {
    fields.fail("/privacy/person/most_rows");
  }
  if (read_epsilon(fields, "/privacy/person/epsilon_per_person") != manifest.epsilon) {
    fields.fail("/privacy/person/epsilon_per_person");
  }
  manifest.row_epsilon = read_epsilon(fields, "/privacy/person/epsilon_per_row");
}

void read_steps(Fields& fields, Manifest& manifest) {
  const Json* steps = fields.find("/privacy/steps", Json::value_t::array);
  if (steps == nullptr) return;
  for (const Json& step : *steps) {
    Fields inner(step);
    const std::string name = inner.text("/step");
    const std::string mechanism = inner.text("/mechanism");
    const auto epsilon = Epsilon::parse(inner.text("/epsilon"));
    if (!inner.problem().empty() || !epsilon.ok()) {
      fields.fail("/privacy/steps");
      return;
    }
    manifest.synopsis.steps.push_back({name, mechanism, *epsilon});
  }
}

void read_grid(Fields& fields, const Schema& schema, Manifest& manifest) {
  std::set<AttributeIndex> seen;  // as an axis or a column beside the grid, once
  const auto is_new = [&](AttributeIndex attribute) { return seen.insert(attribute).second; };
  if (const Json* axes = fields.find("/grid/axes", Json::value_t::array)) {
    // As many as a grid may have (check_synthesis()), so that no product of these wraps.
    const std::uint64_t most = std::numeric_limits<std::uint32_t>::max() / schema.class_count();
    std::uint64_t cells = 1;
    for (const Json& axis : *axes) {
      const auto attribute = axis.is_object() && axis.contains("attribute")
                                 ? attribute_named(schema, axis["attribute"])
                                 : std::nullopt;
      const bool has_level =
          attribute && axis.contains("level") && axis["level"].is_number_unsigned() &&
          axis["level"].get<std::uint64_t>() > 0 &&
          axis["level"].get<std::uint64_t>() < schema[*attribute].hierarchy.level_count();
      if (!has_level) {
        fields.fail("/grid/axes");
        return;
      }
      const LevelIndex level(axis["level"].get<std::size_t>());
      manifest.synopsis.axes.push_back({*attribute, level});
      cells *= schema[*attribute].hierarchy.node_count(level);
      if (cells > most || !is_new(*attribute)) {
        fields.fail("/grid/axes");
        return;
      }
    }
    if (cells != manifest.cell_count) fields.fail("/grid/cells");
  }
  if (const Json* features = fields.find("/grid/selected_features", Json::value_t::array)) {
    for (const Json& feature : *features) {
      const auto attribute = attribute_named(schema, feature);
      if (!attribute) {
        fields.fail("/grid/selected_features");
        return;
      }
      manifest.synopsis.selected_features.push_back(*attribute);
    }
  }
  if (const Json* columns = fields.find("/other_columns", Json::value_t::array)) {
    for (const Json& column : *columns) {
      const auto attribute = attribute_named(schema, column);
      if (!attribute || !is_new(*attribute)) {
        fields.fail("/other_columns");
        return;
      }
      manifest.synopsis.side_columns.push_back({*attribute, {}});
    }
  }
}

void read_files(Fields& fields, Manifest& manifest) {
  const Json* files = fields.find("/files", Json::value_t::object);
  if (files == nullptr) return;
  for (const auto& [name, file] : files->items()) {
    Fields inner(file);
    Manifest::File entry{name, inner.text("/sha256"), inner.natural("/bytes")};
    if (!inner.problem().empty() || name.find('/') != std::string::npos) fields.fail("/files");
    manifest.files.push_back(std::move(entry));
  }
}

}  // namespace

std::string manifest_facts(const Manifest& manifest, const Schema& schema) {
  return facts_json(manifest, schema).dump();
}

std::string write_manifest(const Manifest& manifest, const Schema& schema) {
  Json json = facts_json(manifest, schema);
  Json files = Json::object();
  for (const Manifest::File& file : manifest.files) {
    files[file.name] = {{"sha256", file.sha256}, {"bytes", file.bytes}};
  }
  json["files"] = std::move(files);
  return json.dump(2) + "\n";
}

Result<Manifest> read_manifest(std::string_view text, const Schema& schema) {
  int deepest = 0;
  const Json json = Json::parse(
      text,
      [&](int depth, Json::parse_event_t, Json&) {
        deepest = std::max(deepest, depth);
        return depth <= 8;
      },
      /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object() || deepest > 8) {
    return make_error(ErrorKind::kData, "{} is not a manifest", kManifestFile);
  }
  Fields fields(json);
  if (fields.text("/format") != "privpfc release") {
    return make_error(ErrorKind::kData, "{} is not the manifest of a privpfc release",
                      kManifestFile);
  }
  if (fields.integer("/format_version") != kFormatVersion) {
    return make_error(
        ErrorKind::kData,
        "{} has a format version that this program does not know; use the privpfc that wrote it",
        kManifestFile);
  }
  Manifest manifest;
  manifest.tool_version = fields.text("/tool/version");
  manifest.name = fields.text("/name");
  manifest.schema_sha256 = fields.text("/schema_sha256");
  read_promise(fields, schema, manifest);
  manifest.cell_count = fields.natural("/grid/cells");
  manifest.synopsis.noisy_rows = fields.integer("/noisy_rows");
  manifest.synopsis.cell_threshold = fields.natural("/grid/cell_threshold");
  manifest.synopsis.pool_size = fields.natural("/grid/pool_size");
  manifest.synopsis.features_in_pool = fields.natural("/grid/attributes_in_pool");
  manifest.synthetic_rows = fields.natural("/synthetic/rows");
  manifest.synthetic_most_rows = fields.natural("/synthetic/most_rows");
  const std::string style = fields.text("/synthetic/numeric");
  if (style != "drawn" && style != "labels") fields.fail("/synthetic/numeric");
  manifest.numeric_style = style == "labels" ? NumericStyle::kLabels : NumericStyle::kDrawn;
  const std::string seed = fields.text("/synthetic/seed");
  const auto [end, code] =
      std::from_chars(seed.data(), seed.data() + seed.size(), manifest.synthetic_seed, 16);
  if (code != std::errc() || end != seed.data() + seed.size()) fields.fail("/synthetic/seed");
  if (const Json* counts = fields.find("/class_counts", Json::value_t::object)) {
    for (const std::string& name : schema.label.classes) {
      if (!counts->contains(name) || !(*counts)[name].is_number_integer()) {
        fields.fail("/class_counts");
        break;
      }
      manifest.synopsis.class_counts.push_back((*counts)[name].get<std::int64_t>());
    }
  }
  read_steps(fields, manifest);
  read_grid(fields, schema, manifest);
  read_files(fields, manifest);
  if (!fields.problem().empty()) {
    return make_error(ErrorKind::kData, "{}: '{}' is missing or not what it should be",
                      kManifestFile, fields.problem());
  }
  return manifest;
}

}  // namespace privpfc
