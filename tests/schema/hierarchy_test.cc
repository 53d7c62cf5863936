#include "privpfc/schema/hierarchy.h"

#include <doctest/doctest.h>

using namespace privpfc;

namespace {

// Worked > With-pay > (Gov > State, Federal), Private; Worked > Without-pay; Never-worked.
std::vector<TreeNode> work() {
  return {{"Worked",
           {{"With-pay", {{"Gov", {{"State", {}}, {"Federal", {}}}}, {"Private", {}}}},
            {"Without-pay", {}}}},
          {"Never-worked", {}}};
}

std::vector<std::string> labels(const Hierarchy& hierarchy, std::size_t level) {
  const auto span = hierarchy.labels(LevelIndex(level));
  return {span.begin(), span.end()};
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("levels are horizontal cuts, and an early leaf stands for itself below") {
  const Hierarchy hierarchy = Hierarchy::from_tree(work());
  REQUIRE(hierarchy.level_count() == 5);
  CHECK(labels(hierarchy, 0) == Labels{"any"});
  CHECK(labels(hierarchy, 1) == Labels{"Worked", "Never-worked"});
  CHECK(labels(hierarchy, 2) == Labels{"With-pay", "Without-pay", "Never-worked"});
  CHECK(labels(hierarchy, 3) == Labels{"Gov", "Private", "Without-pay", "Never-worked"});
  CHECK(labels(hierarchy, 4) ==
        Labels{"State", "Federal", "Private", "Without-pay", "Never-worked"});
  CHECK(hierarchy.node_of(LevelIndex(std::size_t{3}), LeafIndex(std::size_t{1})) ==
        NodeIndex(std::size_t{0}));
  CHECK(hierarchy.node_of(LevelIndex(std::size_t{1}), LeafIndex(std::size_t{4})) ==
        NodeIndex(std::size_t{1}));
}

TEST_CASE("every level refines the one before it, in runs of leaves") {
  const Hierarchy hierarchy = Hierarchy::from_tree(work());
  for (std::size_t level = 1; level < hierarchy.level_count(); ++level) {
    const auto coarse = hierarchy.nodes_of_leaves(LevelIndex(level - 1));
    const auto fine = hierarchy.nodes_of_leaves(LevelIndex(level));
    for (std::size_t leaf = 1; leaf < hierarchy.leaf_count(); ++leaf) {
      CHECK(fine[leaf] >= fine[leaf - 1]);
      if (fine[leaf] == fine[leaf - 1]) CHECK(coarse[leaf] == coarse[leaf - 1]);
    }
    CHECK(hierarchy.node_count(LevelIndex(level)) > hierarchy.node_count(LevelIndex(level - 1)));
  }
}

TEST_CASE("levels that split nothing are kept once, under the deeper name") {
  const Hierarchy hierarchy =
      Hierarchy::from_tree({{"Everything", {{"A", {{"A1", {}}}}, {"B", {{"B1", {}}}}}}});
  REQUIRE(hierarchy.level_count() == 2);
  CHECK(labels(hierarchy, 0) == Labels{"any"});
  CHECK(labels(hierarchy, 1) == Labels{"A1", "B1"});
}

TEST_CASE("the tree can be rebuilt from the levels") {
  for (const auto& tree :
       {work(), std::vector<TreeNode>{{"only", {}}},
        std::vector<TreeNode>{{"few", {{"few", {{"0", {}}, {"1", {}}}}}},
                              {"many", {{"2", {{"2", {}}}}, {"more", {{"3", {}}, {"4", {}}}}}}},
        std::vector<TreeNode>{
            {"Asia", {{"South", {{"India", {}}}}, {"East", {{"Japan", {}}, {"China", {}}}}}},
            {"Iran", {}}}}) {
    const Hierarchy hierarchy = Hierarchy::from_tree(tree);
    CHECK(Hierarchy::from_tree(hierarchy.tree()) == hierarchy);
  }
}

TEST_CASE("a single leaf is a hierarchy of one level that keeps its name") {
  const Hierarchy hierarchy = Hierarchy::from_tree({{"only", {}}});
  CHECK(hierarchy.level_count() == 1);
  CHECK(hierarchy.leaf_label(LeafIndex()) == "only");
}
