#include "privpfc/experiments/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "privpfc/evaluation/html.h"

namespace privpfc {
namespace {

constexpr double kWidth = 860;
constexpr double kHeight = 420;
constexpr double kLeft = 64;
constexpr double kRight = 16;
constexpr double kTop = 14;
constexpr double kBottom = 52;

constexpr int kHues[] = {208, 24, 140, 332, 268, 48, 184, 0, 96, 300};
constexpr const char* kDashes[] = {"none", "7 4", "2 4", "10 3 2 3"};

// Colours repeat after ten, and the dash changes then.
std::string look_of(std::size_t series) {
  return fmt::format("--hue: {}; --dash: {}", kHues[series % std::size(kHues)],
                     kDashes[series / std::size(kHues) % std::size(kDashes)]);
}

std::string mark(double x, double y, std::size_t series) {
  switch (series % 4) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", x, y);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"7\" height=\"7\"/>", x - 3.5,
                         y - 3.5);
    case 2:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l5 9h-10z\"/>", x, y - 5);
    default:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l5 5l-5 5l-5 -5z\"/>", x, y - 5);
  }
}

double round_step(double span, int wanted) {
  for (const double step : {0.002, 0.005, 0.01, 0.02, 0.05, 0.1}) {
    if (span / step <= wanted) return step;
  }
  return 0.2;
}

// Where values lie on the paper.
class Frame {
 public:
  explicit Frame(const Chart& chart) {
    double x_low = HUGE_VAL;
    double x_high = 0;
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    const bool any_shown = std::any_of(chart.series.begin(), chart.series.end(),
                                       [](const ChartSeries& series) { return series.is_shown; });
    for (const ChartSeries& series : chart.series) {
      for (const ChartPoint& point : series.points) {
        if (!series.is_level) {
          x_low = std::min(x_low, point.x);
          x_high = std::max(x_high, point.x);
        }
        // What is not shown at first does not press together what is.
        if (!series.is_shown && any_shown) continue;
        low = std::min(low, point.low);
        high = std::max(high, point.high);
      }
    }
    for (const double tick : chart.x_ticks) {
      x_low = std::min(x_low, tick);
      x_high = std::max(x_high, tick);
    }
    left_ = std::log(x_low) - 0.08;
    right_ = std::log(x_high) + 0.08;
    step_ = round_step(high - low, 8);
    low_ = std::floor(low / step_) * step_;
    high_ = std::max(low_ + step_, std::ceil(high / step_) * step_);
  }
  double x(double value) const {
    return kLeft + (kWidth - kLeft - kRight) * (std::log(value) - left_) / (right_ - left_);
  }
  double y(double value) const {
    return kHeight - kBottom - (kHeight - kTop - kBottom) * (value - low_) / (high_ - low_);
  }
  std::vector<double> y_ticks() const {
    std::vector<double> ticks;
    for (int i = 0; low_ + i * step_ <= high_ + step_ / 100; ++i) ticks.push_back(low_ + i * step_);
    return ticks;
  }
  int decimals() const { return step_ < 0.01 ? 1 : 0; }

 private:
  double left_ = 0;
  double right_ = 1;
  double low_ = 0;
  double high_ = 1;
  double step_ = 0.1;
};

std::string draw_axes(const Chart& chart, const Frame& frame) {
  std::string out;
  for (const double tick : frame.y_ticks()) {
    out += fmt::format(
        "<line class=\"track\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text class=\"quiet\" x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        kLeft, kWidth - kRight, frame.y(tick), kLeft - 8, frame.y(tick) + 4,
        percent(tick, frame.decimals()));
  }
  for (const double tick : chart.x_ticks) {
    out += fmt::format(
        "<line class=\"track\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
        "<text class=\"quiet\" x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4:g}</text>\n",
        frame.x(tick), kHeight - kBottom, kHeight - kBottom + 6, kHeight - kBottom + 22, tick);
  }
  return out +
         fmt::format("<text class=\"quiet\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                     (kLeft + kWidth - kRight) / 2, kHeight - 8, escape_html(chart.x_name));
}

std::string draw_series(const Chart& chart, const Frame& frame, std::size_t index) {
  const ChartSeries& series = chart.series[index];
  std::string out =
      fmt::format("<g class=\"series {}-{}\" style=\"{}\">", chart.id, index, look_of(index));
  if (series.is_level) {
    const double y = frame.y(series.points.front().y);
    return out + fmt::format(
                     "<line class=\"level\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" "
                     "y2=\"{:.1f}\"/></g>\n",
                     kLeft, kWidth - kRight, y, y);
  }
  std::string line;
  std::string marks;
  for (const ChartPoint& point : series.points) {
    const double x = frame.x(point.x);
    line += fmt::format("{:.1f},{:.1f} ", x, frame.y(point.y));
    if (point.high > point.low) {
      marks += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>", x,
                           frame.y(point.low), frame.y(point.high));
    }
    marks += mark(x, frame.y(point.y), index);
  }
  if (chart.joins_points) out += "<polyline points=\"" + line + "\"/>";
  return out + marks + "</g>\n";
}

}  // namespace

