#include "privpfc/schema/yaml_document.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

using namespace privpfc;

namespace {

Findings refused(const std::string& text) {
  Findings findings;
  read_yaml(text, YamlLimits{}, findings);
  return findings;
}

}  // namespace

TEST_CASE("values keep their text and their place") {
  Findings findings;
  const auto root = read_yaml("a: yes\nb:\n  - 010\n  - 'x'\nc:\n", YamlLimits{}, findings);
  REQUIRE(root);
  CHECK(findings.empty());
  CHECK(root->find("a")->scalar == "yes");
  CHECK(root->find("b")->items[0].scalar == "010");
  CHECK(root->find("b")->items[1].quoted);
  CHECK(root->find("b")->items[1].at == Position{4, 5});
  CHECK(root->find("c")->is_null());
  CHECK(root->find("d") == nullptr);
}

TEST_CASE("what YAML would load in silence is refused with its place") {
  struct Case {
    std::string text;
    Position at;
    std::string words;
  };
  for (const Case& c : {
           Case{"", {0, 0}, "empty"},
           Case{"a: 1\n---\nb: 2\n", {3, 1}, "second YAML document"},
           Case{"a: 1\na: 2\n", {2, 1}, "'a' stands here twice (first at line 1)"},
           Case{"a: &x [1]\nb: *x\n", {2, 4}, "aliases"},
           Case{"a: &x [*x]\n", {1, 8}, "aliases"},
           Case{"a: *x\nb: *y\n", {1, 4}, "begins with * in quotes"},
           Case{"a: !!binary aGk=\n", {1, 4}, "tags"},
           Case{"? [a, b]\n: 1\n", {1, 3}, "plain text"},
           Case{"a: [1, 2\n", {0, 0}, "not YAML"},
           Case{std::string("a: \0b", 5), {0, 0}, "NUL"},
       }) {
    CAPTURE(c.text);
    const Findings findings = refused(c.text);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].message.find(c.words) != std::string::npos);
    if (c.at.line != 0) CHECK(findings[0].at == c.at);
  }
}

TEST_CASE("what is refused does not hide what follows; aliases are not followed") {
  Findings findings;
  const auto root = read_yaml("a: &x [1, 2]\nb: *x\n*x : !!str t\nc: [*x, 3]\n---\nd: 4\n",
                              YamlLimits{}, findings);
  REQUIRE(root);
  REQUIRE(findings.size() == 5);
  CHECK(findings[0].at == Position{2, 4});
  CHECK(findings[1].at == Position{3, 1});
  CHECK(findings[2].message.find("tags") != std::string::npos);
  CHECK(findings[3].at == Position{4, 5});
  CHECK(findings[4].message.find("second YAML document") != std::string::npos);
  CHECK(root->find("b")->is_refused());
  CHECK(root->find("b")->items.empty());
  CHECK(root->find("c")->items[1].scalar == "3");
}

TEST_CASE("depth 64 is read and depth 65 is refused, as are too many values") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(refused(nested(64)).empty());
  const Findings deep = refused(nested(65));
  REQUIRE(deep.size() == 1);
  CHECK(deep[0].kind == ErrorKind::kLimit);
  CHECK(refused(nested(100'000))[0].kind == ErrorKind::kLimit);

  std::string many = "[0";
  for (int i = 0; i < 1'000'000; ++i) many += ",0";
  const Findings wide = refused(many + "]");
  REQUIRE(wide.size() == 1);
  CHECK(wide[0].kind == ErrorKind::kLimit);
}
