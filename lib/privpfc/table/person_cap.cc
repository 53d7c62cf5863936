#include "privpfc/table/person_cap.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

#include "privpfc/base/blake2b.h"
#include "privpfc/base/contract.h"
#include "privpfc/schema/number_text.h"

namespace privpfc {

namespace {

using Key = std::optional<PersonKey>;

Key key_of(std::string_view id) {
  if (id.empty()) return std::nullopt;
  const auto [high, low] = blake2b_128(id);
  return PersonKey{high, low};
}

template <typename Number>
Key key_of_number(Number value) {
  if constexpr (std::is_floating_point_v<Number>) {
    constexpr Number kBeyondWhole = 0x1p63;
    if (std::isnan(value)) return std::nullopt;
    // Ids become reals where some are missing. The shortest text of 100000.0 would be 1e+05.
    if (value == std::trunc(value) && std::abs(value) < kBeyondWhole) {
      return key_of_number(static_cast<std::int64_t>(value));
    }
  }
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return key_of({text.data(), static_cast<std::size_t>(end - text.data())});
}

Key key_at(const ColumnView& column, std::size_t row);

// The key of one row that is not null.
struct KeyAt {
  std::size_t row;

  Key operator()(AllNull) const { return std::nullopt; }
  template <typename Number>
  Key operator()(std::span<const Number> values) const {
    return key_of_number(values[row]);
  }
  Key operator()(std::span<const std::string_view> texts) const { return key_of(texts[row]); }
  Key operator()(BooleanView values) const { return key_of(values[row] ? "true" : "false"); }
  Key operator()(DaysView values) const { return key_of(format_date(values.days[row])); }
  Key operator()(DictionaryView dictionary) const {
    const auto index = static_cast<std::uint32_t>(dictionary.indices[row]);
    if (index >= dictionary.values->rows) return std::nullopt;
    return key_at(*dictionary.values, index);
  }
};

Key key_at(const ColumnView& column, std::size_t row) {
  if (column.validity.is_null(row)) return std::nullopt;
  return std::visit(KeyAt{row}, column.values);
}

}  // namespace

PersonKeys person_keys(const ColumnView& ids) {
  PersonKeys keys(ids.rows);
  const auto* dictionary = std::get_if<DictionaryView>(&ids.values);
  if (dictionary == nullptr || dictionary->values->rows > ids.rows) {
    for (std::size_t row = 0; row < ids.rows; ++row) keys[row] = key_at(ids, row);
    return keys;
  }
  // Each id of the dictionary is hashed once, however many rows have it.
  const PersonKeys by_index = person_keys(*dictionary->values);
  for (std::size_t row = 0; row < ids.rows; ++row) {
    const auto index = static_cast<std::uint32_t>(dictionary->indices[row]);
    if (index < by_index.size() && !ids.validity.is_null(row)) keys[row] = by_index[index];
  }
  return keys;
}

PersonCap::PersonCap(std::size_t most_rows) : most_rows_(most_rows) {
  require(most_rows >= 1, "a person has a row");
}

std::vector<std::size_t> PersonCap::keep(const PersonKeys& keys) {
  std::vector<std::size_t> kept;
  kept.reserve(keys.size());
  for (std::size_t row = 0; row < keys.size(); ++row) {
    if (!keys[row]) {
      ++rows_without_id_;
      continue;
    }
    std::uint32_t& rows = rows_of_[*keys[row]];
    if (rows < most_rows_) {
      ++rows;
      kept.push_back(row);
    } else {
      ++rows_beyond_;
    }
  }
  return kept;
}

}  // namespace privpfc
