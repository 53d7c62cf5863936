#include "privpfc/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
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
  std::mutex problem_mutex;
  std::exception_ptr problem;
  const auto run = [&] {
    try {
      for (std::size_t piece = next++; piece < pieces; piece = next++) work(piece);
    } catch (...) {
      const std::lock_guard lock(problem_mutex);
      if (!problem) problem = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    try {
      for (std::size_t i = 1; i < count; ++i) helpers.emplace_back(run);
    } catch (const std::system_error&) {
      // The system gives no more threads: those that there are do the work.
    }
    run();
  }
  if (problem) std::rethrow_exception(problem);
}

}  // namespace privpfc
