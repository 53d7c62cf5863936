#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "privpfc/classifiers/cart.h"
#include "privpfc/classifiers/model.h"

namespace privpfc {

// How the trees of a forest become one answer: each votes for the class with the largest share, or
// their shares are averaged. The class is the one with the most; of several, the first.
enum class Combine { kVotes, kShares };

// Several trees over the same features. Requires: one sound Cart at least, with class shares in the
// place of class weights.
std::unique_ptr<Model> make_forest(std::vector<Cart> trees, Combine combine);
Result<std::unique_ptr<Model>> read_forest(const FeatureSpace& space, std::string_view parameters);

}  // namespace privpfc
