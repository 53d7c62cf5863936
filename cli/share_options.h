#pragma once

#include <string>

#include "command.h"
#include "privpfc/pipeline/budget_plan.h"

namespace privpfc::cli {

// How epsilon is shared among the steps, as the user writes it.
struct ShareOptions {
  std::string shares = "3,37,60";
  std::string shares_with_features = "3,29.1,29.1,38.8";
  bool all_columns = false;
  std::string share_columns = "10";
};

void add_share_options(CLI::App& command, ShareOptions& options);
Result<Shares> read_shares(const ShareOptions& options);

}  // namespace privpfc::cli
