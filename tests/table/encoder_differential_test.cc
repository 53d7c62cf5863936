// The encoder against another one that follows docs/schema.md line by line, with no thought of
// speed, on random schemas and random columns. A failure prints its seed.

#include <doctest/doctest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <random>

#include "privpfc/schema/number_text.h"
#include "table/encoding.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

using Random = std::mt19937_64;
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

std::size_t below(Random& random, std::size_t n) {
  return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
}

const std::vector<std::string> kOddTexts{"",
                                         "NA",
                                         "NaN",
                                         "inf",
                                         "-inf",
                                         "1e309",
                                         "-1e400",
                                         "1e-400",
                                         "x",
                                         " 3",
                                         "3 ",
                                         "+4",
                                         "007",
                                         "0.0",
                                         "-0",
                                         "4.75",
                                         "1e1",
                                         "0x1",
                                         "99999999999999999999",
                                         "?",
                                         "-",
                                         "true"};

Attribute random_numeric(Random& random) {
  Attribute a;
  a.name = "a";
  a.column = std::string("a");
  a.kind = below(random, 2) == 0 ? AttributeKind::kInteger : AttributeKind::kReal;
  Bins bins;
  double edge = static_cast<double>(below(random, 40)) - 20;
  const std::size_t count = 1 + below(random, below(random, 5) == 0 ? 300 : 9);
  for (std::size_t i = 0; i <= count; ++i) {
    bins.edges.push_back(edge);
    const bool far = below(random, 30) == 0;
    edge += static_cast<double>(1 + below(random, far ? 1'000'000 : 5));
    if (a.kind == AttributeKind::kReal) edge += static_cast<double>(below(random, 4)) / 4;
  }
  bins.holds_upper_end = a.kind == AttributeKind::kReal && below(random, 2) == 0;
  a.bins = bins;
  std::vector<TreeNode> leaves;
  for (std::size_t i = 0; i < count; ++i) leaves.push_back({"b" + std::to_string(i), {}});
  a.missing_leaf = LeafIndex(leaves.size());
  leaves.push_back({"missing", {}});
  a.other_leaf = LeafIndex(leaves.size());
  leaves.push_back({"other", {}});
  a.hierarchy = Hierarchy::from_tree(leaves);
  a.outside = static_cast<Outside>(below(random, 3));
  for (const char* text : {"?", "NA", "3", "-7", "00", "1000000"}) {
    if (below(random, 4) == 0) a.missing_spellings.emplace_back(text);
  }
  return a;
}

Attribute random_categorical(Random& random) {
  Attribute a;
  a.name = "a";
  a.column = std::string("a");
  a.kind = AttributeKind::kCategorical;
  std::vector<TreeNode> leaves;
  const std::size_t count = 1 + below(random, 400);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string text = below(random, 2) == 0 ? std::to_string(i) : "c" + std::to_string(i);
    leaves.push_back({text, {}});
    a.spellings.emplace_back(text, LeafIndex(i));
  }
  a.missing_leaf = LeafIndex(below(random, count));
  a.other_leaf = LeafIndex(below(random, count));
  a.hierarchy = Hierarchy::from_tree(leaves);
  std::ranges::sort(a.spellings);
  a.missing_spellings = {"?", "-9"};
  return a;
}

// ---- the other encoder

std::optional<double> number_of(const std::string& text) {
  std::size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
  if (first == std::string::npos) return std::nullopt;
  std::string number = text.substr(first, last - first + 1);
  if (number.starts_with("+")) number = number.substr(1);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (end != number.data() + number.size() || number.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    if (number.find("e-") != std::string::npos) return 0.0;
    return number[0] == '-' ? -INFINITY : INFINITY;
  }
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

LeafIndex bin_of(const Attribute& a, double value) {
  const Bins& bins = *a.bins;
  const bool whole = a.kind == AttributeKind::kInteger;
  if (whole) value = std::floor(value);
  const double top = whole ? bins.edges.back() - 1 : bins.edges.back();
  if (value < bins.edges.front() || value > top) {
    if (a.outside == Outside::kOther) return a.other_leaf;
    if (a.outside == Outside::kMissing) return a.missing_leaf;
    return value < bins.edges.front() ? LeafIndex() : LeafIndex(bins.count() - 1);
  }
  for (std::size_t i = 0; i < bins.count(); ++i) {
    const double low = bins.edges[i], high = bins.edges[i + 1];
    const bool inside =
        bins.holds_upper_end ? value > low && value <= high : value >= low && value < high;
    if (inside) return LeafIndex(i);
  }
  return value == bins.edges.front() ? LeafIndex() : LeafIndex(bins.count() - 1);
}

LeafIndex reference(const Attribute& a, const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return a.missing_leaf;
  if (is_numeric(a.kind)) {
    std::optional<double> value;
    if (const auto* text = std::get_if<std::string>(&cell)) {
      for (const std::string& spelling : a.missing_spellings) {
        if (spelling == *text) return a.missing_leaf;
      }
      value = number_of(*text);
    } else if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
      value = static_cast<double>(*integer);
    } else {
      value = std::get<double>(cell);
    }
    if (!value || std::isnan(*value)) return a.missing_leaf;
    for (const std::string& spelling : a.missing_spellings) {
      if (std::isfinite(*value) && format_number(*value) == spelling) return a.missing_leaf;
    }
    return bin_of(a, *value);
  }
  std::string text;
  if (const auto* stored = std::get_if<std::string>(&cell)) {
    text = *stored;
  } else if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    text = std::to_string(*integer);
  } else {
    if (std::isnan(std::get<double>(cell))) return a.missing_leaf;
    text = format_number(std::get<double>(cell));
  }
  for (const auto& [spelling, leaf] : a.spellings) {
    if (spelling == text) return leaf;
  }
  for (const std::string& spelling : a.missing_spellings) {
    if (spelling == text) return a.missing_leaf;
  }
  return text.empty() ? a.missing_leaf : a.other_leaf;
}

