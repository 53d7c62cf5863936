#include <utility>

#include "privpfc/as_published/linear.h"
#include "privpfc/as_published/method.h"
#include "privpfc/as_published/naive_bayes.h"
#include "privpfc/as_published/trees.h"

namespace privpfc {

std::vector<std::unique_ptr<PublishedMethod>> published_methods() {
  std::vector<std::unique_ptr<PublishedMethod>> methods;
  methods.push_back(nb_comparison_as_published());
  methods.push_back(nb_vaidya_as_published());
  methods.push_back(nb_smooth_as_published());
  for (auto& method : linear_as_published()) methods.push_back(std::move(method));
  methods.push_back(tree_cart_as_published());
  methods.push_back(forest_fletcher_islam_2015a_as_published());
  methods.push_back(forest_fletcher_islam_2016_as_published());
  methods.push_back(forest_rana_as_published());
  return methods;
}

}  // namespace privpfc
