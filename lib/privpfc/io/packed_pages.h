#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace privpfc {

// The bytes of Parquet pages that hold codes rather than values.

// Numbers below 2^width as the format's bit-packed runs; a width of 0 as one run of zeros. Appends.
void append_packed(std::span<const std::uint16_t> numbers, unsigned width,
                   std::vector<std::uint8_t>& bytes);

// A data page of dictionary codes below `dictionary_size`. `valid` is empty where the column is not
// nullable: then the page holds no levels either.
void fill_code_page(std::span<const std::uint16_t> codes, std::span<const std::uint8_t> valid,
                    std::size_t dictionary_size, std::vector<std::uint8_t>& bytes);

// A data page of booleans, 0 or 1.
void fill_boolean_page(std::span<const std::uint16_t> values, std::span<const std::uint8_t> valid,
                       std::vector<std::uint8_t>& bytes);

}  // namespace privpfc
