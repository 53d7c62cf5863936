#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "privpfc/base/result.h"
#include "privpfc/schema/findings.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// Everything that one reading of a schema gives: the schema if there is no error, and all that was
// noticed, in the order of the file.
struct SchemaReading {
  std::optional<Schema> schema;
  Findings findings;
};

SchemaReading read_schema_text(std::string_view yaml);

// The file's text, or an error of kind kIo, or kLimit when it is too large for a schema.
Result<std::string> read_schema_file(const std::string& path);

// Reads a schema that is about to be used: the error names every mistake, one per line.
Result<Schema> load_schema(const std::string& path);

// Whether what write_schema() writes of it can be read again, and is the same. Releases and models
// carry the schema in that form, which may be longer than the one that somebody wrote: to be asked
// before a budget is spent.
Status check_written_form(const Schema& schema);

// Takes the separator as a schema writes it: one character, or one character and a space; `\t` with
// a backslash is a tab. False, and nothing changed, if it is none of these.
bool set_separator(std::string_view text, CsvFormat& csv);

// `path:line:column: error: message`, one line per finding.
std::string format_finding(const Finding& finding, std::string_view path);

}  // namespace privpfc
