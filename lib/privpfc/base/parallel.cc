#include "privpfc/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace privpfc {

std::size_t thread_count(unsigned threads) {
  return threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : threads;
}

void run_pieces(std::size_t pieces, unsigned threads,
                const std::function<void(std::size_t)>& work) {
  const std::size_t count = std::min(thread_count(threads), pieces);
  if (count <= 1) {
    for (std::size_t piece = 0; piece < pieces; ++piece) work(piece);
    return;
  }
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t piece = next++; piece < pieces; piece = next++) work(piece);
  };
  std::vector<std::jthread> helpers;
  for (std::size_t i = 1; i < count; ++i) helpers.emplace_back(run);
  run();
}

}  // namespace privpfc
