#pragma once

#include <memory>
#include <string_view>

#include "privpfc/classifiers/model.h"

namespace privpfc {

// Says the same of every row: the most frequent class, and the classes' shares.
Result<std::unique_ptr<Model>> train_majority(const FeatureSpace& space, const Dataset& data);
Result<std::unique_ptr<Model>> read_majority(const FeatureSpace& space,
                                             std::string_view parameters);

}  // namespace privpfc
