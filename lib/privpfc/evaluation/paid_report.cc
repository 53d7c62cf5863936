#include "privpfc/evaluation/paid_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "privpfc/base/printed_json.h"
#include "privpfc/evaluation/html.h"
#include "privpfc/evaluation/report_json.h"
#include "privpfc/evaluation/report_words.h"
#include "privpfc/schema/unit.h"

namespace privpfc {
namespace {

bool can_be_seen(const std::optional<PaidShare>& share) {
  return share && !share->is_hidden();
}

std::string line(const PaidClassifier& one, const std::vector<std::string>& classes) {
  const ShareInterval& interval = one.error.interval;
  std::string out = fmt::format(
      "  {:<10} {:>7}  {:>15}", one.name, can_be_seen(one.error) ? percent(one.error.value) : "-",
      can_be_seen(one.error) ? percent_range(interval.low, interval.high) : "-");
  for (std::size_t c = 0; c < classes.size(); ++c) {
    out +=
        fmt::format("  {:>{}}", can_be_seen(one.recalls[c]) ? percent(one.recalls[c]->value) : "-",
                    std::max<std::size_t>(7, classes[c].size() + 9));
  }
  return out + "\n";
}

bool has_dash(const PaidClassifier& one) {
  return !can_be_seen(one.error) ||
         !std::all_of(one.recalls.begin(), one.recalls.end(), can_be_seen);
}

Json classifier_json(const PaidClassifier& one, const std::vector<std::string>& classes) {
  Json right = Json::object();
  Json recalls = Json::object();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    right[classes[c]] = one.right[c];
    recalls[classes[c]] = one.recalls[c]
                              ? share_json(one.recalls[c]->value, one.recalls[c]->interval)
                              : Json(nullptr);
  }
  return {{"classifier", one.name},
          {"trained_on", "release"},
          {"error", share_json(one.error.value, one.error.interval)},
          {"recall", std::move(recalls)},
          {"noisy_right_predictions", std::move(right)},
          {"note", one.note}};
}

}  // namespace

std::string paid_text(const Release& release, const Released<PaidEvaluation>& evaluation) {
  const PaidEvaluation& paid = evaluation.value();
  const std::vector<std::string>& classes = release.schema.label.classes;
  std::string out = fmt::format(
      "{} (epsilon {}): what the release is worth\n{}{}\n", release.manifest.name,
      release.manifest.epsilon.to_string(),
      wrapped(fmt::format("{}. {}", kPaidHeading,
                          paid_notice(paid.epsilon.to_string(), unit_in_words(release.schema)))),
      wrapped(kDeclaration));
  out += fmt::format("  {:<10} {:>7}  {:>15}", "", "error", "95 % interval");
  for (const std::string& name : classes) {
    out += fmt::format("  {:>7}", "recall '" + name + "'");
  }
  out += "\n";
  for (const PaidClassifier& one : paid.on_release) out += line(one, classes);
  out += line(paid.majority, classes);
  for (const PaidClassifier& one : paid.on_release) {
    if (!one.note.empty()) out += fmt::format("  {}: {}\n", one.name, one.note);
  }
  out += fmt::format(
      "\nThe noise on each count has a standard deviation of {:.1f} rows; the intervals consider "
      "it.\n",
      paid.noise);
  const bool dashes = has_dash(paid.majority) ||
                      std::any_of(paid.on_release.begin(), paid.on_release.end(), has_dash);
  return dashes ? out + "A dash stands where the noise hides a figure.\n" : out;
}

std::string paid_json(const Release& release, const Released<PaidEvaluation>& evaluation) {
  const PaidEvaluation& paid = evaluation.value();
  const std::vector<std::string>& classes = release.schema.label.classes;
  Json results = Json::array();
  for (const PaidClassifier& one : paid.on_release) {
    results.push_back(classifier_json(one, classes));
  }
  results.push_back(classifier_json(paid.majority, classes));
  Json rows = Json::object();
  for (std::size_t c = 0; c < classes.size(); ++c) rows[classes[c]] = paid.class_rows[c];
  return printed_json(
      Json{{"format", "privpfc evaluation"},
           {"may_be_published", true},
           {"notice", std::string(kPaidHeading) + ". " +
                          paid_notice(paid.epsilon.to_string(), unit_in_words(release.schema))},
           {"declaration", kDeclaration},
           {"release", release_json(release)},
           {"privacy",
            {{"guarantee", "pure epsilon-differential privacy"},
             {"epsilon", paid.epsilon.to_string()},
             {"epsilon_per_row", paid.row_epsilon.to_string()},
             {"unit", unit_in_words(release.schema)},
             {"neighbours", "tables of held-out rows that differ by adding or removing " +
                                rows_of_unit(release.schema)},
             {"mechanism", "discrete Laplace"},
             {"noise_standard_deviation", paid.noise}}},
           {"interval", "Wilson, 95 %, widened by the variance of the noise"},
           {"noisy_test_rows", std::move(rows)},
           {"results", std::move(results)}});
}

}  // namespace privpfc
