#include "privpfc/evaluation/page.h"

#include <fmt/format.h>

#include "privpfc/evaluation/html.h"
#include "privpfc/evaluation/page_style.h"

namespace privpfc {

std::string render_page(const Page& page) {
  std::string sections;
  for (const Page::Section& section : page.sections) {
    sections += fmt::format(R"(<section aria-labelledby="{0}">
<h2 id="{0}">{1}</h2>
{2}</section>
)",
                            section.id, escape_html(section.heading), section.body);
  }
  return fmt::format(R"(<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<header>
<h1>{title}</h1>
<p class="subtitle">{subtitle}</p>
<div class="notice{warning}" role="note" aria-labelledby="notice">
<h2 id="notice">{notice_heading}</h2>
<p>{notice}</p>
</div>
</header>
<main>
{sections}</main>
<footer><hr>
{footer}</footer>
</body>
</html>
)",
                     fmt::arg("title", escape_html(page.title)), fmt::arg("style", kPageStyle),
                     fmt::arg("subtitle", escape_html(page.subtitle)),
                     fmt::arg("warning", page.notice_is_warning ? " warning" : ""),
                     fmt::arg("notice_heading", escape_html(page.notice_heading)),
                     fmt::arg("notice", page.notice), fmt::arg("sections", sections),
                     fmt::arg("footer", page.footer));
}

std::string render_table(const HtmlTable& table) {
  std::string out = fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\"><table>\n"
      "<caption>{0}</caption>\n<thead><tr>",
      escape_html(table.caption));
  for (const std::string& head : table.head) out += "<th scope=\"col\">" + head + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    if (row.size() == 1) {
      out += fmt::format("<tr><th class=\"group\" scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n",
                         table.head.size(), row.front());
      continue;
    }
    out += "<tr><th scope=\"row\">" + row.front() + "</th>";
    for (std::size_t i = 1; i < row.size(); ++i) out += "<td>" + row[i] + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace privpfc
