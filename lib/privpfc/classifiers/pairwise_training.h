#pragma once

// For the sources of this room only: how a two-class learner is used for many classes.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/base/parallel.h"
#include "privpfc/classifiers/folds.h"
#include "privpfc/classifiers/pairwise.h"

namespace privpfc {

// The points of one two-class problem. Sign 1 is the pair's first class.
struct PairProblem {
  std::vector<std::size_t> positions;
  std::vector<double> signs;
  std::vector<double> weights;
};

template <typename Machine>
struct TrainedPair {
  Machine machine;
  Sigmoid sigmoid;
};

struct PairwiseOptions {
  // The decisions that the sigmoids are fitted to come from machines that have not seen their
  // points: cross-validation with this many folds. 0: no sigmoids are fitted.
  std::size_t probability_folds = 3;
  std::uint64_t seed = 1;
  unsigned threads = 0;
};

// `train` makes a machine from a PairProblem; `decide` gives its decision about a point, by its
// position. Both are called on several threads at once.
template <typename Train, typename Decide>
auto train_pairs(std::span<const std::uint8_t> labels, std::span<const double> weights,
                 std::size_t classes, const PairwiseOptions& options, const Train& train,
                 const Decide& decide) {
  using Machine = decltype(train(PairProblem{}));
  struct Task {
    PairProblem problem;
    std::vector<double> held_out;  // by index in the whole pair; empty when nothing is
    std::vector<double> decisions;
    Machine machine;
  };
  const std::size_t per_pair = options.probability_folds + 1;
  std::vector<PairProblem> pairs;
  std::vector<Task> tasks;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b) {
      PairProblem& pair = pairs.emplace_back();
      std::vector<std::uint8_t> pair_labels;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        if ((labels[i] != a && labels[i] != b) || !(weights[i] > 0)) continue;
        pair.positions.push_back(i);
        pair.signs.push_back(labels[i] == a ? 1 : -1);
        pair.weights.push_back(weights[i]);
        pair_labels.push_back(labels[i]);
      }
      tasks.push_back({pair, {}, {}, {}});
      if (options.probability_folds == 0) continue;
      const auto parts =
          deal_folds(pair_labels, pair.weights, options.probability_folds, options.seed);
      for (const std::vector<double>& part : parts) {
        PairProblem rest;
        for (std::size_t i = 0; i < part.size(); ++i) {
          const double weight = pair.weights[i] - part[i];
          if (!(weight > 0)) continue;
          rest.positions.push_back(pair.positions[i]);
          rest.signs.push_back(pair.signs[i]);
          rest.weights.push_back(weight);
        }
        tasks.push_back({std::move(rest), part, {}, {}});
      }
    }
  }
  run_pieces(tasks.size(), options.threads, [&](std::size_t t) {
    Task& task = tasks[t];
    task.machine = train(task.problem);
    const PairProblem& pair = pairs[t / per_pair];
    for (std::size_t i = 0; i < task.held_out.size(); ++i) {
      if (task.held_out[i] > 0) task.decisions.push_back(decide(task.machine, pair.positions[i]));
    }
  });
  std::vector<TrainedPair<Machine>> trained;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    std::vector<double> decisions;
    std::vector<std::uint8_t> first;
    std::vector<double> parts;
    for (std::size_t f = 1; f < per_pair; ++f) {
      const Task& task = tasks[p * per_pair + f];
      decisions.insert(decisions.end(), task.decisions.begin(), task.decisions.end());
      for (std::size_t i = 0; i < task.held_out.size(); ++i) {
        if (!(task.held_out[i] > 0)) continue;
        first.push_back(pairs[p].signs[i] > 0 ? 1 : 0);
        parts.push_back(task.held_out[i]);
      }
    }
    trained.push_back({std::move(tasks[p * per_pair].machine),
                       decisions.empty() ? Sigmoid{} : fit_sigmoid(decisions, first, parts)});
  }
  return trained;
}

}  // namespace privpfc
