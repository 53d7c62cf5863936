#include "privpfc/audit/audit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "privpfc/base/printed_json.h"
#include "privpfc/evaluation/html.h"
#include "privpfc/evaluation/report_words.h"

namespace privpfc {
namespace {

using Json = nlohmann::ordered_json;

const char* verdict_word(AuditVerdict verdict) {
  switch (verdict) {
    case AuditVerdict::kHolds:
      return "holds";
    case AuditVerdict::kTooFewRuns:
      return "too few runs";
    case AuditVerdict::kBroken:
      return "broken";
  }
  return "";
}

template <typename Predicate>
std::size_t count_pairs(const AuditReport& report, const Predicate& predicate) {
  return static_cast<std::size_t>(
      std::count_if(report.pairs.begin(), report.pairs.end(), predicate));
}

std::size_t pairs_with_too_few_runs(const AuditReport& report) {
  return count_pairs(report, [](const AuditedPair& pair) { return !pair.has_enough_runs; });
}

// Here and below: of all pairs, or of some.
std::string too_few_sentence(const AuditReport& report) {
  const std::size_t few = pairs_with_too_few_runs(report);
  if (few == 0) return "";
  if (few == report.pairs.size()) {
    return "Too few runs to tell anything: even a program with twice the claimed epsilon would "
           "most likely have passed. ";
  }
  return fmt::format(
      "Too few runs to tell anything on {} of the pairs: even a program with twice the claimed "
      "epsilon would most likely have passed there. ",
      few);
}

std::string nothing_seen_sentence(const AuditReport& report) {
  const std::size_t blind =
      count_pairs(report, [](const AuditedPair& pair) { return pair.events.empty(); });
  if (blind == 0) return "";
  if (blind == report.pairs.size()) {
    return "No event told the tables apart: the attack saw nothing. ";
  }
  return fmt::format(
      "On {} of the pairs no event told the tables apart: there the attack saw nothing. ", blind);
}

std::string verdict_sentence(const AuditReport& report) {
  switch (report.verdict()) {
    case AuditVerdict::kHolds:
      return "No attack refutes what is promised: every bound is at or below the claimed epsilon. "
             "That is evidence, and no proof. ";
    case AuditVerdict::kBroken:
      return "What is promised does NOT hold: on at least one pair the outputs tell the tables "
             "apart better than the claimed epsilon allows. ";
    case AuditVerdict::kTooFewRuns:
      return pairs_with_too_few_runs(report) == report.pairs.size()
                 ? ""
                 : "No bound is above the claimed epsilon. ";
  }
  return "";
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

AuditVerdict AuditReport::verdict() const {
  if (!holds()) return AuditVerdict::kBroken;
  return pairs_with_too_few_runs(*this) > 0 ? AuditVerdict::kTooFewRuns : AuditVerdict::kHolds;
}

std::optional<double> AuditReport::least_sharp() const {
  std::optional<double> least;
  for (const AuditedPair& pair : pairs) {
    if (pair.is_sharp) least = std::min(least.value_or(1), pair.bound() / pair.claimed());
  }
  return least;
}

std::string audit_headline(const AuditReport& report) {
  switch (report.verdict()) {
    case AuditVerdict::kHolds:
      return "No attack refutes what is promised";
    case AuditVerdict::kBroken:
      return "What is promised does not hold";
    case AuditVerdict::kTooFewRuns:
      return pairs_with_too_few_runs(report) == report.pairs.size()
                 ? "Too few runs to tell anything"
                 : "Too few runs to tell anything on some pairs";
  }
  return "";
}

std::string audit_words(const AuditReport& report) {
  std::size_t runs = 0;
  for (const AuditedPair& pair : report.pairs) runs += total_runs(pair.runs);
  std::string words =
      fmt::format("{} runs on {} pair{} of neighbouring tables. ", whole(static_cast<double>(runs)),
                  report.pairs.size(), report.pairs.size() == 1 ? "" : "s");
  words += verdict_sentence(report);
  words += too_few_sentence(report) + nothing_seen_sentence(report);
  words += fmt::format("All bounds hold together, but for a chance of {:g}.", report.significance);
  if (const std::optional<double> least = report.least_sharp()) {
    words += fmt::format(
        " Where one step has nearly all of epsilon, the attack reaches {:.2f} of it or more{}.",
        std::floor(*least * 100) / 100,  // rounded up, it would seem to be enough
        *least >= kSharpEnough
            ? ": it is not blind"
            : fmt::format(
                  ", and should reach {:.2f}: with so few runs, or at this epsilon, it sees "
                  "little",
                  kSharpEnough));
  }
  return words;
}

std::string audit_notice(const AuditReport& report) {
  return report.is_on_own_tables
             ? "These figures, or some of them, were computed on tables of your own: they are not "
               "private. Do not publish them."
             : "These figures were computed on made-up tables: no real row was read.";
}

std::string audit_text(const AuditReport& report) {
  std::string out;
  if (report.is_on_own_tables) {
    out = wrapped(fmt::format("{}. {}", kInternalHeading, audit_notice(report))) + "\n";
  }
  out += fmt::format("{:<26} {:<18} {:>10} {:>9}   {}\n", "method", "pair", "epsilon >=", "claimed",
                     "verdict");
  for (const AuditedPair& pair : report.pairs) {
    out += fmt::format("{:<26} {:<18} {:>10.3f} {:>9}   {}\n", pair.method, pair.name, pair.bound(),
                       pair.epsilon.to_string(),
                       pair.holds() ? verdict_word(pair.verdict()) : "BROKEN");
    if (pair.events.empty()) {
      out += "    no event told the tables apart\n";
    } else {
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
  Json files = Json::array();
  for (const AuditedFile& file : report.files) {
    files.push_back({{"file", file.name}, {"sha256", file.sha256}});
  }
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
                     {"verdict", verdict_word(pair.verdict())},
                     {"one_step_has_nearly_all", pair.is_sharp},
                     {"runs_per_table", pair.runs},
                     {"runs_for_choosing", choosing_runs(pair.runs)},
                     {"events", std::move(events)}});
  }
  const std::optional<double> least = report.least_sharp();
  const Json json{
      {"version", report.version},
      {"effort", report.effort},
      {"may_be_published", !report.is_on_own_tables},
      {"notice", audit_notice(report)},
      {"verdict", verdict_word(report.verdict())},
      {"significance", report.significance},
      {"chance_of_each_bound", chance_of_a_bound(report.significance, report.pairs.size())},
      {"least_share_reached", least ? Json(*least) : Json(nullptr)},
      {"in_words", audit_words(report)},
      {"results", std::move(pairs)},
      {"files", std::move(files)}};
  return printed_json(json);
}

}  // namespace privpfc
