#pragma once

#include <string_view>

#include "privpfc/pipeline/publish.h"
#include "privpfc/privacy/kernel.h"
#include "privpfc/release/release_writer.h"
#include "scratch_folder.h"
#include "support/seeded_bits.h"
#include "support/test_budget.h"

namespace privpfc::fuzz {

// Publishes with the mechanisms as they ship, on seeded bits.
inline Released<Synopsis> publish_seeded(EncodedTable table, const Schema& schema,
                                         const PublishOptions& options, Epsilon epsilon) {
  SeededBits bits(1);
  Kernel kernel(bits);
  return publish(Private<EncodedTable>(std::move(table)), schema, options, kernel,
                 TestBudget::of(epsilon), [](std::string_view) {});
}

inline void write_release_to(const std::filesystem::path& place, const Released<Synopsis>& synopsis,
                             const Schema& schema, NumericStyle style, std::uint64_t most_rows) {
  auto staging = StagingDirectory::create(place);
  check(staging.ok());
  check(write_release(std::move(*staging), synopsis, schema, style, 0x1234, most_rows).ok());
}

}  // namespace privpfc::fuzz
