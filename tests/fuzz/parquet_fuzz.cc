#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace privpfc;
  static const fuzz::InputFileOnDisk file(".parquet");
  fuzz::read_and_encode(file.write(data, size), {});
  return 0;
}
