#pragma once

// Internal to the release room: the files that are written for people and for catalogues.

#include <string>

#include "privpfc/release/manifest.h"

namespace privpfc::internal {

std::string release_readme(const Manifest& manifest, const Schema& schema);
std::string release_croissant(const Manifest& manifest, const Schema& schema,
                              const std::vector<OutputColumn>& columns);

}  // namespace privpfc::internal
