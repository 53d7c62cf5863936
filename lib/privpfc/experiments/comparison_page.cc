#include "privpfc/experiments/comparison_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "privpfc/evaluation/html.h"
#include "privpfc/evaluation/page.h"
#include "privpfc/experiments/chart.h"

namespace privpfc {
namespace {

using Lines = std::vector<ComparisonLine>;

double number_of(Epsilon epsilon) {
  return static_cast<double>(epsilon.units()) / static_cast<double>(Epsilon::kUnitsPerOne);
}

std::vector<std::string> labels_of(const Lines& lines) {
  std::vector<std::string> labels;
  for (const ComparisonLine& line : lines) {
    if (std::find(labels.begin(), labels.end(), line.label) == labels.end()) {
      labels.push_back(line.label);
    }
  }
  return labels;
}

const ComparisonLine* find_line(const Lines& lines, const std::string& label, Epsilon epsilon) {
  for (const ComparisonLine& line : lines) {
    if (line.label == label && (!line.epsilon || *line.epsilon == epsilon)) return &line;
  }
  return nullptr;
}

// The line without noise that a classifier is held to: the same kind of learner.
const ComparisonLine* noise_free_line(const Lines& lines, const std::string& classifier) {
  static const std::map<std::string, std::string> kKin{
      {"linear-svm", "svm"}, {"fourier-svm", "svm"}, {"forest", "tree"}, {"histogram", "tree"}};
  const auto kin = kKin.find(classifier);
  const std::string wanted = kin == kKin.end() ? classifier : kin->second;
  for (const ComparisonLine& line : lines) {
    if (line.method == "noise-free" && line.classifier == wanted) return &line;
  }
  return nullptr;
}

// Those with the lowest errors are shown at first, with the baselines; a reader can have them all.
std::set<std::string> shown_at_first(const Lines& lines) {
  constexpr std::size_t kMost = 8;
  std::map<std::string, std::pair<double, int>> sums;
  std::set<std::string> shown;
  for (const ComparisonLine& line : lines) {
    if (!line.epsilon) {
      shown.insert(line.label);
      continue;
    }
    sums[line.label].first += line.error.mean;
    sums[line.label].second += 1;
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [label, sum] : sums) order.emplace_back(sum.first / sum.second, label);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < std::min(kMost, order.size()); ++i) shown.insert(order[i].second);
  return shown;
}

std::string error_chart(const Lines& lines, const std::vector<Epsilon>& epsilons) {
  Chart chart;
  chart.id = "errors";
  chart.title = "Misclassified test rows against epsilon";
  chart.x_name = "epsilon (logarithmic)";
  chart.y_name = "Misclassified test rows, with 95 % intervals over the folds";
  for (const Epsilon epsilon : epsilons) chart.x_ticks.push_back(number_of(epsilon));
  const std::set<std::string> shown = shown_at_first(lines);
  for (const std::string& label : labels_of(lines)) {
    ChartSeries series;
    series.name = label;
    series.is_shown = shown.contains(label);
    for (const ComparisonLine& line : lines) {
      if (line.label != label) continue;
      series.is_level = !line.epsilon;
      const ErrorSummary& error = line.error;
      const bool level = series.is_level;
      series.points.push_back({line.epsilon ? number_of(*line.epsilon) : 1, error.mean,
                               level ? error.mean : error.low, level ? error.mean : error.high});
    }
    chart.description += fmt::format("{}: {} to {}. ", label, percent(series.points.front().y),
                                     percent(series.points.back().y));
    chart.series.push_back(std::move(series));
  }
  return render_chart(chart);
}

std::set<std::string> private_methods(const ComparisonResults& results) {
  std::set<std::string> names;
  for (const MethodCard& card : results.methods) {
    if (card.promise != Promise::kNone) names.insert(card.name);
  }
  return names;
}

std::string error_table(const ComparisonResults& results, const Lines& lines,
                        const std::vector<Epsilon>& epsilons) {
  HtmlTable table;
  table.caption =
      "Mean error in per cent, and half the width of its 95 % interval; the lowest of a private "
      "method is bold";
  table.head = {"method"};
  for (const Epsilon epsilon : epsilons) table.head.push_back(epsilon.to_string());
  table.head.push_back("seconds");
  const std::set<std::string> contenders = private_methods(results);
  std::map<Epsilon, double> best;
  for (const ComparisonLine& line : lines) {
    if (!line.epsilon || !contenders.contains(line.method)) continue;
    const auto found = best.emplace(*line.epsilon, line.error.mean).first;
    found->second = std::min(found->second, line.error.mean);
  }
  for (const std::string& label : labels_of(lines)) {
    std::vector<std::string> row{escape_html(label)};
    double seconds = 0;
    for (const Epsilon epsilon : epsilons) {
      const ComparisonLine* line = find_line(lines, label, epsilon);
      if (line == nullptr) {
        row.emplace_back("&ndash;");
        continue;
      }
      seconds = std::max(seconds, line->seconds);
      const std::string text =
          fmt::format("{:.1f}&thinsp;&plusmn;&thinsp;{:.1f}", 100 * line->error.mean,
                      50 * (line->error.high - line->error.low));
      const bool wins =
          line->epsilon && contenders.contains(line->method) && line->error.mean == best[epsilon];
      row.push_back(wins ? "<strong>" + text + "</strong>" : text);
    }
    row.push_back(seconds < 0.001 ? "&lt; 0.001" : fmt::format("{:.3g}", seconds));
    table.rows.push_back(std::move(row));
  }
  return render_table(table);
}

// The classifier-comparison paper's table: accuracy without privacy, with it on average, and their
// ratio.
std::string ratio_table(const Lines& lines, const std::vector<Epsilon>& epsilons) {
  HtmlTable table;
  table.caption = "Accuracy without privacy, its average over the epsilons, and the ratio";
  table.head = {"method", "no privacy", "private, average", "ratio"};
  for (const std::string& label : labels_of(lines)) {
    std::vector<double> accuracies;
    const ComparisonLine* plain = nullptr;
    for (const Epsilon epsilon : epsilons) {
      const ComparisonLine* line = find_line(lines, label, epsilon);
      if (line == nullptr || !line->epsilon) continue;
      accuracies.push_back(1 - line->error.mean);
      plain = noise_free_line(lines, line->classifier);
    }
    if (accuracies.empty() || plain == nullptr) continue;
    const double average = mean_of(accuracies);
    const double without = 1 - plain->error.mean;
    table.rows.push_back({escape_html(label), percent(without), percent(average),
                          fmt::format("{:.3f}", average / without)});
  }
  return table.rows.empty() ? "" : render_table(table);
}

std::string details(const std::string& summary, const std::string& body, bool open) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", open ? " open" : "",
                     escape_html(summary), body);
}

