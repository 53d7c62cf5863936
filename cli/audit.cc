#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "interrupt.h"
#include "privpfc/audit/adversarial_pairs.h"
#include "privpfc/audit/audit_report.h"
#include "privpfc/base/parallel.h"
#include "privpfc/direct/methods.h"
#include "privpfc/release/file_hash.h"
#include "privpfc/schema/schema_reader.h"
#include "progress.h"
#include "reports.h"

namespace privpfc::cli {
namespace {

constexpr const char* kPublishing = "privpfc";
constexpr double kAuditSignificance = 1e-6;

struct AuditCommand {
  std::vector<std::string> methods{kPublishing};
  std::vector<std::pair<std::string, std::string>> pairs;  // the user's own
  bool made_up_too = false;
  std::string schema;
  std::string epsilon = "1";
  bool quick = false;
  bool thorough = false;
  std::size_t runs = 0;  // 0: as many as there is time for
  unsigned threads = 0;
  bool ignore_extra_columns = false;
  std::string out;
  std::string html;
  bool json = false;
  bool quiet = false;
};

struct AuditEffort {
  const char* name;
  double seconds;  // for each method, about
};

AuditEffort effort_of(const AuditCommand& options) {
  if (options.runs > 0) return {"fixed", 0};
  if (options.quick) return {"quick", 60};
  if (options.thorough) return {"thorough", 7'200};
  return {"normal", 600};
}

Result<std::vector<std::string>> method_names(const AuditCommand& options) {
  std::vector<std::string> names;
  for (const std::string& name : options.methods) {
    if (name == "all") {
      names.emplace_back(kPublishing);
      for (const auto& method : direct_methods({})) names.emplace_back(method->name());
    } else {
      if (name != kPublishing) PRIVPFC_TRY(find_direct_method(name, {}));
      names.push_back(name);
    }
  }
  return names;
}

// The pairs of one method: the user's, the made-up ones, or both.
Result<std::vector<AuditPair>> pairs_of(const std::string& name, const AuditCommand& options,
                                        const std::optional<Schema>& schema, Epsilon epsilon) {
  std::shared_ptr<const DirectMethod> method;
  if (name != kPublishing) {
    PRIVPFC_ASSIGN(method, find_direct_method(name, {}));
  }
  std::vector<AuditPair> pairs;
  if (options.pairs.empty() || options.made_up_too) {
    PRIVPFC_ASSIGN(pairs, method ? direct_pairs(method, epsilon) : publish_pairs(epsilon));
  }
  for (std::size_t i = 0; i < options.pairs.size(); ++i) {
    const auto& [first, second] = options.pairs[i];
    const std::string number = options.pairs.size() == 1 ? "" : fmt::format(" {}", i + 1);
    const PairSource source{"your pair" + number, first, second, options.ignore_extra_columns};
    PRIVPFC_ASSIGN(AuditPair pair, method ? direct_pair_of(source, *schema, method, epsilon)
                                          : publish_pair_of(source, *schema, epsilon));
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

// By pair, the runs that fit into these seconds: as many for each pair, and for those that show
// whether the attack can see at all, three times as many. These need so many to come close to
// epsilon, and get them on a slow machine too.
std::vector<std::size_t> affordable_runs(const std::vector<AuditPair>& pairs, double seconds,
                                         unsigned threads) {
  constexpr double kLeast = 2'000;
  constexpr double kLeastWhereSharp = 150'000;
  constexpr double kMost = 5'000'000;
  constexpr double kForCounting = 0.8;  // the rest is for looking for events
  const auto parts = [](const AuditPair& pair) { return pair.is_sharp ? 3.0 : 1.0; };
  double seconds_of_a_part = 0;
  for (const AuditPair& pair : pairs) {
    seconds_of_a_part += parts(pair) * seconds_per_run(pair) * 4;
  }
  const double runs_of_a_part =
      kForCounting * seconds * static_cast<double>(thread_count(threads)) / seconds_of_a_part;
  std::vector<std::size_t> runs;
  for (const AuditPair& pair : pairs) {
    runs.push_back(static_cast<std::size_t>(std::clamp(
        parts(pair) * runs_of_a_part, pair.is_sharp ? kLeastWhereSharp : kLeast, kMost)));
  }
  return runs;
}

// This very program, and what was read for the audit.
Result<std::vector<AuditedFile>> audited_files(const AuditCommand& options) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  if (code) return make_error(ErrorKind::kIo, "/proc/self/exe: {}", code.message());
  std::vector<fs::path> paths{program};
  for (const auto& [first, second] : options.pairs) {
    paths.emplace_back(first);
    paths.emplace_back(second);
  }
  if (!options.schema.empty()) paths.emplace_back(options.schema);
  std::vector<AuditedFile> files;
  for (const fs::path& path : paths) {
    PRIVPFC_ASSIGN(const Manifest::File file, hash_file(path.parent_path(), path.filename()));
    files.push_back({file.name, file.sha256});
  }
  return files;
}

Status run(const AuditCommand& options) {
  PRIVPFC_ASSIGN(const Epsilon epsilon, Epsilon::parse(options.epsilon));
  PRIVPFC_ASSIGN(const std::vector<std::string> methods, method_names(options));
  if (options.pairs.empty() != options.schema.empty()) {
    return make_error(ErrorKind::kUsage, "--pair A B and --schema S go together");
  }
  std::optional<Schema> schema;
  if (!options.schema.empty()) {
    PRIVPFC_ASSIGN(schema, load_schema(options.schema));
  }
  PRIVPFC_ASSIGN(Reports reports, Reports::reserve(options.html, options.json, 0600));
  std::optional<OutputFile> file;
  if (!options.out.empty()) {
    PRIVPFC_ASSIGN(OutputFile created, OutputFile::create(options.out, false, 0600));
    file.emplace(std::move(created));
  }
  const AuditEffort effort = effort_of(options);
  clean_up_on_interrupt("the audit had not come to its end");
  std::vector<AuditPair> pairs;
  std::vector<std::size_t> runs;
  for (const std::string& method : methods) {
    PRIVPFC_ASSIGN(std::vector<AuditPair> some, pairs_of(method, options, schema, epsilon));
    const std::vector<std::size_t> some_runs =
        options.runs > 0 ? std::vector<std::size_t>(some.size(), options.runs)
                         : affordable_runs(some, effort.seconds, options.threads);
    runs.insert(runs.end(), some_runs.begin(), some_runs.end());
    std::move(some.begin(), some.end(), std::back_inserter(pairs));
  }
  if (!options.quiet) {
    fmt::print(stderr, "{}\nNo release is written and no ledger touched.\n",
               schema
                   ? "An audit of tables that you may see in full: what it prints is not private."
                   : "An audit on made-up tables.");
    if (schema && schema->person) {
      fmt::print(stderr,
                 "Rows are taken as rows here: what is attacked is the promise to one row, though "
                 "the schema declares a person.\n");
    }
  }
  AuditReport report{PRIVPFC_VERSION, effort.name, kAuditSignificance, schema.has_value(), {}};
  PRIVPFC_ASSIGN(report.files, audited_files(options));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    AuditOptions how;
    how.runs = runs[i];
    how.significance = kAuditSignificance;
    how.threads = options.threads;
    how.pairs = pairs.size();
    Progress bar(
        fmt::format("pair {} of {}: {} {}", i + 1, pairs.size(), pairs[i].method, pairs[i].name),
        total_runs(how.runs), options.quiet);
    how.progress = [&](std::size_t done) { bar.update(done); };
    report.pairs.push_back(audit_pair(pairs[i], how));
  }
  PRIVPFC_TRY(reports.write([&] { return audit_text(report); }, [&] { return audit_json(report); },
                            [&] { return audit_page(report); }));
  if (file) {
    const std::string json = audit_json(report);
    PRIVPFC_TRY(file->write(json.data(), json.size()));
    PRIVPFC_TRY(file->keep(/*sync=*/true));
  }
  if (report.holds()) return {};
  return make_error(ErrorKind::kFailure,
                    "the audit refutes the claimed epsilon: see the pairs marked as broken");
}

}  // namespace

void add_audit(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "audit", "Attack this very program: a lower bound on the epsilon that it really has",
      "privpfc audit --quick\n"
      "  privpfc audit --html audit.html --out audit.json\n"
      "  privpfc audit --quick --method nb-laplace,tree-cart\n"
      "  privpfc audit --pair without.csv with.csv --schema schema.yaml --epsilon 0.5\n\n"
      "Publishes many thousand times in memory on neighbouring tables (one has a row more), looks\n"
      "on some runs for events that tell the tables apart, counts them on others,\n"
      "and bounds epsilon from below by Clopper and Pearson, corrected for all events and pairs\n"
      "(a sound program is called broken once in a million audits). A bound above the claim\n"
      "refutes it; one below is evidence, and no proof. The verdict is \"too few runs\" where not\n"
      "even a program with twice the claimed epsilon would be refuted: give it more time, or\n"
      "--runs. docs/verification.md says more.\n\n"
      "The tables are made up, or with --pair (as often as you like) files that you may see in\n"
      "full: what is printed about them is not private. No release is written and no ledger\n"
      "touched.\n\n"
      "Exit codes: 0 nothing refutes the claim (or too few runs), 1 a pair is broken, 2 usage,\n"
      "3 input data (or the files are no neighbours), 4 schema, 6 a file cannot be read or\n"
      "written, 130 interrupted.");
  auto options = std::make_shared<AuditCommand>();
  command
      ->add_option("--method", options->methods,
                   "What to audit, with commas: privpfc (publishing, the default), direct methods "
                   "(privpfc methods), all")
      ->delimiter(',');
  command->add_option("--epsilon", options->epsilon, "The epsilon that is claimed (default 1)");
  CLI::Option* pair =
      command
          ->add_option(
              "--pair", options->pairs,
              "Two files that differ by one row, instead of the made-up tables; repeatable")
          ->option_text("A B")
          ->allow_extra_args(false);
  command
      ->add_flag("--made-up-too", options->made_up_too, "With --pair: the made-up tables as well")
      ->needs(pair);
  command->add_option("--schema", options->schema, "With --pair: the schema of all of them (YAML)");
  CLI::Option* quick = command->add_flag("--quick", options->quick, "About a minute per method");
  command
      ->add_flag("--thorough", options->thorough,
                 "About two hours per method; without either, about ten minutes")
      ->excludes(quick);
  command
      ->add_option(
          "--runs", options->runs,
          "So many runs on each table to count on, and as many (at most 200000) to look for "
          "events on, however long they take")
      ->check(CLI::Range(std::size_t{100}, std::size_t{100'000'000}));
  command->add_option("--threads", options->threads, "Threads to use (default: one per core)")
      ->check(CLI::Range(1U, 1024U));
  command
      ->add_flag("--ignore-extra-columns", options->ignore_extra_columns,
                 "With --pair: allow columns that the schema does not name")
      ->needs(pair);
  command->add_option("--out", options->out, "Also write the JSON to this new file");
  command->add_option("--html", options->html, "Also write a page to this new file");
  command->add_flag("--json", options->json, "JSON on standard output instead of the table");
  command->add_flag("--quiet", options->quiet, "No messages but errors");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace privpfc::cli
