#include "privpfc/evaluation/report_words.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace privpfc {

std::string classifier_title(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kTitles = {{
      {"nb", "Naive Bayes"},
      {"svm", "SVM"},
      {"linear-svm", "Linear SVM"},
      {"tree", "Decision tree"},
      {"logistic", "Logistic regression"},
      {"histogram", "Histogram of the grid"},
      {"majority", "Most frequent class"},
  }};
  for (const auto& [known, title] : kTitles) {
    if (known == name) return std::string(title);
  }
  return std::string(name);
}

std::string wrapped(std::string_view text) {
  constexpr std::size_t kWidth = 96;
  std::string out;
  while (text.size() > kWidth) {
    const std::size_t space = text.rfind(' ', kWidth);
    if (space == std::string_view::npos) break;
    out += std::string(text.substr(0, space)) + "\n";
    text.remove_prefix(space + 1);
  }
  return out + std::string(text) + "\n";
}

std::string paid_notice(std::string_view epsilon, std::string_view unit) {
  return fmt::format(
      "The figures are noisy counts of real held-out rows, paid for with epsilon {} under "
      "differential privacy (unit: {}), and what follows from them and from the release. "
      "Nothing else here depends on real rows.",
      epsilon, unit);
}

}  // namespace privpfc
