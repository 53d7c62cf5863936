#pragma once

#include <string>

#include "command.h"
#include "privpfc/classifiers/model.h"
#include "privpfc/direct/methods.h"
#include "spending.h"
#include "training_table.h"

namespace privpfc::cli {

// `train --private METHOD`: the rows are private, and the model is what is released.
struct PrivateTraining {
  std::string method;
  Spending spending;
  DirectOptions options;
};

void add_private_options(CLI::App& command, PrivateTraining& training);

// `kind`: the model kind that was asked for, or empty. Nothing that this prints or writes depends
// on the rows but through the mechanisms.
Status train_privately(PrivateTraining training, const TrainingSource& source,
                       const std::string& kind, const std::string& out, bool json, bool quiet);

}  // namespace privpfc::cli
