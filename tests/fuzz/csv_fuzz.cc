#include "fuzz_input.h"

// The first byte chooses the dialect, the rest is the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace privpfc;
  static const fuzz::ScratchFolder folder;
  if (size == 0) return 0;
  CsvFormat csv;
  const unsigned choice = data[0];
  csv.separator = ",;\t "[choice & 3];
  csv.space_after_separator = (choice & 4) != 0;
  if ((choice & 8) != 0) csv.quote.reset();
  csv.skip_lines = (choice >> 4) & 1;
  csv.header = (choice & 32) == 0;
  fuzz::read_and_encode(folder.write("input.csv", fuzz::text_of(data + 1, size - 1)), csv);
  return 0;
}
