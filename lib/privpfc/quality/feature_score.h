#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace privpfc {

// How much an attribute tells about the label, with a sensitivity that does not grow with the
// number of rows: S(A) = 1/2 sum over leaves and classes |o - pi r|, where o counts the rows of a
// leaf and class, r those of the leaf, and pi are public or released class shares. Higher is
// better. Proof of the range: feature_score.md.
//
// Class shares are whole numbers of 2^-16 that sum to one exactly, so that the score is a whole
// number of 2^-17.
class FeatureScore {
 public:
  static constexpr std::uint64_t kOne = std::uint64_t{1} << 16;

  // From noisy class counts; each share is at least 2^-10. Requires two classes or more.
  explicit FeatureScore(std::span<const std::int64_t> class_counts);

  std::span<const std::uint64_t> shares() const { return shares_; }

  // The score of one attribute; `counts` is leaf * classes + class.
  std::int64_t operator()(std::span<const std::int64_t> counts) const;

  // Adding a row changes the score by something in an interval of this length.
  std::int64_t score_range() const;

 private:
  std::vector<std::uint64_t> shares_;
};

}  // namespace privpfc
