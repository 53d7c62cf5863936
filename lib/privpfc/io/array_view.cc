#include "privpfc/io/array_view.h"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_decimal.h>
#include <arrow/array/array_dict.h>
#include <arrow/array/array_primitive.h>
#include <arrow/type.h>
#include <arrow/util/decimal.h>
#include <arrow/util/float16.h>

#include <algorithm>
#include <limits>

#include "privpfc/base/contract.h"

namespace privpfc {

namespace {

using Memory = std::vector<std::shared_ptr<const void>>;

template <typename ArrowArray>
auto plain(const arrow::Array& array) {
  const auto& typed = static_cast<const ArrowArray&>(array);
  return std::span(typed.raw_values(), static_cast<std::size_t>(array.length()));
}

// One converted value per row; null rows get a default value.
template <typename To, typename Convert>
std::span<const To> converted(const arrow::Array& array, Memory& memory, Convert convert) {
  const auto rows = static_cast<std::size_t>(array.length());
  auto values = std::make_shared<std::vector<To>>(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto i = static_cast<std::int64_t>(row);
    if (array.IsValid(i)) (*values)[row] = convert(i);
  }
  const std::span<const To> view(*values);
  memory.push_back(std::move(values));
  return view;
}

template <typename ArrowArray>
std::span<const std::string_view> texts(const arrow::Array& array, Memory& memory) {
  const auto& typed = static_cast<const ArrowArray&>(array);
  return converted<std::string_view>(array, memory,
                                     [&](std::int64_t row) { return typed.GetView(row); });
}

template <typename Decimal, typename ArrowArray>
std::span<const double> decimals(const arrow::Array& array, Memory& memory) {
  const auto& typed = static_cast<const ArrowArray&>(array);
  const std::int32_t scale = static_cast<const arrow::DecimalType&>(*array.type()).scale();
  return converted<double>(array, memory, [&](std::int64_t row) {
    return Decimal(reinterpret_cast<const std::uint8_t*>(typed.GetValue(row))).ToDouble(scale);
  });
}

std::int32_t floor_days(std::int64_t time, std::int64_t units_per_day) {
  std::int64_t days = time / units_per_day;
  if (time % units_per_day < 0) --days;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(
      days, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

std::int64_t units_per_day(arrow::TimeUnit::type unit) {
  constexpr std::int64_t kSeconds = 86'400;
  switch (unit) {
    case arrow::TimeUnit::SECOND:
      return kSeconds;
    case arrow::TimeUnit::MILLI:
      return kSeconds * 1'000;
    case arrow::TimeUnit::MICRO:
      return kSeconds * 1'000'000;
    case arrow::TimeUnit::NANO:
      return kSeconds * 1'000'000'000;
  }
  return kSeconds;
}

template <typename ArrowArray>
DaysView times(const arrow::Array& array, Memory& memory, std::int64_t units) {
  const auto& typed = static_cast<const ArrowArray&>(array);
  return {converted<std::int32_t>(
      array, memory, [&](std::int64_t row) { return floor_days(typed.Value(row), units); })};
}

// Indices of any width as 32-bit ones.
std::span<const std::int32_t> indices_of(const arrow::Array& array, Memory& memory) {
  const auto wide = [&]<typename ArrowArray>(const ArrowArray& typed) {
    return converted<std::int32_t>(array, memory, [&](std::int64_t row) {
      const auto index = typed.Value(row);
      return std::in_range<std::int32_t>(index) ? static_cast<std::int32_t>(index) : -1;
    });
  };
  switch (array.type_id()) {
    case arrow::Type::INT32:
      return plain<arrow::Int32Array>(array);
    case arrow::Type::INT8:
      return wide(static_cast<const arrow::Int8Array&>(array));
    case arrow::Type::INT16:
      return wide(static_cast<const arrow::Int16Array&>(array));
    case arrow::Type::INT64:
      return wide(static_cast<const arrow::Int64Array&>(array));
    case arrow::Type::UINT8:
      return wide(static_cast<const arrow::UInt8Array&>(array));
    case arrow::Type::UINT16:
      return wide(static_cast<const arrow::UInt16Array&>(array));
    case arrow::Type::UINT32:
      return wide(static_cast<const arrow::UInt32Array&>(array));
    default:
      return wide(static_cast<const arrow::UInt64Array&>(array));
  }
}

// The file says which index each row has, and may lie.
bool indices_fit(std::span<const std::int32_t> indices, std::size_t size,
                 const Validity& validity) {
  std::uint32_t largest = 0;
  for (const std::int32_t index : indices) {
    largest = std::max(largest, static_cast<std::uint32_t>(index));
  }
  if (indices.empty() || largest < size) return true;
  for (std::size_t row = 0; row < indices.size(); ++row) {
    if (static_cast<std::uint32_t>(indices[row]) >= size && !validity.is_null(row)) return false;
  }
  return true;
}

std::optional<DictionaryView> dictionary(const arrow::DictionaryArray& array,
                                         const Validity& validity, Memory& memory) {
  const auto values = view_of(array.dictionary(), memory);
  if (!values) return std::nullopt;
  auto kept = std::make_shared<const ColumnView>(*values);
  const DictionaryView view{indices_of(*array.indices(), memory), kept.get()};
  memory.push_back(std::move(kept));
  if (!indices_fit(view.indices, view.values->rows, validity)) return std::nullopt;
  return view;
}

}  // namespace

std::optional<ColumnType> column_type(const arrow::DataType& type) {
  switch (type.id()) {
    case arrow::Type::NA:
      return ColumnType::kNull;
    case arrow::Type::BOOL:
      return ColumnType::kBoolean;
    case arrow::Type::INT8:
    case arrow::Type::INT16:
    case arrow::Type::INT32:
    case arrow::Type::INT64:
    case arrow::Type::UINT8:
    case arrow::Type::UINT16:
    case arrow::Type::UINT32:
    case arrow::Type::UINT64:
      return ColumnType::kInteger;
    case arrow::Type::HALF_FLOAT:
    case arrow::Type::FLOAT:
    case arrow::Type::DOUBLE:
    case arrow::Type::DECIMAL32:
    case arrow::Type::DECIMAL64:
    case arrow::Type::DECIMAL128:
    case arrow::Type::DECIMAL256:
      return ColumnType::kReal;
    case arrow::Type::DATE32:
    case arrow::Type::DATE64:
    case arrow::Type::TIMESTAMP:
      return ColumnType::kDate;
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY:
    case arrow::Type::LARGE_BINARY:
    case arrow::Type::BINARY_VIEW:
    case arrow::Type::FIXED_SIZE_BINARY:
      return ColumnType::kText;
    case arrow::Type::DICTIONARY:
      return column_type(*static_cast<const arrow::DictionaryType&>(type).value_type());
    default:
      return std::nullopt;
  }
}

std::optional<ColumnView> view_of(const std::shared_ptr<arrow::Array>& array, Memory& memory) {
  const arrow::Array& a = *array;
  memory.push_back(array);
  ColumnView view{static_cast<std::size_t>(a.length()), AllNull{}};
  if (a.null_count() > 0 && a.null_bitmap_data() != nullptr) {
    view.validity = {a.null_bitmap_data(), static_cast<std::size_t>(a.offset())};
  }
  switch (a.type_id()) {
    case arrow::Type::NA:
      break;
    case arrow::Type::BOOL:
      view.values = BooleanView{static_cast<const arrow::BooleanArray&>(a).values()->data(),
                                static_cast<std::size_t>(a.offset())};
      break;
    case arrow::Type::INT8:
      view.values = plain<arrow::Int8Array>(a);
      break;
    case arrow::Type::INT16:
      view.values = plain<arrow::Int16Array>(a);
      break;
    case arrow::Type::INT32:
      view.values = plain<arrow::Int32Array>(a);
      break;
    case arrow::Type::INT64:
      view.values = plain<arrow::Int64Array>(a);
      break;
    case arrow::Type::UINT8:
      view.values = plain<arrow::UInt8Array>(a);
      break;
    case arrow::Type::UINT16:
      view.values = plain<arrow::UInt16Array>(a);
      break;
    case arrow::Type::UINT32:
      view.values = plain<arrow::UInt32Array>(a);
      break;
    case arrow::Type::UINT64:
      view.values = plain<arrow::UInt64Array>(a);
      break;
    case arrow::Type::HALF_FLOAT:
      view.values = converted<float>(a, memory, [&](std::int64_t row) {
        return arrow::util::Float16::FromBits(
                   static_cast<const arrow::HalfFloatArray&>(a).Value(row))
            .ToFloat();
      });
      break;
    case arrow::Type::FLOAT:
      view.values = plain<arrow::FloatArray>(a);
      break;
    case arrow::Type::DOUBLE:
      view.values = plain<arrow::DoubleArray>(a);
      break;
    case arrow::Type::DECIMAL32:
      view.values = decimals<arrow::Decimal32, arrow::Decimal32Array>(a, memory);
      break;
    case arrow::Type::DECIMAL64:
      view.values = decimals<arrow::Decimal64, arrow::Decimal64Array>(a, memory);
      break;
    case arrow::Type::DECIMAL128:
      view.values = decimals<arrow::Decimal128, arrow::Decimal128Array>(a, memory);
      break;
    case arrow::Type::DECIMAL256:
      view.values = decimals<arrow::Decimal256, arrow::Decimal256Array>(a, memory);
      break;
    case arrow::Type::DATE32:
      view.values = DaysView{plain<arrow::Date32Array>(a)};
      break;
    case arrow::Type::DATE64:
      view.values = times<arrow::Date64Array>(a, memory, units_per_day(arrow::TimeUnit::MILLI));
      break;
    case arrow::Type::TIMESTAMP:
      view.values = times<arrow::TimestampArray>(
          a, memory, units_per_day(static_cast<const arrow::TimestampType&>(*a.type()).unit()));
      break;
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      view.values = texts<arrow::BinaryArray>(a, memory);
      break;
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      view.values = texts<arrow::LargeBinaryArray>(a, memory);
      break;
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
      view.values = texts<arrow::BinaryViewArray>(a, memory);
      break;
    case arrow::Type::FIXED_SIZE_BINARY:
      view.values = texts<arrow::FixedSizeBinaryArray>(a, memory);
      break;
    case arrow::Type::DICTIONARY: {
      const auto values =
          dictionary(static_cast<const arrow::DictionaryArray&>(a), view.validity, memory);
      if (!values) return std::nullopt;
      view.values = *values;
      break;
    }
    default:
      require(false, "a column of a readable type");
  }
  return view;
}

}  // namespace privpfc
