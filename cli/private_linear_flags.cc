#include "private_linear_flags.h"

namespace privpfc::cli {

// What is out of range is refused by the method's own check, which knows epsilon.
void add_linear_flags(CLI::App& command, LinearDirectOptions& options) {
  command.add_option("--lambda", options.lambda,
                     "--private svm-..., logistic-objective: the penalty, as a public number "
                     "(default: by the method's rule)");
  command.add_option("--huber-width", options.huber_width,
                     "--private svm-...: of the rounded part of the loss (default 0.05)");
  command.add_option("--regularisation", options.regularisation,
                     "--private svm-...: lambda per row of the noisy number of rows "
                     "(default 0.00316)");
  command
      .add_option(
          "--linear-attributes", options.attributes,
          "--private svm-objective, svm-output, logistic-objective: use so many attributes, "
          "chosen privately (default: all; logistic-objective three fifths where epsilon "
          "times the rows is below 1,500)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{65'000}));
  command.add_option("--rff-frequencies", options.fourier.frequencies,
                     "--private svm-objective-rff: random frequencies (default 50)");
  command.add_option("--rff-gamma", options.fourier.gamma,
                     "--private svm-objective-rff: of the kernel (default: 1 over the number of "
                     "attributes)");
  command.add_option("--rff-seed", options.fourier.seed,
                     "--private svm-objective-rff: of the frequencies; public (default 1)");
}

}  // namespace privpfc::cli
