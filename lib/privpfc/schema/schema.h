#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "privpfc/base/strong_index.h"
#include "privpfc/schema/attribute.h"

namespace privpfc {

// The column to predict. An unlisted label counts as `other_class`.
struct Label {
  ColumnRef column;
  std::vector<std::string> classes;                           // two or more
  std::vector<std::pair<std::string, ClassIndex>> spellings;  // sorted by text
  ClassIndex other_class;
  bool other_declared = false;

  static constexpr std::size_t kMaxClasses = 255;
  friend bool operator==(const Label&, const Label&) = default;
};

// Whose rows belong together: those with the same value in `column` are one person's, and at most
// `most_rows` of them are used. The promise is then made to a person (docs/schema.md).
struct Person {
  ColumnRef column;
  std::size_t most_rows = 0;  // 1 or more

  static constexpr std::size_t kMostRows = 1000;
  friend bool operator==(const Person&, const Person&) = default;
};

// How the curator's CSV files are written.
struct CsvFormat {
  bool header = true;
  char separator = ',';
  bool space_after_separator = false;  // and that space is not part of the value
  std::optional<char> quote = '"';
  std::size_t skip_lines = 0;
  // Without a header: how many columns the schema speaks of, and so a file without rows has.
  std::size_t columns = 0;
  friend bool operator==(const CsvFormat&, const CsvFormat&) = default;
};

// Everything that is known before the data is seen, and may be published.
struct Schema {
  std::string name;
  std::string description;
  std::string source;
  Label label;
  std::optional<Person> person;  // without one, each row counts as somebody's only one
  std::vector<Attribute> attributes;
  std::vector<std::string> ignored_columns;
  CsvFormat csv;

  static constexpr std::size_t kMaxAttributes = 1024;

  const Attribute& operator[](AttributeIndex index) const { return attributes[index.value()]; }
  std::size_t class_count() const { return label.classes.size(); }
  friend bool operator==(const Schema&, const Schema&) = default;
};

}  // namespace privpfc
