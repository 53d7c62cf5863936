#include "privpfc/table/category_coder.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "privpfc/schema/number_text.h"

namespace privpfc {

namespace {

constexpr std::int64_t kFirstDirect = -128;
constexpr std::int64_t kLastDirect = 1023;

template <typename Number>
std::string_view digits_of(Number value, std::array<char, 32>& buffer) {
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace

CategoryCoder::CategoryCoder(const Attribute& attribute)
    : missing_{static_cast<std::uint16_t>(attribute.missing_leaf.value()), Note::kMissing},
      unlisted_{static_cast<std::uint16_t>(attribute.other_leaf.value()), Note::kUnlisted},
      ignores_case_(attribute.kind == AttributeKind::kBoolean) {
  for (const auto& [text, leaf] : attribute.spellings) {
    spellings_.add(text, {static_cast<std::uint16_t>(leaf.value()), Note::kFine});
  }
  for (const std::string& text : attribute.missing_spellings) spellings_.add(text, missing_);
  prepare();
}

CategoryCoder::CategoryCoder(const Label& label)
    : missing_{static_cast<std::uint16_t>(label.other_class.value()), Note::kMissing},
      unlisted_{missing_.code, Note::kUnlisted} {
  for (const auto& [text, index] : label.spellings) {
    spellings_.add(text, {static_cast<std::uint16_t>(index.value()), Note::kFine});
  }
  prepare();
}

void CategoryCoder::prepare() {
  spellings_.add("", missing_);
  for (const bool value : {false, true}) of_bool_[value ? 1 : 0] = of_bool(value);
  std::vector<Coded> by_value;
  for (std::int64_t v = kFirstDirect; v <= kLastDirect; ++v) by_value.push_back(of_integer(v));
  first_ = static_cast<std::uint64_t>(kFirstDirect);
  by_value_ = std::move(by_value);
}

Coded CategoryCoder::of_lower_case(std::string_view text) const {
  constexpr std::size_t kLongest = 64;  // no boolean word is longer
  if (text.size() > kLongest) return unlisted_;
  const Coded* coded = spellings_.find(lower_case(text));
  return coded != nullptr && coded->note == Note::kFine ? *coded : unlisted_;
}

Coded CategoryCoder::of_integer(std::int64_t value) const {
  std::array<char, 32> buffer;
  const Coded* coded = spellings_.find(digits_of(value, buffer));
  return coded != nullptr ? *coded : unlisted_;
}

Coded CategoryCoder::of(std::uint64_t value) const {
  std::array<char, 32> buffer;
  const Coded* coded = spellings_.find(digits_of(value, buffer));
  return coded != nullptr ? *coded : unlisted_;
}

Coded CategoryCoder::of(double value) const {
  if (std::isnan(value)) return missing_;
  std::array<char, 32> buffer;
  // A whole number may be listed as `3` or as `3.0`.
  if (value == std::trunc(value) && std::abs(value) < 1e15) {
    const std::string_view whole = digits_of(static_cast<std::int64_t>(value), buffer);
    if (const Coded* coded = spellings_.find(whole)) return *coded;
    if (const Coded* coded = spellings_.find(std::string(whole) + ".0")) return *coded;
  }
  const Coded* coded = spellings_.find(digits_of(value, buffer));
  return coded != nullptr ? *coded : unlisted_;
}

Coded CategoryCoder::of_bool(bool value) const {
  constexpr const char* kWords[2][3] = {{"false", "False", "0"}, {"true", "True", "1"}};
  for (const char* word : kWords[value ? 1 : 0]) {
    if (const Coded* coded = spellings_.find(word)) return *coded;
  }
  return unlisted_;
}

Coded CategoryCoder::of_days(std::int32_t days) const {
  const Coded* coded = spellings_.find(format_date(days));
  return coded != nullptr ? *coded : unlisted_;
}

}  // namespace privpfc