// Each run's accuracy over that of the classifier without privacy on the same fold. Empty if there
// is none to compare with.
std::vector<double> accuracy_ratios(const ComparisonLine& line, const ComparisonLine* plain) {
  std::vector<double> ratios;
  if (plain == nullptr || plain->folds.size() != line.errors.size()) return ratios;
  for (std::size_t fold = 0; fold < line.errors.size(); ++fold) {
    const double without = 1 - plain->folds[fold];
    if (!(without > 0)) continue;
    for (const double error : line.errors[fold]) ratios.push_back((1 - error) / without);
  }
  return ratios;
}

std::string accuracy_boxes(const Lines& lines, const std::vector<Epsilon>& epsilons) {
  std::string out;
  for (const Epsilon epsilon : epsilons) {
    std::vector<BoxLane> lanes;
    std::vector<BoxLane> ratio_lanes;
    for (const std::string& label : labels_of(lines)) {
      const ComparisonLine* line = find_line(lines, label, epsilon);
      if (line == nullptr) continue;
      BoxLane lane{label, {}};
      for (const auto& repeats : line->errors) {
        for (const double error : repeats) lane.values.push_back(1 - error);
      }
      const ComparisonLine* plain = noise_free_line(lines, line->classifier);
      lanes.push_back(std::move(lane));
      if (!line->epsilon) continue;
      BoxLane ratio{label, accuracy_ratios(*line, plain)};
      if (ratio.values.empty()) continue;
      ratio.note = "of " + plain->label;
      ratio_lanes.push_back(std::move(ratio));
    }
    const std::string text = epsilon.to_string();
    std::string id = "boxes-" + text;
    std::replace(id.begin(), id.end(), '.', '-');
    std::string boxes =
        "<h3>Accuracy</h3>\n" + render_boxes(id, "Accuracy at epsilon " + text, lanes);
    if (!ratio_lanes.empty()) {
      boxes += "<h3>Accuracy ratio</h3>\n" +
               render_boxes(id + "-ratio", "Accuracy ratio at epsilon " + text, ratio_lanes);
    }
    out += details("epsilon " + text, boxes, epsilon == epsilons.back());
  }
  return out;
}

