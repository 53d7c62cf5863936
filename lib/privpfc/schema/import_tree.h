#pragma once

// Internal to the schema room: a tree from elsewhere becomes an attribute.

#include <string>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/schema/attribute.h"

namespace privpfc::internal {

// Requires nothing of the tree: what a schema could not say is an error of kind kSchema.
Result<Attribute> attribute_of_tree(const std::string& name, const std::vector<TreeNode>& tree);

}  // namespace privpfc::internal
