#pragma once

#include <optional>
#include <string>
#include <vector>

namespace privpfc {

// Charts as inline SVG, without scripts. Each series has a colour, a dash and a shape of its own,
// and a box beside its name that switches it on and off: style sheets alone do that, so that it
// works offline, with the keyboard and with a screen reader.

struct ChartPoint {
  double x = 0;  // above 0: the axis is logarithmic
  double y = 0;
  double low = 0;  // of y; both equal to y where there is no interval
  double high = 0;
};

struct ChartSeries {
  std::string name;  // text
  std::vector<ChartPoint> points;
  bool is_level = false;  // one value for every x: a line across
  bool is_shown = true;   // at first
};

struct Chart {
  std::string id;           // a plain word, not used elsewhere on the page
  std::string title;        // text: for those who do not see it
  std::string description;  // text: the same in sentences
  std::string x_name;       // text
  std::string y_name;       // text; y is a share, shown in per cent
  std::vector<double> x_ticks;
  bool joins_points = true;  // a line through the points of a series
  std::vector<ChartSeries> series;
};
std::string render_chart(const Chart& chart);

// Values of several groups as boxes (quartiles, median, and whiskers to the ends), one lane each.
struct BoxLane {
  std::string name;            // text
  std::vector<double> values;  // shares; not empty
  std::string note{};          // text, at the right end
};
std::string render_boxes(const std::string& id, const std::string& title,
                         const std::vector<BoxLane>& lanes);

}  // namespace privpfc
