#include "fuzz_input.h"
#include "privpfc/pipeline/synthesis.h"
#include "privpfc/release/release_check.h"
#include "publishing.h"

namespace {

using namespace privpfc;

constexpr std::string_view kBetween = "\n%%\n";
constexpr const char* kEpsilons[] = {"0.001", "0.1", "1", "10"};

// A vanishing epsilon makes a long table of scores: now and then.
Epsilon epsilon_of(unsigned choice) {
  return eps(choice == 0xFF ? "0.00001" : kEpsilons[choice & 3]);
}

PublishOptions options_of(unsigned choice) {
  PublishOptions options;
  options.limits.cells = (choice & 4) != 0 ? 2 : 64;
  options.limits.grids = (choice & 8) != 0 ? 64 : 1000;
  options.limits.total_cells = 100'000;
  options.limits.points = 100'000;
  options.limits.kept_rows = 1000;
  if ((choice & 16) != 0) options.shares.columns = 20'000;
  return options;
}

}  // namespace

// A byte of options, a schema, a line %%, and a CSV file: `publish` as a whole. Whatever the schema
// and the table, it is refused before a budget is spent or it ends in a release that verifies.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::ScratchFolder folder;
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const std::string_view text = fuzz::text_of(data + 1, size - 1);
  const std::size_t at = text.find(kBetween);
  if (at == std::string_view::npos) return 0;
  const SchemaReading reading = read_schema_text(text.substr(0, at));
  if (!reading.schema) return 0;
  const Schema& schema = *reading.schema;
  const PublishOptions options = options_of(choice);
  const Epsilon epsilon = epsilon_of(choice);
  const NumericStyle style = (choice & 32) != 0 ? NumericStyle::kLabels : NumericStyle::kDrawn;
  if (!check_publish_options(options, epsilon).ok() ||
      !check_synthesis(schema, options.limits.cells).ok() ||
      !check_publishable(schema, style).ok()) {
    return 0;
  }
  auto reader = TableReader::open({folder.write("d.csv", text.substr(at + kBetween.size()))},
                                  schema.csv, {.columns = 256, .row_bytes = 1 << 16});
  if (!reader.ok()) return 0;
  const auto encoder = Encoder::create(schema, reader->columns(), {.ignore_extra_columns = true});
  if (!encoder.ok()) return 0;
  auto table = encode_table(*reader, *encoder, 1);
  if (!table.ok()) return 0;
  fuzz::check_codes(*table, schema);

  const auto synopsis = fuzz::publish_seeded(*std::move(table), schema, options, epsilon);
  const auto release = folder.path() / "release";
  fuzz::write_release_to(release, synopsis, schema, style, /*most_rows=*/500);
  const auto findings = check_release(release);
  fuzz::check(findings.ok());
  for (const ReleaseFinding& finding : *findings) fuzz::check(finding.passed);
  std::filesystem::remove_all(release);
  return 0;
}
