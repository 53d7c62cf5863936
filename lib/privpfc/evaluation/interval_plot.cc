#include "privpfc/evaluation/interval_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "privpfc/evaluation/html.h"

namespace privpfc {
namespace {

constexpr int kTop = 28;
constexpr int kLaneHeight = 54;
constexpr int kBelow = 30;

// From shares to per cent of the width, with room for a mark at both ends.
class Scale {
 public:
  Scale(double low, double high) {
    const double span = std::max(high - low, 0.01);
    for (const double step : {0.005, 0.01, 0.02, 0.05, 0.1, 0.2}) {
      step_ = step;
      if (span / step <= 6) break;
    }
    low_ = std::max(0.0, std::floor(low / step_ + 1e-9) * step_);
    high_ = std::min(1.0, std::ceil(high / step_ - 1e-9) * step_);
    if (high_ <= low_) high_ = low_ + step_;
  }
  double x(double share) const {
    return 3 + 94 * (std::clamp(share, low_, high_) - low_) / (high_ - low_);
  }
  std::vector<double> ticks() const {
    std::vector<double> ticks;
    for (int i = 0; low_ + i * step_ <= high_ + step_ / 100; ++i) ticks.push_back(low_ + i * step_);
    return ticks;
  }
  int decimals() const { return step_ < 0.01 ? 1 : 0; }

 private:
  double step_ = 0;
  double low_ = 0;
  double high_ = 1;
};

Scale scale_of(const IntervalPlot& plot) {
  double low = plot.reference;
  double high = plot.reference;
  const auto include = [&](const IntervalPlot::Mark& mark) {
    low = std::min({low, mark.value, mark.interval.low});
    high = std::max({high, mark.value, mark.interval.high});
  };
  for (const IntervalPlot::Lane& lane : plot.lanes) {
    include(lane.mark);
    if (lane.plain) include(*lane.plain);
  }
  return {low, high};
}

std::string draw_mark(const IntervalPlot::Mark& mark, const Scale& scale, int y, bool plain) {
  const char* kind = plain ? " plain" : "";
  return fmt::format(
      "<line class=\"whisker{0}\" x1=\"{1:.2f}%\" x2=\"{2:.2f}%\" y1=\"{3}\" y2=\"{3}\"/>"
      "<circle class=\"dot{0}\" cx=\"{4:.2f}%\" cy=\"{3}\" r=\"{5}\"/>\n",
      kind, scale.x(mark.interval.low), scale.x(mark.interval.high), y, scale.x(mark.value),
      plain ? 4 : 5);
}

std::string draw_lane(const IntervalPlot::Lane& lane, const Scale& scale, int top) {
  std::string values = percent(lane.mark.value);
  if (lane.plain) values += " (" + percent(lane.plain->value) + ")";
  std::string out = fmt::format(
      "<text x=\"0\" y=\"{0}\">{1}</text><text x=\"100%\" y=\"{0}\" text-anchor=\"end\">{2}</text>"
      "<line class=\"track\" x1=\"0\" x2=\"100%\" y1=\"{3}\" y2=\"{3}\"/>\n",
      top + 18, escape_html(lane.name), values, top + kLaneHeight);
  if (lane.plain) out += draw_mark(*lane.plain, scale, top + 42, true);
  out += draw_mark(lane.mark, scale, top + (lane.plain ? 31 : 35), false);
  return out;
}

std::string legend_item(const std::string& svg, const std::string& text) {
  return fmt::format(
      "<li><svg width=\"26\" height=\"14\" aria-hidden=\"true\" focusable=\"false\">{}</svg>{}"
      "</li>\n",
      svg, escape_html(text));
}

}  // namespace

std::string render_interval_plot(const IntervalPlot& plot) {
  const Scale scale = scale_of(plot);
  const int bottom = kTop + kLaneHeight * static_cast<int>(plot.lanes.size());
  std::string out = fmt::format(
      "<svg class=\"plot\" width=\"100%\" height=\"{0}\" role=\"img\" "
      "aria-labelledby=\"{1}-title {1}-desc\">\n<title id=\"{1}-title\">{2}</title>\n"
      "<desc id=\"{1}-desc\">{3}</desc>\n",
      bottom + kBelow, plot.id, escape_html(plot.title), escape_html(plot.description));
  for (const double tick : scale.ticks()) {
    out += fmt::format(
        "<line class=\"track\" x1=\"{0:.2f}%\" x2=\"{0:.2f}%\" y1=\"{1}\" y2=\"{2}\"/>"
        "<text class=\"quiet\" x=\"{0:.2f}%\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
        scale.x(tick), bottom, bottom + 6, bottom + 22, percent(tick, scale.decimals()));
  }
  out +=
      fmt::format("<line class=\"track\" x1=\"0\" x2=\"100%\" y1=\"{0}\" y2=\"{0}\"/>\n", bottom);
  const double at = scale.x(plot.reference);
  const char* anchor = at > 75 ? "end" : at < 25 ? "start" : "middle";
  out += fmt::format(
      "<text class=\"quiet\" x=\"{0:.2f}%\" y=\"14\" text-anchor=\"{1}\">{2}</text>"
      "<line class=\"reference\" x1=\"{0:.2f}%\" x2=\"{0:.2f}%\" y1=\"{3}\" y2=\"{4}\"/>\n",
      at, anchor, escape_html(plot.reference_name), kTop - 6, bottom);
  for (std::size_t i = 0; i < plot.lanes.size(); ++i) {
    out += draw_lane(plot.lanes[i], scale, kTop + kLaneHeight * static_cast<int>(i));
  }
  return out + "</svg>\n";
}

std::string render_plot_legend(const std::string& mark, const std::string& plain,
                               const std::string& reference) {
  std::string out = "<ul class=\"legend\">\n";
  out += legend_item(
      "<line class=\"whisker\" x1=\"0\" x2=\"26\" y1=\"7\" y2=\"7\"/>"
      "<circle class=\"dot\" cx=\"13\" cy=\"7\" r=\"5\"/>",
      mark);
  if (!plain.empty()) {
    out += legend_item(
        "<line class=\"whisker plain\" x1=\"0\" x2=\"26\" y1=\"7\" y2=\"7\"/>"
        "<circle class=\"dot plain\" cx=\"13\" cy=\"7\" r=\"4\"/>",
        plain);
  }
  if (!reference.empty()) {
    out += legend_item("<line class=\"reference\" x1=\"13\" x2=\"13\" y1=\"0\" y2=\"14\"/>",
                       reference);
  }
  return out + "</ul>\n";
}

}  // namespace privpfc