std::string p_value(double p) {
  return p < 0.001 ? "&lt;.001" : fmt::format("{:.3f}", p).substr(1);
}

// Cells are darker the smaller p is; the sign says who has the lower error.
std::string pair_map(const Lines& lines, Epsilon epsilon) {
  std::vector<std::string> labels;
  for (const std::string& label : labels_of(lines)) {
    if (find_line(lines, label, epsilon) != nullptr) labels.push_back(label);
  }
  std::map<std::pair<std::string, std::string>, const PairedComparison*> found;
  const std::vector<PairedComparison> pairs = compare_pairs(lines, epsilon);
  for (const PairedComparison& pair : pairs) found[{pair.first, pair.second}] = &pair;
  HtmlTable table;
  table.caption =
      "p of Wilcoxon's signed-rank test over the folds; + : the row has the lower error";
  table.head = {"method"};
  for (std::size_t i = 0; i < labels.size(); ++i) table.head.push_back(std::to_string(i + 1));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::vector<std::string> row{fmt::format("{}. {}", i + 1, escape_html(labels[i]))};
    for (std::size_t j = 0; j < labels.size(); ++j) {
      const auto at = found.find({labels[std::min(i, j)], labels[std::max(i, j)]});
      if (i == j || at == found.end()) {
        row.emplace_back("");
        continue;
      }
      const double difference = (i < j ? 1 : -1) * at->second->difference;
      const double p = at->second->test.p;
      const int shade = p < 0.005 ? 2 : p < 0.05 ? 3 : 4;
      row.push_back(fmt::format("<span class=\"cell {}\">{}{}</span>",
                                p < 0.05 ? fmt::format("p-{}", shade) : "",
                                difference < 0   ? "+&thinsp;"
                                : difference > 0 ? "&minus;&thinsp;"
                                                 : "",
                                p == 1 ? "1" : p_value(p)));
    }
    table.rows.push_back(std::move(row));
  }
  return render_table(table);
}

std::string time_chart(const Lines& lines, Epsilon epsilon) {
  Chart chart;
  chart.id = "times";
  chart.title = "Error against time at epsilon " + epsilon.to_string();
  chart.x_name = "seconds of one core (logarithmic)";
  chart.y_name = "Misclassified test rows";
  chart.joins_points = false;
  const std::set<std::string> shown = shown_at_first(lines);
  double low = HUGE_VAL;
  double high = 0;
  for (const std::string& label : labels_of(lines)) {
    const ComparisonLine* line = find_line(lines, label, epsilon);
    if (line == nullptr) continue;
    const double seconds = std::max(line->seconds, 1e-5);
    low = std::min(low, seconds);
    high = std::max(high, seconds);
    chart.series.push_back({label,
                            {{seconds, line->error.mean, line->error.mean, line->error.mean}},
                            false,
                            shown.contains(label)});
    chart.description +=
        fmt::format("{}: {:.3g} seconds, {}. ", label, seconds, percent(line->error.mean));
  }
  for (double tick = 1e-5; tick <= 1e5; tick *= 10) {
    if (tick >= low / 10 && tick <= high * 10) chart.x_ticks.push_back(tick);
  }
  return render_chart(chart);
}

