#pragma once

#include "privpfc/privacy/bit_source.h"

namespace privpfc {

// The operating system's generator, read in blocks of a page. The only source that `publish` has.
//
// Stops the program when the system gives no randomness. After fork() parent and child share no
// bit. Bits that were handed out are wiped, and the rest is wiped at the end. One object serves one
// thread.
class SystemBits final : public BitSource {
 public:
  SystemBits();
  ~SystemBits() override;

  std::uint64_t bits(unsigned count) override;

 private:
  struct Page;
  void refill();

  Page* page_;
};

}  // namespace privpfc
