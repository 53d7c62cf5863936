#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "privpfc/schema/hierarchy_exchange.h"
#include "privpfc/schema/import_tree.h"

namespace privpfc {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxNodes = 400'000;

// Counts nodes and depth while parsing, and sees the duplicate keys that the finished tree hides.
class Guard {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    if (static_cast<std::size_t>(depth) > Hierarchy::kMaxDepth || ++nodes_ > kMaxNodes) {
      too_large_ = true;
      return false;
    }
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end && !keys_.empty()) keys_.pop_back();
    if (event == Json::parse_event_t::key && !keys_.empty()) {
      if (!keys_.back().insert(parsed.get<std::string>()).second) duplicate_ = parsed;
    }
    return true;
  }
  bool too_large() const { return too_large_; }
  const std::string& duplicate() const { return duplicate_; }

 private:
  std::size_t nodes_ = 0;
  bool too_large_ = false;
  std::string duplicate_;
  std::vector<std::set<std::string>> keys_;
};

Result<std::vector<TreeNode>> read_nodes(const std::string& attribute, const Json& json) {
  std::vector<TreeNode> nodes;
  if (json.is_object()) {
    for (const auto& [label, below] : json.items()) {
      PRIVPFC_ASSIGN(auto children, read_nodes(attribute, below));
      nodes.push_back({label, std::move(children)});
    }
  } else if (json.is_array()) {
    for (const Json& item : json) {
      if (!item.is_string()) {
        return make_error(ErrorKind::kSchema, "'{}': a list may hold texts only", attribute);
      }
      nodes.push_back({item.get<std::string>(), {}});
    }
  } else if (!json.is_null()) {
    return make_error(ErrorKind::kSchema, "'{}': expected nested objects {{\"group\": {{...}}}}",
                      attribute);
  }
  return nodes;
}

Json write_nodes(const std::vector<TreeNode>& nodes) {
  Json json = Json::object();
  for (const TreeNode& node : nodes) json[node.label] = write_nodes(node.children);
  return json;
}

}  // namespace

Result<std::vector<Attribute>> import_nested_json(std::string_view text) {
  Guard guard;
  Json json;
  try {
    json = Json::parse(text, [&](int depth, Json::parse_event_t event, Json& parsed) {
      return guard(depth, event, parsed);
    });
  } catch (const Json::parse_error& error) {
    const std::size_t end = std::min<std::size_t>(error.byte, text.size());
    const auto breaks =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    return make_error(ErrorKind::kSchema, "not valid JSON from line {} on", breaks + 1);
  } catch (const Json::exception&) {
    return make_error(ErrorKind::kSchema, "not valid JSON: a number is too large");
  }
  if (guard.too_large()) {
    return make_error(ErrorKind::kLimit, "the JSON is nested too deep or has more than {} nodes",
                      kMaxNodes);
  }
  if (!guard.duplicate().empty()) {
    return make_error(ErrorKind::kSchema, "'{}' stands twice in one object", guard.duplicate());
  }
  if (!json.is_object() || json.empty()) {
    return make_error(ErrorKind::kSchema, "expected {{\"attribute\": {{\"group\": ...}}}}");
  }
  std::vector<Attribute> attributes;
  for (const auto& [name, below] : json.items()) {
    PRIVPFC_ASSIGN(const auto tree, read_nodes(name, below));
    PRIVPFC_ASSIGN(auto attribute, internal::attribute_of_tree(name, tree));
    attributes.push_back(std::move(attribute));
  }
  return attributes;
}

std::string export_nested_json(const Schema& schema) {
  Json json = Json::object();
  for (const Attribute& attribute : schema.attributes) {
    json[attribute.name] = write_nodes(
        {{attribute.hierarchy.label(LevelIndex(), NodeIndex()), attribute.hierarchy.tree()}});
  }
  return json.dump(2) + "\n";
}

}  // namespace privpfc
