#pragma once

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "privpfc/base/contract.h"
#include "privpfc/base/error.h"

namespace privpfc {

// A value, or the error that stands in its place. Looking at the wrong one stops the program.
template <typename T>
class [[nodiscard]] Result {
  static_assert(!std::is_same_v<std::remove_cvref_t<T>, Error>, "an Error is not a value");

 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit by design
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const& {
    require(ok(), "Result::value() on an error");
    return std::get<0>(state_);
  }
  T& value() & {
    require(ok(), "Result::value() on an error");
    return std::get<0>(state_);
  }
  T&& value() && {
    require(ok(), "Result::value() on an error");
    return std::get<0>(std::move(state_));
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const Error& error() const {
    require(!ok(), "Result::error() on a value");
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

// Success without a value, or an error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : state_(std::move(error)) {}  // NOLINT: implicit by design

  bool ok() const { return std::holds_alternative<std::monostate>(state_); }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    require(!ok(), "Status::error() on success");
    return std::get<Error>(state_);
  }

 private:
  std::variant<std::monostate, Error> state_;
};

template <typename... Args>
Error make_error(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  return Error{kind, fmt::format(format, std::forward<Args>(args)...)};
}

}  // namespace privpfc

#define PRIVPFC_CONCAT_INNER(a, b) a##b
#define PRIVPFC_CONCAT(a, b) PRIVPFC_CONCAT_INNER(a, b)

// PRIVPFC_ASSIGN(auto x, may_fail());  returns the error to the caller, or binds the value.
#define PRIVPFC_ASSIGN(target, expression) \
  PRIVPFC_ASSIGN_INNER(PRIVPFC_CONCAT(result_, __LINE__), target, expression)
#define PRIVPFC_ASSIGN_INNER(result, target, expression) \
  auto result = (expression);                            \
  if (!result.ok()) return result.error();               \
  target = std::move(result).value()

// PRIVPFC_TRY(may_fail());  returns the error to the caller, or goes on.
#define PRIVPFC_TRY(expression)                                             \
  do {                                                                      \
    if (auto status_ = (expression); !status_.ok()) return status_.error(); \
  } while (false)
