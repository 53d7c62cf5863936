#include "privpfc/direct/tree_scoring.h"

#include <algorithm>

#include "privpfc/base/parallel.h"

namespace privpfc {

namespace {

// The class counts of the codes that occur in a group, in the order of the codes.
struct CodeCounts {
  std::vector<std::uint32_t> codes;
  std::vector<std::int64_t> counts;  // codes x classes
  std::vector<std::int64_t> missing;
  std::vector<std::int64_t> total;  // without the missing ones
};

CodeCounts count_codes(const std::vector<std::uint16_t>& codes,
                       const std::vector<std::uint8_t>& labels, const std::uint32_t* rows,
                       std::size_t row_count, std::size_t code_count, std::size_t classes) {
  CodeCounts result;
  result.missing.assign(classes, 0);
  result.total.assign(classes, 0);
  const auto add = [&](std::uint32_t code, std::size_t label, std::int64_t count) {
    if (result.codes.empty() || result.codes.back() != code) {
      result.codes.push_back(code);
      result.counts.resize(result.counts.size() + classes, 0);
    }
    result.counts[result.counts.size() - classes + label] += count;
    result.total[label] += count;
  };
  if (code_count <= 8 * row_count + 64) {
    std::vector<std::uint32_t> dense(code_count * classes, 0);
    for (std::size_t i = 0; i < row_count; ++i) {
      const std::uint16_t code = codes[rows[i]];
      if (code == kMissingCode) {
        ++result.missing[labels[rows[i]]];
      } else {
        ++dense[code * classes + labels[rows[i]]];
      }
    }
    for (std::size_t at = 0; at < dense.size(); ++at) {
      if (dense[at] > 0) add(static_cast<std::uint32_t>(at / classes), at % classes, dense[at]);
    }
    return result;
  }
  std::vector<std::uint32_t> keys;  // few rows: sorted
  keys.reserve(row_count);
  for (std::size_t i = 0; i < row_count; ++i) {
    const std::uint16_t code = codes[rows[i]];
    if (code == kMissingCode) {
      ++result.missing[labels[rows[i]]];
    } else {
      keys.push_back(std::uint32_t{code} << 8 | labels[rows[i]]);
    }
  }
  std::sort(keys.begin(), keys.end());
  for (const std::uint32_t key : keys) add(key >> 8, key & 0xFF, 1);
  return result;
}

// The runs of one feature's candidates in one group.
class FeatureRuns {
 public:
  FeatureRuns(const FeatureQuestions& questions, const CodeCounts& counts,
              const ImpurityScore& score, std::size_t classes)
      : questions_(questions),
        counts_(counts),
        score_(score),
        all_(classes),
        yes_(classes, 0),
        no_(classes, 0) {
    for (std::size_t c = 0; c < classes; ++c) all_[c] = counts.total[c] + counts.missing[c];
  }

  std::vector<ScoreRun> make() {
    if (questions_.cuts > 0) add_cuts();
    if (!questions_.groups.empty()) add_groups();
    if (questions_.asks_missing) add(counts_.missing, 1);
    return std::move(runs_);
  }

 private:
  // `questions` in a row that all have these rows on their side of yes.
  void add(const std::vector<std::int64_t>& yes, std::uint64_t questions) {
    if (questions == 0) return;
    for (std::size_t c = 0; c < all_.size(); ++c) no_[c] = all_[c] - yes[c];
    runs_.push_back({score_.side(yes) + score_.side(no_), questions * questions_.copies});
  }

  // Cut j has the codes 0 to j on its side; nothing changes between two codes that occur.
  void add_cuts() {
    const std::size_t classes = all_.size();
    std::uint32_t from = 0;
    for (std::size_t k = 0; k < counts_.codes.size(); ++k) {
      const std::uint32_t code = std::min(counts_.codes[k], questions_.cuts);
      add(yes_, code - from);
      from = code;
      for (std::size_t c = 0; c < classes; ++c) yes_[c] += counts_.counts[k * classes + c];
    }
    add(yes_, questions_.cuts - from);
  }

  void add_groups() {
    const std::size_t classes = all_.size();
    // below[code]: the rows with a lower code.
    std::vector<std::int64_t> below((questions_.codes + 1) * classes, 0);
    for (std::size_t k = 0; k < counts_.codes.size(); ++k) {
      for (std::size_t c = 0; c < classes; ++c) {
        below[(counts_.codes[k] + 1) * classes + c] = counts_.counts[k * classes + c];
      }
    }
    for (std::size_t at = classes; at < below.size(); ++at) below[at] += below[at - classes];
    for (const FeatureQuestions::Run& run : questions_.groups) {
      for (std::size_t c = 0; c < classes; ++c) {
        yes_[c] = below[run.end * classes + c] - below[run.begin * classes + c];
      }
      add(yes_, 1);
    }
  }

  const FeatureQuestions& questions_;
  const CodeCounts& counts_;
  const ImpurityScore& score_;
  std::vector<std::int64_t> all_;
  std::vector<std::int64_t> yes_;
  std::vector<std::int64_t> no_;
  std::vector<ScoreRun> runs_;
};

}  // namespace

PartScores impurity_runs(const CodedRows& coded, const RowGroups& groups,
                         const QuestionSpace& space, const ImpurityScore& score,
                         std::size_t classes, unsigned threads) {
  const std::size_t group_count = groups.begins.size() - 1;
  const std::size_t features = space.features().size();
  PartScores pieces(group_count * features);
  run_pieces(pieces.size(), threads, [&](std::size_t piece) {
    const std::size_t g = piece / features;
    const FeatureQuestions& questions = space.features()[piece % features];
    const CodeCounts counts = count_codes(
        coded.codes[questions.feature], coded.labels, groups.rows.data() + groups.begins[g],
        groups.begins[g + 1] - groups.begins[g], questions.codes, classes);
    pieces[piece] = FeatureRuns(questions, counts, score, classes).make();
  });
  PartScores scores(group_count);
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    std::vector<ScoreRun>& runs = scores[piece / features];
    runs.insert(runs.end(), pieces[piece].begin(), pieces[piece].end());
  }
  return scores;
}

}  // namespace privpfc
