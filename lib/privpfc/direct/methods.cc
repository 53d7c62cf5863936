#include "privpfc/direct/methods.h"

#include <string>
#include <utility>

#include "privpfc/direct/nb_laplace.h"
#include "privpfc/direct/nb_smooth.h"
#include "privpfc/direct/tree_methods.h"

namespace privpfc {

std::vector<std::unique_ptr<DirectMethod>> direct_methods(const DirectOptions& options) {
  std::vector<std::unique_ptr<DirectMethod>> methods;
  methods.push_back(nb_laplace(options.naive_bayes));
  methods.push_back(nb_smooth(options.naive_bayes));
  methods.push_back(nb_bun_steinke(options.naive_bayes));
  methods.push_back(nb_smooth_delta(options.naive_bayes));
  for (auto& method : linear_methods(options.linear)) methods.push_back(std::move(method));
  methods.push_back(make_tree_cart(options.trees));
  methods.push_back(make_tree_sulq_id3(options.trees));
  methods.push_back(make_tree_friedman_schuster(options.trees));
  methods.push_back(make_tree_mohammed(options.trees));
  methods.push_back(make_forest_patil_singh(options.trees));
  methods.push_back(make_forest_random(options.trees));
  methods.push_back(make_forest_fletcher_islam_2015a(options.trees));
  methods.push_back(make_forest_fletcher_islam_2015b(options.trees));
  methods.push_back(make_forest_fletcher_islam_2016(options.trees));
  return methods;
}

Result<std::unique_ptr<DirectMethod>> find_direct_method(std::string_view name,
                                                         const DirectOptions& options) {
  std::string names;
  for (std::unique_ptr<DirectMethod>& method : direct_methods(options)) {
    if (method->name() == name) return std::move(method);
    if (!names.empty()) names += ", ";
    names += method->name();
  }
  return make_error(ErrorKind::kUsage, "there is no private method '{}'; there are: {}", name,
                    names);
}

}  // namespace privpfc
