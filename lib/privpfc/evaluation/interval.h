#pragma once

namespace privpfc {

// Where a share plausibly lies.
struct ShareInterval {
  double low = 0;
  double high = 1;
};

// All intervals here are at 95 %.
inline constexpr double kNormalQuantile = 1.959963984540054;  // 97.5 % of the standard normal

// The Wilson score interval of a share that was `share` among `rows` independent rows. `noise` is
// the standard deviation that added noise has in the share: the test that is inverted then has the
// variance p (1 - p) / rows + noise^2. Without rows: everything is possible.
// Requires 0 <= share <= 1, rows >= 0, noise >= 0.
ShareInterval wilson_interval(double share, double rows, double noise = 0);

}  // namespace privpfc
