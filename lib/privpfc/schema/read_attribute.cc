#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "privpfc/schema/interval.h"
#include "privpfc/schema/reading.h"

namespace privpfc::internal {
namespace {

constexpr std::array<std::pair<std::string_view, AttributeKind>, 6> kKinds{{
    {"integer", AttributeKind::kInteger},
    {"real", AttributeKind::kReal},
    {"date", AttributeKind::kDate},
    {"ordinal", AttributeKind::kOrdinal},
    {"categorical", AttributeKind::kCategorical},
    {"boolean", AttributeKind::kBoolean},
}};

std::optional<AttributeKind> read_kind(const YamlNode& map, Reading& reading) {
  const YamlNode* node = map.find("type");
  for (const auto& [name, kind] : kKinds) {
    if (node != nullptr && node->is_scalar() && node->scalar == name) return kind;
  }
  reading.error(node == nullptr ? map.at : node->at,
                "type should be one of: integer, real, date, ordinal, categorical, boolean");
  return std::nullopt;
}

void check_keys_of_kind(const YamlNode& map, AttributeKind kind, Reading& reading) {
  if (is_numeric(kind)) {
    reading.check_keys(map, "a numeric attribute",
                       {"type", "column", "description", "use", "missing", "other", "outside",
                        "domain", "levels", "cuts", "intervals", "closed"});
  } else if (kind == AttributeKind::kBoolean) {
    reading.check_keys(map, "a boolean attribute",
                       {"type", "column", "description", "use", "missing", "other", "aliases"});
  } else {
    reading.check_keys(
        map, "a categorical attribute",
        {"type", "column", "description", "use", "missing", "other", "values", "tree", "aliases"});
  }
}

// What is known of an attribute's values. Where something is wrong with them, the names that could
// be read still serve to check the rest of the attribute.
struct Values {
  std::vector<TreeNode> tree;
  bool is_sound = true;  // no error
  bool all_names = true;
};

Values read_categories(const YamlNode& map, Reading& reading) {
  const Values unknown{{}, /*is_sound=*/false, /*all_names=*/false};
  const YamlNode* values = map.find("values");
  const YamlNode* tree = map.find("tree");
  if ((values != nullptr) == (tree != nullptr)) {
    reading.error(map.at,
                  "list the categories, by one of: values, tree; they are never taken from "
                  "the data");
    return unknown;
  }
  if (values != nullptr && !values->is_sequence()) {
    reading.error(values->at, "values should be a list: [a, b, c]");
    return unknown;
  }
  const YamlNode& node = values != nullptr ? *values : *tree;
  const std::size_t errors_before = reading.error_count();
  const PlacedTree placed = read_tree(node, /*leaf_values=*/false, reading);
  check_labels(placed.nodes, reading);
  const std::size_t leaves = count_leaves(placed.nodes);
  if (leaves > Hierarchy::kMaxLeaves - 2) {
    reading.limit(node.at, "more than {} categories", Hierarchy::kMaxLeaves - 2);
  }
  if (leaves == 0 && placed.is_complete && reading.error_count() == errors_before) {
    reading.error(node.at, "no category is listed");
  }
  return {plain_tree(placed.nodes), placed.is_complete && reading.error_count() == errors_before,
          placed.is_complete};
}

// Boolean columns come in many spellings; all of them are known beforehand.
std::vector<std::pair<std::string, LeafIndex>> boolean_spellings() {
  std::vector<std::pair<std::string, LeafIndex>> spellings;
  constexpr std::array<std::array<const char*, 13>, 2> kWords{{
      {"false", "False", "FALSE", "no", "No", "NO", "f", "F", "n", "N", "0", "0.0", "off"},
      {"true", "True", "TRUE", "yes", "Yes", "YES", "t", "T", "y", "Y", "1", "1.0", "on"},
  }};
  for (std::size_t leaf = 0; leaf < kWords.size(); ++leaf) {
    for (const char* word : kWords[leaf]) spellings.emplace_back(word, LeafIndex(leaf));
  }
  return spellings;
}

std::vector<std::string> leaf_labels(const std::vector<TreeNode>& tree) {
  std::vector<std::string> labels;
  for (const TreeNode& node : tree) {
    if (node.children.empty()) {
      labels.push_back(node.label);
    } else {
      const auto below = leaf_labels(node.children);
      labels.insert(labels.end(), below.begin(), below.end());
    }
  }
  return labels;
}

bool has_group(const std::vector<TreeNode>& tree, const std::string& label) {
  for (const TreeNode& node : tree) {
    if (!node.children.empty() && (node.label == label || has_group(node.children, label))) {
      return true;
    }
  }
  return false;
}

// Reads `missing` and `other`, and adds their leaves to the tree where they name new ones.
class Buckets {
 public:
  Buckets(const YamlNode& map, Values& values, Reading& reading)
      : map_(map),
        tree_(values.tree),
        all_names_(values.all_names),
        reading_(reading),
        labels_(leaf_labels(tree_)),
        value_count_(labels_.size()) {}

