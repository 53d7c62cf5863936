#include "privpfc/evaluation/evaluation.h"

#include <doctest/doctest.h>

#include <set>

#include "evaluation/real_table.h"
#include "privpfc/evaluation/evaluation_report.h"

using namespace privpfc;

namespace {

Evaluation evaluate(const Learned& learned, const RealTable& test, const RealTable* train) {
  EvaluationInputs inputs{test.source(), std::nullopt, {}};
  if (train != nullptr) inputs.train = train->source();
  auto result =
      evaluate_release(learned.release, learned.spaces, learned.models, inputs, 1, [](auto) {});
  REQUIRE_MESSAGE(result.ok(), (result.ok() ? "" : result.error().message));
  return result->value();
}

}  // namespace

TEST_CASE("a release is measured with every classifier, and beside what noise has cost") {
  std::mt19937 random(1);
  const RealTable test(random_lines(random, 400));
  const RealTable train(random_lines(random, 600));
  for (const NumericStyle style : {NumericStyle::kDrawn, NumericStyle::kLabels}) {
    const MadeRelease made(style);
    const Learned learned = learn(made);
    const Evaluation alone = evaluate(learned, test, nullptr);
    CHECK(alone.noise_free.empty());
    CHECK_FALSE(alone.fidelity_on_training_rows);
    const Evaluation both = evaluate(learned, test, &train);
    CHECK(both.fidelity_on_training_rows);
    std::vector<std::string> names;
    for (const MeasuredClassifier& one : both.on_release) names.push_back(one.name);
    CHECK(names == std::vector<std::string>{"nb", "svm", "tree", "logistic", "histogram"});
    for (const std::string& name : names) CHECK(both.without_noise(name) != nullptr);
    CHECK(both.class_rows[0] + both.class_rows[1] + both.class_rows[2] == 400);
    const double share = both.class_rows[learned.models.majority_class] / 400;
    CHECK(both.majority.metrics.error == doctest::Approx(1 - share));
    CHECK(both.fidelity.attributes.size() == learned.spaces.groups.features.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      CHECK(alone.on_release[i].metrics.error == both.on_release[i].metrics.error);
      CHECK(both.best().metrics.error <= both.on_release[i].metrics.error);
    }
    // The rows tell a lot about the class, and the release has kept it.
    CHECK(both.best().metrics.error < both.majority.metrics.error - 0.1);
    CHECK(both.without_noise("tree")->metrics.error < both.majority.metrics.error - 0.1);
  }
}

TEST_CASE("every attribute's distance is that of its groups, also where numbers were drawn") {
  // The same table in two styles has the same cells: what the styles show must agree.
  std::mt19937 random(2);
  const RealTable test(random_lines(random, 300));
  std::string both_buckets = kEveryKind;
  const std::string before = "closed: right, other: 0}";
  both_buckets.replace(both_buckets.find(before), before.size(),
                       "closed: right, outside: other, other: true, missing: [\"\"]}");
  const MadeRelease drawn(NumericStyle::kDrawn, false, "2", both_buckets);
  const MadeRelease labels(NumericStyle::kLabels, false, "2", both_buckets);
  const Evaluation a = evaluate(learn(drawn), test, nullptr);
  const Evaluation b = evaluate(learn(labels), test, nullptr);
  REQUIRE(a.fidelity.attributes.size() == b.fidelity.attributes.size());
  bool saw_both = false;
  for (std::size_t i = 0; i < a.fidelity.attributes.size(); ++i) {
    if (a.fidelity.attributes[i].attribute == "r") {
      // Drawn numbers do not tell values outside the domain from missing ones: one group less.
      saw_both = true;
      CHECK(a.fidelity.attributes[i].alone <= b.fidelity.attributes[i].alone + 1e-9);
      CHECK(a.fidelity.attributes[i].with_label <= b.fidelity.attributes[i].with_label + 1e-9);
      continue;
    }
    CHECK(a.fidelity.attributes[i].alone == doctest::Approx(b.fidelity.attributes[i].alone));
    CHECK(a.fidelity.attributes[i].with_label ==
          doctest::Approx(b.fidelity.attributes[i].with_label));
  }
  CHECK(saw_both);
}

TEST_CASE("a table without rows cannot be measured with") {
  const MadeRelease made;
  const Learned learned = learn(made);
  const RealTable nothing({});
  const auto result = evaluate_release(learned.release, learned.spaces, learned.models,
                                       {nothing.source(), std::nullopt, {}}, 1, [](auto) {});
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::kData);
}

TEST_CASE("each report says in its head that it is for internal use") {
  std::mt19937 random(3);
  const RealTable test(random_lines(random, 100));
  const MadeRelease made;
  const Learned learned = learn(made);
  const Diagnostic<Evaluation> evaluation(evaluate(learned, test, &test));
  CHECK(evaluation_text(learned.release, evaluation)
            .find("\nFor internal use: computed on real rows. ") < 80);
  const std::string json = evaluation_json(learned.release, evaluation);
  CHECK(json.find("\"may_be_published\": false") < 100);
  const std::string page = evaluation_page(learned.release, evaluation);
  const std::size_t notice =
      page.find("<h2 id=\"notice\">For internal use: computed on real rows</h2>");
  CHECK(notice != std::string::npos);
  CHECK(notice < page.find("<main>"));
}
