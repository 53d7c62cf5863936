#include "privpfc/evaluation/release_pictures.h"

#include <fmt/format.h>

#include <cmath>

#include "privpfc/evaluation/html.h"
#include "privpfc/schema/unit.h"

namespace privpfc {
namespace {

constexpr std::size_t kMostNamedGroups = 12;
constexpr std::size_t kMostDrawnGroups = 200;
constexpr std::size_t kShades = 5;

double number(Epsilon epsilon) {
  return static_cast<double>(epsilon.units()) / static_cast<double>(Epsilon::kUnitsPerOne);
}

std::string draw_axis(const Attribute& attribute, LevelIndex level) {
  const auto labels = attribute.hierarchy.labels(level);
  const bool many = labels.size() > kMostNamedGroups;
  std::string out = fmt::format(
      "<div class=\"axis\"><div class=\"axis-name\"><strong>{}</strong><span>{} groups, level {} "
      "of {}</span></div>\n",
      escape_html(attribute.name), labels.size(), level.value(),
      attribute.hierarchy.level_count() - 1);
  if (many) {
    out += "<ul class=\"groups many\" aria-hidden=\"true\">";
    for (std::size_t i = 0; i < std::min(labels.size(), kMostDrawnGroups); ++i) out += "<li></li>";
    out += fmt::format("</ul><p class=\"quiet\">from {} to {}</p>", escape_html(labels.front()),
                       escape_html(labels.back()));
  } else {
    out += "<ul class=\"groups\">";
    for (const std::string& label : labels) out += "<li>" + escape_html(label) + "</li>";
    out += "</ul>";
  }
  return out + "</div>\n";
}

std::string list_names(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + escape_html(names[i]);
  }
  return out;
}

}  // namespace

Page release_page(const Release& release) {
  Page page;
  page.title = release.manifest.name + ": what the release is worth";
  page.subtitle = fmt::format("Differential privacy, epsilon {} · {} synthetic rows in {} cells",
                              release.manifest.epsilon.to_string(),
                              whole(static_cast<double>(release.manifest.synthetic_rows)),
                              whole(static_cast<double>(release.manifest.cell_count)));
  return page;
}

Page::Section grid_section(const Release& release) {
  const Synopsis& synopsis = release.manifest.synopsis;
  std::string body = fmt::format(
      "<figure>\n<p>The release divides the table into {} cells, one of {} candidate divisions. "
      "Within a cell, rows are not told apart.</p>\n",
      whole(static_cast<double>(release.manifest.cell_count)),
      whole(static_cast<double>(synopsis.pool_size)));
  std::vector<bool> shown(release.schema.attributes.size(), false);
  for (const Synopsis::Axis& axis : synopsis.axes) {
    body += draw_axis(release.schema[axis.attribute], axis.level);
    shown[axis.attribute.value()] = true;
  }
  std::vector<std::string> beside;
  for (const Synopsis::SideColumn& side : synopsis.side_columns) {
    beside.push_back(release.schema[side.attribute].name);
    shown[side.attribute.value()] = true;
  }
  std::vector<std::string> left_out;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Attribute& attribute = release.schema.attributes[i];
    if (attribute.used && !shown[i]) left_out.push_back(attribute.name);
  }
  if (synopsis.axes.empty()) {
    body += "<p>No attribute is in it: epsilon is too small for this many rows.</p>\n";
  }
  if (!beside.empty()) {
    body += "<p class=\"quiet\">Beside the grid, each known with the label alone: " +
            list_names(beside) + ".</p>\n";
  }
  if (!left_out.empty()) {
    body += "<p class=\"quiet\">Left out: " + list_names(left_out) + ".</p>\n";
  }
  return {"grid", "The chosen grid", body + "</figure>\n"};
}

Page::Section budget_section(const Release& release) {
  const Manifest& manifest = release.manifest;
  std::string bar;
  std::string legend;
  for (std::size_t i = 0; i < manifest.synopsis.steps.size(); ++i) {
    const Synopsis::Step& step = manifest.synopsis.steps[i];
    const double share = number(step.epsilon) / number(manifest.row_epsilon);
    bar += fmt::format("<div class=\"shade-{}\" style=\"flex:{:.4f}\"></div>", i % kShades, share);
    legend += fmt::format(
        "<li><span class=\"swatch shade-{}\"></span>{} {} <span class=\"quiet\">({})</span></li>\n",
        i % kShades, escape_html(step.name), step.epsilon.to_string(), percent(share, 0));
  }
  return {"budget",
          fmt::format("The budget: epsilon {}{}", manifest.row_epsilon.to_string(),
                      release.schema.person ? " for each row" : ""),
          fmt::format("<figure>\n<div class=\"budget\" role=\"img\" aria-label=\"Epsilon by step; "
                      "the figures stand below\">{}</div>\n<ul class=\"legend\">\n{}</ul>\n"
                      "<figcaption>What each look at the rows has cost. The sum is the {} "
                      "epsilon; nothing else depends on the rows.</figcaption>\n</figure>\n",
                      bar, legend, release.schema.person ? "row's" : "release's")};
}

Page::Section promise_section(const Release& release, const std::string& more) {
  const Manifest& manifest = release.manifest;
  const bool by_person = release.schema.person.has_value();
  return {
      "promise", "What is promised, and what is not",
      fmt::format(
          "<p><strong>Promised.</strong> Differential privacy with epsilon {0}. Take any person "
          "whose {3} in the table, and somebody who already knows all other rows. Whatever this "
          "reader concludes about the person from the release is at most e<sup>{0}</sup> = {1} "
          "times more or less likely than it would be if the {4} not been there. This holds "
          "against any method and any amount of computing, now and later, and for everything that "
          "is computed from the release, the classifiers on this page among it.</p>\n{2}"
          "<p><strong>Not promised.</strong> That nothing can be learned about groups: that is "
          "what the table is for, and a conclusion about a person that would be drawn without "
          "their {5} is drawn all the same. Nothing is said about people with several {6}: the "
          "unit is {7}. Publishing again from the same rows adds up the epsilons.</p>\n",
          manifest.epsilon.to_string(),
          number(manifest.epsilon) < 12 ? fmt::format("{:.2f}", std::exp(number(manifest.epsilon)))
                                        : fmt::format("{:.3g}", std::exp(number(manifest.epsilon))),
          more, by_person ? "rows are" : "row is", by_person ? "rows had" : "row had",
          by_person ? "rows" : "row", by_person ? "ids" : "rows",
          escape_html(unit_in_words(release.schema)))};
}

std::string release_footer(const Release& release) {
  const Manifest& manifest = release.manifest;
  return fmt::format(
      "<p>Release <strong>{}</strong>, made with privpfc {}: {} synthetic rows. Schema "
      "<code>{:.16}</code>, page written by privpfc {}.</p>\n",
      escape_html(manifest.name), escape_html(manifest.tool_version),
      whole(static_cast<double>(manifest.synthetic_rows)), manifest.schema_sha256, kToolVersion);
}

}  // namespace privpfc
