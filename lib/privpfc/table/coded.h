#pragma once

#include <cstddef>
#include <cstdint>

namespace privpfc {

// What the encoder noticed about a value. For the curator's eyes only: see data_check.h.
enum class Note : std::uint8_t {
  kFine,
  kMissing,     // null, empty, or a declared spelling of a missing value
  kNotANumber,  // in a numeric column; also no date in a date column
  kFraction,    // in an integer column; the bin is that of the whole number below
  kOutOfRange,
  kUnlisted,  // a category or class that the schema does not name
};
inline constexpr std::size_t kNoteCount = 6;

// Where a value goes: the code of its leaf or class.
struct Coded {
  std::uint16_t code = 0;
  Note note = Note::kFine;
  friend bool operator==(const Coded&, const Coded&) = default;
};

}  // namespace privpfc
