#include "privpfc/pipeline/publish_memory.h"

#include <doctest/doctest.h>

#include "privpfc/pipeline/publish.h"
#include "support/random_tables.h"
#include "support/recording_mechanisms.h"
#include "support/seeded_bits.h"
#include "support/test_budget.h"

using namespace privpfc;

TEST_CASE("a run that remembers earlier ones asks and answers as one that does not") {
  Random random(11);
  for (int round = 0; round < 40; ++round) {
    const Schema schema = random_schema(random, between(random, 2, 6), between(random, 2, 4));
    const Private<EncodedTable> table(
        encoded(schema, random_rows(random, schema, between(random, 50, 400))));
    PublishMemory memory(1.3);
    PublishOptions options;
    if (round % 3 == 0) options.limits.grids = 64;  // feature selection, perhaps a sample
    for (std::uint64_t run = 0; run < 6; ++run) {
      const Epsilon epsilon = Epsilon::parse(run < 4 ? "1" : "0.3").value();
      SeededBits bits(run);
      SeededBits same_bits(run);
      RecordingMechanisms with(bits);
      RecordingMechanisms without(same_bits);
      publish(
          table, schema, options, with, TestBudget::of(epsilon), [](auto) {}, &memory);
      publish(table, schema, options, without, TestBudget::of(epsilon), [](auto) {});
      REQUIRE(with.calls().size() == without.calls().size());
      for (std::size_t i = 0; i < with.calls().size(); ++i) {
        CHECK(with.calls()[i].input == without.calls()[i].input);
        CHECK(with.calls()[i].answer == without.calls()[i].answer);
      }
    }
  }
}