// Where the processor's time went, over all folds, repeats and epsilons.
std::string part_table(const ComparisonResults& results, double reading) {
  HtmlTable table;
  table.caption = "Processor seconds in all, by part";
  table.head = {"part", "seconds"};
  table.rows.push_back({"reading the table", fmt::format("{:.2f}", reading)});
  for (const MethodTimes& method : results.times) {
    for (const PartTime& time : method.parts) {
      table.rows.push_back(
          {escape_html(method.method + ": " + time.part), fmt::format("{:.2f}", time.seconds)});
    }
  }
  return render_table(table);
}

std::string analysts_table(Epsilon epsilon) {
  HtmlTable table;
  table.caption = "What several analysts cost in all, at epsilon " + epsilon.to_string() + " each";
  table.head = {"analysts", "a release, once", "direct training, each"};
  for (const int analysts : {1, 2, 5, 10, 100}) {
    table.rows.push_back({std::to_string(analysts), epsilon.to_string(),
                          fmt::format("{:g}", analysts * number_of(epsilon))});
  }
  return render_table(table);
}

std::string method_table(const ComparisonResults& results) {
  HtmlTable table;
  table.caption = "What each method guarantees";
  table.head = {"method", "guarantee"};
  for (const MethodCard& card : results.methods) {
    table.rows.push_back(
        {escape_html(card.name) + "<small>" + escape_html(card.source) + "</small>",
         "<span class=\"words\">" + escape_html(card.guarantee) + "</span>"});
  }
  std::string out = render_table(table);
  for (const ComparisonGap& gap : results.gaps) {
    out += fmt::format("<p>{} at epsilon {} was left out: {}.</p>\n", escape_html(gap.method),
                       gap.epsilon ? gap.epsilon->to_string() : "none", escape_html(gap.problem));
  }
  return out;
}

// The best private line at each epsilon, in a sentence.
std::string in_short(const ComparisonResults& results, const Lines& lines,
                     const std::vector<Epsilon>& epsilons) {
  const std::set<std::string> contenders = private_methods(results);
  std::string out;
  for (const Epsilon epsilon : epsilons) {
    const ComparisonLine* best = nullptr;
    for (const ComparisonLine& line : lines) {
      if (line.epsilon != epsilon || !contenders.contains(line.method)) continue;
      if (best == nullptr || line.error.mean < best->error.mean) best = &line;
    }
    if (best == nullptr) continue;
    out += fmt::format("<li>epsilon {}: {} is wrong on {} of the test rows</li>\n",
                       epsilon.to_string(), escape_html(best->label), percent(best->error.mean));
  }
  if (out.empty()) return "<p>No private method took part.</p>\n";
  return "<p>The lowest mean error of a private method:</p>\n<ul>\n" + out + "</ul>\n";
}

constexpr const char* kStyle = R"css(<style>
.chart { min-width: 40rem; width: 100%; height: auto; }
:root { --line: 38%; } @media (prefers-color-scheme: dark) { :root { --line: 68%; } }
.series { --colour: hsl(var(--hue) 65% var(--line)); stroke: var(--colour); fill: var(--colour);
  stroke-width: 1.6; }
.series polyline { fill: none; stroke-dasharray: var(--dash); }
.series .level { stroke-dasharray: 2 5; stroke-width: 2; }
.switches { border: 1px solid var(--rule); margin: 0 0 .75rem; padding: .4rem .8rem .6rem; }
.switches legend { color: var(--quiet); font-size: .9rem; padding: 0 .3rem; }
.switches ul { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; list-style: none; margin: 0;
  padding: 0; font-size: .9rem; }
