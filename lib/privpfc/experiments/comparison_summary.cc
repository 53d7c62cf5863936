#include "privpfc/experiments/comparison_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "privpfc/base/printed_json.h"

namespace privpfc {
namespace {

using Json = nlohmann::ordered_json;

Json epsilon_json(const std::optional<Epsilon>& epsilon) {
  if (!epsilon) return nullptr;
  return static_cast<double>(epsilon->units()) / static_cast<double>(Epsilon::kUnitsPerOne);
}

}  // namespace

std::vector<ComparisonLine> summarise(const ComparisonResults& results) {
  std::vector<ComparisonLine> lines;
  std::map<std::string, std::size_t> classifiers;
  for (const MethodCard& card : results.methods) {
    classifiers[card.name] = card.classifiers.size();
  }
  std::map<std::tuple<std::string, std::string, std::optional<Epsilon>>, std::size_t> places;
  std::vector<std::vector<double>> seconds;
  for (const ComparisonRow& row : results.rows) {
    const auto [found, is_new] =
        places.emplace(std::tuple(row.method, row.classifier, row.epsilon), lines.size());
    if (is_new) {
      ComparisonLine line;
      line.method = row.method;
      line.classifier = row.classifier;
      line.epsilon = row.epsilon;
      line.label = classifiers[row.method] > 1 ? row.method + " " + row.classifier : row.method;
      lines.push_back(std::move(line));
      seconds.emplace_back();
    }
    ComparisonLine& line = lines[found->second];
    if (line.errors.size() <= row.fold) line.errors.resize(row.fold + 1);
    line.errors[row.fold].push_back(row.error);
    std::vector<double>& longest = seconds[found->second];
    if (longest.size() <= row.fold) longest.resize(row.fold + 1, 0);
    longest[row.fold] = std::max(longest[row.fold], row.seconds);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // A fold on which the method failed has no errors.
    std::erase_if(lines[i].errors, [](const auto& repeats) { return repeats.empty(); });
    lines[i].error = summarise(lines[i].errors);
    for (const auto& repeats : lines[i].errors) lines[i].folds.push_back(mean_of(repeats));
    lines[i].seconds = mean_of(seconds[i]);
  }
  return lines;
}

std::vector<PairedComparison> compare_pairs(const std::vector<ComparisonLine>& lines,
                                            Epsilon epsilon) {
  std::vector<const ComparisonLine*> present;
  for (const ComparisonLine& line : lines) {
    if (!line.epsilon || *line.epsilon == epsilon) present.push_back(&line);
  }
  std::vector<PairedComparison> pairs;
  for (std::size_t i = 0; i < present.size(); ++i) {
    for (std::size_t j = i + 1; j < present.size(); ++j) {
      const std::vector<double>& first = present[i]->folds;
      const std::vector<double>& second = present[j]->folds;
      if (first.size() != second.size()) continue;
      std::vector<double> differences;
      for (std::size_t fold = 0; fold < first.size(); ++fold) {
        differences.push_back(first[fold] - second[fold]);
      }
      pairs.push_back({present[i]->label, present[j]->label, mean_of(differences),
                       signed_rank_test(differences)});
    }
  }
  return pairs;
}

std::string comparison_json(const ComparisonResults& results,
                            const std::vector<ComparisonLine>& lines,
                            const ComparisonSetting& setting) {
  Json epsilons = Json::array();
  for (const Epsilon epsilon : setting.options.epsilons) epsilons.push_back(epsilon_json(epsilon));
  Json methods = Json::array();
  for (const MethodCard& card : results.methods) {
    methods.push_back({{"name", card.name},
                       {"classifiers", card.classifiers},
                       {"kind", card.kind},
                       {"promise", promise_name(card.promise)},
                       {"guarantee", card.guarantee},
                       {"source", card.source}});
  }
  Json list = Json::array();
  for (const ComparisonLine& line : lines) {
    list.push_back({{"method", line.method},
                    {"classifier", line.classifier},
                    {"epsilon", epsilon_json(line.epsilon)},
                    {"error",
                     {{"mean", line.error.mean},
                      {"sd", line.error.fold_deviation},
                      {"sd_repeats", line.error.repeat_deviation},
                      {"low", line.error.low},
                      {"high", line.error.high}}},
                    {"seconds", line.seconds}});
  }
  Json times = Json::array();
  for (const MethodTimes& method : results.times) {
    Json parts = Json::object();
    for (const PartTime& time : method.parts) parts[time.part] = time.seconds;
    times.push_back({{"method", method.method}, {"parts", std::move(parts)}});
  }
  Json gaps = Json::array();
  for (const ComparisonGap& gap : results.gaps) {
    gaps.push_back(
        {{"method", gap.method}, {"epsilon", epsilon_json(gap.epsilon)}, {"problem", gap.problem}});
  }
  return printed_json(
      Json{{"kind", "comparison"},
           {"note", "an experiment on data that may be seen in full; not a release"},
           {"privpfc", setting.version},
           {"schema", setting.schema_name},
           {"schema_hash", setting.schema_hash},
           {"table_hash", setting.table_hash},
           {"rows", setting.rows},
           {"folds", setting.folds},
           {"fold_column", setting.fold_column},
           {"repeats", setting.options.repeats},
           {"seed", setting.options.seed},
           {"epsilons", epsilons},
           {"methods", methods},
           {"results", list},
           {"reading_seconds", setting.reading_seconds},
           {"seconds_by_part", times},
           {"gaps", gaps}});
}

std::string comparison_text(const std::vector<ComparisonLine>& lines,
                            const std::vector<ComparisonGap>& gaps,
                            const std::vector<Epsilon>& epsilons) {
  std::vector<std::string> labels;
  std::size_t width = 6;
  for (const ComparisonLine& line : lines) {
    if (std::find(labels.begin(), labels.end(), line.label) == labels.end()) {
      labels.push_back(line.label);
      width = std::max(width, line.label.size());
    }
  }
  std::string text = fmt::format("{:<{}}", "error", width);
  for (const Epsilon epsilon : epsilons) text += fmt::format("  {:>6}", epsilon.to_string());
  text += fmt::format("  {:>9}\n", "seconds");
  for (const std::string& label : labels) {
    text += fmt::format("{:<{}}", label, width);
    double seconds = 0;
    std::size_t count = 0;
    for (const Epsilon epsilon : epsilons) {
      const auto found = std::find_if(lines.begin(), lines.end(), [&](const auto& line) {
        return line.label == label && (!line.epsilon || *line.epsilon == epsilon);
      });
      if (found == lines.end()) {
        text += fmt::format("  {:>6}", "-");
        continue;
      }
      text += fmt::format("  {:6.4f}", found->error.mean);
      seconds += found->seconds;
      ++count;
    }
    text += fmt::format("  {:9.3f}\n", count > 0 ? seconds / static_cast<double>(count) : 0);
  }
  for (const ComparisonGap& gap : gaps) {
    text += fmt::format("{} (epsilon {}) was left out: {}\n", gap.method,
                        gap.epsilon ? gap.epsilon->to_string() : "none", gap.problem);
  }
  return text;
}

}  // namespace privpfc
