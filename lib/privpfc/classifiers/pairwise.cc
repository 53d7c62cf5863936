#include "privpfc/classifiers/pairwise.h"

#include <algorithm>
#include <cmath>

namespace privpfc {

std::uint8_t vote(std::span<const double> decisions, std::size_t classes) {
  std::vector<int> votes(classes, 0);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b) ++votes[decisions[pair++] > 0 ? a : b];
  }
  return static_cast<std::uint8_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

double Sigmoid::operator()(double decision) const {
  const double z = slope * decision + offset;
  return z >= 0 ? std::exp(-z) / (1 + std::exp(-z)) : 1 / (1 + std::exp(z));
}

Sigmoid fit_sigmoid(std::span<const double> decisions, std::span<const std::uint8_t> first,
                    std::span<const double> weights) {
  double in_first = 0;
  double in_second = 0;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    (first[i] != 0 ? in_first : in_second) += weights[i];
  }
  const double high = (in_first + 1) / (in_first + 2);
  const double low = 1 / (in_second + 2);
  const auto target = [&](std::size_t i) { return first[i] != 0 ? high : low; };
  const auto loss = [&](double slope, double offset) {
    double sum = 0;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
      const double z = slope * decisions[i] + offset;
      // -t log p - (1 - t) log(1 - p) without overflow
      sum += weights[i] * (z >= 0 ? target(i) * z + std::log1p(std::exp(-z))
                                  : (target(i) - 1) * z + std::log1p(std::exp(z)));
    }
    return sum;
  };
  double slope = 0;
  double offset = std::log((in_second + 1) / (in_first + 1));
  double now = loss(slope, offset);
  for (int round = 0; round < 100; ++round) {
    // A little ridge keeps the Hessian invertible.
    double h11 = 1e-12, h22 = 1e-12, h21 = 0, g1 = 0, g2 = 0;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
      const double p = Sigmoid{slope, offset}(decisions[i]);
      const double curvature = weights[i] * p * (1 - p);
      const double difference = weights[i] * (target(i) - p);
      h11 += decisions[i] * decisions[i] * curvature;
      h21 += decisions[i] * curvature;
      h22 += curvature;
      g1 += decisions[i] * difference;
      g2 += difference;
    }
    if (std::abs(g1) < 1e-5 && std::abs(g2) < 1e-5) break;
    const double determinant = h11 * h22 - h21 * h21;
    if (!(determinant > 0)) break;
    const double d1 = -(h22 * g1 - h21 * g2) / determinant;
    const double d2 = -(h11 * g2 - h21 * g1) / determinant;
    const double descent = g1 * d1 + g2 * d2;
    double step = 1;
    for (; step >= 1e-10; step /= 2) {
      const double next = loss(slope + step * d1, offset + step * d2);
      if (next < now + 1e-4 * step * descent) {
        slope += step * d1;
        offset += step * d2;
        now = next;
        break;
      }
    }
    if (step < 1e-10) break;
  }
  return {slope, offset};
}

void couple(std::span<const double> pair_probabilities, std::span<double> probabilities) {
  const std::size_t k = probabilities.size();
  if (k == 2) {
    probabilities[0] = pair_probabilities[0];
    probabilities[1] = 1 - pair_probabilities[0];
    return;
  }
  // Minimises sum_{a<b} (r_ba p_a - r_ab p_b)^2 under sum p = 1 by the fixed-point iteration of the
  // paper; probabilities of 0 and 1 are kept away from, as there.
  std::vector<double> r(k * k, 0);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = a + 1; b < k; ++b) {
      const double p = std::clamp(pair_probabilities[pair++], 1e-7, 1 - 1e-7);
      r[a * k + b] = p;
      r[b * k + a] = 1 - p;
    }
  }
  std::vector<double> q(k * k, 0);
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = 0; b < k; ++b) {
      if (a == b) continue;
      q[a * k + a] += r[b * k + a] * r[b * k + a];
      q[a * k + b] = -r[b * k + a] * r[a * k + b];
    }
  }
  std::fill(probabilities.begin(), probabilities.end(), 1.0 / static_cast<double>(k));
  std::vector<double> qp(k);
  const int rounds = std::max(100, static_cast<int>(k));
  for (int round = 0; round < rounds; ++round) {
    double pqp = 0;
    for (std::size_t a = 0; a < k; ++a) {
      qp[a] = 0;
      for (std::size_t b = 0; b < k; ++b) qp[a] += q[a * k + b] * probabilities[b];
      pqp += probabilities[a] * qp[a];
    }
    double worst = 0;
    for (std::size_t a = 0; a < k; ++a) worst = std::max(worst, std::abs(qp[a] - pqp));
    if (worst < 0.005 / static_cast<double>(k)) break;
    for (std::size_t a = 0; a < k; ++a) {
      const double change = (pqp - qp[a]) / q[a * k + a];
      probabilities[a] += change;
      pqp = (pqp + change * (change * q[a * k + a] + 2 * qp[a])) / (1 + change) / (1 + change);
      for (std::size_t b = 0; b < k; ++b) {
        qp[b] = (qp[b] + change * q[a * k + b]) / (1 + change);
        probabilities[b] /= 1 + change;
      }
    }
  }
}

}  // namespace privpfc
