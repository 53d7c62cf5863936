#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "privpfc/classifiers/kernel.h"

namespace privpfc {

// Rows of the kernel matrix, the least recently used of which are forgotten. Columns stand in the
// solver's order of points, which changes as it sets points aside; only a first part of a row may
// have been computed.
class KernelCache {
 public:
  // Keeps at least two rows, whatever `bytes` says.
  KernelCache(const KernelPoints& points, std::size_t bytes);

  // The first `length` entries of the row of the point at `position`. Valid until the next call but
  // one.
  const double* row(std::size_t position, std::size_t length);

  // The memory that the stored rows take.
  std::size_t bytes() const;

  // The point at each position.
  const std::vector<std::size_t>& order() const { return order_; }
  void swap_positions(std::size_t a, std::size_t b);

 private:
  struct Row {
    std::vector<double> values;
    std::list<std::size_t>::iterator use;
  };
  void drop(std::size_t point);

  const KernelPoints& points_;
  std::size_t room_;  // entries that may still be stored
  std::vector<std::size_t> order_;
  std::vector<Row> rows_;        // by point; empty when not stored
  std::list<std::size_t> uses_;  // points with a row, the most recently used last
};

}  // namespace privpfc
