#pragma once

#include <string>
#include <vector>

namespace privpfc {

// One self-contained page: no scripts, no fonts, nothing that is fetched. It follows the reader's
// choice of light or dark, fits phones and paper.
struct Page {
  struct Section {
    std::string id;       // a plain word
    std::string heading;  // text
    std::string body;     // HTML
  };

  std::string title;     // text
  std::string subtitle;  // text
  // What must be known before a figure is read: whom the page is for.
  std::string notice_heading;  // text
  std::string notice;          // HTML
  bool notice_is_warning = false;
  std::vector<Section> sections;
  std::string footer;  // HTML
};

std::string render_page(const Page& page);

// A table that scrolls by itself where it is wider than the page. Cells are HTML; the first column
// names its row, the others are numbers and stand right. A row of one cell heads those below it.
struct HtmlTable {
  std::string caption;  // text
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};
std::string render_table(const HtmlTable& table);

}  // namespace privpfc
