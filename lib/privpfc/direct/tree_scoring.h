#pragma once

// For the sources of this room only: the scores of all questions, computed inside `transform`.

#include "privpfc/direct/tree_growth.h"

namespace privpfc {

// Rows in groups: those of group g are rows[begins[g]] to rows[begins[g + 1] - 1].
struct RowGroups {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> begins;
};

// By group, the impurity of every candidate as runs. The order of rows does not matter, nor does
// the number of threads.
PartScores impurity_runs(const CodedRows& coded, const RowGroups& groups,
                         const QuestionSpace& space, const ImpurityScore& score,
                         std::size_t classes, unsigned threads);

}  // namespace privpfc
