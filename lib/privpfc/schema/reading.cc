#include "privpfc/schema/reading.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "privpfc/base/strong_index.h"
#include "privpfc/base/utf8.h"

namespace privpfc::internal {
namespace {

constexpr std::size_t kMaxTextLength = 1024;

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

}  // namespace

std::size_t Reading::error_count() const {
  return static_cast<std::size_t>(
      std::count_if(findings_.begin(), findings_.end(),
                    [](const Finding& finding) { return finding.severity == Severity::kError; }));
}

void Reading::check_keys(const YamlNode& map, std::string_view what,
                         std::initializer_list<std::string_view> allowed) {
  for (const YamlNode& key : map.keys) {
    if (std::find(allowed.begin(), allowed.end(), key.scalar) == allowed.end()) {
      error(key.at, "{} has no key '{}'; it may have: {}", what, key.scalar,
            fmt::join(allowed, ", "));
    }
  }
}

std::optional<std::string> Reading::text(const YamlNode& node, std::string_view what) {
  if (node.is_null()) {
    error(node.at, "{} is empty; put it in quotes if a word such as null is meant as text", what);
    return std::nullopt;
  }
  if (!node.is_scalar()) {
    error(node.at, "{} should be one piece of text", what);
    return std::nullopt;
  }
  if (node.scalar.size() > kMaxTextLength) {
    limit(node.at, "{} is longer than {} bytes", what, kMaxTextLength);
    return std::nullopt;
  }
  if (!is_valid_utf8(node.scalar) || has_control_character(node.scalar)) {
    error(node.at, "{} has bytes that are no readable text", what);
    return std::nullopt;
  }
  return node.scalar;
}

std::optional<std::vector<std::string>> Reading::text_list(const YamlNode& node,
                                                           std::string_view what) {
  if (!node.is_sequence()) {
    error(node.at, "{} should be a list: [a, b, c]", what);
    return std::nullopt;
  }
  std::vector<std::string> texts;
  for (const YamlNode& item : node.items) {
    // The empty text is a spelling like any other ("" as a missing value), if it is in quotes.
    if (auto one = text(item, what)) texts.push_back(std::move(*one));
  }
  return texts;
}

std::optional<bool> Reading::boolean(const YamlNode& node, std::string_view what) {
  if (node.is_scalar() && node.scalar == "true") return true;
  if (node.is_scalar() && node.scalar == "false") return false;
  error(node.at, "{} should be true or false", what);
  return std::nullopt;
}

std::optional<ColumnRef> Reading::column(const YamlNode& node) {
  if (!text(node, "column")) return std::nullopt;
  auto column = column_of(node);
  if (column) return column;
  if (node.scalar.empty()) {
    error(node.at, "column is empty");
  } else {
    error(node.at, "column: positions count from 1; put the number in quotes if it is a name");
  }
  return std::nullopt;
}

std::optional<ColumnRef> Reading::column_of(const YamlNode& node) {
  if (!node.is_scalar() || node.scalar.empty()) return std::nullopt;
  if (node.quoted || node.scalar.find_first_not_of("0123456789") != std::string::npos) {
    return ColumnRef(node.scalar);
  }
  std::size_t position = 0;
  const char* end = node.scalar.data() + node.scalar.size();
  const auto [stopped, code] = std::from_chars(node.scalar.data(), end, position);
  if (code != std::errc() || position == 0 || position > 1'000'000) return std::nullopt;
  return ColumnRef(position - 1);
}

std::string Reading::prose(const YamlNode& map, std::string_view key) {
  const YamlNode* node = map.find(key);
  if (node == nullptr || node->is_null()) return {};
  if (!node->is_scalar() || !is_valid_utf8(node->scalar)) {
    error(node->at, "{} should be text", key);
    return {};
  }
  return node->scalar;
}

std::vector<const YamlNode*> repeated_texts(const YamlNode& list) {
  std::vector<const YamlNode*> repeated;
  std::unordered_set<std::string_view> seen;
  for (const YamlNode& item : list.items) {
    if (item.is_scalar() && !seen.insert(item.scalar).second) repeated.push_back(&item);
  }
  return repeated;
}

template <typename Index>
void read_aliases(const YamlNode& map, const std::vector<std::string>& names, bool all_names,
                  std::vector<std::pair<std::string, Index>>& spellings, Reading& reading) {
  std::unordered_map<std::string, Index> index_of;
  for (std::size_t i = 0; i < names.size(); ++i) index_of.emplace(names[i], Index(i));
  std::unordered_map<std::string, Index> taken;
  for (const auto& [spelling, index] : spellings) taken.emplace(spelling, index);

  if (const YamlNode* aliases = map.find("aliases")) {
    if (!aliases->is_map()) {
      reading.error(aliases->at, "aliases should be {{name: [spelling, ...]}}");
      return;
    }
    for (std::size_t i = 0; i < aliases->keys.size(); ++i) {
      const YamlNode& key = aliases->keys[i];
      const auto named = index_of.find(key.scalar);
      if (named == index_of.end()) {
        if (!all_names) continue;
        reading.error(key.at, "aliases: '{}' is not a value of this column", key.scalar);
        continue;
      }
      const auto texts = reading.text_list(aliases->items[i], "aliases");
      if (!texts) continue;
      for (const std::string& spelling : *texts) {
        const auto [found, is_new] = taken.emplace(spelling, named->second);
        if (is_new) {
          spellings.emplace_back(spelling, named->second);
        } else if (found->second != named->second) {
          reading.error(aliases->items[i].at, "aliases: '{}' already means another value",
                        spelling);
        }
      }
    }
  }
  std::sort(spellings.begin(), spellings.end());
}

template void read_aliases<LeafIndex>(const YamlNode&, const std::vector<std::string>&, bool,
                                      std::vector<std::pair<std::string, LeafIndex>>&, Reading&);
template void read_aliases<ClassIndex>(const YamlNode&, const std::vector<std::string>&, bool,
                                       std::vector<std::pair<std::string, ClassIndex>>&, Reading&);

}  // namespace privpfc::internal
