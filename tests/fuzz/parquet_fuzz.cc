#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace privpfc;
  static const fuzz::ScratchFolder folder;
  fuzz::read_and_encode(folder.write("input.parquet", fuzz::text_of(data, size)), {});
  return 0;
}
