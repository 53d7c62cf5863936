#pragma once

#include <utility>

namespace privpfc {

// A figure computed on real rows, for the curator's eyes: readable, but neither private noise nor
// paid for, so no release can hold it. It does not turn into a Released.
template <typename T>
class Diagnostic {
 public:
  explicit Diagnostic(T value) : value_(std::move(value)) {}
  const T& value() const { return value_; }

 private:
  T value_;
};

}  // namespace privpfc
