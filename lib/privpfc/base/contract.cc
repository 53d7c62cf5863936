#include "privpfc/base/contract.h"

#include <cstdio>
#include <cstdlib>

namespace privpfc {

void broken_contract(const char* what, std::source_location where) {
  std::fprintf(stderr, "privpfc: internal error: %s (%s:%u)\n", what, where.file_name(),
               static_cast<unsigned>(where.line()));
  std::abort();
}

}  // namespace privpfc
