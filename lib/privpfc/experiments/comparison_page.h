#pragma once

#include <string>
#include <vector>

#include "privpfc/experiments/comparison_summary.h"

namespace privpfc {

// The comparison as one self-contained page: error against epsilon, tables, boxes, paired tests,
// time, and what each method guarantees.
std::string comparison_page(const ComparisonResults& results,
                            const std::vector<ComparisonLine>& lines,
                            const ComparisonSetting& setting);

}  // namespace privpfc
