#include "privpfc/evaluation/paid_evaluation.h"

#include <doctest/doctest.h>

#include "evaluation/real_table.h"
#include "pipeline/neighbours.h"
#include "privpfc/evaluation/evaluation.h"
#include "privpfc/evaluation/evaluation_report.h"
#include "privpfc/evaluation/paid_report.h"
#include "support/recording_mechanisms.h"

using namespace privpfc;

// Every mechanism call is written down; a run on a neighbouring table of held-out rows gets the
// same answers. Then nothing that comes out may differ, not by a byte.

namespace {

struct Outputs {
  std::string text;
  std::string json;
  std::string page;
  friend bool operator==(const Outputs&, const Outputs&) = default;
};

Outputs pay(const Learned& learned, const std::vector<std::string>& lines,
            RecordingMechanisms& mechanisms, std::string_view epsilon = "0.5") {
  const RealTable table(lines, learned.release.schema.person ? "id," : "");
  auto rows = read_real_rows(table.source(), learned.release.schema, learned.spaces);
  REQUIRE(rows.ok());
  const Released<PaidEvaluation> paid =
      pay_for_evaluation(Private<RealRows>(*std::move(rows)), learned.models,
                         learned.release.schema, mechanisms, TestBudget::of(epsilon));
  return {paid_text(learned.release, paid), paid_json(learned.release, paid),
          paid_page(learned.release, paid)};
}

std::string internally(const Learned& learned, const std::vector<std::string>& lines) {
  const RealTable table(lines);
  const auto result = evaluate_release(learned.release, learned.spaces, learned.models,
                                       {table.source(), std::nullopt, {}}, 1, [](auto) {});
  REQUIRE(result.ok());
  return evaluation_text(learned.release, *result);
}

}  // namespace

TEST_CASE("with the same noisy answers a neighbouring table gives the same bytes: 200 pairs") {
  const MadeRelease made;
  const Learned learned = learn(made);
  std::mt19937 random(1);
  std::size_t seen_internally = 0;
  std::size_t at_the_bound = 0;
  for (std::uint64_t round = 0; round < 200; ++round) {
    CAPTURE(round);
    const std::vector<std::string> fewer = random_lines(random, random() % 60);
    std::vector<std::string> more = fewer;
    more.insert(more.begin() + static_cast<std::ptrdiff_t>(random() % (more.size() + 1)),
                random_line(random));
    SeededBits bits(round);
    RecordingMechanisms recorder(bits);
    const Outputs first = pay(learned, fewer, recorder);
    RecordingMechanisms replay(recorder.calls());
    const Outputs second = pay(learned, more, replay);
    REQUIRE(first == second);
    REQUIRE(broken_rule(recorder.calls(), replay.calls()) == "");
    // One call: rows and right predictions of five classifiers, by three classes.
    REQUIRE(recorder.calls().size() == 1);
    CHECK(recorder.calls()[0].input.size() == 6 * 3);
    CHECK(recorder.calls()[0].sensitivity == 6);
    CHECK(recorder.spent() == eps("0.5"));
    std::int64_t distance = 0;
    for (std::size_t i = 0; i < 18; ++i) {
      distance += std::abs(recorder.calls()[0].input[i] - replay.calls()[0].input[i]);
    }
    at_the_bound += distance == 6 ? 1 : 0;
    if (!fewer.empty() && round < 20) {
      seen_internally += internally(learned, fewer) != internally(learned, more) ? 1 : 0;
    }
  }
  CHECK(at_the_bound > 50);     // the sensitivity is not larger than it must be
  CHECK(seen_internally > 15);  // and the comparison would see what is not paid for
}

TEST_CASE(
    "with a person of many held-out rows more, the same bytes, and two rows' change: 60 pairs") {
  const MadeRelease made(NumericStyle::kDrawn, false, "2",
                         std::string(kEveryKind) + "person: {column: id, most_rows: 2}\n");
  const Learned learned = learn(made);
  std::mt19937 random(7);
  std::size_t beyond_one_row = 0;
  for (std::uint64_t round = 0; round < 60; ++round) {
    CAPTURE(round);
    std::vector<std::string> fewer;
    for (const std::string& line : random_lines(random, random() % 60)) {
      fewer.push_back(std::to_string(random() % 20) + "," + line);
    }
    std::vector<std::string> more = fewer;
    for (std::size_t i = 0; i < 10; ++i) {
      more.insert(more.begin() + static_cast<std::ptrdiff_t>(random() % (more.size() + 1)),
                  "new," + random_line(random));
    }
    SeededBits bits(round);
    RecordingMechanisms recorder(bits);
    const Outputs first = pay(learned, fewer, recorder);
    RecordingMechanisms replay(recorder.calls());
    const Outputs second = pay(learned, more, replay);
    REQUIRE(first == second);
    REQUIRE(broken_rule(recorder.calls(), replay.calls(), 2) == "");
    beyond_one_row += broken_rule(recorder.calls(), replay.calls(), 1) != "" ? 1 : 0;
    CHECK(recorder.spent() == eps("0.25"));
    CHECK(first.json.find("\"epsilon\": \"0.5\"") != std::string::npos);
    CHECK(first.json.find("\"epsilon_per_row\": \"0.25\"") != std::string::npos);
    for (const std::string& output : {first.json, first.page}) {
      CHECK(output.find("one person (all rows with the same id; at most 2 are used)") !=
            std::string::npos);
    }
    CHECK(first.text.find("(unit: one person") != std::string::npos);
  }
  CHECK(beyond_one_row > 30);
}

