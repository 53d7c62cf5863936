#include "privpfc/experiments/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "privpfc/base/parallel.h"
#include "privpfc/base/sha256.h"
#include "privpfc/experiments/memory_watch.h"

namespace privpfc {
namespace {

struct Part {
  std::size_t contender = 0;
  std::size_t split = 0;
  std::optional<Epsilon> epsilon;
  std::string name;
  JournalEntry entry{};
};

// A number that depends on every word of the text.
std::uint64_t seed_of(const std::string& text) {
  return std::stoull(sha256_hex(text).substr(0, 16), nullptr, 16);
}

std::string epsilon_text(const std::optional<Epsilon>& epsilon) {
  return epsilon ? epsilon->to_string() : "none";
}

std::vector<Part> make_parts(const std::vector<MethodCard>& cards, std::size_t splits,
                             const std::vector<Epsilon>& epsilons) {
  std::vector<Part> parts;
  for (std::size_t contender = 0; contender < cards.size(); ++contender) {
    std::vector<std::optional<Epsilon>> wanted(epsilons.begin(), epsilons.end());
    if (!cards[contender].uses_epsilon) wanted.assign(1, std::nullopt);
    for (const std::optional<Epsilon>& epsilon : wanted) {
      for (std::size_t split = 0; split < splits; ++split) {
        parts.push_back(
            {contender, split, epsilon,
             fmt::format("{} {} {}", cards[contender].name, epsilon_text(epsilon), split)});
      }
    }
  }
  return parts;
}

JournalEntry run_part(const Contender& contender, const Trial& trial, std::size_t classifiers,
                      MemoryWatch& memory) {
  JournalEntry entry;
  const std::uint64_t part = memory.begin();
  Result<std::vector<Outcome>> outcomes = contender.run(trial);
  entry.megabytes = memory.end(part);
  if (!outcomes) {
    entry.problem = outcomes.error().message;
    return entry;
  }
  entry.outcomes = std::move(outcomes).value();
  require(entry.outcomes.size() == trial.seeds.size(), "an outcome for each repeat");
  for (const Outcome& outcome : entry.outcomes) {
    require(outcome.errors.size() == classifiers && outcome.seconds.size() == classifiers,
            "an error and a time for each classifier");
  }
  return entry;
}

ComparisonResults collect(std::vector<MethodCard> cards, const std::vector<Part>& parts) {
  ComparisonResults results;
  results.methods = std::move(cards);
  for (const MethodCard& card : results.methods) results.times.push_back({card.name, {}});
  for (const Part& part : parts) {
    const MethodCard& card = results.methods[part.contender];
    if (!part.entry.problem.empty()) {
      const bool known =
          std::any_of(results.gaps.begin(), results.gaps.end(), [&](const ComparisonGap& gap) {
            return gap.method == card.name && gap.epsilon == part.epsilon;
          });
      if (!known) results.gaps.push_back({card.name, part.epsilon, part.entry.problem});
    }
    for (std::size_t repeat = 0; repeat < part.entry.outcomes.size(); ++repeat) {
      for (const PartTime& time : part.entry.outcomes[repeat].parts) {
        add_time(results.times[part.contender].parts, time.part, time.seconds);
      }
      for (std::size_t c = 0; c < card.classifiers.size(); ++c) {
        const Outcome& outcome = part.entry.outcomes[repeat];
        results.rows.push_back({card.name, card.classifiers[c], part.epsilon, part.split, repeat,
                                outcome.errors[c], outcome.seconds[c], part.entry.megabytes});
      }
    }
  }
  return results;
}

}  // namespace

Result<ComparisonResults> compare_methods(const ExperimentTable& table,
                                          const std::vector<Split>& splits,
                                          const std::vector<std::unique_ptr<Contender>>& contenders,
                                          const ComparisonOptions& options, Journal& journal,
                                          const ComparisonProgress& progress) {
  std::vector<MethodCard> cards;
  for (const std::unique_ptr<Contender>& contender : contenders) cards.push_back(contender->card());
  std::vector<Part> parts = make_parts(cards, splits.size(), options.epsilons);
  std::vector<Part*> open;
  for (Part& part : parts) {
    if (auto entry = journal.find(part.name)) {
      part.entry = std::move(*entry);
    } else {
      open.push_back(&part);
    }
  }
  // The long ones first, so that no thread is left with one at the end.
  std::stable_sort(open.begin(), open.end(),
                   [](const Part* a, const Part* b) { return a->epsilon > b->epsilon; });

  MemoryWatch memory;
  std::mutex mutex;
  std::size_t done = parts.size() - open.size();
  Status status;
  progress(done, parts.size());
  run_pieces(open.size(), options.threads, [&](std::size_t index) {
    Part& part = *open[index];
    const MethodCard& card = cards[part.contender];
    Trial trial{table, splits[part.split], part.epsilon, {}};
    // Without an epsilon there is no noise, and one run says all.
    for (std::size_t repeat = 0; repeat < (part.epsilon ? options.repeats : 1); ++repeat) {
      trial.seeds.push_back(seed_of(fmt::format("{} {} {}", options.seed, part.name, repeat)));
    }
    part.entry = run_part(*contenders[part.contender], trial, card.classifiers.size(), memory);
    const Status written = journal.add(part.name, part.entry);
    const std::lock_guard lock(mutex);
    if (!written) status = written;
    progress(++done, parts.size());
  });
  PRIVPFC_TRY(status);
  return collect(std::move(cards), parts);
}

}  // namespace privpfc
