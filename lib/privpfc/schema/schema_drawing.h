#pragma once

#include <string>

#include "privpfc/schema/schema.h"

namespace privpfc {

// One line per attribute: type, domain, nodes per level.
std::string draw_overview(const Schema& schema);

// One attribute's hierarchy as a tree, with the number of nodes per level above it.
std::string draw_hierarchy(const Attribute& attribute);

}  // namespace privpfc
