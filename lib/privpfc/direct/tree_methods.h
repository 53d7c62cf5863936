#pragma once

#include <memory>

#include "privpfc/direct/method.h"
#include "privpfc/direct/tree_options.h"

namespace privpfc {

// Trees and forests; each in a file of its own, all made of the steps of tree_steps.h.
std::unique_ptr<DirectMethod> make_tree_cart(const TreeDirectOptions& options);
std::unique_ptr<DirectMethod> make_tree_sulq_id3(const TreeDirectOptions& options);
std::unique_ptr<DirectMethod> make_tree_friedman_schuster(const TreeDirectOptions& options);
std::unique_ptr<DirectMethod> make_tree_mohammed(const TreeDirectOptions& options);
std::unique_ptr<DirectMethod> make_forest_patil_singh(const TreeDirectOptions& options);
std::unique_ptr<DirectMethod> make_forest_fletcher_islam_2015a(const TreeDirectOptions& options);
std::unique_ptr<DirectMethod> make_forest_fletcher_islam_2015b(const TreeDirectOptions& options);
std::unique_ptr<DirectMethod> make_forest_random(const TreeDirectOptions& options);
std::unique_ptr<DirectMethod> make_forest_fletcher_islam_2016(const TreeDirectOptions& options);

}  // namespace privpfc
