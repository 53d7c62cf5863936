#include "privpfc/schema/unlikely_name.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace privpfc {
namespace {

// A wrong refusal costs a flag (--header), a wrong guess may cost somebody's privacy: so these are
// strict.
constexpr std::size_t kMostCharacters = 80;  // longer: a note, or a row
constexpr std::size_t kMostDigitsInRow = 4;  // a year; more: a code, a number, an account
constexpr std::size_t kLeastHexLength = 16;  // the shortest usual digest
constexpr std::string_view kOtherSeparators = ";|\t";

struct Range {
  char32_t first;
  char32_t last;
};

// What is no letter beyond ASCII: signs, punctuation and digits. All else there counts as one; of
// what lies beyond the first 65,536 characters, the Chinese ones.
constexpr auto kNoLetters = std::to_array<Range>({
    {0x0080, 0x00A9},  {0x00AB, 0x00B4},    {0x00B6, 0x00B9}, {0x00BB, 0x00BF}, {0x00D7, 0x00D7},
    {0x00F7, 0x00F7},  {0x02C2, 0x02C5},    {0x02D2, 0x02DF}, {0x0300, 0x036F}, {0x0375, 0x0375},
    {0x037E, 0x037E},  {0x0387, 0x0387},    {0x055A, 0x055F}, {0x0589, 0x05CF}, {0x05F3, 0x061F},
    {0x0660, 0x066D},  {0x06D4, 0x06D4},    {0x06F0, 0x06F9}, {0x0700, 0x070F}, {0x07C0, 0x07C9},
    {0x0964, 0x0970},  {0x09E6, 0x09EF},    {0x09F2, 0x09FB}, {0x0A66, 0x0A6F}, {0x0AE6, 0x0AF1},
    {0x0B66, 0x0B6F},  {0x0BE6, 0x0BFA},    {0x0C66, 0x0C6F}, {0x0CE6, 0x0CEF}, {0x0D66, 0x0D79},
    {0x0DE6, 0x0DEF},  {0x0E3F, 0x0E3F},    {0x0E4F, 0x0E5B}, {0x0ED0, 0x0ED9}, {0x0F01, 0x0F3D},
    {0x1040, 0x104F},  {0x1090, 0x1099},    {0x1360, 0x137C}, {0x17D4, 0x17F9}, {0x1800, 0x1819},
    {0x1946, 0x194F},  {0x19D0, 0x19DA},    {0x1A80, 0x1A99}, {0x1B50, 0x1B7E}, {0x1BB0, 0x1BB9},
    {0x1C3B, 0x1C49},  {0x1C50, 0x1C59},    {0x2000, 0x2BFF}, {0x2E00, 0x2FFF}, {0x3000, 0x3004},
    {0x3007, 0x3030},  {0x3036, 0x303A},    {0x303D, 0x303F}, {0x3190, 0x319F}, {0x3200, 0x33FF},
    {0xA620, 0xA629},  {0xA830, 0xA839},    {0xA8CE, 0xA8D9}, {0xA900, 0xA909}, {0xA9C1, 0xA9D9},
    {0xA9F0, 0xA9F9},  {0xAA50, 0xAA5F},    {0xABF0, 0xABF9}, {0xD800, 0xF8FF}, {0xFB29, 0xFB29},
    {0xFD3E, 0xFD3F},  {0xFDFC, 0xFE6F},    {0xFEFF, 0xFF20}, {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65},
    {0xFFE0, 0x1FFFF}, {0xE0000, 0x10FFFF},
});

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// The text is UTF-8, as the reader has seen to; of anything else it makes no letter.
char32_t first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return lead;
  const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  char32_t code = lead & (0x3FU >> more);
  for (std::size_t i = 1; i <= more; ++i) code = (code << 6) | (byte(i) & 0x3F);
  return code;
}