.switches label { display: flex; align-items: center; gap: .35rem; min-height: 1.8rem; }
.axis-title { margin: 0; }
details { margin: 0 0 .8rem; } summary { cursor: pointer; padding: .3rem 0; }
.box { fill: var(--accent-tint); stroke: var(--accent); stroke-width: 1.5; }
.median { stroke: var(--accent); stroke-width: 2.5; }
.cell { display: inline-block; padding: 0 .3rem; }
.p-3 { background: var(--accent-tint); } .p-2 { background: var(--accent); color: var(--paper); }
.words { white-space: normal; display: inline-block; text-align: left; max-width: 34rem; }
</style>
)css";

}  // namespace

std::string comparison_page(const ComparisonResults& results,
                            const std::vector<ComparisonLine>& lines,
                            const ComparisonSetting& setting) {
  const std::vector<Epsilon>& epsilons = setting.options.epsilons;
  Page page;
  page.title = "Comparison: " + setting.schema_name;
  page.subtitle = fmt::format("{} rows, {} folds, {} repeats, seed {}",
                              whole(static_cast<double>(setting.rows)), setting.folds,
                              setting.options.repeats, setting.options.seed);
  page.notice_heading = "An experiment, not a release";
  page.notice =
      "These figures were computed on real rows with seeded noise, for data that may be seen in "
      "full. Nothing here is private.";
  page.notice_is_warning = true;
  page.sections.push_back({"short", "In short", kStyle + in_short(results, lines, epsilons)});
  page.sections.push_back({"error", "Error against epsilon",
                           error_chart(lines, epsilons) + error_table(results, lines, epsilons)});
  page.sections.push_back(
      {"accuracy", "Accuracy by epsilon",
       "<p>All folds and repeats: the box holds the middle half, the line in it is the median. "
       "A ratio is a run's accuracy over that of the same kind of classifier, trained on the same "
       "fold without privacy.</p>\n" +
           accuracy_boxes(lines, epsilons)});
  if (const std::string ratios = ratio_table(lines, epsilons); !ratios.empty()) {
    page.sections.push_back({"ratio", "What privacy costs", ratios});
  }
  std::string pairs =
      "<p>Two-sided, on the folds' mean errors; zeros are left out, ties share ranks, p is exact. "
      "Folds share training rows, so small p are somewhat too small; and among many pairs some "
      "are small by chance.</p>\n";
  for (const Epsilon epsilon : epsilons) {
    pairs += details("epsilon " + epsilon.to_string(), pair_map(lines, epsilon),
                     epsilon == epsilons.back());
  }
  page.sections.push_back({"pairs", "Which differences are more than chance", pairs});
  page.sections.push_back(
      {"time", "Time against error",
       "<p>Processor time of one training, publishing included, at the largest "
       "epsilon. Repeats share the counting of rows, which stands with the "
       "longest of them.</p>\n" +
           time_chart(lines, epsilons.back()) +
           details("Where the time went", part_table(results, setting.reading_seconds), false)});
  page.sections.push_back(
      {"analysts", "Several analysts",
       "<p>A release is paid for once, however many classifiers are trained on it. Training "
       "directly costs its epsilon each time: k analysts cost k times as much, or each gets a "
       "k-th.</p>\n" +
           analysts_table(epsilons.back())});
  page.sections.push_back({"methods", "The methods", method_table(results)});
  page.footer = fmt::format(
      "<p>privpfc {}. Schema <code>{}</code>, rows <code>{}</code>. The same command gives the "
      "same "
      "errors.</p>\n",
      setting.version, setting.schema_hash.substr(0, 16), setting.table_hash.substr(0, 16));
  return render_page(page);
}

}  // namespace privpfc
