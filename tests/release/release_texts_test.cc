#include "privpfc/release/release_texts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "privpfc/schema/schema_reader.h"

using namespace privpfc;

namespace {

std::string schema_text(const std::string& name) {
  std::string towns;
  for (int i = 0; i < 300; ++i) towns += (i == 0 ? "town-" : ", town-") + std::to_string(i);
  return R"(
name: clinic
label: {column: y, classes: [ill, well]}
attributes:
  age: {type: integer, domain: [0, 99], levels: [4, 2], missing: [NA]}
  born: {type: date, domain: [1920-01-01, 2020-12-31], cuts: [1970-01-01], other: 1920-01-01}
  town: {type: categorical, other: town-0, tree: [)" +
         towns + "]}\n  \"" + name + "\": {type: categorical, other: left, tree: [left, right]}\n";
}

// A grid of the first three attributes; the last one is outside it, or in it too.
struct Texts {
  explicit Texts(bool outside_the_grid = false, NumericStyle style = NumericStyle::kDrawn,
                 const std::string& name = "side")
      : schema(*read_schema_text(schema_text(name)).schema) {
    manifest.name = schema.name;
    manifest.numeric_style = style;
    manifest.synopsis.class_counts = {10, 20};
    for (std::size_t i = 0; i < 3; ++i) {
      manifest.synopsis.axes.push_back({AttributeIndex(i), LevelIndex(std::size_t{1})});
    }
    if (outside_the_grid) {
      manifest.synopsis.side_columns.push_back({AttributeIndex(std::size_t{3}), {1, 2, 3, 4}});
      manifest.files.push_back({std::string(kColumnsFile), "0123", 77});
    } else {
      manifest.synopsis.axes.push_back(
          {AttributeIndex(std::size_t{3}), LevelIndex(std::size_t{1})});
    }
    readme = internal::release_readme(manifest, schema);
  }

  nlohmann::json croissant() const {
    std::vector<OutputColumn> columns;
    for (const Attribute& attribute : schema.attributes) {
      columns.push_back({attribute.name, OutputColumn::Kind::kCategory, false, {}, false, {}});
    }
    return nlohmann::json::parse(internal::release_croissant(manifest, schema, columns));
  }

  bool say(std::string_view words) const { return readme.find(words) != std::string::npos; }

  // The line of the README that begins so.
  std::string line(const std::string& begin) const {
    std::istringstream lines(readme);
    for (std::string one; std::getline(lines, one);) {
      if (one.starts_with(begin)) return one;
    }
    return {};
  }

  Schema schema;
  Manifest manifest;
  std::string readme;
};

}  // namespace

TEST_CASE("columns outside the grid are named, with what they are not good for") {
  const Texts texts(/*outside_the_grid=*/true);
  CHECK(texts.line("| `columns.parquet`").find("noisy counts") != std::string::npos);
  CHECK(texts.say("known with the label alone"));
  CHECK(texts.say("means nothing"));
  CHECK(texts.line("| side |").find("left; right") != std::string::npos);

  const nlohmann::json croissant = texts.croissant();
  const auto& files = croissant["distribution"];
  REQUIRE(files.size() == 3);
  CHECK(files[2]["name"] == kColumnsFile);
  CHECK(files[2]["sha256"] == "0123");
  const auto& fields = croissant["recordSet"][0]["field"];
  CHECK(fields[3].value("description", "").find("with the label alone") != std::string::npos);
  CHECK_FALSE(fields[0].contains("description"));

  const Texts without;
  CHECK_FALSE(without.say("columns.parquet"));
  CHECK_FALSE(without.say("with the label alone"));
  CHECK(without.croissant()["distribution"].size() == 2);
}

TEST_CASE("drawn numbers and dates are said to be nobody's; labels come with their bounds") {
  const Texts drawn;
  CHECK(drawn.say("age, born: drawn at random within their group"));
  CHECK_FALSE(drawn.say("age_lo"));
  const Texts labels(false, NumericStyle::kLabels);
  CHECK(labels.say("age_lo and age_hi"));
  CHECK_FALSE(labels.say("drawn at random within"));
}

TEST_CASE("the README says where nulls may be, what they mean and what to do about them") {
  const Texts texts;
  CHECK(texts.say("Null means that the value is missing; it may stand in: age."));
  CHECK(texts.say("`missing`"));
  CHECK(texts.say("isna()"));
}

TEST_CASE("the groups of every attribute are listed, shortened where they are many") {
  const Texts texts;
  CHECK(texts.line("| age |") == "| age | 1 of 2 | 3 | [0, 49]; [50, 99]; missing |");
  const std::string towns = texts.line("| town |");
  CHECK(towns.starts_with("| town | 1 of 1 | 300 | town-0; town-1; "));
  CHECK(towns.ends_with("; ...; town-299 |"));
  CHECK(towns.size() < 250);
}

TEST_CASE("whatever an attribute is called, it is text in the README and breaks no table") {
  for (const bool outside_the_grid : {false, true}) {
    const Texts texts(outside_the_grid, NumericStyle::kLabels,
                      "a|b\\\\|<script>x</script>`*_![c](d)&amp;");
    CHECK_FALSE(texts.say("<script"));
    CHECK_FALSE(texts.say("](d)"));
    CHECK(texts.say("| a&#124;b&#92;&#124;&lt;script&gt;x"));
    std::ptrdiff_t bars = 0;  // of the table that a line belongs to
    std::istringstream lines(texts.readme);
    for (std::string one; std::getline(lines, one);) {
      const std::ptrdiff_t found = std::count(one.begin(), one.end(), '|');
      CAPTURE(one);
      if (bars != 0 && found != 0) CHECK(found == bars);
      bars = found;
    }
  }
}
