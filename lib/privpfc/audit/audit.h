#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "privpfc/audit/audit_subject.h"

namespace privpfc {

// A statistical attack: what is audited runs many times on two neighbouring tables. Events are
// chosen on the first runs and counted on the others, which bounds the epsilon that it really has
// from below. Such a bound above the promise refutes it; one below proves nothing.

struct AuditPair {
  std::string method;  // "privpfc", or a direct one
  std::string name;
  std::string what;       // one line, for people
  bool is_sharp = false;  // one step has nearly all of epsilon: the attack should come close to it
  std::unique_ptr<AuditSubject> subject;
};

struct AuditOptions {
  std::size_t runs = 10'000;   // on each table, for counting; for choosing: choosing_runs()
  double significance = 1e-6;  // that any bound of the audit is wrong, in all
  unsigned threads = 0;        // 0: one per core
  std::size_t pairs = 1;       // in the whole audit: they share the significance
  // Where the noise comes from; null: the system. Each piece of work asks for its own.
  std::function<std::unique_ptr<BitSource>(std::uint64_t piece)> bits{};
  // Told now and then how many runs of this pair are done; on any thread, one at a time.
  std::function<void(std::size_t done)> progress{};
};

struct AuditedEvent {
  std::string words;
  Side likelier = Side::kWith;
  std::size_t often = 0;   // runs in which it happened, on the likelier side
  std::size_t seldom = 0;  // and on the other
  double bound = 0;        // epsilon is at least this
  double estimate = 0;     // what it seems to be: the ratio of the frequencies, as it is
};

enum class AuditVerdict { kHolds, kTooFewRuns, kBroken };

struct AuditedPair {
  std::string method;
  std::string name;
  std::string what;
  bool is_sharp = false;
  Epsilon epsilon;
  Delta delta;
  std::size_t runs = 0;
  bool has_enough_runs = false;      // are_enough_runs() of epsilon_bound.h
  std::vector<AuditedEvent> events;  // the largest bound first; there may be none

  double bound() const { return events.empty() ? 0 : events[0].bound; }
  double claimed() const;
  bool holds() const { return bound() <= claimed(); }  // or there were too few runs to tell
  AuditVerdict verdict() const;
};

// Runs on each table on which events are looked for, where `runs` are for counting them; and runs
// done in all by one call of audit_pair().
std::size_t choosing_runs(std::size_t runs);
std::size_t total_runs(std::size_t runs);

// The chance that one bound may be wrong, so that all bounds of all pairs hold together.
double chance_of_a_bound(double significance, std::size_t pairs);

AuditedPair audit_pair(const AuditPair& pair, const AuditOptions& options);

// Seconds that one run takes, on one thread.
double seconds_per_run(const AuditPair& pair);

// So close should an attack come to epsilon where one step has nearly all of it.
inline constexpr double kSharpEnough = 0.85;

}  // namespace privpfc
