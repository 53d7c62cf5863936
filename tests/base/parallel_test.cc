#include "privpfc/base/parallel.h"

#include <doctest/doctest.h>

#include <atomic>
#include <new>

using namespace privpfc;

TEST_CASE("every piece is done once, on any number of threads") {
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::atomic<std::size_t> sum = 0;
    run_pieces(100, threads, [&](std::size_t piece) { sum += piece + 1; });
    CHECK(sum == 5050);
  }
}

TEST_CASE("what is thrown on any thread is thrown to the caller") {
  for (const unsigned threads : {1U, 2U, 7U}) {
    CHECK_THROWS_AS(run_pieces(100, threads, [](std::size_t) { throw std::bad_alloc(); }),
                    std::bad_alloc);
  }
}
