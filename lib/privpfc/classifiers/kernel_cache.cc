#include "privpfc/classifiers/kernel_cache.h"

#include <algorithm>
#include <numeric>

namespace privpfc {

KernelCache::KernelCache(const KernelPoints& points, std::size_t bytes)
    : points_(points),
      room_(std::max(bytes / sizeof(double), 2 * points.count())),
      order_(points.count()),
      rows_(points.count()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

const double* KernelCache::row(std::size_t position, std::size_t length) {
  const std::size_t point = order_[position];
  Row& row = rows_[point];
  if (row.values.empty()) {
    row.use = uses_.insert(uses_.end(), point);
  } else {
    uses_.splice(uses_.end(), uses_, row.use);
  }
  const std::size_t known = row.values.size();
  if (known < length) {
    while (room_ < length - known && uses_.front() != point) drop(uses_.front());
    room_ -= std::min(room_, length - known);
    row.values.reserve(length);  // or growing would take up to twice as much
    row.values.resize(length);
    for (std::size_t column = known; column < length; ++column) {
      row.values[column] = points_.value(point, order_[column]);
    }
  }
  return row.values.data();
}

std::size_t KernelCache::bytes() const {
  std::size_t entries = 0;
  for (const Row& row : rows_) entries += row.values.capacity();
  return entries * sizeof(double);
}

void KernelCache::swap_positions(std::size_t a, std::size_t b) {
  if (a > b) std::swap(a, b);
  std::swap(order_[a], order_[b]);
  for (auto use = uses_.begin(); use != uses_.end();) {
    std::vector<double>& values = rows_[*use].values;
    const std::size_t point = *use++;  // dropping makes the iterator invalid
    if (values.size() > b) {
      std::swap(values[a], values[b]);
    } else if (values.size() > a) {
      drop(point);
    }
  }
}

void KernelCache::drop(std::size_t point) {
  Row& row = rows_[point];
  room_ += row.values.size();
  uses_.erase(row.use);
  row.values = std::vector<double>();  // `= {}` would keep its memory
}

}  // namespace privpfc
