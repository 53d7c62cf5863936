#pragma once

#include <concepts>
#include <iosfwd>
#include <type_traits>
#include <utility>

namespace privpfc {

// A value that depends on private rows. Anyone may wrap one; only the mechanisms may look. It
// cannot be printed, compared or turned into anything but another private value (`transform`).
template <typename T>
class Private {
  static_assert(std::is_object_v<T> && !std::is_pointer_v<T>, "a private value is held by value");

 public:
  explicit Private(T value) : value_(std::move(value)) {}

 private:
  friend class PrivateAccess;
  T value_;
};

template <typename T>
std::ostream& operator<<(std::ostream&, const Private<T>&) = delete;

// A function object without state: a lambda that captures nothing, or a plain function. What it
// computes can then only leave through its result (or through globals and output, which a reader of
// the few call sites must look for; AUDIT.md).
template <typename F>
concept Stateless = std::is_empty_v<std::remove_cvref_t<F>> ||
    std::is_function_v<std::remove_pointer_t<std::remove_cvref_t<F>>>;

// The door into Private. Who uses it besides `transform` and Mechanisms fails a test.
class PrivateAccess {
  friend class Mechanisms;

  template <typename T>
  static const T& look(const Private<T>& input) {
    return input.value_;
  }
  template <typename T>
  static T&& look(Private<T>&& input) {
    return std::move(input.value_);
  }
  template <typename T>
  static const T& look(const T& input) {
    return input;
  }

  template <typename F, typename... Inputs>
  requires Stateless<F>
  friend auto transform(F&& function, Inputs&&... inputs);
};

// Computes on private values; the result is private. Each input may be a Private (a moved one is
// handed over) or any public value, which arrives as const T&.
template <typename F, typename... Inputs>
requires Stateless<F>
auto transform(F&& function, Inputs&&... inputs) {
  static_assert((... && !std::is_pointer_v<std::remove_cvref_t<Inputs>>),
                "no way out by a pointer");
  using Output = decltype(function(PrivateAccess::look(std::forward<Inputs>(inputs))...));
  static_assert(std::is_object_v<Output>, "transform: the function returns a value");
  return Private<Output>(function(PrivateAccess::look(std::forward<Inputs>(inputs))...));
}

}  // namespace privpfc
