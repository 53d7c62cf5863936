#include "option_uses.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace privpfc::cli {
namespace {

// Who reads an option. A name that ends in "..." stands for all that begin so.
using Names = std::vector<std::string_view>;

struct OptionUse {
  std::string_view option;
  Names kinds;    // of --model
  Names methods;  // of --private
};

// Every option of `train` is here; one that is not stops the program.
const std::vector<OptionUse>& option_uses() {
  const Names none;
  const Names every{"..."};
  static const std::vector<OptionUse> uses{
      {"DATA", every, every},
      {"--schema", every, every},
      {"--model", every, every},
      {"--out", every, every},
      {"--ignore-extra-columns", every, every},
      {"--threads", every, every},
      {"--json", every, every},
      {"--quiet", every, every},

      {"--numbers", every, none},
      {"--seed", every, none},  // some have nothing random, and nothing is lost by it
      {"--density", {"nb"}, none},
      {"--smoothing", {"nb"}, none},
      {"--kernel", {"svm"}, none},
      {"--gamma", {"svm"}, none},
      {"--degree", {"svm"}, none},
      {"--offset", {"svm"}, none},
      {"--cost", {"svm", "linear-svm"}, none},
      {"--probability-folds", {"svm", "linear-svm"}, none},
      {"--scaling", {"svm", "linear-svm", "logistic"}, none},
      {"--l2", {"logistic"}, none},
      {"--impurity", {"tree"}, none},
      {"--min-split", {"tree"}, none},
      {"--min-leaf", {"tree"}, none},
      {"--max-depth", {"tree"}, none},
      {"--prune-folds", {"tree"}, none},
      {"--prune-errors", {"tree"}, none},
      {"--prune-price", {"tree"}, none},

      {"--private", none, every},
      {"--epsilon", none, every},
      {"--ledger", none, every},
      {"--dataset", none, every},
      {"--yes", none, every},
      {"--lambda", none, {"svm-...", "logistic-objective"}},
      {"--huber-width", none, {"svm-..."}},
      {"--regularisation", none, {"svm-..."}},
      {"--linear-attributes", none, {"svm-objective", "svm-output", "logistic-objective"}},
      {"--rff-frequencies", none, {"svm-objective-rff"}},
      {"--rff-gamma", none, {"svm-objective-rff"}},
      {"--rff-seed", none, {"svm-objective-rff"}},
      {"--nb-numbers", none, {"nb-laplace"}},
      {"--nb-density", none, {"nb-..."}},
      {"--nb-shares", none, {"nb-..."}},
      {"--nb-trim", none, {"nb-smooth", "nb-bun-steinke", "nb-smooth-delta"}},
      {"--nb-delta", none, {"nb-smooth-delta"}},
      {"--tree-depth", none, {"tree-...", "forest-..."}},
      {"--forest-trees", none, {"forest-..."}},
      {"--tree-score",
       none,
       {"tree-friedman-schuster", "tree-mohammed", "forest-patil-singh",
        "forest-fletcher-islam-2015a"}},
      {"--tree-no-pruning",
       none,
       {"tree-friedman-schuster", "forest-fletcher-islam-2015a", "forest-fletcher-islam-2015b"}},
      {"--tree-seed",
       none,
       {"forest-patil-singh", "forest-random", "forest-fletcher-islam-2015b",
        "forest-fletcher-islam-2016"}},
  };
  return uses;
}

bool is_among(const Names& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view one) {
    return one.ends_with("...") ? name.starts_with(one.substr(0, one.size() - 3)) : one == name;
  });
}

std::string owners_of(const OptionUse& use) {
  if (use.methods.empty()) {
    return is_among(use.kinds, "") ? "training without --private"
                                   : fmt::format("--model {}", fmt::join(use.kinds, ", "));
  }
  return fmt::format("--private {}", is_among(use.methods, "")
                                         ? "METHOD"
                                         : fmt::format("{}", fmt::join(use.methods, ", ")));
}

}  // namespace

Status check_options_have_a_use(const CLI::App& train, const std::string& method,
                                const std::string& kind) {
  for (const CLI::Option* option : train.get_options()) {
    if (option == train.get_help_ptr()) continue;
    const std::string name = option->get_name();
    const auto use =
        std::find_if(option_uses().begin(), option_uses().end(),
                     [&](const OptionUse& candidate) { return candidate.option == name; });
    require(use != option_uses().end(), "an option of train that is of use to nothing");
    if (option->count() == 0) continue;
    if (method.empty() ? is_among(use->kinds, kind) : is_among(use->methods, method)) continue;
    return make_error(
        ErrorKind::kUsage, "{} is for {}; {} has no use for it", name, owners_of(*use),
        method.empty() ? fmt::format("--model {}", kind) : fmt::format("--private {}", method));
  }
  return {};
}

}  // namespace privpfc::cli
