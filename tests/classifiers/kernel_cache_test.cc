#include "privpfc/classifiers/kernel_cache.h"

#include "classifiers/generated.h"
#include "privpfc/classifiers/input_vectors.h"

using namespace privpfc;
using namespace privpfc::testing;

TEST_CASE("rows that are forgotten, and rows that grow, take no memory beyond the limit") {
  constexpr std::size_t kLimit = std::size_t{64} << 10;
  const Dataset data = generated_data(2, 600, 1);
  const InputVectors inputs =
      InputMap::fit(generated_space(2), data, Scaling::kStandard).map(data.rows, 0, data.count());
  const KernelPoints points(inputs, {});
  KernelCache cache(points, kLimit);
  for (const std::size_t length : {data.count() / 3, data.count() / 2, data.count()}) {
    for (std::size_t i = 0; i < data.count(); ++i) {
      CHECK(cache.row(i, length)[i % length] == points.value(i, i % length));
      REQUIRE(cache.bytes() <= kLimit);
    }
  }
}
