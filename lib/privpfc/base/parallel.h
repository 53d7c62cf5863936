#pragma once

#include <cstddef>
#include <functional>

namespace privpfc {

// How many threads `threads` means: 0 stands for one per core.
std::size_t thread_count(unsigned threads);

// Calls `work` once for each piece 0 .. pieces - 1, on up to `threads` threads (0: one per core),
// in any order. Where `work` throws, as for want of memory, one of the exceptions is thrown here
// once all threads have come to an end.
void run_pieces(std::size_t pieces, unsigned threads, const std::function<void(std::size_t)>& work);

}  // namespace privpfc