// ---- random columns

struct Column {
  ColumnView view;
  ColumnType type = ColumnType::kText;
  std::vector<Cell> cells;

  std::vector<std::int64_t> integers{};
  std::vector<std::int16_t> shorts{};
  std::vector<double> reals{};
  std::deque<std::string> strings{};
  std::vector<std::string_view> texts{};
  std::vector<std::int32_t> indices{};
  std::unique_ptr<Column> dictionary{};
  std::vector<std::uint8_t> valid{};
};

std::int64_t random_integer(Random& random) {
  switch (below(random, 6)) {
    case 0:
      return static_cast<std::int64_t>(random());
    case 1:
      return static_cast<std::int64_t>(below(random, 4'000'000)) - 2'000'000;
    default:
      return static_cast<std::int64_t>(below(random, 120)) - 40;
  }
}

double random_real(Random& random) {
  switch (below(random, 12)) {
    case 0:
      return std::numeric_limits<double>::quiet_NaN();
    case 1:
      return below(random, 2) == 0 ? INFINITY : -INFINITY;
    case 2:
      return 1e300;
    default:
      return static_cast<double>(below(random, 1600)) / 4 - 100;
  }
}

std::unique_ptr<Column> random_column(Random& random, std::size_t rows, bool may_nest) {
  auto column = std::make_unique<Column>();
  Column& c = *column;
  c.cells.resize(rows);
  c.view.rows = rows;
  switch (below(random, may_nest ? 5 : 4)) {
    case 0:
      for (auto& cell : c.cells) cell = c.integers.emplace_back(random_integer(random));
      c.view.values = std::span<const std::int64_t>(c.integers);
      c.type = ColumnType::kInteger;
      break;
    case 1:
      for (auto& cell : c.cells) cell = c.reals.emplace_back(random_real(random));
      c.view.values = std::span<const double>(c.reals);
      c.type = ColumnType::kReal;
      break;
    case 2:
      for (auto& cell : c.cells) {
        c.shorts.push_back(static_cast<std::int16_t>(random_integer(random)));
        cell = std::int64_t{c.shorts.back()};
      }
      c.view.values = std::span<const std::int16_t>(c.shorts);
      c.type = ColumnType::kInteger;
      break;
    case 3:
      for (auto& cell : c.cells) {
        std::string text;
        switch (below(random, 4)) {
          case 0:
            text = kOddTexts[below(random, kOddTexts.size())];
            break;
          case 1:
            text = format_number(static_cast<double>(below(random, 1600)) / 4 - 100);
            break;
          case 2:
            text = "c" + std::to_string(below(random, 500));
            break;
          default:
            text = std::to_string(random_integer(random));
        }
        c.strings.push_back(text);
        c.texts.push_back(c.strings.back());
        cell = text;
      }
      c.view.values = std::span<const std::string_view>(c.texts);
      break;
    default:
      c.dictionary = random_column(random, 1 + below(random, 2 * rows), false);
      for (auto& cell : c.cells) {
        const std::size_t index = below(random, c.dictionary->cells.size());
        c.indices.push_back(static_cast<std::int32_t>(index));
        cell = c.dictionary->cells[index];
      }
      c.view.values = DictionaryView{c.indices, &c.dictionary->view};
      c.type = c.dictionary->type;
  }
  if (below(random, 2) == 0) {
    const std::size_t offset = below(random, 9);
    c.valid.assign((offset + rows + 7) / 8, 0);
    for (std::size_t row = 0; row < rows; ++row) {
      if (below(random, 5) == 0) {
        c.cells[row] = std::monostate();
        if (!c.indices.empty()) c.indices[row] = static_cast<std::int32_t>(random());
      } else {
        c.valid[(offset + row) / 8] |= static_cast<std::uint8_t>(1 << (offset + row) % 8);
      }
    }
    c.view.validity = {c.valid.data(), offset};
  }
  return column;
}

}  // namespace

TEST_CASE("the encoder agrees with the description on random schemas and columns") {
  for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Schema schema;
    schema.attributes = {below(random, 3) == 0 ? random_categorical(random)
                                               : random_numeric(random)};
    schema.label.column = std::string("y");
    schema.label.classes = {"n", "p"};
    schema.label.spellings = {{"n", ClassIndex(std::size_t{0})}, {"p", ClassIndex(std::size_t{1})}};
    const std::size_t rows = 1 + below(random, 200);
    const auto column = random_column(random, rows, true);

    const std::vector<std::string_view> labels(rows, "p");
    const Batch batch{rows, {column->view, {rows, std::span<const std::string_view>(labels)}}, {}};
    const auto encoder =
        Encoder::create(schema, std::vector<InputColumn>{{"a", column->type}, {"y"}});
    REQUIRE(encoder.ok());
    const std::vector<std::size_t> codes = codes_of(encoder->encode(batch), 0);
    BatchNotes notes;
    const std::vector<std::size_t> noted = codes_of(encoder->encode(batch, notes), 0);
    CHECK((codes == noted));
    for (std::size_t row = 0; row < rows; ++row) {
      CAPTURE(row);
      REQUIRE(codes[row] == reference(schema.attributes[0], column->cells[row]).value());
    }
  }
}
