#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace privpfc {

// The largest exp(-beta k) at(k) for k = 0, ..., last, where at(k) rises with k and is never above
// `most`: a smooth bound, given the largest local sensitivity within k changes.
//
// Few of the k are looked at. Between a and b no value can pass exp(-beta (a + 1)) at(b); where
// that is not above the best so far, the whole stretch is left out. Near the largest value, where
// exp(-beta k) at(k) is flat, stretches are short: about 2/sqrt(beta) of them, instead of 1/beta.
template <typename AtDistance>
double smooth_maximum(double beta, std::size_t last, double most, AtDistance at) {
  const auto decayed = [&](std::size_t k, double value) {
    return std::exp(-beta * static_cast<double>(k)) * value;
  };
  double best = at(0);
  if (last == 0) return best;
  // From here on even `most` would not be better.
  if (best > 0) {
    const double reach = std::ceil(std::log(most / best) / beta) + 1;
    if (reach < static_cast<double>(last)) last = std::max<std::size_t>(1, std::size_t(reach));
  }
  struct Stretch {
    std::size_t a;
    std::size_t b;
    double at_b;
  };
  const double at_last = at(last);
  best = std::max(best, decayed(last, at_last));
  std::vector<Stretch> open{{0, last, at_last}};
  while (!open.empty()) {
    const Stretch stretch = open.back();
    open.pop_back();
    if (stretch.b - stretch.a < 2 || decayed(stretch.a + 1, stretch.at_b) <= best) continue;
    const std::size_t middle = stretch.a + (stretch.b - stretch.a) / 2;
    const double at_middle = at(middle);
    best = std::max(best, decayed(middle, at_middle));
    open.push_back({stretch.a, middle, at_middle});
    open.push_back({middle, stretch.b, stretch.at_b});
  }
  return best;
}

}  // namespace privpfc
