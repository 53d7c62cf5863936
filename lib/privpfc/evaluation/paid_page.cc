#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "privpfc/evaluation/html.h"
#include "privpfc/evaluation/interval_plot.h"
#include "privpfc/evaluation/page.h"
#include "privpfc/evaluation/paid_report.h"
#include "privpfc/evaluation/release_pictures.h"
#include "privpfc/evaluation/report_words.h"
#include "privpfc/schema/unit.h"

namespace privpfc {
namespace {

constexpr const char* kErrorHeading = "How often classifiers are wrong";

// Those whose error can be seen through the noise.
std::vector<PaidClassifier> seen_classifiers(const PaidEvaluation& paid) {
  std::vector<PaidClassifier> seen;
  for (const PaidClassifier& one : paid.on_release) {
    if (!one.error.is_hidden()) seen.push_back(one);
  }
  return seen;
}

std::string error_plot(const std::vector<PaidClassifier>& seen, const PaidClassifier& majority) {
  IntervalPlot plot;
  plot.id = "error-plot";
  plot.title = "Share of held-out rows that each classifier gets wrong";
  plot.reference = majority.error.value;
  plot.reference_name = "most frequent class " + percent(plot.reference);
  for (const PaidClassifier& one : seen) {
    plot.lanes.push_back(
        {classifier_title(one.name), {one.error.value, one.error.interval}, std::nullopt});
    plot.description += fmt::format("{}{}: {}", plot.description.empty() ? "" : "; ",
                                    classifier_title(one.name), percent(one.error.value));
  }
  plot.description += "; always the most frequent class: " + percent(plot.reference) + ".";
  return "<figure>\n" +
         render_plot_legend("trained on the release", "", "always saying the most frequent class") +
         render_interval_plot(plot) +
         "<figcaption>Misclassified share of real held-out rows, with 95 % intervals that "
         "consider sampling and noise. The axis need not start at 0.</figcaption>\n"
         "</figure>\n";
}

Page::Section error_section(const Release& release, const PaidEvaluation& paid) {
  const std::vector<PaidClassifier> seen = seen_classifiers(paid);
  if (seen.empty() || paid.majority.error.is_hidden()) {
    return {"error", kErrorHeading,
            "<p>The noise hides how often the classifiers are wrong: there are too few held-out "
            "rows for this epsilon.</p>\n"};
  }
  const PaidClassifier& best =
      *std::min_element(seen.begin(), seen.end(),
                        [](const auto& a, const auto& b) { return a.error.value < b.error.value; });
  return {"error", kErrorHeading,
          fmt::format(
              "<p class=\"lead\">Of {} classifiers trained on the release, <strong>{}</strong> "
              "does best: it is wrong about <strong>{}</strong> of held-out rows (95 % interval "
              "{}). Always saying “{}” is wrong about {}.</p>\n",
              seen.size(), escape_html(classifier_title(best.name)), percent(best.error.value),
              percent_range(best.error.interval.low, best.error.interval.high),
              escape_html(release.schema.label.classes[paid.majority_class]),
              percent(paid.majority.error.value)) +
              error_plot(seen, paid.majority)};
}

std::string with_interval(const std::optional<PaidShare>& share) {
  if (!share || share->is_hidden()) return "–";
  return fmt::format("{} <span class=\"quiet\">({})</span>", percent(share->value),
                     percent_range(share->interval.low, share->interval.high));
}

Page::Section figures_section(const Release& release, const PaidEvaluation& paid) {
  HtmlTable table;
  table.caption = "Noisy figures with 95 % intervals";
  table.head = {"Classifier", "Error"};
  for (const std::string& name : release.schema.label.classes) {
    table.head.push_back("Recall “" + escape_html(name) + "”");
  }
  const auto add = [&](const PaidClassifier& one) {
    std::string name = escape_html(classifier_title(one.name));
    if (!one.note.empty()) name += " <small>" + escape_html(one.note) + "</small>";
    std::vector<std::string> row = {std::move(name), with_interval(one.error)};
    for (const auto& recall : one.recalls) row.push_back(with_interval(recall));
    table.rows.push_back(std::move(row));
  };
  for (const PaidClassifier& one : paid.on_release) add(one);
  add(paid.majority);
  return {
      "figures", "All figures",
      render_table(table) +
          fmt::format(
              "<p class=\"quiet\">Every count of rows behind these figures has noise with a "
              "standard deviation of {:.1f} rows. A dash stands where there are too few rows to be "
              "seen through it. Recall: the share of a class’s rows that is recognised.</p>\n",
              paid.noise)};
}

}  // namespace

std::string paid_page(const Release& release, const Released<PaidEvaluation>& evaluation) {
  const PaidEvaluation& paid = evaluation.value();
  Page page = release_page(release);
  page.notice_heading = kPaidHeading;
  page.notice = escape_html(paid_notice(paid.epsilon.to_string(), unit_in_words(release.schema))) +
                " " + escape_html(std::string(kDeclaration));
  page.sections.push_back(error_section(release, paid));
  page.sections.push_back(figures_section(release, paid));
  page.sections.push_back(grid_section(release));
  page.sections.push_back(budget_section(release));
  page.sections.push_back(promise_section(
      release,
      fmt::format(
          "<p>The figures on this page are about other rows, held out from the release. For "
          "those the same promise holds with epsilon {}.</p>\n",
          paid.epsilon.to_string())));
  page.footer = release_footer(release);
  return render_page(page);
}

}  // namespace privpfc
