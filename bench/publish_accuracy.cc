// How often the majority label of a released cell is wrong on rows that were not published from.
//
//   publish_accuracy DATA.csv SCHEMA.yaml RUNS EPSILON...
//
// Folds come from a last column `fold` (0 to 9) where there is one, and are every tenth row
// otherwise. An experiment on data that may be seen in full: it writes no release.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "privpfc/pipeline/publish.h"
#include "privpfc/privacy/kernel.h"
#include "privpfc/privacy/system_bits.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/table/encoder.h"

namespace {

using namespace privpfc;

constexpr int kFolds = 10;

// An experiment has no ledger.
class ExperimentBudget : BudgetSource {
 public:
  static Budget of(Epsilon epsilon) { return issue(epsilon); }
};

struct Rows {
  std::vector<std::vector<std::uint16_t>> codes;  // by attribute
  std::vector<std::uint8_t> classes;
  std::vector<int> folds;
};

Result<Rows> read_rows(const std::string& path, const Schema& schema) {
  PRIVPFC_ASSIGN(TableReader reader, TableReader::open({path}, schema.csv));
  EncoderOptions options;
  options.ignore_extra_columns = true;
  PRIVPFC_ASSIGN(const Encoder encoder, Encoder::create(schema, reader.columns(), options));
  PRIVPFC_ASSIGN(const EncodedTable table, encode_table(reader, encoder, 1));
  Rows rows;
  rows.codes.resize(schema.attributes.size());
  for (const EncodedBatch& batch : table.batches()) {
    for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
      if (!schema.attributes[i].used) continue;
      std::visit(
          [&](auto codes) {
            rows.codes[i].insert(rows.codes[i].end(), codes.begin(), codes.end());
          },
          batch.attribute(AttributeIndex(i)));
    }
    rows.classes.insert(rows.classes.end(), batch.classes.begin(), batch.classes.end());
  }
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const bool has_folds = line.ends_with(",fold");
  for (std::size_t row = 0; row < rows.classes.size(); ++row) {
    if (has_folds) std::getline(file, line);
    rows.folds.push_back(has_folds ? std::atoi(line.c_str() + line.rfind(',') + 1)
                                   : static_cast<int>(row % kFolds));
  }
  return rows;
}

EncodedTable training_rows(const Rows& rows, const Schema& schema, int fold) {
  EncodedBatch batch;
  batch.codes.resize(schema.attributes.size());
  for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
    if (!schema.attributes[i].used) continue;
    std::vector<std::uint16_t> codes;
    for (std::size_t row = 0; row < rows.classes.size(); ++row) {
      if (rows.folds[row] != fold) codes.push_back(rows.codes[i][row]);
    }
    batch.codes[i] = std::move(codes);
  }
  for (std::size_t row = 0; row < rows.classes.size(); ++row) {
    if (rows.folds[row] != fold) batch.classes.push_back(rows.classes[row]);
  }
  batch.rows = batch.classes.size();
  EncodedTable table;
  table.append(std::move(batch));
  return table;
}

// Majority label of the row's cell; an even cell takes the label that is most frequent over all.
double error_of(const Synopsis& synopsis, const Rows& rows, const Schema& schema, int fold) {
  const std::size_t classes = schema.class_count();
  const auto& totals = synopsis.class_counts;
  const auto overall =
      static_cast<std::size_t>(std::max_element(totals.begin(), totals.end()) - totals.begin());
  std::size_t wrong = 0;
  std::size_t tested = 0;
  for (std::size_t row = 0; row < rows.classes.size(); ++row) {
    if (rows.folds[row] != fold) continue;
    std::size_t cell = 0;
    for (const Synopsis::Axis& axis : synopsis.axes) {
      const Hierarchy& hierarchy = schema[axis.attribute].hierarchy;
      cell = cell * hierarchy.node_count(axis.level) +
             hierarchy.nodes_of_leaves(axis.level)[rows.codes[axis.attribute.value()][row]];
    }
    const std::int64_t* counts = synopsis.cell_counts.data() + cell * classes;
    std::size_t best = overall;
    for (std::size_t c = 0; c < classes; ++c) {
      if (counts[c] > counts[best]) best = c;
    }
    ++tested;
    wrong += best != rows.classes[row] ? 1 : 0;
  }
  return static_cast<double>(wrong) / static_cast<double>(tested);
}

Status run(const std::vector<std::string>& arguments) {
  PRIVPFC_ASSIGN(const Schema schema, load_schema(arguments[1]));
  PRIVPFC_ASSIGN(const Rows rows, read_rows(arguments[0], schema));
  const int runs = std::atoi(arguments[2].c_str());
  fmt::print("{:>8}  {:>8}  {:>8}  {:>8}\n", "epsilon", "error", "sd", "cells");
  for (std::size_t i = 3; i < arguments.size(); ++i) {
    PRIVPFC_ASSIGN(const Epsilon epsilon, Epsilon::parse(arguments[i]));
    std::vector<double> errors;
    double cells = 0;
    for (int fold = 0; fold < kFolds; ++fold) {
      const Private<EncodedTable> table(training_rows(rows, schema, fold));
      for (int repeat = 0; repeat < runs; ++repeat) {
        SystemBits bits;
        Kernel kernel(bits);
        PublishOptions options;
        options.threads = 0;
        const Released<Synopsis> synopsis = publish(
            table, schema, options, kernel, ExperimentBudget::of(epsilon), [](std::string_view) {});
        errors.push_back(error_of(synopsis.value(), rows, schema, fold));
        cells += static_cast<double>(synopsis.value().cell_count());
      }
    }
    double mean = 0;
    for (const double error : errors) mean += error / static_cast<double>(errors.size());
    double variance = 0;
    for (const double error : errors) {
      variance += (error - mean) * (error - mean) / static_cast<double>(errors.size() - 1);
    }
    fmt::print("{:>8}  {:>8.4f}  {:>8.4f}  {:>8.0f}\n", arguments[i], mean, std::sqrt(variance),
               cells / static_cast<double>(errors.size()));
    std::fflush(stdout);
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: publish_accuracy DATA.csv SCHEMA.yaml RUNS EPSILON...\n");
    return 2;
  }
  const Status status = run({argv + 1, argv + argc});
  if (!status.ok()) fmt::print(stderr, "{}\n", status.error().message);
  return status.ok() ? 0 : 1;
}
