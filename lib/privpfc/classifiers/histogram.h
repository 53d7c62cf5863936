#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "privpfc/classifiers/model.h"

namespace privpfc {

// The classifier that the grid score of PrivPfC is about: a row is of the class that is most
// frequent in its cell. A cell is a combination of categories and, for numbers, of the schema's
// finest bins; what is missing is a bin of its own. A row of a cell without weight gets the shares
// of the whole data set.
Result<std::unique_ptr<Model>> train_histogram(const FeatureSpace& space, const Dataset& data);

// What a histogram says of one cell. The class need not be the one with the largest share: noisy
// counts may be best read as they are for the class, and better shrunk for the shares.
struct CellVerdict {
  std::uint8_t label = 0;
  std::vector<double> shares;  // by class, sum 1
};

// A histogram whose counting was done elsewhere. A cell has one code per feature: a category, a bin
// of a number, or kMissingCode.
using HistogramCells = std::map<std::vector<std::uint16_t>, CellVerdict>;
std::unique_ptr<Model> make_histogram(const FeatureSpace& space, CellVerdict elsewhere,
                                      HistogramCells cells);

Result<std::unique_ptr<Model>> read_histogram(const FeatureSpace& space,
                                              std::string_view parameters);

// The bin of a number within the feature's bounds; kMissingCode for NaN.
std::uint16_t bin_of(const Bins& bins, double number);

}  // namespace privpfc
