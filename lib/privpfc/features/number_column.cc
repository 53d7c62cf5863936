#include "privpfc/features/number_column.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "privpfc/schema/interval.h"
#include "privpfc/table/number_parsing.h"

namespace privpfc {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

double number_of(std::string_view text, bool is_date) {
  if (is_date) {
    const auto days = read_days(text);
    return days ? static_cast<double>(*days) : kMissing;
  }
  if (const auto integer = read_short_integer(text)) return static_cast<double>(*integer);
  return read_real(text).value_or(kMissing);
}

// What stands in the rows, whether it means something or not.
class RawNumbers {
 public:
  RawNumbers(std::size_t rows, bool is_date) : rows_(rows), is_date_(is_date) {}

  std::vector<double> operator()(AllNull) const { return std::vector<double>(rows_, kMissing); }
  template <typename Number>
  std::vector<double> operator()(std::span<const Number> values) const {
    return each_row([&](std::size_t row) { return static_cast<double>(values[row]); });
  }
  std::vector<double> operator()(std::span<const std::string_view> texts) const {
    return each_row([&](std::size_t row) { return number_of(texts[row], is_date_); });
  }
  std::vector<double> operator()(BooleanView values) const {
    return each_row([&](std::size_t row) { return values[row] ? 1.0 : 0.0; });
  }
  std::vector<double> operator()(DaysView values) const {
    return each_row([&](std::size_t row) { return static_cast<double>(values.days[row]); });
  }
  std::vector<double> operator()(DictionaryView dictionary) const {
    const std::vector<double> values =
        std::visit(RawNumbers(dictionary.values->rows, is_date_), dictionary.values->values);
    return each_row([&](std::size_t row) {
      // The index of a null row is unspecified.
      const auto index = static_cast<std::uint32_t>(dictionary.indices[row]);
      return index < values.size() ? values[index] : kMissing;
    });
  }

 private:
  template <typename NumberAt>
  std::vector<double> each_row(NumberAt number_at) const {
    std::vector<double> numbers(rows_);
    for (std::size_t row = 0; row < rows_; ++row) numbers[row] = number_at(row);
    return numbers;
  }

  std::size_t rows_;
  bool is_date_;
};

}  // namespace

std::vector<double> read_numbers(const ColumnView& column, std::span<const Note> notes,
                                 const Attribute& attribute, const Feature& feature) {
  require(notes.size() == column.rows, "one note per row");
  std::vector<double> numbers =
      std::visit(RawNumbers(column.rows, attribute.kind == AttributeKind::kDate), column.values);
  const bool outside_is_missing = attribute.outside != Outside::kNearestBin;
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    double& number = numbers[row];
    switch (notes[row]) {
      case Note::kFine:
        break;
      case Note::kFraction:
        number = std::floor(number);
        break;
      case Note::kOutOfRange:
        if (outside_is_missing) number = kMissing;
        break;
      case Note::kMissing:
      case Note::kNotANumber:
      case Note::kUnlisted:
        number = kMissing;
    }
    if (!std::isnan(number)) number = std::clamp(number, feature.low, feature.high);
  }
  return numbers;
}

}  // namespace privpfc
