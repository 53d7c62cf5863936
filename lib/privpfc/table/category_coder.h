#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "privpfc/schema/schema.h"
#include "privpfc/table/coded.h"
#include "privpfc/table/spelling_table.h"

namespace privpfc {

// Where the values of one categorical, ordinal or boolean attribute go, or those of the label. A
// number or date stored as such is compared by its text: 3 and 3.0 are `3`.
class CategoryCoder {
 public:
  explicit CategoryCoder(const Attribute& attribute);
  explicit CategoryCoder(const Label& label);

  Coded missing() const { return missing_; }

  Coded of(std::string_view text) const {
    if (const Coded* coded = spellings_.find(text)) return *coded;
    return ignores_case_ ? of_lower_case(text) : unlisted_;
  }
  Coded of(std::int64_t value) const {
    const std::uint64_t index = static_cast<std::uint64_t>(value) - first_;
    if (index < by_value_.size()) return by_value_[index];
    return of_integer(value);
  }
  Coded of(std::uint64_t value) const;
  Coded of(double value) const;
  Coded of(bool value) const { return of_bool_[value ? 1 : 0]; }
  Coded of_days(std::int32_t days) const;

 private:
  void prepare();
  Coded of_lower_case(std::string_view text) const;
  Coded of_integer(std::int64_t value) const;
  Coded of_bool(bool value) const;

  SpellingTable spellings_;
  Coded missing_;
  Coded unlisted_;
  bool ignores_case_ = false;
  Coded of_bool_[2];
  // Small whole numbers, looked up beforehand.
  std::uint64_t first_ = 0;
  std::vector<Coded> by_value_;
};

}  // namespace privpfc
