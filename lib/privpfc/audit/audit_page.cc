#include <fmt/format.h>

#include <algorithm>

#include "privpfc/audit/audit_report.h"
#include "privpfc/evaluation/html.h"
#include "privpfc/evaluation/page.h"
#include "privpfc/evaluation/report_words.h"

namespace privpfc {
namespace {

constexpr const char* kStyle = R"css(<style>
tbody td, tbody th { vertical-align: top; }
.words { white-space: normal; display: block; text-align: left; min-width: 14rem; }
.bar.over i { background: var(--warning); }
strong.broken { color: var(--warning); }
</style>
)css";

// The bound as a part of the claimed epsilon.
std::string bar(const AuditedPair& pair) {
  const double share = pair.bound() / pair.claimed();
  return fmt::format("<span class=\"bar{}\"><i style=\"width:{:.0f}%\"></i></span>{:.3f}",
                     pair.holds() ? "" : " over", 100 * std::min(share, 1.0), pair.bound());
}

std::string verdict_html(const AuditedPair& pair) {
  switch (pair.verdict()) {
    case AuditVerdict::kHolds:
      return "holds";
    case AuditVerdict::kTooFewRuns:
      return "too few runs";
    case AuditVerdict::kBroken:
      return "<strong class=\"broken\">broken</strong>";
  }
  return "";
}

std::string summary_table(const AuditReport& report) {
  HtmlTable table;
  table.caption = "A lower bound on the epsilon that the program really has, by pair of tables";
  table.head = {"Pair", "<span class=\"words\">Strongest event</span>", "Epsilon at least",
                "Claimed", "Verdict"};
  std::string method;
  for (const AuditedPair& pair : report.pairs) {
    if (pair.method != method) table.rows.push_back({escape_html(method = pair.method)});
    const std::string claimed = pair.epsilon.to_string() +
                                (pair.delta == Delta() ? "" : ", delta " + pair.delta.to_string());
    table.rows.push_back(
        {escape_html(pair.name) + "<small>" + escape_html(pair.what) + "</small>",
         fmt::format("<span class=\"words\">{}</span>",
                     pair.events.empty() ? "none found" : escape_html(pair.events[0].words)),
         bar(pair), claimed, verdict_html(pair)});
  }
  return render_table(table);
}

std::string all_events(const AuditReport& report) {
  std::string out;
  for (const AuditedPair& pair : report.pairs) {
    HtmlTable table;
    table.caption = fmt::format("{} runs on each table", whole(static_cast<double>(pair.runs)));
    table.head = {"Event", "With the row", "Without it", "Seems to be", "Epsilon at least"};
    for (const AuditedEvent& event : pair.events) {
      const bool with = event.likelier == Side::kWith;
      table.rows.push_back(
          {escape_html(event.words), whole(static_cast<double>(with ? event.often : event.seldom)),
           whole(static_cast<double>(with ? event.seldom : event.often)),
           fmt::format("{:.3f}", event.estimate), fmt::format("{:.3f}", event.bound)});
    }
    out += fmt::format(
        "<details><summary>{}: {}</summary>\n{}</details>\n", escape_html(pair.method),
        escape_html(pair.name),
        pair.events.empty() ? "<p>No event told the tables apart.</p>\n" : render_table(table));
  }
  return out;
}

std::string files_table(const AuditReport& report) {
  HtmlTable table;
  table.caption =
      fmt::format("Each bound has a chance of {:.2g} of being wrong; all together {:g}",
                  chance_of_a_bound(report.significance, report.pairs.size()), report.significance);
  table.head = {"File", "SHA-256"};
  for (const AuditedFile& file : report.files) {
    table.rows.push_back({escape_html(file.name), "<code>" + escape_html(file.sha256) + "</code>"});
  }
  return render_table(table);
}

}  // namespace

std::string audit_page(const AuditReport& report) {
  Page page;
  page.title = "Audit of privpfc";
  page.subtitle = fmt::format("Version {}, {} audit", report.version, report.effort);
  const std::string notice = escape_html(audit_notice(report));
  const std::string words = escape_html(audit_words(report));
  if (report.is_on_own_tables) {
    page.notice_heading = kInternalHeading;
    page.notice = fmt::format("{}</p>\n<p><strong>{}.</strong> {}", notice,
                              escape_html(audit_headline(report)), words);
  } else {
    page.notice_heading = audit_headline(report);
    page.notice = words + " " + notice;
  }
  page.notice_is_warning = report.is_on_own_tables || report.verdict() != AuditVerdict::kHolds;
  page.sections.push_back({"pairs", "Pairs of tables", kStyle + summary_table(report)});
  page.sections.push_back(
      {"method", "How this was found",
       "<p>Two tables that differ by one row are neighbours. If the program keeps its promise, "
       "whatever it may release comes out at most exp(epsilon) times as often on one as on the "
       "other. Here the program's own library published (or trained) many times on each, with the "
       "system's randomness. On the first runs, events were looked for that come more "
       "often on one table: thresholds on every released number, on the noisy number of rows, "
       "which grid was chosen, rows of the synthetic table, two of these together, and all "
       "released numbers weighed by how much each tells. On other runs those events were "
       "counted, and Clopper and Pearson&rsquo;s exact bounds, corrected for all events of all "
       "pairs, turned into a lower bound on epsilon.</p>\n"
       "<p>A bound above the claim refutes it. A bound below does not prove it: there may be a "
       "better attack. &ldquo;Too few runs&rdquo; stands where not even a program with twice the "
       "claimed epsilon would most likely be refuted, whatever the attack. The proofs stand beside "
       "the code; docs/verification.md says what else is "
       "tried.</p>\n"});
  page.sections.push_back({"events", "All events", all_events(report)});
  page.sections.push_back({"files", "What was audited", files_table(report)});
  page.footer = fmt::format("<p>privpfc {}. No release was written and no ledger touched.</p>\n",
                            escape_html(report.version));
  return render_page(page);
}

}  // namespace privpfc
