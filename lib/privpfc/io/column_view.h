#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace privpfc {

// What a column of a file holds. A CSV file holds text only.
enum class ColumnType { kInteger, kReal, kBoolean, kDate, kText, kNull };

struct InputColumn {
  std::string name;  // the position, counted from 1, in a file without a header
  ColumnType type = ColumnType::kText;
  std::vector<ColumnType> other_types{};  // in other files of the same table
  bool in_csv = true;                     // a text file: its separator and header may be mistaken
};

// Which rows have a value, one bit per row; no bitmap means that all have.
struct Validity {
  const std::uint8_t* bits = nullptr;
  std::size_t offset = 0;

  bool has_nulls() const { return bits != nullptr; }
  bool is_null(std::size_t row) const {
    const std::size_t bit = offset + row;
    return bits != nullptr && ((bits[bit >> 3] >> (bit & 7)) & 1) == 0;
  }
};

struct ColumnView;

struct BooleanView {
  const std::uint8_t* bits = nullptr;
  std::size_t offset = 0;

  bool operator[](std::size_t row) const {
    const std::size_t bit = offset + row;
    return ((bits[bit >> 3] >> (bit & 7)) & 1) != 0;
  }
};

struct DaysView {  // since 1970-01-01
  std::span<const std::int32_t> days;
};

// Each row's value is one of `values`. The index of a row that is not null lies within them.
struct DictionaryView {
  std::span<const std::int32_t> indices;
  const ColumnView* values = nullptr;
};

struct AllNull {};

// One column of a batch, as it lies in memory. What stands in a null row is unspecified.
struct ColumnView {
  using Values = std::variant<AllNull, std::span<const std::int8_t>, std::span<const std::int16_t>,
                              std::span<const std::int32_t>, std::span<const std::int64_t>,
                              std::span<const std::uint8_t>, std::span<const std::uint16_t>,
                              std::span<const std::uint32_t>, std::span<const std::uint64_t>,
                              std::span<const float>, std::span<const double>, BooleanView,
                              DaysView, std::span<const std::string_view>, DictionaryView>;
  std::size_t rows = 0;
  Values values;
  Validity validity{};
};

// Some rows of the table: the selected columns, in the order of the selection. The views live as
// long as the batch does, and no longer than the call of TableReader::read() that made it.
struct Batch {
  std::size_t rows = 0;
  std::vector<ColumnView> columns;
  std::vector<std::shared_ptr<const void>> memory;  // what the views point into
};

}  // namespace privpfc
