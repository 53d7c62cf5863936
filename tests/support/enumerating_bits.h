#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <exception>
#include <map>
#include <vector>

#include "privpfc/privacy/bit_source.h"

namespace privpfc {

// Exact probabilities of a randomised function: it is run once for every sequence of bits that it
// may read, up to a total number of bits. What it would do beyond that is `unresolved`.
template <typename Output>
struct Enumeration {
  std::map<Output, boost::multiprecision::cpp_rational> at_least;
  boost::multiprecision::cpp_rational unresolved = 0;

  boost::multiprecision::cpp_rational least(const Output& output) const {
    const auto found = at_least.find(output);
    return found == at_least.end() ? boost::multiprecision::cpp_rational(0) : found->second;
  }
  boost::multiprecision::cpp_rational most(const Output& output) const {
    return least(output) + unresolved;
  }
};

class EnumeratingBits final : public BitSource {
 public:
  explicit EnumeratingBits(unsigned most_bits) : most_bits_(most_bits) {}

  struct TooDeep : std::exception {};

  std::uint64_t bits(unsigned count) override {
    if (position_ == path_.size()) {
      if (read_ + count > most_bits_) throw TooDeep();
      path_.push_back({0, count});
    }
    read_ += count;
    return path_[position_++].value;
  }

  template <typename Function>
  auto run(Function function) -> Enumeration<decltype(function(*this))> {
    using Output = decltype(function(*this));
    std::map<Output, std::uint64_t> mass;  // in units of 2^-most_bits
    std::uint64_t unresolved = 0;
    do {
      position_ = 0;
      read_ = 0;
      try {
        const Output output = function(*this);
        mass[output] += 1ULL << (most_bits_ - read_);
      } catch (const TooDeep&) {
        unresolved += 1ULL << (most_bits_ - read_);
      }
    } while (advance());
    Enumeration<Output> result;
    const boost::multiprecision::cpp_int whole = boost::multiprecision::cpp_int(1) << most_bits_;
    for (const auto& [output, units] : mass) {
      result.at_least[output] = boost::multiprecision::cpp_rational(units, whole);
    }
    result.unresolved = boost::multiprecision::cpp_rational(unresolved, whole);
    return result;
  }

 private:
  struct Answer {
    std::uint64_t value;
    unsigned count;
  };

  bool advance() {
    while (!path_.empty()) {
      if (++path_.back().value < (1ULL << path_.back().count)) return true;
      path_.pop_back();
    }
    return false;
  }

  unsigned most_bits_;
  unsigned read_ = 0;
  std::size_t position_ = 0;
  std::vector<Answer> path_;
};

}  // namespace privpfc
