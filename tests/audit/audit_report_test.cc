#include "privpfc/audit/audit_report.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/test_budget.h"

using namespace privpfc;

namespace {

AuditedPair pair_of(double bound, bool has_enough_runs) {
  AuditedPair pair{"privpfc", "pair", "", false, eps("1"), Delta(), 1'000, has_enough_runs, {}};
  if (bound > 0) pair.events.push_back({"something", Side::kWith, 700, 300, bound, bound});
  return pair;
}

AuditReport report_of(std::vector<AuditedPair> pairs) {
  return {"0", "fixed", 1e-6, false, std::move(pairs)};
}

bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a pair with too few runs takes the verdict along, unless another one is broken") {
  const AuditReport good = report_of({pair_of(0.7, true), pair_of(0.6, true)});
  CHECK(good.verdict() == AuditVerdict::kHolds);
  CHECK(says(audit_words(good), "No attack refutes"));
  CHECK_FALSE(says(audit_words(good), "Too few"));

  const AuditReport mixed = report_of({pair_of(0.7, true), pair_of(0.1, false)});
  CHECK(mixed.verdict() == AuditVerdict::kTooFewRuns);
  CHECK(says(audit_words(mixed), "No bound is above the claimed epsilon"));
  CHECK(says(audit_words(mixed), "Too few runs to tell anything on 1 of the pairs"));
  CHECK(audit_headline(mixed) == "Too few runs to tell anything on some pairs");

  const AuditReport broken = report_of({pair_of(1.2, false), pair_of(0.7, false)});
  CHECK(broken.verdict() == AuditVerdict::kBroken);
  CHECK(broken.pairs[0].verdict() == AuditVerdict::kBroken);
  CHECK(says(audit_words(broken), "does NOT hold"));
  CHECK(says(audit_text(broken), "BROKEN"));
}

TEST_CASE("where no event was found the report says that the attack saw nothing") {
  const AuditReport report = report_of({pair_of(0, true), pair_of(0.7, true)});
  CHECK(says(audit_words(report), "On 1 of the pairs no event told the tables apart"));
  CHECK(says(audit_text(report), "    no event told the tables apart\n"));
  CHECK(nlohmann::json::parse(audit_json(report))["results"][0]["event"].is_null());
  CHECK_FALSE(says(audit_words(report_of({pair_of(0.7, true)})), "event"));
  CHECK(says(audit_words(report_of({pair_of(0, true)})), "No event told the tables apart"));
}

TEST_CASE("the least share that was reached is of pairs where one step has nearly all of epsilon") {
  AuditReport report = report_of({pair_of(0.3, true), pair_of(0.9, true)});
  CHECK_FALSE(report.least_sharp().has_value());
  CHECK(nlohmann::json::parse(audit_json(report))["least_share_reached"].is_null());
  report.pairs[1].is_sharp = true;
  CHECK(nlohmann::json::parse(audit_json(report))["least_share_reached"] == 0.9);
  CHECK(says(audit_words(report), "reaches 0.90 of it"));
}

TEST_CASE("a share that is a little too small is not rounded to what it should be") {
  AuditReport report = report_of({pair_of(0.848, true)});
  report.pairs[0].is_sharp = true;
  CHECK(says(audit_words(report), "reaches 0.84 of it"));
}
