#pragma once

#include <string>

#include "privpfc/schema/schema.h"

namespace privpfc {

// The schema as YAML, in one fixed form: reading it back gives an equal schema, and equal schemas
// give the same text whatever their files looked like.
std::string write_schema(const Schema& schema);

// One attribute as it stands below `attributes:`, indented by two spaces.
std::string write_attribute(const Attribute& attribute);

// The line `csv: {...}`, or nothing where files are written in the usual way.
std::string write_csv_format(const CsvFormat& csv);

// Text as a YAML scalar, quoted where a reader could take it for something else.
std::string yaml_text(const std::string& text);

// SHA-256 of write_schema(), in hex.
std::string schema_hash(const Schema& schema);

}  // namespace privpfc
