// text_parquet CSV PARQUET: the same table as Parquet, every column as text, not compressed. For
// tests in scripts, which have nothing that writes Parquet. Plain CSV only: no quotes.

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <vector>

#include "privpfc/io/table_writer.h"

namespace {

using namespace privpfc;

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

Status convert(const char* from, const char* to) {
  std::ifstream file(from);
  std::string line;
  std::getline(file, line);
  std::vector<OutputColumn> columns;
  for (const std::string& name : fields_of(line)) columns.push_back({.name = name});
  std::vector<std::vector<std::string>> values(columns.size());
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = fields_of(line);
    for (std::size_t i = 0; i < values.size(); ++i) values[i].push_back(fields.at(i));
  }
  std::vector<OutputSlice> slices;
  for (const std::vector<std::string>& column : values) slices.push_back({std::span(column)});
  auto writer = TableWriter::create(to, columns, {.compression = Compression::kNone});
  if (!writer.ok()) return writer.error();
  if (Status written = writer->write(slices); !written.ok()) return written;
  return writer->close();
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const Status status = convert(arguments[1], arguments[2]);
  if (status.ok()) return 0;
  fmt::print(stderr, "text_parquet: {}\n", status.error().message);
  return 1;
}
