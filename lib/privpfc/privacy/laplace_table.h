#pragma once

#include <cstdint>
#include <vector>

#include "privpfc/privacy/bit_source.h"
#include "privpfc/privacy/discrete_laplace.h"

namespace privpfc {

// Discrete Laplace noise, many draws fast. The law is that of sample_discrete_laplace, exactly, not
// nearly. Proof: laplace_table.md.
//
// The magnitude is found by inversion: M >= m when a uniform real U lies below
// T_m = P[M >= m] = 2 alpha^m / (1 + alpha). The table holds the first bits of every T_m, a draw
// the first bits of U. Where these do not settle a comparison (once in about 2^50 draws), more bits
// of both are computed until they do.
class LaplaceTable {
 public:
  // `prefix_bits` of each number are in the table, 8 to 63; the law is the same for all of them.
  explicit LaplaceTable(Decay decay, unsigned prefix_bits = 63);

  Int128 sample(BitSource& bits) const;

 private:
  bool is_below_threshold(BitSource& bits, std::uint64_t prefix, std::uint64_t m) const;

  Decay decay_;
  unsigned prefix_bits_;
  std::vector<std::uint64_t> thresholds_;  // [m - 1]: floor(2^prefix_bits T_m), strictly falling
  std::vector<std::uint32_t> guide_;       // by the leading bits of U: how far to jump ahead
};

}  // namespace privpfc
