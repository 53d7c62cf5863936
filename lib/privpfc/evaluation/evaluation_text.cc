#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "privpfc/evaluation/evaluation_report.h"
#include "privpfc/evaluation/html.h"
#include "privpfc/evaluation/report_words.h"

namespace privpfc {
namespace {

std::string line(const MeasuredClassifier& one, const MeasuredClassifier* without_noise,
                 bool compare) {
  const Metrics& metrics = one.metrics;
  return fmt::format(
      "  {:<10} {:>7}  {:>15}  {:>8}  {:>5}  {:>5.3f}  {:>11.3f}{}\n", one.name,
      percent(metrics.error), percent_range(metrics.interval.low, metrics.interval.high),
      percent(metrics.balanced_error), metrics.auc ? fmt::format("{:.3f}", *metrics.auc) : "-",
      metrics.brier, metrics.calibration_error,
      !compare                   ? ""
      : without_noise == nullptr ? fmt::format("  {:>13}", "-")
                                 : fmt::format("  {:>13}", percent(without_noise->metrics.error)));
}

}  // namespace

std::string evaluation_text(const Release& release, const Diagnostic<Evaluation>& diagnostic) {
  const Evaluation& evaluation = diagnostic.value();
  const bool compare = !evaluation.noise_free.empty();
  std::string out = fmt::format(
      "{} (epsilon {}): what the release is worth\n{}\n"
      "  {:<10} {:>7}  {:>15}  {:>8}  {:>5}  {:>5}  {:>11}{}\n",
      release.manifest.name, release.manifest.epsilon.to_string(),
      wrapped(fmt::format("{}. {}", kInternalHeading, kInternalNotice)), "", "error",
      "95 % interval", "balanced", "AUC", "Brier", "calibration",
      compare ? fmt::format("  {:>13}", "without noise") : "");
  for (const MeasuredClassifier& one : evaluation.on_release) {
    out += line(one, evaluation.without_noise(one.name), compare);
  }
  out += line(evaluation.majority, nullptr, compare);
  for (const auto* list : {&evaluation.on_release, &evaluation.noise_free}) {
    for (const MeasuredClassifier& one : *list) {
      if (one.note.empty()) continue;
      out += fmt::format("  {}{}: {}\n", one.name,
                         list == &evaluation.noise_free ? " without noise" : "", one.note);
    }
  }
  std::string distance = fmt::format(
      "{} held-out rows. Distance from the {} rows (total variation): label {:.3f}",
      whole(evaluation.majority.metrics.rows),
      evaluation.fidelity_on_training_rows ? "training" : "held-out", evaluation.fidelity.label);
  const auto& attributes = evaluation.fidelity.attributes;
  if (!attributes.empty()) {
    const auto worst =
        std::max_element(attributes.begin(), attributes.end(),
                         [](const auto& a, const auto& b) { return a.with_label < b.with_label; });
    double sum = 0;
    for (const AttributeFidelity& one : attributes) sum += one.with_label;
    distance += fmt::format("; attributes with label {:.3f} on average, at most {:.3f} ({})",
                            sum / static_cast<double>(attributes.size()), worst->with_label,
                            worst->attribute);
  }
  return out + "\n" + wrapped(distance + ".");
}

}  // namespace privpfc
