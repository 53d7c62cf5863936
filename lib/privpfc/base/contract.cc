#include "privpfc/base/contract.h"

#include <cstdio>
#include <cstdlib>

namespace privpfc {

void broken_contract(const char* what, const char* file, unsigned line) {
  std::fprintf(stderr, "privpfc: internal error: %s (%s:%u)\n", what, file, line);
  std::abort();
}

}  // namespace privpfc