bool begins_like_a_name(std::string_view text) {
  const char32_t first = first_character(text);
  if (first < 0x80) return is_ascii_letter(text.front()) || text.front() == '_';
  return std::ranges::none_of(
      kNoLetters, [&](const Range& range) { return range.first <= first && first <= range.last; });
}

std::size_t digits_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - begin;
}

// `26.10.1982`, `10/26/82`, `1982-10-26`, `26 10 1982`, and `26, 1982` of `Oct 26, 1982`; what
// stands at `begin` is a digit with none before it.
bool is_date_at(std::string_view text, std::size_t begin) {
  const std::size_t first = digits_at(text, begin);
  std::size_t place = begin + first;
  if (first > 4 || place >= text.size()) return false;
  const char separator = text[place];
  if (separator == ',' || separator == ' ') {
    const std::size_t year = std::min(text.find_first_not_of(", ", place), text.size());
    if (first <= 2 && digits_at(text, year) == 4) return true;
  }
  if (std::string_view("-./ _").find(separator) == std::string_view::npos) return false;
  const std::size_t second = digits_at(text, ++place);
  place += second;
  if (second < 1 || second > 2 || place >= text.size() || text[place] != separator) return false;
  // Of `q1_2_3` and `v1.2.3` none is a year.
  const std::size_t third = digits_at(text, place + 1);
  return third >= 2 || (third == 1 && first == 4);
}

// `12:30`.
bool is_time_at(std::string_view text, std::size_t begin) {
  const std::size_t hours = digits_at(text, begin);
  const std::size_t colon = begin + hours;
  return hours <= 2 && colon < text.size() && text[colon] == ':' && digits_at(text, colon + 1) == 2;
}

// Digits as cells have them: dates, times, codes and long numbers.
bool has_telling_digits(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); i += std::max<std::size_t>(1, digits_at(text, i))) {
    if (!is_digit(text[i])) continue;
    if (digits_at(text, i) > kMostDigitsInRow || is_date_at(text, i) || is_time_at(text, i)) {
      return true;
    }
  }
  return false;
}

// A digest or a UUID.
bool is_hex_code(std::string_view text) {
  return text.size() >= kLeastHexLength && std::ranges::any_of(text, is_digit) &&
         std::ranges::all_of(text, [](char c) { return is_hex_digit(c) || c == '-'; });
}

// What files write for nothing, and for true and false. `Na` and `No` are names of columns too.
bool is_word_of_cells(std::string_view text) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"NA",   "na",    "N/A",   "n/a",   "NaN", "nan", "NAN", "NULL", "Null",
       "null", "None",  "none",  "NONE",  "nil", "inf", "Inf", "true", "True",
       "TRUE", "false", "False", "FALSE", "yes", "Yes", "YES"});
  return std::ranges::find(kWords, text) != kWords.end();
}

bool holds_control_character(std::string_view text) {
  return std::ranges::any_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string_view trimmed_name(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(' ') + 1;
  return text.substr(begin, end > begin ? end - begin : 0);
}

}  // namespace

std::optional<NameDoubt> doubt_about_name(std::string_view text) {
  text = trimmed_name(text);
  if (text.find_first_of(kOtherSeparators) != std::string_view::npos) return NameDoubt::kSeparator;
  const bool is_address =
      text.find('@') != std::string_view::npos || text.find("://") != std::string_view::npos;
  if (text.empty() || !begins_like_a_name(text) || holds_control_character(text) ||
      character_count(text) > kMostCharacters || has_telling_digits(text) || is_hex_code(text) ||
      is_word_of_cells(text) || is_address) {
    return NameDoubt::kValue;
  }
  return std::nullopt;
}

std::optional<UnlikelyName> first_unlikely_name(std::span<const std::string> names) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (const auto doubt = doubt_about_name(names[i])) return UnlikelyName{i + 1, *doubt};
    if (!seen.insert(trimmed_name(names[i])).second) {
      return UnlikelyName{i + 1, NameDoubt::kRepeated};
    }
  }
  return std::nullopt;
}

}  // namespace privpfc
