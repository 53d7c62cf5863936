#pragma once

#include <optional>
#include <string>
#include <vector>

#include "privpfc/evaluation/interval.h"
#include "privpfc/evaluation/real_rows.h"
#include "privpfc/evaluation/release_models.h"
#include "privpfc/privacy/budget.h"
#include "privpfc/privacy/mechanisms.h"
#include "privpfc/privacy/private.h"
#include "privpfc/privacy/released.h"

namespace privpfc {

// A share with what it may be, sampling and noise considered.
struct PaidShare {
  double value = 0;
  ShareInterval interval;

  // Nearly everything is possible: reports show a dash, and draw no conclusions.
  bool is_hidden() const { return interval.high - interval.low > 0.9; }
};

struct PaidClassifier {
  std::string name;
  std::string note;
  std::vector<std::int64_t> right;  // noisy counts of right predictions, by class
  PaidShare error;
  // By class; none where the class is so rare that the noise hides it.
  std::vector<std::optional<PaidShare>> recalls;
};

// How good classifiers trained on a release are on real rows: noisy counts that were paid for, and
// what follows from them. It may be published.
struct PaidEvaluation {
  Epsilon epsilon;                       // as promised to the schema's unit
  Epsilon row_epsilon;                   // what the noise follows from
  double noise = 0;                      // the standard deviation of the noise on each count
  std::vector<std::int64_t> class_rows;  // noisy counts of held-out rows, by class
  std::vector<PaidClassifier> on_release;
  PaidClassifier majority;  // says the release's most frequent class: follows from class_rows
  std::uint8_t majority_class = 0;
};

// Counts, for the held-out rows of each class, the rows and the right predictions of every
// classifier, through one mechanism that gets the whole budget, or where the schema declares a
// person what a row may have of it (row_epsilon()). Neighbours: held-out tables that differ by one
// row, or by all rows of one person. Proof: paid_evaluation.md.
Released<PaidEvaluation> pay_for_evaluation(const Private<RealRows>& rows,
                                            const ReleaseModels& models, const Schema& schema,
                                            Mechanisms& mechanisms, Budget budget);

}  // namespace privpfc
