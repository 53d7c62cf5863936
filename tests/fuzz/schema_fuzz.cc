#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "privpfc/schema/hierarchy_exchange.h"
#include "privpfc/schema/schema_drawing.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/schema_writer.h"

// The first byte chooses the reader, the rest is the file. Whatever reads as a schema must come
// back unchanged from its written form.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace privpfc;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  switch (data[0] % 4) {
    case 1:
      (void)import_nested_json(text);
      return 0;
    case 2:
      (void)import_arx_csv(text, "attribute", ';');
      return 0;
    default:
      break;
  }
  const SchemaReading first = read_schema_text(text);
  if (!first.schema) {
    if (first.findings.empty()) std::abort();  // no schema, and nobody says why
    return 0;
  }
  const std::string written = write_schema(*first.schema);
  const SchemaReading second = read_schema_text(written);
  if (!second.schema || !(*second.schema == *first.schema)) std::abort();
  if (write_schema(*second.schema) != written) std::abort();
  (void)draw_overview(*first.schema);
  for (const Attribute& attribute : first.schema->attributes) {
    (void)draw_hierarchy(attribute);
    (void)export_arx_csv(attribute, ';');
    (void)lost_in_json(attribute);
    (void)leaf_that_is_no_number(attribute);
  }
  (void)export_nested_json(*first.schema);
  return 0;
}