TEST_CASE("other noisy answers give other figures") {
  const MadeRelease made;
  const Learned learned = learn(made);
  std::mt19937 random(2);
  const std::vector<std::string> lines = random_lines(random, 100);
  SeededBits bits(1);
  RecordingMechanisms one(bits);
  RecordingMechanisms other(bits);
  const Outputs first = pay(learned, lines, one);
  const Outputs second = pay(learned, lines, other);
  CHECK(first.text != second.text);
  CHECK(first.json != second.json);
  CHECK(first.page != second.page);
}

TEST_CASE("with a large epsilon the figures are the true ones, and the intervals Wilson's") {
  const MadeRelease made;
  const Learned learned = learn(made);
  std::mt19937 random(3);
  const RealTable table(random_lines(random, 500));
  auto rows = read_real_rows(table.source(), learned.release.schema, learned.spaces);
  REQUIRE(rows.ok());
  SeededBits bits(1);
  RecordingMechanisms mechanisms(bits);
  const Released<PaidEvaluation> paid =
      pay_for_evaluation(Private<RealRows>(*std::move(rows)), learned.models,
                         learned.release.schema, mechanisms, TestBudget::of("1000"));
  const auto exact = evaluate_release(learned.release, learned.spaces, learned.models,
                                      {table.source(), std::nullopt, {}}, 1, [](auto) {});
  REQUIRE(exact.ok());
  for (std::size_t i = 0; i < 5; ++i) {
    const Metrics& metrics = exact->value().on_release[i].metrics;
    const PaidClassifier& noisy = paid.value().on_release[i];
    CHECK(noisy.error.value == doctest::Approx(metrics.error));
    CHECK(noisy.error.interval.low == doctest::Approx(metrics.interval.low));
    CHECK(noisy.error.interval.high == doctest::Approx(metrics.interval.high));
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK(noisy.recalls[c]->value == doctest::Approx(*metrics.recalls[c]));
    }
  }
  CHECK(paid.value().majority.error.value ==
        doctest::Approx(exact->value().majority.metrics.error));
}

TEST_CASE("no rows at all, and the least epsilon, are answered like any others") {
  const MadeRelease made;
  const Learned learned = learn(made);
  for (const char* epsilon : {"0.000000001", "0.001", "3"}) {
    SeededBits bits(9);
    RecordingMechanisms mechanisms(bits);
    const Outputs outputs = pay(learned, {}, mechanisms, epsilon);
    CHECK(outputs.json.find("nan") == std::string::npos);
    CHECK(outputs.json.find("inf") == std::string::npos);
    CHECK(outputs.page.find("nan") == std::string::npos);
  }
}

TEST_CASE("where the noise hides the error there is a dash, and no classifier is called the best") {
  const MadeRelease made;
  const Learned learned = learn(made);
  std::mt19937 random(6);
  const std::vector<std::string> lines = random_lines(random, 300);
  const auto holds = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  SeededBits bits(9);
  RecordingMechanisms mechanisms(bits);
  const Outputs hidden = pay(learned, lines, mechanisms, "0.001");
  CHECK_FALSE(holds(hidden.page, "does best"));
  CHECK_FALSE(holds(hidden.page, "svg class=\"plot\""));
  CHECK(holds(hidden.page, "The noise hides how often"));
  for (const std::string& shown : {hidden.page, hidden.text}) {
    CHECK_FALSE(holds(shown, "100.0 %"));
    CHECK_FALSE(holds(shown, " 0.0 %"));
  }
  CHECK(holds(hidden.text, "A dash stands where"));
  CHECK(holds(hidden.json, "\"high\": 1.0"));  // the interval says it all

  const Outputs shown = pay(learned, lines, mechanisms, "1000");
  CHECK(holds(shown.page, "does best"));
  CHECK(holds(shown.page, "svg class=\"plot\""));
  CHECK_FALSE(holds(shown.text, "A dash stands where"));
}

TEST_CASE("the intervals cover the true error 95 % of the time (significance 1e-6)") {
  // The law of a paid share, simulated: rows of which a share p is wrong, noise on both counts of
  // both classes.
  std::mt19937 random(4);
  SeededBits bits(5);
  for (const auto& [count, epsilon] : {std::pair{2000, "0.3"}, std::pair{300, "2"}}) {
    const double p = 0.2;
    int covered = 0;
    constexpr int kRuns = 2000;
    for (int run = 0; run < kRuns; ++run) {
      std::vector<std::int64_t> counts(4, 0);  // rows by class, right predictions by class
      for (int i = 0; i < count; ++i) {
        const std::size_t label = random() % 3 == 0 ? 1 : 0;
        ++counts[label];
        if (std::generate_canonical<double, 32>(random) >= p) ++counts[2 + label];
      }
      const std::vector<std::int64_t> noisy =
          add_noise(bits, counts, L1Sensitivity(2), eps(epsilon));
      const double scale = std::stod(epsilon) / 2;
      const double alpha = std::exp(-scale);
      const double v = 2 * alpha / ((1 - alpha) * (1 - alpha));
      const double rows = static_cast<double>(noisy[0] + noisy[1]);
      const double share = std::clamp(static_cast<double>(noisy[2] + noisy[3]) / rows, 0.0, 1.0);
      const ShareInterval interval =
          wilson_interval(share, rows, std::sqrt(2 * v * (1 + share * share)) / rows);
      covered += interval.low <= 1 - p && 1 - p <= interval.high ? 1 : 0;
    }
    // Of 2,000 runs at 95 % fewer than 1,851 are covered with probability below 1e-6.
    CHECK(covered >= 1851);
    CHECK(covered <= 1980);
  }
}
