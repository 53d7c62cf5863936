#include "private_nb_flags.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace privpfc::cli {

namespace {

using Numbers = NaiveBayesDirectOptions::Numbers;
using Density = NaiveBayesOptions::Density;

const char* const kNbGroup = "With --private nb-...";

}  // namespace

void add_private_nb_flags(CLI::App& command, NaiveBayesDirectOptions& options) {
  command
      .add_option("--nb-numbers", options.numbers,
                  "nb-laplace: numbers as the schema's finest bins (default) or as a gaussian per "
                  "class")
      ->transform(
          CLI::CheckedTransformer(std::map<std::string, Numbers>{{"bins", Numbers::kBins},
                                                                 {"gaussian", Numbers::kGaussian}},
                                  CLI::ignore_case))
      ->option_text("CHOICE")
      ->group(kNbGroup);
  command
      .add_option("--nb-density", options.density,
                  "Numbers that are no bins: gaussian (default) or truncated at their bounds")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Density>{{"gaussian", Density::kGaussian},
                                         {"truncated", Density::kTruncated}},
          CLI::ignore_case))
      ->option_text("CHOICE")
      ->group(kNbGroup);
  command
      .add_option_function<std::vector<std::uint32_t>>(
          "--nb-shares",
          [&options](const std::vector<std::uint32_t>& shares) {
            options.shares = {shares[0], shares[1], shares[2]};
          },
          "Parts of the budget, whole numbers: the class counts, each attribute with categories "
          "or bins, each Gaussian one (default 1,1,2)")
      ->expected(3)
      ->delimiter(',')
      ->option_text("C,A,N")
      ->group(kNbGroup);
  command
      .add_option("--nb-trim", options.trim_percent,
                  "nb-smooth, nb-bun-steinke, nb-smooth-delta: percent of the values left out at "
                  "each end before a mean is taken (default 5)")
      ->check(CLI::Range(0U, 49U))
      ->option_text("PERCENT")
      ->group(kNbGroup);
  command
      .add_option_function<std::string>(
          "--nb-delta",
          [&options](const std::string& text) {
            const Result<Delta> delta = Delta::parse(text);
            if (!delta.ok()) throw CLI::ValidationError("--nb-delta", delta.error().message);
            options.delta = *delta;
          },
          "nb-smooth-delta: the delta (default 1e-6)")
      ->option_text("D")
      ->group(kNbGroup);
}

}  // namespace privpfc::cli