  void read(Attribute& attribute) {
    std::optional<LeafIndex> missing;
    std::optional<LeafIndex> other;
    if (const YamlNode* node = map_.find("missing")) {
      if (node->is_map()) {
        reading_.check_keys(*node, "missing", {"values", "leaf"});
        if (const YamlNode* values = node->find("values")) read_missing_list(*values, attribute);
        const YamlNode* leaf = node->find("leaf");
        missing = leaf == nullptr ? find_or_add("missing", *node, attribute.has_missing_leaf)
                                  : read_leaf(*leaf, attribute, attribute.has_missing_leaf);
      } else {
        read_missing_list(*node, attribute);
        missing = find_or_add("missing", *node, attribute.has_missing_leaf);
      }
    }
    if (const YamlNode* node = map_.find("other")) {
      const bool plain_true = node->is_scalar() && !node->quoted && node->scalar == "true";
      if (plain_true && attribute.kind == AttributeKind::kBoolean) {
        reading_.error(node->at,
                       "other: write \"true\" in quotes for the value, or {{new: other}} "
                       "for a leaf of its own");
      } else if (plain_true) {
        other = find_or_add("other", *node, attribute.has_other_leaf);
      } else {
        other = read_leaf(*node, attribute, attribute.has_other_leaf);
      }
    }
    attribute.missing_declared = missing.has_value();
    attribute.other_declared = other.has_value();
    attribute.missing_leaf = missing.value_or(other.value_or(LeafIndex()));
    attribute.other_leaf = other.value_or(missing.value_or(LeafIndex()));
    read_outside(attribute);
    if (map_.find("missing") == nullptr && map_.find("other") == nullptr && !labels_.empty()) {
      reading_.warning(map_.at,
                       "no bucket is declared: values that are missing or not listed count "
                       "as '{}'; declare missing: or other:",
                       labels_.front());
    }
  }

 private:
  void read_missing_list(const YamlNode& node, Attribute& attribute) {
    if (auto texts = reading_.text_list(node, "missing")) {
      attribute.missing_spellings = std::move(*texts);
      for (const YamlNode* item : repeated_texts(node)) {
        reading_.warning(item->at, "missing: '{}' is listed twice", item->scalar);
      }
    }
  }

  // The name of a leaf; for numbers, also a value, which means the bin that holds it; or {new:
  // NAME} for a leaf that is to be added. A name that is not there is a mistake, not a wish.
  std::optional<LeafIndex> read_leaf(const YamlNode& node, const Attribute& attribute,
                                     bool& added) {
    if (node.is_map()) {
      reading_.check_keys(node, "a new leaf", {"new"});
      const YamlNode* name = node.find("new");
      const auto label = name == nullptr ? std::nullopt : reading_.text(*name, "a new leaf");
      return label ? find_or_add(*label, node, added) : std::nullopt;
    }
    const auto label = reading_.text(node, "the name of a leaf");
    if (!label) return std::nullopt;
    for (std::size_t leaf = 0; leaf < labels_.size(); ++leaf) {
      if (labels_[leaf] == *label) return LeafIndex(leaf);
    }
    if (attribute.bins) {
      const auto value = parse_value(*label, attribute.kind);
      if (value) {
        if (const auto bin = bin_of(*attribute.bins, *value, attribute.kind))
          return LeafIndex(*bin);
      }
    }
    if (has_group(tree_, *label)) {
      reading_.error(node.at, "'{}' is a group; missing and other need a single leaf", *label);
      return std::nullopt;
    }
    if (!all_names_ && may_be_a_name(*label, attribute)) return std::nullopt;
    reading_.error(node.at, "'{}' is not a value here; for a leaf of its own write {{new: {}}}",
                   *label, *label);
    return std::nullopt;
  }

  // Whether a value that could not be read may be called so. Bins that are not named by the schema
  // are known by their numbers.
  bool may_be_a_name(const std::string& label, const Attribute& attribute) const {
    const bool names_its_values = !is_numeric(attribute.kind) || map_.find("intervals") != nullptr;
    return names_its_values || parse_value(label, attribute.kind) ||
           parse_interval(label, attribute.kind);
  }

