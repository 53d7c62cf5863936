#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "privpfc/direct/linear.h"
#include "privpfc/direct/method.h"
#include "privpfc/direct/nb_options.h"
#include "privpfc/direct/tree_options.h"

namespace privpfc {

// The options of all families; a method reads those of its own.
struct DirectOptions {
  LinearDirectOptions linear{};
  NaiveBayesDirectOptions naive_bayes;
  TreeDirectOptions trees;
};

// Every direct method, by family, in the order in which people see them. A new one is a file of its
// own and a line in methods.cc.
std::vector<std::unique_ptr<DirectMethod>> direct_methods(const DirectOptions& options);

// An error (kUsage) that lists the names if there is none of this name.
Result<std::unique_ptr<DirectMethod>> find_direct_method(std::string_view name,
                                                         const DirectOptions& options);

}  // namespace privpfc
