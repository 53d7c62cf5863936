#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "privpfc/schema/findings.h"

namespace privpfc {

// A YAML value with its place in the file. Scalars are kept as text: `yes` is the text "yes".
struct YamlNode {
  // kRefused: what stood here (an alias, a key that is no text) has been noted and is not kept.
  enum class Kind { kNull, kScalar, kSequence, kMap, kRefused };

  Kind kind = Kind::kNull;
  Position at;
  std::string scalar;
  bool quoted = false;
  std::vector<YamlNode> keys;   // of a map, scalars or refused
  std::vector<YamlNode> items;  // of a sequence; of a map, the values, in the order of `keys`

  bool is_null() const { return kind == Kind::kNull; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_sequence() const { return kind == Kind::kSequence; }
  bool is_map() const { return kind == Kind::kMap; }
  bool is_refused() const { return kind == Kind::kRefused; }

  // The value under `key` (the first, where a duplicate has been noted), or null. Requires a map.
  const YamlNode* find(std::string_view key) const;
};

struct YamlLimits {
  std::size_t bytes = std::size_t{16} << 20;
  std::size_t nodes = 400'000;
  std::size_t depth = 64;
};

// Reads one document. Refuses what a reader could misjudge in silence: aliases (which can loop or
// grow without bound), duplicate keys, a second document, tags, and keys that are not plain text.
// Each is an error among `findings`, and the rest is read all the same, so that it can be checked
// too; aliases are never followed. Without a value there is at least one error.
std::optional<YamlNode> read_yaml(std::string_view text, const YamlLimits& limits,
                                  Findings& findings);

}  // namespace privpfc
