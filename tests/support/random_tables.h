#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "privpfc/schema/schema.h"
#include "privpfc/table/encoded_table.h"

namespace privpfc {

// Made-up schemas and tables for comparing the fast ways with the plain ones.

using Random = std::mt19937_64;

inline std::size_t below(Random& random, std::size_t limit) {
  return static_cast<std::size_t>(random() % limit);
}

inline std::size_t between(Random& random, std::size_t least, std::size_t most) {
  return least + below(random, most - least + 1);
}

// An uneven tree: a child is a leaf or has children of its own.
inline std::vector<TreeNode> random_tree(Random& random, std::size_t most_children,
                                         std::size_t depth) {
  std::vector<TreeNode> nodes(between(random, 1, most_children));
  for (TreeNode& node : nodes) {
    node.label = "n" + std::to_string(random() % 1'000'000);
    if (depth > 1 && below(random, 3) != 0) {
      node.children = random_tree(random, most_children, depth - 1);
    }
  }
  return nodes;
}

inline std::vector<TreeNode> flat_tree(std::size_t leaves) {
  std::vector<TreeNode> nodes(leaves);
  for (std::size_t i = 0; i < leaves; ++i) nodes[i].label = "n" + std::to_string(i);
  return nodes;
}

inline Schema schema_of(std::vector<Hierarchy> hierarchies, std::size_t classes) {
  Schema schema;
  schema.name = "made up";
  for (std::size_t i = 0; i < hierarchies.size(); ++i) {
    Attribute attribute;
    attribute.name = "a" + std::to_string(i);
    attribute.hierarchy = std::move(hierarchies[i]);
    schema.attributes.push_back(std::move(attribute));
  }
  for (std::size_t c = 0; c < classes; ++c) schema.label.classes.push_back("c" + std::to_string(c));
  return schema;
}

inline Schema random_schema(Random& random, std::size_t attributes, std::size_t classes,
                            std::size_t most_children = 3, std::size_t depth = 3) {
  std::vector<Hierarchy> hierarchies;
  for (std::size_t i = 0; i < attributes; ++i) {
    hierarchies.push_back(Hierarchy::from_tree(random_tree(random, most_children, depth)));
  }
  return schema_of(std::move(hierarchies), classes);
}

struct Row {
  std::vector<std::uint16_t> leaves;  // by attribute
  std::uint8_t label = 0;
};

inline Row random_row(Random& random, const Schema& schema) {
  Row row;
  // Of two draws the lower one, so that leaves are unevenly filled and tell about the label.
  const auto uneven = [&](std::size_t limit) {
    return std::min(below(random, limit), below(random, limit));
  };
  row.label = static_cast<std::uint8_t>(uneven(schema.class_count()));
  for (const Attribute& attribute : schema.attributes) {
    const std::size_t leaves = attribute.hierarchy.leaf_count();
    const bool follows = below(random, 2) == 0;
    row.leaves.push_back(static_cast<std::uint16_t>(follows ? row.label % leaves : uneven(leaves)));
  }
  return row;
}

inline std::vector<Row> random_rows(Random& random, const Schema& schema, std::size_t count) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(random_row(random, schema));
  return rows;
}

// The rows as the encoder would give them, cut into batches of this many.
inline EncodedTable encoded(const Schema& schema, const std::vector<Row>& rows,
                            std::size_t batch_rows = 100) {
  EncodedTable table;
  for (std::size_t first = 0; first < rows.size(); first += batch_rows) {
    const std::size_t end = std::min(first + batch_rows, rows.size());
    EncodedBatch batch;
    batch.rows = end - first;
    for (std::size_t i = first; i < end; ++i) batch.classes.push_back(rows[i].label);
    for (std::size_t a = 0; a < schema.attributes.size(); ++a) {
      std::vector<std::uint16_t> wide;
      for (std::size_t i = first; i < end; ++i) wide.push_back(rows[i].leaves[a]);
      if (!schema.attributes[a].used) {
        batch.codes.emplace_back();
      } else if (schema.attributes[a].hierarchy.leaf_count() <= 256) {
        std::vector<std::uint8_t> narrow;
        for (const std::uint16_t leaf : wide) narrow.push_back(static_cast<std::uint8_t>(leaf));
        batch.codes.emplace_back(std::move(narrow));
      } else {
        batch.codes.emplace_back(std::move(wide));
      }
    }
    table.append(std::move(batch));
  }
  return table;
}

}  // namespace privpfc
