#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "privpfc/schema/schema_reader.h"

using namespace privpfc;

namespace {

const std::filesystem::path kSource = PRIVPFC_SOURCE_DIR;

std::vector<std::filesystem::path> schemas_in(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / directory)) {
    if (entry.path().extension() == ".yaml") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::filesystem::path> all_schemas() {
  auto all = schemas_in("hierarchies");
  for (const std::string directory : {"hierarchies/uci", "samples"}) {
    const auto more = schemas_in(directory);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

Schema schema_at(const std::filesystem::path& path) {
  auto schema = load_schema(path.string());
  REQUIRE(schema.ok());
  return *schema;
}

Schema hierarchy(const std::string& name) {
  return schema_at(kSource / "hierarchies" / (name + ".yaml"));
}

const Attribute& attribute(const Schema& schema, const std::string& name) {
  for (const Attribute& candidate : schema.attributes) {
    if (candidate.name == name) return candidate;
  }
  REQUIRE_MESSAGE(false, "no attribute " << name);
  return schema.attributes.front();
}

// The number of nodes of each level, the root's first.
using Counts = std::vector<std::size_t>;
Counts level_counts(const Attribute& attribute) {
  Counts counts;
  for (std::size_t level = 0; level < attribute.hierarchy.level_count(); ++level) {
    counts.push_back(attribute.hierarchy.node_count(LevelIndex(level)));
  }
  return counts;
}

}  // namespace

TEST_CASE("every schema that comes with the tool is read without a finding") {
  const auto paths = all_schemas();
  CHECK(paths.size() == 11 + 10 + 2);
  for (const auto& path : paths) {
    CAPTURE(path);
    const auto text = read_schema_file(path.string());
    REQUIRE(text.ok());
    const SchemaReading reading = read_schema_text(*text);
    for (const Finding& finding : reading.findings) {
      FAIL_CHECK(format_finding(finding, path.string()));
    }
    REQUIRE(reading.schema.has_value());
    CHECK(reading.schema->name == path.stem().string());
    CHECK_FALSE(reading.schema->description.empty());
    CHECK_FALSE(reading.schema->source.empty());
    CHECK(reading.schema->label.other_declared);
  }
}

TEST_CASE("the data sets have the attributes and classes that UCI tells of") {
  struct Size {
    std::size_t attributes, classes;
  };
  const std::map<std::string, Size> sizes{
      {"adult", {14, 2}},    {"australian", {14, 2}}, {"bank", {20, 2}},   {"car", {6, 4}},
      {"kr-vs-kp", {36, 2}}, {"mushroom", {22, 2}},   {"nursery", {8, 5}}, {"pima", {8, 2}},
      {"skin", {3, 2}},      {"spect", {22, 2}},      {"votes", {16, 2}}};
  for (const auto& expected : sizes) {
    CAPTURE(expected.first);
    const Schema schema = hierarchy(expected.first);
    CHECK(schema.attributes.size() == expected.second.attributes);
    CHECK(schema.class_count() == expected.second.classes);
  }
}

// A misspelled `other: leaf` would silently add a leaf.
TEST_CASE("a leaf is added for unknown values only where that is meant") {
  const std::set<std::string> meant{"missing", "other", "unknown", "?"};
  for (const auto& path : all_schemas()) {
    CAPTURE(path);
    for (const Attribute& attribute : schema_at(path).attributes) {
      CAPTURE(attribute.name);
      if (attribute.has_missing_leaf) {
        CHECK(meant.count(attribute.hierarchy.leaf_label(attribute.missing_leaf)) == 1);
      }
      if (attribute.has_other_leaf) {
        CHECK(meant.count(attribute.hierarchy.leaf_label(attribute.other_leaf)) == 1);
      }
    }
  }
}

TEST_CASE("adult has the levels that the papers used, and no leaf more") {
  const std::map<std::string, Counts> papers{{"age", {1, 2, 4, 8, 16}},
                                             {"workclass", {1, 2, 3, 5, 8}},
                                             {"fnlwgt", {1, 6, 11}},
                                             {"education", {1, 3, 7, 17}},
                                             {"education-num", {1, 2, 4}},
                                             {"marital-status", {1, 2, 3, 7}},
                                             {"occupation", {1, 3, 14}},
                                             {"relationship", {1, 4, 6}},
                                             {"race", {1, 2, 5}},
                                             {"sex", {1, 2}},
                                             {"capital-gain", {1, 5, 20}},
                                             {"capital-loss", {1, 2, 5, 10}},
                                             {"hours-per-week", {1, 5, 10}},
                                             {"native-country", {1, 6, 19, 41}}};
  const Schema adult = hierarchy("adult");
  CHECK(adult.attributes.size() == papers.size());
  std::size_t grids = 1;
  for (const Attribute& attribute : adult.attributes) {
    CAPTURE(attribute.name);
    CHECK(level_counts(attribute) == papers.at(attribute.name));
    CHECK_FALSE(attribute.has_missing_leaf);
    CHECK_FALSE(attribute.has_other_leaf);
    grids *= attribute.hierarchy.level_count();
  }
  CHECK(grids == 27'993'600);
}

TEST_CASE("levels of the other sets are as they were drawn") {
  const Schema bank = hierarchy("bank");
  CHECK(level_counts(attribute(bank, "age")) == Counts{1, 3, 6, 13});
  CHECK(level_counts(attribute(bank, "job")) == Counts{1, 3, 7, 12});
  CHECK(level_counts(attribute(bank, "duration")) == Counts{1, 2, 4, 7, 14});
  CHECK(level_counts(attribute(bank, "pdays")) == Counts{1, 2, 3, 6, 8});
  CHECK(level_counts(attribute(bank, "euribor3m")) == Counts{1, 2, 6, 12, 24});
  CHECK(level_counts(attribute(hierarchy("skin"), "G")) == Counts{1, 2, 4, 8, 16, 32});
  CHECK(level_counts(attribute(hierarchy("mushroom"), "odor")) == Counts{1, 3, 6, 9});
  CHECK(level_counts(attribute(hierarchy("australian"), "A3")) == Counts{1, 2, 4, 6, 10});
  CHECK(level_counts(attribute(hierarchy("pima"), "mass")) == Counts{1, 3, 7, 12});
  CHECK(level_counts(attribute(hierarchy("votes"), "crime")) == Counts{1, 3});
  CHECK(level_counts(attribute(hierarchy("nursery"), "has_nurs")) == Counts{1, 2, 4, 5});
}

TEST_CASE("the schema for UCI's own file differs in the place of its columns only") {
  for (const auto& path : schemas_in("hierarchies/uci")) {
    CAPTURE(path);
    Schema uci = schema_at(path);
    const Schema named = hierarchy(path.stem().string());
    CHECK_FALSE(uci.csv.header);
    std::set<std::size_t> positions{std::get<std::size_t>(uci.label.column)};
    for (std::size_t i = 0; i < uci.attributes.size(); ++i) {
      positions.insert(std::get<std::size_t>(uci.attributes[i].column));
      uci.attributes[i].column = named.attributes.at(i).column;
    }
    CHECK(positions.size() == uci.attributes.size() + 1);
    CHECK(*positions.rbegin() == uci.attributes.size());  // no column is left out
    CHECK(uci.attributes == named.attributes);
    uci.label.column = named.label.column;
    CHECK(uci.label == named.label);
  }
}

TEST_CASE("UCI's spellings of the classes are known") {
  const auto class_of = [](const Schema& schema, const std::string& text) -> int {
    for (const auto& [spelling, index] : schema.label.spellings) {
      if (spelling == text) return static_cast<int>(index.value());
    }
    return -1;
  };
  const Schema adult = hierarchy("adult");
  CHECK(class_of(adult, "<=50K") == 0);
  CHECK(class_of(adult, "<=50K.") == 0);
  CHECK(class_of(adult, ">50K.") == 1);
  CHECK(class_of(hierarchy("pima"), "1") == 1);
  CHECK(class_of(hierarchy("pima"), "tested_positive") == 1);
}
