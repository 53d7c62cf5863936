#pragma once

// For the sources of this room only: JSON that was written by a stranger. Every reader checks what
// it takes; nothing here throws.

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "privpfc/base/result.h"

namespace privpfc {

using Json = nlohmann::ordered_json;

// The longest that a number gets, -2.2250738585072014e-308, and a comma.
inline constexpr std::uint64_t kMostNumberBytes = 25;

inline Error bad_model(const std::string& what) {
  return make_error(ErrorKind::kData, "this is not a sound model file: {}", what);
}

inline Result<const Json*> json_member(const Json& object, const char* key) {
  if (object.is_object()) {
    const auto found = object.find(key);
    if (found != object.end()) return &*found;
  }
  return bad_model(fmt::format("'{}' is missing", key));
}

inline Result<const Json*> json_list(const Json& object, const char* key, std::size_t least,
                                     std::size_t most) {
  PRIVPFC_ASSIGN(const Json* list, json_member(object, key));
  if (!list->is_array() || list->size() < least || list->size() > most) {
    return bad_model(least == most
                         ? fmt::format("'{}' is not a list of {}", key, most)
                         : fmt::format("'{}' is not a list of {} to {}", key, least, most));
  }
  return list;
}

inline Result<double> json_number(const Json& object, const char* key) {
  PRIVPFC_ASSIGN(const Json* value, json_member(object, key));
  if (!value->is_number()) return bad_model(fmt::format("'{}' is not a number", key));
  const double number = value->get<double>();
  if (!std::isfinite(number)) return bad_model(fmt::format("'{}' is not finite", key));
  return number;
}

inline Result<double> json_number_in(const Json& object, const char* key, double low, double high) {
  PRIVPFC_ASSIGN(const double number, json_number(object, key));
  if (number < low || number > high) return bad_model(fmt::format("'{}' is out of range", key));
  return number;
}

inline Result<std::size_t> json_index(const Json& object, const char* key, std::size_t below) {
  PRIVPFC_ASSIGN(const Json* value, json_member(object, key));
  if (!value->is_number_unsigned() || value->get<std::uint64_t>() >= below) {
    return bad_model(fmt::format("'{}' is not a whole number from 0 to {}", key, below - 1));
  }
  return static_cast<std::size_t>(value->get<std::uint64_t>());
}

inline Result<std::string> json_text(const Json& object, const char* key) {
  PRIVPFC_ASSIGN(const Json* value, json_member(object, key));
  if (!value->is_string()) return bad_model(fmt::format("'{}' is not a text", key));
  return value->get<std::string>();
}

// A list of finite numbers.
inline Result<std::vector<double>> numbers_of(const Json& list, const char* name,
                                              std::size_t size) {
  if (!list.is_array() || list.size() != size) {
    return bad_model(fmt::format("'{}' is not a list of {} numbers", name, size));
  }
  std::vector<double> numbers;
  numbers.reserve(size);
  for (const Json& value : list) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      return bad_model(fmt::format("'{}' holds something that is not a finite number", name));
    }
    numbers.push_back(value.get<double>());
  }
  return numbers;
}

inline Result<std::vector<double>> json_numbers(const Json& object, const char* key,
                                                std::size_t size) {
  PRIVPFC_ASSIGN(const Json* list, json_member(object, key));
  return numbers_of(*list, key, size);
}

// A distribution over the classes.
inline Result<std::vector<double>> shares_of(const Json& list, const char* name, std::size_t size) {
  PRIVPFC_ASSIGN(std::vector<double> shares, numbers_of(list, name, size));
  double sum = 0;
  for (const double share : shares) {
    if (share < 0) return bad_model(fmt::format("'{}' holds a negative share", name));
    sum += share;
  }
  if (std::abs(sum - 1) > 1e-6) return bad_model(fmt::format("'{}' does not add up to 1", name));
  return shares;
}

}  // namespace privpfc
