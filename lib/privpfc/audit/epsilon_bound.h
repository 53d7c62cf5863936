#pragma once

#include <cstddef>

namespace privpfc {

// Clopper and Pearson's exact bounds: something that has happened in `hits` of `runs` independent
// runs has a probability of at least (at most) this. Each is wrong with probability `significance`
// at most. Requires runs > 0, hits <= runs.
double share_at_least(std::size_t hits, std::size_t runs, double significance);
double share_at_most(std::size_t hits, std::size_t runs, double significance);

// An event happened `often` times in `runs` runs on one table and `seldom` times in as many on its
// neighbour. Whoever promises (epsilon, delta) for both then has at least this epsilon; 0 where the
// counts show nothing. Wrong with probability 2 * significance at most.
double epsilon_at_least(std::size_t often, std::size_t seldom, std::size_t runs,
                        double significance, double delta = 0);

// Whether so many runs on each table can tell anything about a claim: a program that has twice the
// claimed epsilon, attacked in the best way, would be refuted by what it most likely shows. With
// fewer runs hardly anything would be, so that nothing follows from a claim that was not.
bool are_enough_runs(std::size_t runs, double claimed, double significance, double delta = 0);

}  // namespace privpfc
