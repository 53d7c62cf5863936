#pragma once

#include <memory>
#include <vector>

#include "privpfc/experiments/contender.h"

namespace privpfc {

using Contenders = std::vector<std::unique_ptr<Contender>>;

void add_privpfc_contenders(Contenders& all);    // PrivPfC and what is learned from its release
void add_direct_contenders(Contenders& all);     // every method of the direct room
void add_baseline_contenders(Contenders& all);   // majority, and learners without noise
void add_published_contenders(Contenders& all);  // the papers' own forms, and ablations

}  // namespace privpfc
