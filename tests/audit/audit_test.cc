#include "privpfc/audit/audit.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "privpfc/audit/adversarial_pairs.h"
#include "privpfc/direct/methods.h"
#include "support/effort.h"
#include "support/seeded_bits.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

// Seeded: the same test, the same verdict. A sound subject would be called broken by one seed in a
// thousand.
AuditOptions options(std::size_t runs, std::uint64_t seed) {
  AuditOptions how;
  how.runs = runs;
  how.significance = 1e-3;
  how.threads = 1;
  how.bits = [seed](std::uint64_t piece) {
    return std::make_unique<SeededBits>(seed * 1'000'003 + piece);
  };
  return how;
}

AuditPair pair_named(std::vector<AuditPair> pairs, std::string_view name) {
  for (AuditPair& pair : pairs) {
    if (pair.name == name) return std::move(pair);
  }
  FAIL("no such pair");
  return {};
}

AuditPair publish_pair(std::string_view name, std::string_view epsilon) {
  return pair_named(publish_pairs(eps(epsilon)).value(), name);
}

AuditPair direct_pair(std::string_view method, std::string_view name, std::string_view epsilon) {
  std::shared_ptr<const DirectMethod> found = find_direct_method(method, {}).value();
  return pair_named(direct_pairs(found, eps(epsilon)).value(), name);
}

// Says that it has epsilon 1, and does something else.
class Sabotaged final : public AuditSubject {
 public:
  enum class How { kLessNoise, kTrueRows, kFixedSeed };
  Sabotaged(How how, std::unique_ptr<AuditSubject> inner) : how_(how), inner_(std::move(inner)) {}

  Epsilon epsilon() const override { return eps("1"); }
  Delta delta() const override { return inner_->delta(); }
  void run(Side side, BitSource& bits, Observer& observer) const override {
    SeededBits same(1);
    inner_->run(side, how_ == How::kFixedSeed ? same : bits, observer);
    if (how_ == How::kTrueRows) observer.add("rows in the log", side == Side::kWith ? 81 : 80);
  }

 private:
  How how_;
  std::unique_ptr<AuditSubject> inner_;
};

AuditedPair audited(AuditPair pair, std::size_t runs, std::uint64_t seed) {
  return audit_pair(pair, options(runs, seed));
}

AuditPair sabotage(Sabotaged::How how, AuditPair pair) {
  pair.subject = std::make_unique<Sabotaged>(how, std::move(pair.subject));
  return pair;
}

}  // namespace

TEST_CASE("publishing is not refuted on any of the pairs (1e-3, seeded)") {
  std::vector<AuditPair> pairs = publish_pairs(eps("1")).value();
  for (AuditPair& pair : pairs) {
    CAPTURE(pair.name);
    const AuditedPair found = audited(std::move(pair), kFullPower ? 300 : 30, 1);
    CHECK(found.holds());
    CHECK(found.claimed() == 1);
  }
}