std::string render_chart(const Chart& chart) {
  const Frame frame(chart);
  std::string styles;
  std::string boxes;
  std::string drawn;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const std::string name = fmt::format("{}-{}", chart.id, i);
    styles += fmt::format("#{0}:has(#{1}-on:not(:checked)) .{1}{{display:none}}", chart.id, name);
    boxes += fmt::format(
        "<li style=\"{2}\"><label><input type=\"checkbox\" id=\"{0}-on\"{3}> "
        "<svg class=\"series\" width=\"26\" height=\"14\" aria-hidden=\"true\" focusable=\"false\">"
        "<line x1=\"0\" x2=\"26\" y1=\"7\" y2=\"7\"/>{4}</svg> {1}</label></li>\n",
        name, escape_html(chart.series[i].name), look_of(i),
        chart.series[i].is_shown ? " checked" : "", chart.series[i].is_level ? "" : mark(13, 7, i));
    drawn += draw_series(chart, frame, i);
  }
  return fmt::format(
      "<figure id=\"{0}\"><style>{1}</style>\n<fieldset class=\"switches\"><legend>Shown</legend>"
      "<ul>\n{2}</ul></fieldset>\n<p class=\"quiet axis-title\">{3}</p>\n"
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{4}\">"
      "<svg class=\"chart\" viewBox=\"0 0 {5} {6}\" role=\"img\" "
      "aria-labelledby=\"{0}-title {0}-desc\">\n<title id=\"{0}-title\">{4}</title>"
      "<desc id=\"{0}-desc\">{7}</desc>\n<clipPath id=\"{0}-paper\"><rect x=\"0\" y=\"{10}\" "
      "width=\"{5}\" height=\"{11}\"/></clipPath>\n{8}<g clip-path=\"url(#{0}-paper)\">{9}</g>"
      "</svg></div></figure>\n",
      chart.id, styles, boxes, escape_html(chart.y_name), escape_html(chart.title), kWidth, kHeight,
      escape_html(chart.description), draw_axes(chart, frame), drawn, kTop - 8,
      kHeight - kTop - kBottom + 16);
}

namespace {

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::string render_boxes(const std::string& id, const std::string& title,
                         const std::vector<BoxLane>& lanes) {
  constexpr int kLane = 46;
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (const BoxLane& lane : lanes) {
    low = std::min(low, *std::min_element(lane.values.begin(), lane.values.end()));
    high = std::max(high, *std::max_element(lane.values.begin(), lane.values.end()));
  }
  const double step = round_step(high - low, 6);
  low = std::floor(low / step) * step;
  high = std::max(low + step, std::ceil(high / step) * step);
  const auto x = [&](double value) { return 2 + 96 * (value - low) / (high - low); };
  const int bottom = kLane * static_cast<int>(lanes.size()) + 4;
  std::string description;
  std::string drawn;
  for (int i = 0; low + i * step <= high + step / 100; ++i) {
    const double at = low + i * step;
    drawn += fmt::format(
        "<line class=\"track\" x1=\"{0:.2f}%\" x2=\"{0:.2f}%\" y1=\"0\" y2=\"{1}\"/>"
        "<text class=\"quiet\" x=\"{0:.2f}%\" y=\"{2}\" text-anchor=\"middle\">{3}</text>\n",
        x(at), bottom, bottom + 20, percent(at, step < 0.01 ? 1 : 0));
  }
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    std::vector<double> sorted = lanes[i].values;
    std::sort(sorted.begin(), sorted.end());
    const int top = kLane * static_cast<int>(i);
    description +=
        fmt::format("{}: median {}, from {} to {}. ", lanes[i].name, percent(quantile(sorted, 0.5)),
                    percent(sorted.front()), percent(sorted.back()));
    const double q1 = x(quantile(sorted, 0.25));
    const double q3 = x(quantile(sorted, 0.75));
    drawn += fmt::format(
        "<text x=\"0\" y=\"{0}\">{1}</text><text class=\"quiet\" x=\"100%\" y=\"{0}\" "
        "text-anchor=\"end\">{2}</text>"
        "<line class=\"whisker\" x1=\"{3:.2f}%\" x2=\"{4:.2f}%\" y1=\"{5}\" y2=\"{5}\"/>"
        "<rect class=\"box\" x=\"{6:.2f}%\" width=\"{7:.2f}%\" y=\"{8}\" height=\"14\"/>"
        "<line class=\"median\" x1=\"{9:.2f}%\" x2=\"{9:.2f}%\" y1=\"{8}\" y2=\"{10}\"/>\n",
        top + 16, escape_html(lanes[i].name), escape_html(lanes[i].note), x(sorted.front()),
        x(sorted.back()), top + 31, q1, std::max(0.2, q3 - q1), top + 24, x(quantile(sorted, 0.5)),
        top + 38);
  }
  return fmt::format(
      "<svg class=\"boxes\" width=\"100%\" height=\"{0}\" role=\"img\" "
      "aria-labelledby=\"{1}-title {1}-desc\">\n<title id=\"{1}-title\">{2}</title>"
      "<desc id=\"{1}-desc\">{3}</desc>\n{4}</svg>\n",
      bottom + 28, id, escape_html(title), escape_html(description), drawn);
}

}  // namespace privpfc
