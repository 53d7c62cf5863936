#pragma once

#include <string>

#include "privpfc/release/manifest.h"

namespace privpfc::cli {

// What a release holds and promises, in one screen.
std::string describe_release(const Manifest& manifest, const Schema& schema);

// Epsilon by step, as a bar.
std::string epsilon_bar(const Manifest& manifest);

}  // namespace privpfc::cli
