#include "privpfc/audit/audit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "privpfc/evaluation/html.h"
#include "privpfc/evaluation/report_words.h"

namespace privpfc {
namespace {

using Json = nlohmann::ordered_json;

const char* verdict(const AuditedPair& pair) {
  return pair.holds() ? "holds" : "BROKEN";
}

Json event_json(const AuditedEvent& event) {
  return Json{{"event", event.words},
              {"likelier", event.likelier == Side::kWith ? "with the row" : "without the row"},
              {"often", event.often},
              {"seldom", event.seldom},
              {"epsilon_at_least", event.bound},
              {"epsilon_estimate", event.estimate}};
}

}  // namespace

bool AuditReport::holds() const {
  return std::all_of(pairs.begin(), pairs.end(),
                     [](const AuditedPair& pair) { return pair.holds(); });
}

double AuditReport::least_sharp() const {
  double least = 1;
  for (const AuditedPair& pair : pairs) {
    if (pair.is_sharp) least = std::min(least, pair.bound() / pair.claimed());
  }
  return least;
}

std::string audit_words(const AuditReport& report) {
  std::size_t runs = 0;
  for (const AuditedPair& pair : report.pairs) runs += total_runs(pair.runs);
  std::string words = fmt::format(
      "{} runs on {} pairs of neighbouring tables. {} ", whole(static_cast<double>(runs)),
      report.pairs.size(),
      report.holds() ? "No attack refutes what is promised: every bound is at or below the claimed "
                       "epsilon. That is evidence, and no proof."
                     : "What is promised does NOT hold: on at least one pair the outputs tell the "
                       "tables apart better than the claimed epsilon allows.");
  words += fmt::format("All bounds hold together, but for a chance of {:g}.", report.significance);
  const bool has_sharp = std::any_of(report.pairs.begin(), report.pairs.end(),
                                     [](const AuditedPair& pair) { return pair.is_sharp; });
  if (has_sharp) {
    words += fmt::format(
        " Where one step has nearly all of epsilon, the attack reaches {:.2f} of it or more{}.",
        report.least_sharp(),
        report.least_sharp() >= kSharpEnough
            ? ": it is not blind"
            : fmt::format(
                  ", and should reach {:.2f}: with so few runs, or at this epsilon, it sees "
                  "little",
                  kSharpEnough));
  }
  return words;
}

std::string audit_text(const AuditReport& report) {
  std::string out = fmt::format("{:<26} {:<18} {:>10} {:>9}   {}\n", "method", "pair",
                                "epsilon >=", "claimed", "verdict");
  for (const AuditedPair& pair : report.pairs) {
    out += fmt::format("{:<26} {:<18} {:>10.3f} {:>9}   {}\n", pair.method, pair.name, pair.bound(),
                       pair.epsilon.to_string(), verdict(pair));
    if (!pair.events.empty()) {
      const AuditedEvent& event = pair.events[0];
      out +=
          fmt::format("    {} ({} of {} runs {} the row, {} of {} {})\n", event.words, event.often,
                      pair.runs, event.likelier == Side::kWith ? "with" : "without", event.seldom,
                      pair.runs, event.likelier == Side::kWith ? "without" : "with");
    }
  }
  return out + "\n" + wrapped(audit_words(report));
}

std::string audit_json(const AuditReport& report) {
  Json pairs = Json::array();
  for (const AuditedPair& pair : report.pairs) {
    Json events = Json::array();
    for (const AuditedEvent& event : pair.events) events.push_back(event_json(event));
    pairs.push_back({{"method", pair.method},
                     {"pair", pair.name},
                     {"tables", pair.what},
                     {"event", pair.events.empty() ? Json(nullptr) : Json(pair.events[0].words)},
                     {"epsilon_at_least", pair.bound()},
                     {"epsilon_claimed", pair.claimed()},
                     {"delta_claimed", pair.delta.to_string()},
                     {"verdict", pair.holds() ? "holds" : "broken"},
                     {"one_step_has_nearly_all", pair.is_sharp},
                     {"runs_per_table", pair.runs},
                     {"events", std::move(events)}});
  }
  const Json json{{"version", report.version},
                  {"effort", report.effort},
                  {"verdict", report.holds() ? "holds" : "broken"},
                  {"significance", report.significance},
                  {"least_share_reached", report.least_sharp()},
                  {"in_words", audit_words(report)},
                  {"results", std::move(pairs)}};
  return json.dump(2) + "\n";
}

}  // namespace privpfc
