#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "output.h"
#include "privpfc/base/printed_json.h"
#include "privpfc/base/text_file.h"
#include "privpfc/classifiers/model_file.h"
#include "privpfc/evaluation/released_table.h"
#include "privpfc/features/feature_reader.h"
#include "privpfc/io/table_writer.h"
#include "privpfc/release/folder.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/schema_writer.h"
#include "unread_warning.h"

namespace privpfc::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct PredictCommand {
  std::vector<std::string> paths;
  std::string model;
  std::string schema;
  std::string out;
  bool ignore_extra_columns = false;
  unsigned threads = 0;
  bool json = false;
  bool quiet = false;
};

std::vector<OutputColumn> output_columns(const FeatureSpace& space) {
  std::vector<OutputColumn> columns;
  columns.push_back(
      {.name = "predicted", .kind = OutputColumn::Kind::kCategory, .categories = space.classes});
  for (const std::string& name : space.classes) {
    columns.push_back({.name = "probability_" + name, .kind = OutputColumn::Kind::kReal});
  }
  return columns;
}

Status write_batch(const Predictions& predictions, TableWriter& writer) {
  std::vector<std::vector<double>> by_class(predictions.class_count);
  for (std::size_t i = 0; i < predictions.labels.size(); ++i) {
    for (std::size_t c = 0; c < by_class.size(); ++c) {
      by_class[c].push_back(predictions.row(i)[c]);
    }
  }
  std::vector<OutputSlice> slices = {{std::span<const std::uint8_t>(predictions.labels)}};
  for (const std::vector<double>& column : by_class) {
    slices.push_back({std::span<const double>(column)});
  }
  return writer.write(slices);
}

// The release that the data is, or is the synthetic table of: its groups are not values of the
// schema, so it is read in its own way.
std::optional<fs::path> release_of(const PredictCommand& options) {
  if (options.paths.size() != 1) return std::nullopt;
  const fs::path path = options.paths.front();
  std::error_code ignored;
  const fs::path folder = path.filename() == kSyntheticFile ? folder_of(path) : path;
  if (fs::exists(folder / kManifestFile, ignored)) return folder;
  return std::nullopt;
}

bool same_view(const AttributeView& a, const AttributeView& b) {
  return a.attribute == b.attribute && a.as_number == b.as_number &&
         (a.as_number || a.level == b.level);
}

Status predict_release(const fs::path& directory, const SavedModel& saved,
                       const PredictCommand& options) {
  PRIVPFC_ASSIGN(const Release release, open_release_to_learn(directory));
  PRIVPFC_TRY(check_model_fits(saved, release.schema));
  bool fits = false;
  for (const ReleaseView view :
       {ReleaseView::kAsReleased, ReleaseView::kGroups, ReleaseView::kGrid}) {
    fits = fits || std::ranges::equal(release_views(release, view), saved.views, same_view);
  }
  if (!fits) {
    return make_error(ErrorKind::kData,
                      "{}: the model sees other columns or groups than this release shows; predict "
                      "on rows as they are, or train a model on the release",
                      directory.string());
  }
  PRIVPFC_ASSIGN(const Dataset rows, read_released_rows(release, saved.space, options.threads));
  PRIVPFC_ASSIGN(TableWriter writer, TableWriter::create(options.out, output_columns(saved.space)));
  PRIVPFC_TRY(write_batch(
      predict_rows(*saved.model, rows.rows, saved.space.class_count(), options.threads), writer));
  return writer.close();
}

Status predict_table(const SavedModel& saved, const PredictCommand& options) {
  PRIVPFC_ASSIGN(TableReader reader,
                 TableReader::open({options.paths.begin(), options.paths.end()}, saved.schema.csv));
  PRIVPFC_ASSIGN(const FeatureReader features,
                 FeatureReader::create(saved.schema, saved.space, reader.columns(),
                                       {.ignore_extra_columns = options.ignore_extra_columns,
                                        .needs_label = false,
                                        .caps_persons = false,
                                        .attributes = attributes_of(saved.space)}));
  PRIVPFC_ASSIGN(TableWriter writer, TableWriter::create(options.out, output_columns(saved.space)));
  DataReport report = features.start_report(reader.columns());
  PRIVPFC_TRY(reader.read(
      features.input_columns(), options.threads, [&](const Batch& batch) -> TableReader::Turn {
        auto notes = std::make_shared<BatchNotes>();
        auto predictions = std::make_shared<Predictions>(predict_rows(
            *saved.model, features.read(batch, *notes).rows, saved.space.class_count(), 1));
        return [&, notes, predictions, rows = batch.rows](const RowPosition& position) {
          add_notes(*notes, rows, position, report);
          return write_batch(*predictions, writer);
        };
      }));
  PRIVPFC_TRY(writer.close());
  if (!options.quiet) {
    warn_of_unread(unread_values(report), options.paths,
                   options.schema.empty() ? "SCHEMA" : options.schema);
  }
  return {};
}

Status run(const PredictCommand& options) {
  PRIVPFC_ASSIGN(const std::string text, read_text_file(options.model, kMostModelBytes));
  auto read = read_model(text);
  if (!read.ok()) {
    return make_error(read.error().kind, "{}: {}", options.model, read.error().message);
  }
  const SavedModel saved = *std::move(read);
  if (!options.schema.empty()) {
    PRIVPFC_ASSIGN(const Schema schema, load_schema(options.schema));
    PRIVPFC_TRY(check_model_fits(saved, schema));
  }
  if (const auto release = release_of(options)) {
    PRIVPFC_TRY(predict_release(*release, saved, options));
  } else {
    PRIVPFC_TRY(predict_table(saved, options));
  }
  if (options.json) {
    return write_output("", printed_json(Json{{"model", model_name(saved.model->kind())},
                                              {"guarantee", saved.guarantee},
                                              {"classes", saved.space.classes},
                                              {"schema_hash", schema_hash(saved.schema)},
                                              {"out", options.out}}));
  }
  if (!options.quiet) {
    fmt::print(stderr, "predictions in {}; one per row of the data: they are as private as it is\n",
               options.out);
  }
  return {};
}

}  // namespace

void add_predict(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "predict", "Predict the label of every row with a saved model",
      "privpfc predict stays.parquet --model tree.json --out predicted.csv\n\n"
      "Writes one row per row of the data, in its order: the class, and the probability of each\n"
      "class. The data has the columns that the model uses; others of its schema, and the label,\n"
      "may be left out. A model that was trained on a release also predicts on that release.\n\n"
      "Exit codes: 0 fine, 2 usage, 3 the data or the model file is not sound, 4 the model does\n"
      "not fit the schema, 6 a file cannot be read or written, 7 a limit was passed.");
  auto options = std::make_shared<PredictCommand>();
  command
      ->add_option("DATA", options->paths,
                   "CSV or Parquet files, or directories of them; or one release")
      ->required();
  command->add_option("--model", options->model, "Model file, from train")->required();
  command->add_option("--out", options->out, "The predictions, as .csv or .parquet")->required();
  command->add_option("--schema", options->schema,
                      "Make sure that the model was trained for this schema");
  command->add_flag("--ignore-extra-columns", options->ignore_extra_columns,
                    "Columns that the schema does not name are not read");
  command->add_option("--threads", options->threads, "Threads to use (default: one per core)")
      ->check(CLI::Range(1U, 1024U));
  command->add_flag("--json", options->json, "A summary as JSON on standard output");
  command->add_flag("--quiet", options->quiet, "Say nothing but errors");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace privpfc::cli
