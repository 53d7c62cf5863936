#include "privpfc/audit/audit.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

#include "privpfc/audit/epsilon_bound.h"
#include "privpfc/audit/event_choice.h"
#include "privpfc/base/parallel.h"
#include "privpfc/privacy/system_bits.h"

namespace privpfc {
namespace {

constexpr std::size_t kPiece = 250;  // runs with one source of bits
constexpr std::size_t kMostChoosing = 200'000;

// All runs of one part of an audit, in pieces, on several threads.
class Runs {
 public:
  Runs(const AuditPair& pair, const AuditOptions& options, StatisticList& statistics)
      : pair_(pair), options_(options), statistics_(statistics) {}

  // `use` gets every run, on any thread, several at once.
  template <typename Use>
  void go(Side side, std::size_t runs, const Use& use) {
    const std::size_t pieces = (runs + kPiece - 1) / kPiece;
    const std::uint64_t first = pieces_begun_;
    pieces_begun_ += pieces;
    run_pieces(pieces, options_.threads, [&](std::size_t piece) {
      const std::unique_ptr<BitSource> bits =
          options_.bits ? options_.bits(first + piece) : std::make_unique<SystemBits>();
      Observer observer(statistics_);
      const std::size_t begin = piece * kPiece;
      const std::size_t end = std::min(begin + kPiece, runs);
      for (std::size_t run = begin; run < end; ++run) {
        pair_.subject->run(side, *bits, observer);
        use(run, piece, observer.take());
      }
      const std::lock_guard lock(mutex_);
      done_ += end - begin;
      if (options_.progress) options_.progress(done_);
    });
  }

  std::vector<Observation> keep(Side side, std::size_t runs) {
    std::vector<Observation> kept(runs);
    go(side, runs,
       [&](std::size_t run, std::size_t, Observation seen) { kept[run] = std::move(seen); });
    return kept;
  }

  // How often each event happens.
  std::vector<std::size_t> count(Side side, std::size_t runs, const std::vector<Event>& events) {
    std::vector<std::vector<std::size_t>> hits((runs + kPiece - 1) / kPiece,
                                               std::vector<std::size_t>(events.size(), 0));
    go(side, runs, [&](std::size_t, std::size_t piece, const Observation& seen) {
      for (std::size_t e = 0; e < events.size(); ++e) hits[piece][e] += events[e].happens(seen);
    });
    std::vector<std::size_t> sums(events.size(), 0);
    for (const auto& piece : hits) {
      for (std::size_t e = 0; e < events.size(); ++e) sums[e] += piece[e];
    }
    return sums;
  }

 private:
  const AuditPair& pair_;
  const AuditOptions& options_;
  StatisticList& statistics_;
  std::uint64_t pieces_begun_ = 0;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

}  // namespace

double AuditedPair::claimed() const {
  return static_cast<double>(epsilon.units()) / static_cast<double>(Epsilon::kUnitsPerOne);
}

AuditVerdict AuditedPair::verdict() const {
  if (!holds()) return AuditVerdict::kBroken;
  return has_enough_runs ? AuditVerdict::kHolds : AuditVerdict::kTooFewRuns;
}

std::size_t choosing_runs(std::size_t runs) {
  return std::min(runs, kMostChoosing);  // they are kept in memory
}

// Two bounds for each event that may have been chosen, in every pair: none may be wrong.
double chance_of_a_bound(double significance, std::size_t pairs) {
  return significance / static_cast<double>(2 * kEventsPerPair * pairs);
}

std::size_t total_runs(std::size_t runs) {
  return 2 * (choosing_runs(runs) + runs);
}

AuditedPair audit_pair(const AuditPair& pair, const AuditOptions& options) {
  AuditedPair audited{pair.method,
                      pair.name,
                      pair.what,
                      pair.is_sharp,
                      pair.subject->epsilon(),
                      pair.subject->delta(),
                      options.runs,
                      false,
                      {}};
  StatisticList statistics;
  Runs runs(pair, options, statistics);
  std::vector<Event> events;
  {
    const std::size_t choosing = choosing_runs(options.runs);
    const std::vector<Observation> without = runs.keep(Side::kWithout, choosing);
    const std::vector<Observation> with = runs.keep(Side::kWith, choosing);
    events = choose_events(without, with, statistics.entries());
  }
  const std::vector<std::size_t> without = runs.count(Side::kWithout, options.runs, events);
  const std::vector<std::size_t> with = runs.count(Side::kWith, options.runs, events);
  const double significance = chance_of_a_bound(options.significance, options.pairs);
  const double delta =
      static_cast<double>(audited.delta.units()) / static_cast<double>(Delta::kUnitsPerOne);
  audited.has_enough_runs = are_enough_runs(options.runs, audited.claimed(), significance, delta);
  for (std::size_t e = 0; e < events.size(); ++e) {
    AuditedEvent event;
    event.words = events[e].words(statistics.entries());
    event.likelier = events[e].likelier;
    event.often = event.likelier == Side::kWith ? with[e] : without[e];
    event.seldom = event.likelier == Side::kWith ? without[e] : with[e];
    event.bound = epsilon_at_least(event.often, event.seldom, options.runs, significance, delta);
    event.estimate = std::log((static_cast<double>(event.often) + 0.5) /
                              (static_cast<double>(event.seldom) + 0.5));
    audited.events.push_back(std::move(event));
  }
  std::stable_sort(audited.events.begin(), audited.events.end(),
                   [](const auto& a, const auto& b) { return a.bound > b.bound; });
  return audited;
}

double seconds_per_run(const AuditPair& pair) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kEnough{100};
  SystemBits bits;
  StatisticList statistics;
  Observer observer(statistics);
  const Clock::time_point begin = Clock::now();
  std::size_t runs = 0;
  do {
    pair.subject->run(runs % 2 == 0 ? Side::kWithout : Side::kWith, bits, observer);
    (void)observer.take();
    ++runs;
  } while (Clock::now() - begin < kEnough);
  return std::chrono::duration<double>(Clock::now() - begin).count() / static_cast<double>(runs);
}

}  // namespace privpfc
