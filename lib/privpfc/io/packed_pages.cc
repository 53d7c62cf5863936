#include "privpfc/io/packed_pages.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace privpfc {
namespace {

// A run of 63 groups of 8 numbers has a header of one byte, and every reader knows runs of that
// length.
constexpr std::size_t kRunNumbers = 63 * 8;

// 8 numbers, the first one lowest, into `width` bytes. Writes up to 16.
void pack_eight(const std::uint16_t* numbers, unsigned width, std::uint8_t* bytes) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  for (unsigned i = 0; i < 4; ++i) {
    low |= std::uint64_t{numbers[i]} << (i * width);
    high |= std::uint64_t{numbers[4 + i]} << (i * width);
  }
  const unsigned bits = 4 * width;  // of each half
  const unsigned __int128 all = static_cast<unsigned __int128>(high) << bits | low;
  std::memcpy(bytes, &all, sizeof all);
}

void append_varint(std::uint64_t number, std::vector<std::uint8_t>& bytes) {
  for (; number >= 0x80; number >>= 7) bytes.push_back(static_cast<std::uint8_t>(number | 0x80));
  bytes.push_back(static_cast<std::uint8_t>(number));
}

void append_runs(std::span<const std::uint16_t> numbers, unsigned width,
                 std::vector<std::uint8_t>& bytes) {
  const std::size_t runs = (numbers.size() + kRunNumbers - 1) / kRunNumbers;
  std::size_t end = bytes.size();
  bytes.resize(end + runs + (numbers.size() + 7) / 8 * width + 16);
  for (std::size_t first = 0; first < numbers.size(); first += kRunNumbers) {
    const std::size_t count = std::min(kRunNumbers, numbers.size() - first);
    const std::size_t groups = (count + 7) / 8;
    bytes[end++] = static_cast<std::uint8_t>(groups << 1 | 1);
    for (std::size_t group = 0; group < groups; ++group, end += width) {
      const std::size_t at = first + 8 * group;
      if (at + 8 <= numbers.size()) {
        pack_eight(numbers.data() + at, width, bytes.data() + end);
      } else {
        std::uint16_t last[8] = {};
        std::copy(numbers.begin() + static_cast<std::ptrdiff_t>(at), numbers.end(), last);
        pack_eight(last, width, bytes.data() + end);
      }
    }
  }
  bytes.resize(end);
}

// Which rows hold a value: their number of bytes, then a run of bits.
void append_levels(std::span<const std::uint8_t> valid, std::vector<std::uint8_t>& bytes) {
  const std::vector<std::uint16_t> levels(valid.begin(), valid.end());
  bytes.resize(4);
  append_packed(levels, 1, bytes);
  const auto size = static_cast<std::uint32_t>(bytes.size() - 4);
  std::memcpy(bytes.data(), &size, sizeof size);
}

// The values that are there, close together.
std::span<const std::uint16_t> present(std::span<const std::uint16_t> values,
                                       std::span<const std::uint8_t> valid,
                                       std::vector<std::uint16_t>& kept) {
  if (valid.empty()) return values;
  kept.resize(values.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    kept[count] = values[i];
    count += valid[i] != 0 ? 1 : 0;
  }
  return std::span(kept).first(count);
}

}  // namespace

void append_packed(std::span<const std::uint16_t> numbers, unsigned width,
                   std::vector<std::uint8_t>& bytes) {
  if (width == 0) {
    if (!numbers.empty()) append_varint(std::uint64_t{numbers.size()} << 1, bytes);
    return;
  }
  append_runs(numbers, width, bytes);
}

void fill_code_page(std::span<const std::uint16_t> codes, std::span<const std::uint8_t> valid,
                    std::size_t dictionary_size, std::vector<std::uint8_t>& bytes) {
  bytes.clear();
  if (!valid.empty()) append_levels(valid, bytes);
  const auto width =
      static_cast<unsigned>(std::bit_width(std::max<std::size_t>(dictionary_size, 1) - 1));
  bytes.push_back(static_cast<std::uint8_t>(width));
  std::vector<std::uint16_t> kept;
  append_packed(present(codes, valid, kept), width, bytes);
}

void fill_boolean_page(std::span<const std::uint16_t> values, std::span<const std::uint8_t> valid,
                       std::vector<std::uint8_t>& bytes) {
  bytes.clear();
  if (!valid.empty()) append_levels(valid, bytes);
  std::vector<std::uint16_t> kept;
  const auto there = present(values, valid, kept);
  const std::size_t start = bytes.size();
  bytes.resize(start + (there.size() + 7) / 8, 0);
  for (std::size_t i = 0; i < there.size(); ++i) {
    bytes[start + i / 8] |= static_cast<std::uint8_t>(there[i] << (i % 8));
  }
}

}  // namespace privpfc
