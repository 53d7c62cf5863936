#include <doctest/doctest.h>

#include <functional>
#include <limits>

#include "direct/direct_schema.h"
#include "privpfc/classifiers/model_file.h"
#include "privpfc/direct/methods.h"
#include "privpfc/privacy/kernel.h"
#include "support/direct_replay.h"
#include "support/effort.h"

using namespace privpfc;

namespace {

// An option at an end of its range or beyond, for the methods whose names begin so.
struct Extreme {
  std::string_view methods;
  std::function<void(DirectOptions&)> set;
};

std::vector<Extreme> extremes() {
  std::vector<Extreme> all{{"", [](DirectOptions&) {}}};
  const auto add = [&](std::string_view methods, auto set) { all.push_back({methods, set}); };
  add("nb-", [](auto& o) { o.naive_bayes.numbers = NaiveBayesDirectOptions::Numbers::kGaussian; });
  add("nb-", [](auto& o) {
    o.naive_bayes.numbers = NaiveBayesDirectOptions::Numbers::kGaussian;
    o.naive_bayes.density = NaiveBayesOptions::Density::kTruncated;
  });
  add("nb-", [](auto& o) { o.naive_bayes.shares = {1'000, 1, 1}; });
  add("nb-", [](auto& o) { o.naive_bayes.shares = {1, 1, 1'000}; });
  add("nb-", [](auto& o) { o.naive_bayes.trim_percent = 0; });
  add("nb-", [](auto& o) { o.naive_bayes.trim_percent = 49; });
  for (const std::uint64_t units :
       {std::uint64_t{1}, std::uint64_t{5}, std::uint64_t{6}, Delta::kUnitsPerOne - 1}) {
    add("nb-smooth-delta", [=](auto& o) { o.naive_bayes.delta = Delta::from_units(units); });
  }
  for (const char* methods : {"svm-", "logistic-"}) {
    add(methods, [](auto& o) { o.linear.lambda = 1e9; });
    add(methods, [](auto& o) { o.linear.attributes = 1; });
    add(methods, [](auto& o) { o.linear.attributes = 65'000; });
  }
  add("svm-", [](auto& o) { o.linear.huber_width = 0.001; });
  add("svm-", [](auto& o) { o.linear.huber_width = 1; });
  add("svm-", [](auto& o) { o.linear.regularisation = std::numeric_limits<double>::min(); });
  add("svm-", [](auto& o) { o.linear.regularisation = 1; });
  add("svm-objective-rff", [](auto& o) { o.linear.fourier.frequencies = 1; });
  add("svm-objective-rff",
      [](auto& o) { o.linear.fourier.seed = std::numeric_limits<std::uint64_t>::max(); });
  for (const double gamma : {std::numeric_limits<double>::min(), 1e-10, 1e-9, 1e6, 2e6}) {
    add("svm-objective-rff", [=](auto& o) { o.linear.fourier.gamma = gamma; });
  }
  for (const char* methods : {"tree-", "forest-"}) {
    add(methods, [](auto& o) { o.trees.depth = 1; });
    add(methods, [](auto& o) { o.trees.prune = false; });
    add(methods, [](auto& o) { o.trees.seed = std::numeric_limits<std::uint64_t>::max(); });
    for (const SplitScore score : {SplitScore::kErrors, SplitScore::kEntropy}) {
      add(methods, [=](auto& o) { o.trees.score = score; });
    }
  }
  // Deeper trees and larger forests would only take longer.
  add("tree-", [](auto& o) { o.trees.depth = 12; });
  add("forest-", [](auto& o) {
    o.trees.trees = 1;
    o.trees.depth = 12;
  });
  add("forest-", [](auto& o) {
    o.trees.trees = 200;
    o.trees.depth = 1;
  });
  return all;
}

bool is_refused_or_read_again(const DirectMethod& method, Epsilon epsilon) {
  SavedModel saved;
  saved.schema = direct_schema();
  saved.views = method.views(saved.schema, epsilon);
  saved.space = make_feature_space(saved.schema, saved.views).value();
  saved.guarantee = "test";
  const DirectSetting setting{saved.schema, saved.space};
  if (!method.check(setting, epsilon).ok()) return true;
  Random random(1);
  const Private<Dataset> rows(random_direct_rows(random, saved.space, 60));
  SeededBits bits(2);
  Kernel kernel(bits);
  saved.model =
      method.train(rows, setting, kernel, TestBudget::of(epsilon, method.delta())).value();
  return read_model(write_model(saved)).ok();
}

}  // namespace

TEST_CASE("whatever the options, a model that is paid for can be read again, or is refused") {
  for (const char* epsilon : {"0.001", "1", "1000"}) {
    if (!kFullPower && std::string_view(epsilon) != "1") continue;
    for (const Extreme& extreme : extremes()) {
      DirectOptions options;
      extreme.set(options);
      for (const auto& method : direct_methods(options)) {
        if (!method->name().starts_with(extreme.methods)) continue;
        CAPTURE(std::string(epsilon));
        CAPTURE(method->name());
        CHECK(is_refused_or_read_again(*method, eps(epsilon)));
      }
    }
  }
}
