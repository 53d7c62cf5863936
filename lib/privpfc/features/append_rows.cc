#include "privpfc/features/append_rows.h"

namespace privpfc {
namespace {

template <typename Value>
void append(std::vector<Value>& target, const std::vector<Value>& values) {
  target.insert(target.end(), values.begin(), values.end());
}

}  // namespace

void append_rows(Dataset& target, const Dataset& data) {
  target.rows.count += data.rows.count;
  for (std::size_t c = 0; c < data.rows.columns.size(); ++c) {
    append(target.rows.columns[c].numbers, data.rows.columns[c].numbers);
    append(target.rows.columns[c].codes, data.rows.columns[c].codes);
  }
  append(target.labels, data.labels);
  append(target.weights, data.weights);
}

}  // namespace privpfc
