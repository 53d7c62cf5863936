#pragma once

#include <optional>
#include <string>

#include "debit.h"
#include "output.h"
#include "privpfc/io/output_file.h"

namespace privpfc::cli {

// What a command reports: a text or JSON on standard output, and a page where one is asked for. The
// page's place is taken before any work: nothing is done, or paid for, that cannot be kept.
class Reports {
 public:
  static Result<Reports> reserve(const std::string& html, bool json, unsigned mode) {
    Reports reports(json);
    if (!html.empty()) {
      PRIVPFC_ASSIGN(OutputFile page, OutputFile::create(html, false, mode));
      reports.page_.emplace(std::move(page));
    }
    return reports;
  }

  template <typename Text, typename AsJson, typename AsPage>
  Status write(Text text, AsJson as_json, AsPage as_page) {
    if (page_) {
      const std::string page = as_page();
      PRIVPFC_TRY(page_->write(page.data(), page.size()));
      PRIVPFC_TRY(keep_result(*page_));
    }
    return write_output("", json_ ? as_json() : text());
  }

 private:
  explicit Reports(bool json) : json_(json) {}

  bool json_;
  std::optional<OutputFile> page_;
};

}  // namespace privpfc::cli
