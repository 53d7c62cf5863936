#pragma once

#include <iosfwd>
#include <type_traits>
#include <utility>

#include "privpfc/privacy/diagnostic.h"
#include "privpfc/privacy/private.h"

namespace privpfc {

// A value that may be published: a mechanism made it, or it was computed from released and public
// values alone (`post_process`). Anyone may read it; nobody else can make one.
template <typename T>
class Released {
 public:
  const T& value() const& { return value_; }
  T&& value() && { return std::move(value_); }

 private:
  friend class ReleasedAccess;
  explicit Released(T value) : value_(std::move(value)) {}

  T value_;
};

template <typename T>
std::ostream& operator<<(std::ostream&, const Released<T>&) = delete;

// Something that was public before any row was read: the schema, an option, a seed that is printed.
// Borrows. A claim by whoever writes `as_public`, which is why it has a name to search for.
template <typename T>
class Public {
 public:
  const T& value() const { return *value_; }

 private:
  template <typename U>
  friend Public<U> as_public(const U& value);
  explicit Public(const T& value) : value_(&value) {}

  const T* value_;
};

namespace privacy_internal {
template <typename T>
inline constexpr bool kNeedsPayment = false;
template <typename T>
inline constexpr bool kNeedsPayment<Private<T>> = true;
template <typename T>
inline constexpr bool kNeedsPayment<Diagnostic<T>> = true;

template <typename T>
inline constexpr bool kMayBePublished = false;
template <typename T>
inline constexpr bool kMayBePublished<Released<T>> = true;
template <typename T>
inline constexpr bool kMayBePublished<Public<T>> = true;
}  // namespace privacy_internal

template <typename T>
Public<T> as_public(const T& value) {
  static_assert(!privacy_internal::kNeedsPayment<T>, "this value is not public");
  return Public<T>(value);
}

// Released or Public, and nothing else.
template <typename T>
concept MayBePublished = privacy_internal::kMayBePublished<std::remove_cvref_t<T>>;

class ReleasedAccess {
  friend class Mechanisms;

  template <typename T>
  static Released<T> release(T value) {
    return Released<T>(std::move(value));
  }

  template <typename F, typename... Inputs>
  requires(Stateless<F> && (MayBePublished<Inputs> &&
                            ...)) friend auto post_process(F&& function, Inputs&&... inputs);
};

// Post-processing is free: what is computed from released values is released. The function keeps no
// state (see Stateless), so that a private value cannot come in by a capture.
template <typename F, typename... Inputs>
requires(Stateless<F> && (MayBePublished<Inputs> && ...)) auto post_process(F&& function,
                                                                            Inputs&&... inputs) {
  using Output = decltype(function(std::forward<Inputs>(inputs).value()...));
  static_assert(std::is_object_v<Output>, "post_process: the function returns a value");
  return ReleasedAccess::release<Output>(function(std::forward<Inputs>(inputs).value()...));
}

}  // namespace privpfc
