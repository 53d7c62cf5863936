#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "privpfc/quality/misclassification.h"
#include "support/recording_mechanisms.h"

namespace privpfc {

// Compares what the mechanisms were asked on a table and on the same table with one row more (or up
// to `rows` more, those of one person), both with the same answers. Names the first thing that the
// row changed and should not have; nothing if all is as it must be.
inline std::string broken_rule(const std::vector<RecordedCall>& before,
                               const std::vector<RecordedCall>& after, std::int64_t rows = 1) {
  if (before.size() != after.size()) return "the same calls";
  for (std::size_t i = 0; i < before.size(); ++i) {
    const RecordedCall& one = before[i];
    const RecordedCall& other = after[i];
    if (one.kind != other.kind || one.better != other.better || one.rule != other.rule) {
      return "the same calls";
    }
    if (one.input.size() != other.input.size()) return "the same cells and candidates";
    if (one.sensitivity != other.sensitivity) return "the same declarations";
    if (one.epsilon != other.epsilon) return "the same epsilons";
    if (one.kind == RecordedCall::Kind::kCounts) {
      std::uint64_t distance = 0;
      for (std::size_t k = 0; k < one.input.size(); ++k) {
        distance += static_cast<std::uint64_t>(std::abs(other.input[k] - one.input[k]));
      }
      if (distance > static_cast<std::uint64_t>(rows) * one.sensitivity)
        return "counts within their sensitivity";
    } else {
      // Where the interval of the declared width lies: a grid's score goes down by as much as its
      // rise passes one row, an attribute's goes up and down alike.
      const auto width = static_cast<std::int64_t>(one.sensitivity);
      const std::int64_t low =
          one.better == Better::kLower ? (MisclassificationTable::kOneRow - width) / 2 : -width / 2;
      for (std::size_t k = 0; k < one.input.size(); ++k) {
        const std::int64_t change = other.input[k] - one.input[k];
        if (change < rows * low || change > rows * (low + width))
          return "scores within their range";
      }
    }
  }
  return "";
}

}  // namespace privpfc
