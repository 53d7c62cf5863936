#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "commands.h"
#include "output.h"
#include "privpfc/io/output_file.h"
#include "privpfc/io/table_writer.h"
#include "privpfc/sample/sample_table.h"
#include "progress.h"

namespace privpfc::cli {
namespace {

constexpr std::int64_t kMaxRows = 1'000'000'000'000;

struct SampleCommand {
  std::int64_t rows = 0;  // signed, so that a minus sign is noticed
  std::int64_t seed = 1;
  int classes = 2;
  std::filesystem::path out;
  std::filesystem::path schema_out;
  bool force = false;
  bool quiet = false;
};

Status run(const SampleCommand& options) {
  const SampleOptions sample{
      .rows = static_cast<std::uint64_t>(options.rows),
      .seed = static_cast<std::uint64_t>(options.seed),
      .classes = options.classes == 3 ? SampleClasses::kThree : SampleClasses::kTwo};
  if (options.out == options.schema_out) {
    return make_error(ErrorKind::kUsage, "--out and --schema-out are the same file");
  }
  // Both files are begun before the first row is made, and both go if either fails.
  PRIVPFC_ASSIGN(TableWriter writer,
                 TableWriter::create(options.out, sample_columns(sample.classes),
                                     {.overwrite = options.force, .mode = kFileMode}));
  std::optional<OutputFile> schema;
  if (!options.schema_out.empty()) {
    PRIVPFC_ASSIGN(OutputFile file,
                   OutputFile::create(options.schema_out, options.force, kFileMode));
    schema.emplace(std::move(file));
    const std::string yaml = sample_schema_yaml(sample.classes);
    PRIVPFC_TRY(schema->write(yaml.data(), yaml.size()));
  }
  {
    Progress progress("Making rows", sample.rows, options.quiet);
    PRIVPFC_TRY(write_sample(sample, writer, [&](std::uint64_t done) { progress.update(done); }));
  }
  PRIVPFC_TRY(writer.close());
  if (schema) PRIVPFC_TRY(schema->keep(/*sync=*/false));
  if (!options.quiet) {
    fmt::print(stderr, "{} rows in {}{}\n", sample.rows, options.out.string(),
               schema ? ", their schema in " + options.schema_out.string() : "");
  }
  return {};
}

}  // namespace

void add_sample(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "sample", "Write a made-up table of hospital stays, for trying out and for benchmarks",
      "privpfc sample --rows 100000 --out stays.parquet --schema-out stays.yaml");
  const auto options = std::make_shared<SampleCommand>();
  command->add_option("--rows", options->rows, "How many rows")
      ->required()
      ->check(CLI::Range(std::int64_t{0}, kMaxRows));
  command
      ->add_option("--seed", options->seed,
                   "The same seed gives the same rows; fewer rows are the beginning of more")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str();
  command
      ->add_option("--classes", options->classes,
                   "2: readmitted no or yes; 3: no, later, within 30 days")
      ->check(CLI::IsMember({2, 3}))
      ->capture_default_str();
  command->add_option("--out", options->out, "The table, as .parquet or .csv")->required();
  command->add_option("--schema-out", options->schema_out, "Also write the schema that fits it");
  command->add_flag("--force", options->force, "Overwrite files that exist");
  command->add_flag("--quiet", options->quiet, "Say nothing but errors");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace privpfc::cli
