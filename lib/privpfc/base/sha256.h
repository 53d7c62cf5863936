#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace privpfc {

// SHA-256 in lower-case hex, of a whole text or fed in pieces.
std::string sha256_hex(std::string_view bytes);

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(std::string_view bytes);
  std::string finish_hex();  // call once

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace privpfc
