#include "privpfc/schema/yaml_document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>

namespace privpfc {
namespace {

Position position_of(const YAML::Mark& mark) {
  return {mark.line + 1, mark.column + 1};
}

// Thrown out of the event handler to stop the parser early; never leaves this file.
struct Stop {
  Finding finding;
};

// Builds the tree from the parser's events, so that limits and refusals take effect while reading
// and not after an attacker's document has been unfolded in memory.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const YamlLimits& limits, Findings& findings)
      : limits_(limits), findings_(findings) {}

  YamlNode take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    YamlNode node;
    node.at = position_of(mark);
    finish(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    note(position_of(mark),
         "YAML aliases (*name) are not allowed in a schema; write the value out");
    finish(refused(position_of(mark)));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    if (tag != "?" && tag != "!" && !tag.empty()) note_tag(mark);
    YamlNode node;
    node.kind = YamlNode::Kind::kScalar;
    node.at = position_of(mark);
    node.scalar = value;
    node.quoted = tag == "!";
    finish(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::kSequence, mark, tag);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::kMap, mark, tag);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    std::unordered_map<std::string, Position> seen_keys;
  };

  void note(Position at, std::string message) {
    findings_.push_back({Severity::kError, at, std::move(message)});
  }

  void note_tag(const YAML::Mark& mark) {
    note(position_of(mark), "YAML tags (!name) are not used in a schema");
  }

  static YamlNode refused(Position at) {
    YamlNode node;
    node.kind = YamlNode::Kind::kRefused;
    node.at = at;
    return node;
  }

  void count_node(Position at) {
    if (++nodes_ > limits_.nodes) {
      throw Stop{{Severity::kError, at,
                  fmt::format("the file has more than {} values; the limit is there to keep memory "
                              "bounded",
                              limits_.nodes),
                  ErrorKind::kLimit}};
    }
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag) {
    if (tag != "?" && !tag.empty()) note_tag(mark);
    const Position at = position_of(mark);
    if (open_.size() >= limits_.depth) {
      throw Stop{{Severity::kError, at,
                  fmt::format("nested more than {} levels deep", limits_.depth),
                  ErrorKind::kLimit}};
    }
    Open entry;
    entry.node.kind = kind;
    entry.node.at = at;
    open_.push_back(std::move(entry));
  }

  void close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    finish(std::move(node));
  }

  void finish(YamlNode node) {
    count_node(node.at);
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    const bool is_key = parent.node.is_map() && parent.node.keys.size() == parent.node.items.size();
    if (!is_key) {
      parent.node.items.push_back(std::move(node));
      return;
    }
    if (!node.is_scalar()) {
      if (!node.is_refused()) {
        note(node.at, node.is_null() ? "an empty key; put the word in quotes if it is meant as text"
                                     : "a key must be plain text");
      }
      parent.node.keys.push_back(refused(node.at));
      return;
    }
    const auto [found, is_new] = parent.seen_keys.emplace(node.scalar, node.at);
    if (!is_new) {
      note(node.at, fmt::format("'{}' stands here twice (first at line {})", node.scalar,
                                found->second.line));
    }
    parent.node.keys.push_back(std::move(node));
  }

  const YamlLimits& limits_;
  Findings& findings_;
  std::size_t nodes_ = 0;
  std::vector<Open> open_;
  YamlNode root_;
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].scalar == key) return &items[i];
  }
  return nullptr;
}

std::optional<YamlNode> read_yaml(std::string_view text, const YamlLimits& limits,
                                  Findings& findings) {
  if (text.size() > limits.bytes) {
    findings.push_back({Severity::kError,
                        {},
                        fmt::format("the file is larger than {} MiB", limits.bytes >> 20),
                        ErrorKind::kLimit});
    return std::nullopt;
  }
  if (text.find('\0') != std::string_view::npos) {
    findings.push_back({Severity::kError, {}, "the file has a NUL byte; it is not a text file"});
    return std::nullopt;
  }
  std::istringstream stream{std::string(text)};
  TreeBuilder builder(limits, findings);
  std::optional<YamlNode> root;
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      findings.push_back({Severity::kError, {}, "the file is empty"});
      return std::nullopt;
    }
    root = builder.take_root();
    Findings of_second;  // whatever they are, the document is one too many
    TreeBuilder second(limits, of_second);
    if (parser.HandleNextDocument(second)) {
      findings.push_back({Severity::kError, second.take_root().at,
                          "a second YAML document begins here; a schema is one document"});
    }
  } catch (const Stop& stop) {
    findings.push_back(stop.finding);
  } catch (const YAML::Exception& error) {
    // An alias without its anchor stops the parser itself.
    const bool is_alias = error.msg.starts_with(YAML::ErrorMsg::UNKNOWN_ANCHOR);
    findings.push_back({Severity::kError, position_of(error.mark),
                        is_alias
                            ? "YAML aliases (*name) are not allowed in a schema; put text that "
                              "begins with * in quotes. What follows was not read"
                            : fmt::format("not YAML: {}", error.msg)});
  }
  return root;
}

}  // namespace privpfc
