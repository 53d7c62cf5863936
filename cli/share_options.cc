#include "share_options.h"

#include <fmt/format.h>

namespace privpfc::cli {

void add_share_options(CLI::App& command, ShareOptions& options) {
  command
      .add_option("--shares", options.shares,
                  "Percent of epsilon for class counts, grid selection, histogram")
      ->capture_default_str();
  command
      .add_option("--shares-with-features", options.shares_with_features,
                  "The same where features are selected first: class counts, feature selection, "
                  "grid selection, histogram")
      ->capture_default_str();
  command.add_flag("--all-columns", options.all_columns,
                   "Also publish the columns outside the grid, each known with the label alone");
  command
      .add_option("--share-columns", options.share_columns,
                  "Percent of epsilon that --all-columns takes before the other shares")
      ->capture_default_str();
}

Result<Shares> read_shares(const ShareOptions& options) {
  PRIVPFC_ASSIGN(const auto plain, parse_percentages(options.shares, 3));
  PRIVPFC_ASSIGN(const auto with_features, parse_percentages(options.shares_with_features, 4));
  if (plain[0] != with_features[0]) {
    return make_error(ErrorKind::kUsage,
                      "--shares and --shares-with-features give the class counts different shares; "
                      "that step comes before it is known which list applies");
  }
  Shares shares;
  shares.classes = plain[0];
  shares.selection = plain[1];
  shares.histogram = plain[2];
  shares.features = with_features[1];
  shares.selection_after_features = with_features[2];
  shares.histogram_after_features = with_features[3];
  if (options.all_columns) {
    PRIVPFC_ASSIGN(shares.columns, parse_percentage_below_100(options.share_columns));
  }
  return shares;
}

}  // namespace privpfc::cli
