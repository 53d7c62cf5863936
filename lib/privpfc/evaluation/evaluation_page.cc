#include <fmt/format.h>

#include <algorithm>

#include "privpfc/evaluation/evaluation_report.h"
#include "privpfc/evaluation/html.h"
#include "privpfc/evaluation/interval_plot.h"
#include "privpfc/evaluation/page.h"
#include "privpfc/evaluation/release_pictures.h"
#include "privpfc/evaluation/report_words.h"

namespace privpfc {
namespace {

std::string lead(const Release& release, const Evaluation& evaluation) {
  const MeasuredClassifier& best = evaluation.best();
  const double majority = evaluation.majority.metrics.error;
  std::string text = fmt::format(
      "<p class=\"lead\">Of {} classifiers trained on the release, <strong>{}</strong> does best: "
      "it "
      "is wrong about <strong>{}</strong> of the {} held-out rows (95 % interval {}). Always "
      "saying "
      "“{}” is wrong about {}.",
      evaluation.on_release.size(), escape_html(classifier_title(best.name)),
      percent(best.metrics.error), whole(best.metrics.rows),
      percent_range(best.metrics.interval.low, best.metrics.interval.high),
      escape_html(release.schema.label.classes[evaluation.majority_class]), percent(majority));
  if (const MeasuredClassifier* plain = evaluation.without_noise(best.name)) {
    text += fmt::format(" Trained on the real rows, the same learner is wrong about {}.",
                        percent(plain->metrics.error));
  }
  if (best.metrics.error >= majority) {
    text += " <strong>The release does not help to tell the classes apart.</strong>";
  }
  return text + "</p>\n";
}

Page::Section error_section(const Release& release, const Evaluation& evaluation) {
  IntervalPlot plot;
  plot.id = "error-plot";
  plot.title = "Share of held-out rows that each classifier gets wrong";
  plot.reference = evaluation.majority.metrics.error;
  plot.reference_name = "most frequent class " + percent(plot.reference);
  for (const MeasuredClassifier& one : evaluation.on_release) {
    IntervalPlot::Lane lane{
        classifier_title(one.name), {one.metrics.error, one.metrics.interval}, {}};
    plot.description += fmt::format("{}{}: {}", plot.description.empty() ? "" : "; ", lane.name,
                                    percent(one.metrics.error));
    if (const MeasuredClassifier* plain = evaluation.without_noise(one.name)) {
      lane.plain = {plain->metrics.error, plain->metrics.interval};
      plot.description += ", without noise " + percent(plain->metrics.error);
    }
    plot.lanes.push_back(std::move(lane));
  }
  plot.description += "; always the most frequent class: " + percent(plot.reference) + ".";
  const bool compare = !evaluation.noise_free.empty();
  return {"error", "How often classifiers are wrong",
          lead(release, evaluation) + "<figure>\n" +
              render_plot_legend("trained on the release",
                                 compare ? "trained on the real rows, without noise" : "",
                                 "always saying the most frequent class") +
              render_interval_plot(plot) +
              "<figcaption>Misclassified share of the held-out rows, with 95 % intervals (Wilson). "
              "The axis need not start at 0.</figcaption>\n</figure>\n"};
}

std::vector<std::string> figures_row(const MeasuredClassifier& one) {
  const Metrics& metrics = one.metrics;
  std::string name = escape_html(classifier_title(one.name));
  if (!one.note.empty()) name += " <small>" + escape_html(one.note) + "</small>";
  std::vector<std::string> row = {name,
                                  percent(metrics.error),
                                  percent_range(metrics.interval.low, metrics.interval.high),
                                  percent(metrics.balanced_error),
                                  metrics.auc ? fmt::format("{:.3f}", *metrics.auc) : "–",
                                  fmt::format("{:.3f}", metrics.brier),
                                  fmt::format("{:.3f}", metrics.calibration_error)};
  for (const auto& recall : metrics.recalls) row.push_back(recall ? percent(*recall) : "–");
  return row;
}

Page::Section figures_section(const Release& release, const Evaluation& evaluation) {
  HtmlTable table;
  table.caption = "Measured on the held-out rows";
  table.head = {"Classifier", "Error", "95 % interval", "Balanced error",
                "AUC",        "Brier", "Calibration"};
  for (const std::string& name : release.schema.label.classes) {
    table.head.push_back("Recall “" + escape_html(name) + "”");
  }
  table.rows.push_back({"Trained on the release"});
  for (const MeasuredClassifier& one : evaluation.on_release) {
    table.rows.push_back(figures_row(one));
  }
  table.rows.push_back(figures_row(evaluation.majority));
  if (!evaluation.noise_free.empty()) table.rows.push_back({"Trained on the real rows"});
  for (const MeasuredClassifier& one : evaluation.noise_free) {
    table.rows.push_back(figures_row(one));
  }
  return {"figures", "All figures", render_table(table)};
}

Page::Section calibration_section(const Evaluation& evaluation) {
  HtmlTable table;
  table.caption = "Probability that was given to the predicted class → how often it was right";
  table.head = {"Confidence"};
  for (const MeasuredClassifier& one : evaluation.on_release) {
    table.head.push_back(escape_html(classifier_title(one.name)));
  }
  for (std::size_t i = 0; i < kReliabilityBins; ++i) {
    std::vector<std::string> row = {
        fmt::format("{} to {} %", i * 100 / kReliabilityBins, (i + 1) * 100 / kReliabilityBins)};
    bool some = false;
    for (const MeasuredClassifier& one : evaluation.on_release) {
      const ReliabilityBin& bin = one.metrics.reliability[i];
      some |= bin.rows > 0;
      row.push_back(bin.rows > 0
                        ? fmt::format("{:.0f} → {:.0f} % <span class=\"quiet\">({})</span>",
                                      100 * bin.confidence, 100 * bin.accuracy, whole(bin.rows))
                        : "–");
    }
    if (some) table.rows.push_back(std::move(row));
  }
  return {"calibration", "Can the probabilities be trusted?",
          render_table(table) +
              "<p class=\"quiet\">In brackets: rows. Where the two numbers are equal, the "
              "probabilities are calibrated.</p>\n"};
}

// With a bar, relative to the largest distance on the page.
std::string distance_cell(double distance, double largest) {
  return fmt::format("<span class=\"bar\"><i style=\"width:{:.1f}%\"></i></span>{:.3f}",
                     largest > 0 ? 100 * distance / largest : 0, distance);
}

Page::Section fidelity_section(const Evaluation& evaluation) {
  HtmlTable table;
  table.caption = "Total variation distance: 0 is the same, 1 has nothing in common";
  table.head = {"Attribute", "Groups", "Alone", "With the label"};
  double largest = evaluation.fidelity.label;
  for (const AttributeFidelity& one : evaluation.fidelity.attributes) {
    largest = std::max({largest, one.alone, one.with_label});
  }
  table.rows.push_back({"the label", "", distance_cell(evaluation.fidelity.label, largest), ""});
  for (const AttributeFidelity& one : evaluation.fidelity.attributes) {
    table.rows.push_back({escape_html(one.attribute), std::to_string(one.groups),
                          distance_cell(one.alone, largest),
                          distance_cell(one.with_label, largest)});
  }
  return {
      "fidelity", "How near the synthetic table is",
      fmt::format("<p>Compared with the real {} rows, at the level of the release’s groups.</p>\n",
                  evaluation.fidelity_on_training_rows ? "training" : "held-out") +
          render_table(table)};
}

const char* const kHowMeasured = R"(<dl>
<dt>Held-out rows</dt><dd>Real rows that the release was not made from. They are brought to the release’s groups; where the release has numbers, they keep their own.</dd>
<dt>Trained on the release</dt><dd>On the synthetic rows, as an analyst would; the histogram reads the released noisy counts of the cells as they are.</dd>
<dt>Without noise</dt><dd>The same learners on all attributes of the real training rows; the histogram on the release’s grid. What no private method can be expected to pass by much.</dd>
<dt>Balanced error</dt><dd>1 minus the mean recall of the classes. Recall: the share of a class’s rows that is recognised.</dd>
<dt>AUC</dt><dd>The chance that a row of a class is given a larger probability of it than another row; the mean over the classes, each against the rest.</dd>
<dt>Brier, calibration</dt><dd>The mean squared distance of the probabilities from the truth, summed over the classes (0 to 2); the expected calibration error, over ten bins of the predicted class’s probability.</dd>
<dt>Intervals</dt><dd>Wilson, 95 %, for the held-out rows as a sample. They do not tell how another release of the same table would do.</dd>
</dl>
)";

}  // namespace

std::string evaluation_page(const Release& release, const Diagnostic<Evaluation>& diagnostic) {
  const Evaluation& evaluation = diagnostic.value();
  Page page = release_page(release);
  page.notice_heading = kInternalHeading;
  page.notice = escape_html(kInternalNotice);
  page.notice_is_warning = true;
  page.sections.push_back(error_section(release, evaluation));
  page.sections.push_back(grid_section(release));
  page.sections.push_back(budget_section(release));
  page.sections.push_back(promise_section(
      release,
      "<p>The promise is about the release. It does not cover this page, whose figures were "
      "computed on real rows as they are.</p>\n"));
  page.sections.push_back(figures_section(release, evaluation));
  page.sections.push_back(calibration_section(evaluation));
  page.sections.push_back(fidelity_section(evaluation));
  page.sections.push_back({"measured", "How this was measured", kHowMeasured});
  page.footer = release_footer(release);
  return render_page(page);
}

}  // namespace privpfc
