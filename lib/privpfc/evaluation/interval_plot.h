#pragma once

#include <optional>
#include <string>
#include <vector>

#include "privpfc/evaluation/interval.h"

namespace privpfc {

// Shares with their intervals, one lane each, as an inline SVG. Lengths across are per cent of the
// page's width, so that the plot fits any screen and its text keeps its size.
struct IntervalPlot {
  struct Mark {
    double value = 0;
    ShareInterval interval;
  };
  struct Lane {
    std::string name;           // text
    Mark mark;                  // filled, in the accent colour
    std::optional<Mark> plain;  // hollow, in grey: what it is compared with
  };

  std::string id;           // a plain word, not used elsewhere on the page
  std::string title;        // text: for those who do not see it
  std::string description;  // text: the same in sentences
  std::vector<Lane> lanes;
  double reference = 0;        // the dashed line
  std::string reference_name;  // text
};

std::string render_interval_plot(const IntervalPlot& plot);

// What the marks mean, as a list; `plain` and the reference only where they have a text.
std::string render_plot_legend(const std::string& mark, const std::string& plain,
                               const std::string& reference);

}  // namespace privpfc
