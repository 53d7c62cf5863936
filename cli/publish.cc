#include "privpfc/pipeline/publish.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "debit.h"
#include "interrupt.h"
#include "limit_options.h"
#include "output.h"
#include "privpfc/base/printed_json.h"
#include "privpfc/counting/row_counts.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/pipeline/person_epsilon.h"
#include "privpfc/privacy/kernel.h"
#include "privpfc/privacy/system_bits.h"
#include "privpfc/release/release_writer.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/unit.h"
#include "privpfc/table/encoder.h"
#include "release_view.h"
#include "share_options.h"
#include "spending.h"
#include "stage_line.h"

namespace privpfc::cli {
namespace {

namespace fs = std::filesystem;

struct PublishCommand {
  std::vector<std::string> data;
  std::string schema;
  Spending spending;
  std::string out;
  ShareOptions shares;
  std::string numeric = "drawn";
  PublishOptions options;
  std::uint64_t most_rows = 100'000'000;
  bool ignore_extra_columns = false;
  bool dry_run = false;
  bool quiet = false;
  bool json = false;
};

// The release may not be one of the inputs, nor lie in a directory that is read as input.
Status check_out_of_the_way(const PublishCommand& command) {
  std::error_code code;
  const fs::path out = fs::weakly_canonical(fs::absolute(command.out), code);
  if (code) return make_error(ErrorKind::kIo, "{}: {}", command.out, code.message());
  for (const std::string& path : command.data) {
    const fs::path input = fs::weakly_canonical(fs::absolute(path), code);
    if (code) return make_error(ErrorKind::kIo, "{}: {}", path, code.message());
    const bool inside =
        fs::is_directory(input, code) &&
        std::mismatch(input.begin(), input.end(), out.begin(), out.end()).first == input.end();
    if (out == input || inside) {
      return make_error(ErrorKind::kUsage, "--out {}: is, or lies in, the input", command.out);
    }
  }
  return {};
}

constexpr const char* kPurpose = "publish";

Status end_dry_run(PublishCommand& command, const Schema& schema, Epsilon epsilon) {
  PRIVPFC_TRY(check_ledger(command.spending, schema, command.out, epsilon,
                           purpose_by_unit(kPurpose, schema)));
  if (!command.quiet) {
    fmt::print(stderr,
               "Dry run: the schema, the data's columns, the options and the budget are in order. "
               "Nothing was spent and nothing written.\n");
  }
  if (!command.json) return {};
  return write_output("", printed_json(nlohmann::ordered_json{{"dry_run", true},
                                                              {"epsilon", epsilon.to_string()},
                                                              {"ledger", command.spending.ledger},
                                                              {"dataset", command.spending.dataset},
                                                              {"out", command.out}}));
}

Status run(PublishCommand command) {
  PRIVPFC_ASSIGN(const Epsilon epsilon, read_epsilon(command.spending));
  PRIVPFC_ASSIGN(command.options.shares, read_shares(command.shares));
  PRIVPFC_TRY(check_publish_options(command.options, epsilon));
  PRIVPFC_ASSIGN(const Schema schema, load_schema(command.schema));
  PRIVPFC_ASSIGN(const Epsilon of_a_row, row_epsilon(schema, epsilon));
  PRIVPFC_TRY(
      explain_row_epsilon(check_publish_options(command.options, of_a_row), schema, epsilon));
  PRIVPFC_TRY(check_synthesis(schema, command.options.limits.cells));
  const NumericStyle style =
      command.numeric == "labels" ? NumericStyle::kLabels : NumericStyle::kDrawn;
  PRIVPFC_TRY(check_publishable(schema, style));
  PRIVPFC_TRY(check_out_of_the_way(command));
  clean_up_on_interrupt("no release was written");

  // Everything that can be refused is refused before a budget is withdrawn: the table is read to
  // its end, and the place for the release is reserved.
  const StageLine stage(command.quiet);
  stage("reading");
  PRIVPFC_ASSIGN(StagingDirectory staging, StagingDirectory::create(command.out));
  ReaderLimits limits;
  limits.rows = kMostRows;
  PRIVPFC_ASSIGN(TableReader reader,
                 TableReader::open({command.data.begin(), command.data.end()}, schema.csv, limits));
  EncoderOptions encoding;
  encoding.ignore_extra_columns = command.ignore_extra_columns;
  PRIVPFC_ASSIGN(const Encoder encoder, Encoder::create(schema, reader.columns(), encoding));
  PRIVPFC_ASSIGN(EncodedTable rows, encode_table(reader, encoder, command.options.threads));
  Private<EncodedTable> table(std::move(rows));
  stage.clear();
  if (command.dry_run) return end_dry_run(command, schema, epsilon);
  PRIVPFC_ASSIGN(Ledger ledger, open_ledger(command.spending, schema, command.out, command.quiet));
  PRIVPFC_ASSIGN(Budget budget,
                 debit(ledger, command.spending, epsilon, {}, purpose_by_unit(kPurpose, schema),
                       fmt::format("the release is in {}", command.out)));

  SystemBits bits;
  Kernel kernel(bits);
  const Released<Synopsis> synopsis =
      publish(std::move(table), schema, command.options, kernel,
              budget_for_rows(std::move(budget), schema), [&](auto name) { stage(name); });
  stage("writing");
  PRIVPFC_ASSIGN(const Manifest manifest,
                 write_release(std::move(staging), synopsis, schema, style, bits.bits(64),
                               command.most_rows, command.options.threads,
                               schema.person ? std::optional(epsilon) : std::nullopt));
  note_that_result_is_kept();
  if (command.json) PRIVPFC_TRY(write_output("", write_manifest(manifest, schema)));
  if (!command.quiet) {
    stage.clear();
    fmt::print(stderr,
               "{0}\nThe release is in {1}. Next:\n  privpfc verify {1}\n"
               "Only you may read it. To pass it on: chmod -R a+rX {1}\n",
               describe_release(manifest, schema), command.out);
  }
  return {};
}

}  // namespace

void add_publish(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "publish", "Publish a differentially private synthetic table from a sensitive one",
      "privpfc publish samples/readmission.parquet --schema samples/readmission.yaml \\\n"
      "    --epsilon 1 --out release\n\n"
      "Nothing that this command prints or writes depends on the rows but through the mechanisms\n"
      "that epsilon pays for; values that the schema does not know go to their bucket in silence\n"
      "(privpfc check counts them). There is no seed: only the system's randomness is used.\n\n"
      "Exit codes: 0 fine, 2 usage, 3 input data, 4 schema, 5 budget refused, 6 ledger or I/O,\n"
      "7 a limit, 130 interrupted.");
  auto options = std::make_shared<PublishCommand>();
  command->add_option("DATA", options->data, "CSV or Parquet files, or a directory of them")
      ->required();
  command->add_option("--schema", options->schema, "The public schema (YAML)")->required();
  command
      ->add_option("--epsilon", options->spending.epsilon, "The privacy loss to spend; no default")
      ->required();
  command->add_option("--out", options->out, "The release directory; must not exist")->required();
  add_spending_options(*command, options->spending);
  add_share_options(*command, options->shares);
  command
      ->add_option("--numeric", options->numeric,
                   "Numbers as drawn values or as bin labels with bounds: drawn, labels")
      ->check(CLI::IsMember({"drawn", "labels"}))
      ->capture_default_str();
  add_limit_options(*command, options->options.limits);
  command
      ->add_option("--max-rows", options->most_rows,
                   "Most synthetic rows; where the noisy counts sum to more, as they may at a tiny "
                   "epsilon, each cell gets its part of so many")
      ->check(CLI::Range(std::uint64_t{1}, kMostSyntheticRows))
      ->capture_default_str();
  command->add_option("--threads", options->options.threads, "0: one per core")
      ->check(CLI::Range(0u, 1024u))
      ->default_val(0u);
  command->add_flag("--ignore-extra-columns", options->ignore_extra_columns,
                    "Allow columns that the schema does not name");
  command->add_flag("--dry-run", options->dry_run,
                    "Check everything, the ledger too; spend and write nothing");
  command->add_flag("--quiet", options->quiet, "No messages but errors");
  command->add_flag(
      "--json", options->json,
      "The manifest on standard output (of a dry run: what would be debited, and where)");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace privpfc::cli