TEST_CASE("where one step has nearly all of epsilon the audit comes close to it (1e-3, seeded)") {
  if (!kFullPower) return;
  // By pair: the runs that it takes.
  const std::map<std::string, std::size_t> runs{{"class-counts", 12'000},
                                                {"histogram", 12'000},
                                                {"grid-selection", 20'000},
                                                {"columns", 12'000},
                                                {"feature-selection", 45'000}};
  std::size_t sharp = 0;
  const std::vector<AuditPair> pairs = publish_pairs(eps("1")).value();
  for (const AuditPair& pair : pairs) {
    CAPTURE(pair.name);
    CHECK(pair.is_sharp == runs.contains(pair.name));
    if (!pair.is_sharp) continue;
    const AuditedPair found = audit_pair(pair, options(runs.at(pair.name), 2));
    CHECK(found.bound() >= kSharpEnough);
    CHECK(found.bound() <= 1);
    ++sharp;
  }
  CHECK(sharp == runs.size());
}

TEST_CASE("mutant: half the noise is called broken") {
  const std::size_t runs = kFullPower ? 1'500 : 500;
  CHECK_FALSE(audited(sabotage(Sabotaged::How::kLessNoise, publish_pair("histogram", "2")), runs, 3)
                  .holds());
}

TEST_CASE("mutant: the true number of rows in the output is called broken") {
  const AuditedPair found =
      audited(sabotage(Sabotaged::How::kTrueRows, publish_pair("canary", "1")), 500, 4);
  CHECK_FALSE(found.holds());
  CHECK(found.events[0].words.find("rows in the log") != std::string::npos);
}

TEST_CASE("mutant: a fixed seed is called broken") {
  CHECK_FALSE(
      audited(sabotage(Sabotaged::How::kFixedSeed, publish_pair("empty", "1")), 500, 5).holds());
}

TEST_CASE(
    "where the label has all of epsilon, direct methods are seen to spend it (1e-3, seeded)") {
  const std::size_t runs = kFullPower ? 40'000 : 2'000;
  for (const std::string_view method : {"nb-laplace", "tree-cart", "tree-mohammed"}) {
    CAPTURE(method);
    const AuditedPair seen = audited(direct_pair(method, "label", "1"), runs, 8);
    CHECK(seen.is_sharp);
    CHECK(seen.holds());
    CHECK(seen.bound() >= (kFullPower ? kSharpEnough : 0.5));
  }
  CHECK_FALSE(direct_pair("forest-random", "label", "1").is_sharp);
}

TEST_CASE("a method that needs attributes is audited without the pair that has none") {
  std::shared_ptr<const DirectMethod> method = find_direct_method("nb-smooth-delta", {}).value();
  const auto pairs = direct_pairs(method, eps("1"));
  REQUIRE(pairs.ok());
  for (const AuditPair& pair : *pairs) CHECK(pair.name != "label");
}

TEST_CASE("direct methods are not refuted; with too little noise they are (1e-3, seeded)") {
  const std::size_t runs = kFullPower ? 250 : 20;
  for (const char* method : {"nb-laplace", "nb-smooth-delta", "tree-cart"}) {
    CAPTURE(method);
    CHECK(audited(direct_pair(method, "canary", "1"), runs, 6).holds());
  }
  CHECK_FALSE(
      audited(sabotage(Sabotaged::How::kLessNoise, direct_pair("nb-laplace", "empty", "6")), 500, 7)
          .holds());
}

TEST_CASE("a choice that was made is told as such, and not as a number (1e-3, seeded)") {
  const std::string words = "the features selected were ";
  const AuditedPair found = audited(publish_pair("feature-selection", "1"), 2'000, 8);
  bool is_told = false;
  for (const AuditedEvent& event : found.events) {
    CAPTURE(event.words);
    const std::size_t at = event.words.find(words);
    if (at == std::string::npos) continue;
    is_told = true;
    CHECK(event.words.substr(at, event.words.find(" and ", at) - at).find('=') ==
          std::string::npos);
  }
  CHECK(is_told);
}

TEST_CASE("events are chosen on some runs and counted on others") {
  // Pure chance, and so much of it that some event always looks good on the runs it was chosen on.
  class Chance final : public AuditSubject {
   public:
    Epsilon epsilon() const override { return eps("0.000000001"); }
    void run(Side, BitSource& bits, Observer& observer) const override {
      for (int i = 0; i < 60; ++i) {
        observer.add("coin " + std::to_string(i), static_cast<double>(bits.bits(5)));
      }
    }
  };
  AuditPair pair{"chance", "chance", "", false, std::make_unique<Chance>()};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    CHECK(audit_pair(pair, options(400, seed)).holds());
  }
}

TEST_CASE("tables that are no neighbours are refused") {
  const auto pairs = publish_pairs(eps("1"));
  REQUIRE(pairs.ok());
  AuditTable one;
  AuditTable other;
  EncodedBatch batch;
  batch.rows = 2;
  batch.classes = {0, 1};
  batch.codes.emplace_back(std::vector<std::uint8_t>{3, 4});
  one.encoded.append(batch);
  CHECK(row_apart(one, one).error().kind == ErrorKind::kData);
  batch.rows = 3;
  batch.classes = {0, 1, 0};
  batch.codes[0] = std::vector<std::uint8_t>{3, 5, 4};
  other.encoded.append(batch);
  CHECK(row_apart(one, other).error().kind == ErrorKind::kData);  // 4 has another class there
  batch.classes = {0, 0, 1};
  AuditTable neighbour;
  neighbour.encoded.append(batch);
  const RowApart row = row_apart(one, neighbour).value();
  CHECK(row.position == 1);
  CHECK(row.leaves[0] == 5);
  CHECK_FALSE(row.is_in_first);
  CHECK(row_apart(neighbour, one).value().is_in_first);
}
