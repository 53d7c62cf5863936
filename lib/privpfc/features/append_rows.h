#pragma once

#include "privpfc/classifiers/dataset.h"

namespace privpfc {

// Adds the rows of `data` after those of `target`. Both are of the same feature space.
void append_rows(Dataset& target, const Dataset& data);

}  // namespace privpfc
