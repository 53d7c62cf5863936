#pragma once

// For the sources of this room only: what reports in JSON have in common.

#include <nlohmann/json.hpp>

#include "privpfc/evaluation/interval.h"
#include "privpfc/release/release_reader.h"

namespace privpfc {

using Json = nlohmann::ordered_json;

inline Json share_json(double value, const ShareInterval& interval) {
  return {{"value", value}, {"low", interval.low}, {"high", interval.high}};
}

inline Json release_json(const Release& release) {
  return {{"name", release.manifest.name},
          {"epsilon", release.manifest.epsilon.to_string()},
          {"synthetic_rows", release.manifest.synthetic_rows},
          {"cells", release.manifest.cell_count},
          {"schema_sha256", release.manifest.schema_sha256}};
}

}  // namespace privpfc