  std::optional<LeafIndex> find_or_add(const std::string& label, const YamlNode& node,
                                       bool& added) {
    for (std::size_t leaf = 0; leaf < labels_.size(); ++leaf) {
      if (labels_[leaf] != label) continue;
      if (leaf < value_count_) {
        reading_.warning(
            node.at,
            "'{0}' is a value of this column already: such values count as it; name it "
            "(leaf: {0}, other: {0}) if that is meant, or {{new: NAME}} another leaf",
            label);
      }
      return LeafIndex(leaf);
    }
    if (has_group(tree_, label)) {
      reading_.error(node.at, "'{}' is a group; missing and other need a single leaf", label);
      return std::nullopt;
    }
    labels_.push_back(label);
    tree_.push_back({label, {}});
    added = true;
    return LeafIndex(labels_.size() - 1);
  }

  void read_outside(Attribute& attribute) {
    const YamlNode* node = map_.find("outside");
    if (node == nullptr) return;
    if (node->scalar == "nearest") {
      attribute.outside = Outside::kNearestBin;
    } else if (node->scalar == "other" && map_.find("other") != nullptr) {
      attribute.outside = Outside::kOther;
    } else if (node->scalar == "missing" && map_.find("missing") != nullptr) {
      attribute.outside = Outside::kMissing;
    } else {
      reading_.error(node->at,
                     "outside should be nearest, or other or missing where that is "
                     "declared too");
    }
  }

  const YamlNode& map_;
  std::vector<TreeNode>& tree_;
  const bool all_names_;
  Reading& reading_;
  std::vector<std::string> labels_;
  const std::size_t value_count_;  // labels before those that buckets have added
};

void check_missing_spellings(const Attribute& attribute, const YamlNode& map, Reading& reading) {
  const std::set<std::string> missing(attribute.missing_spellings.begin(),
                                      attribute.missing_spellings.end());
  for (const std::string& text : missing) {
    const auto is_category = [&](const auto& entry) {
      return entry.first == text && entry.second != attribute.missing_leaf;
    };
    if (std::any_of(attribute.spellings.begin(), attribute.spellings.end(), is_category)) {
      reading.error(map.find("missing")->at, "missing: '{}' is also a category", text);
    }
  }
}

Values read_values(const YamlNode& map, Attribute& attribute, Reading& reading) {
  if (attribute.kind == AttributeKind::kBoolean) return {{{"false", {}}, {"true", {}}}};
  if (!is_numeric(attribute.kind)) return read_categories(map, reading);
  auto binned = read_bins(map, attribute.kind, reading);
  if (!binned) return {{}, /*is_sound=*/false, /*all_names=*/false};
  attribute.bins = std::move(binned->bins);
  return {std::move(binned->tree)};
}

}  // namespace

std::optional<Attribute> read_attribute(const YamlNode& name, const YamlNode& node,
                                        Reading& reading) {
  const auto label = reading.text(name, "an attribute's name");
  if (!label) return std::nullopt;
  if (!node.is_map()) {
    reading.error(node.at, "'{}' should be described by {{type: ..., ...}}", *label);
    return std::nullopt;
  }
  Attribute attribute;
  attribute.name = *label;
  attribute.column = *label;
  if (const YamlNode* column = node.find("column")) {
    if (auto reference = reading.column(*column)) attribute.column = std::move(*reference);
  }
  if (const YamlNode* use = node.find("use")) {
    attribute.used = reading.boolean(*use, "use").value_or(true);
  }
  attribute.description = reading.prose(node, "description");
  const auto kind = read_kind(node, reading);
  if (!kind) return std::nullopt;
  attribute.kind = *kind;
  check_keys_of_kind(node, *kind, reading);

  Values values = read_values(node, attribute, reading);
  const std::vector<std::string> value_labels = leaf_labels(values.tree);
  Buckets(node, values, reading).read(attribute);
  if (values.is_sound) attribute.hierarchy = Hierarchy::from_tree(values.tree);

  if (!is_numeric(*kind)) {
    if (*kind == AttributeKind::kBoolean) {
      attribute.spellings = boolean_spellings();
    } else {
      for (std::size_t leaf = 0; leaf < value_labels.size(); ++leaf) {
        attribute.spellings.emplace_back(value_labels[leaf], LeafIndex(leaf));
      }
    }
    read_aliases(node, value_labels, values.all_names, attribute.spellings, reading);
    check_missing_spellings(attribute, node, reading);
  }
  if (!values.is_sound && !attribute.used) {
    reading.warning(
        node.find("use")->at,
        "with use: false an attribute is described all the same; a column that takes no "
        "part can stand under ignore: instead");
  }
  if (!values.is_sound) return std::nullopt;
  if (attribute.used && attribute.hierarchy.leaf_count() == 1) {
    reading.warning(node.at, "'{}' has a single value and tells nothing; consider use: false",
                    *label);
  }
  return attribute;
}

}  // namespace privpfc::internal
