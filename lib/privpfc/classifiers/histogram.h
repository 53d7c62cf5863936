#pragma once

#include <memory>
#include <string_view>

#include "privpfc/classifiers/model.h"

namespace privpfc {

// The classifier that the grid score of PrivPfC is about: a row is of the class that is most
// frequent in its cell. A cell is a combination of categories and, for numbers, of the schema's
// finest bins; what is missing is a bin of its own. A row of a cell without weight gets the shares
// of the whole data set.
Result<std::unique_ptr<Model>> train_histogram(const FeatureSpace& space, const Dataset& data);
Result<std::unique_ptr<Model>> read_histogram(const FeatureSpace& space,
                                              std::string_view parameters);

// The bin of a number within the feature's bounds; kMissingCode for NaN.
std::uint16_t bin_of(const Bins& bins, double number);

}  // namespace privpfc
