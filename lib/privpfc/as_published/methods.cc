#include "privpfc/as_published/method.h"
#include "privpfc/as_published/naive_bayes.h"

namespace privpfc {

std::vector<std::unique_ptr<PublishedMethod>> published_methods() {
  std::vector<std::unique_ptr<PublishedMethod>> methods;
  methods.push_back(nb_comparison_as_published());
  methods.push_back(nb_vaidya_as_published());
  methods.push_back(nb_smooth_as_published());
  return methods;
}

}  // namespace privpfc
