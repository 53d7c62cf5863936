#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/io/table_writer.h"
#include "privpfc/sample/sample_schema.h"

namespace privpfc {

struct SampleOptions {
  std::uint64_t rows = 0;
  std::uint64_t seed = 1;
  SampleClasses classes = SampleClasses::kTwo;
};

// The columns that a writer of the sample needs.
std::vector<OutputColumn> sample_columns(SampleClasses classes);

// Rows of the sample as columns, ready to be written. Reused from batch to batch.
class SampleBatch {
 public:
  explicit SampleBatch(SampleClasses classes) : classes_(classes) {}
  // Rows `first` to `first + count - 1` of the table with this seed. They do not depend on how the
  // table is cut into batches, nor on how many rows it has.
  void fill(std::uint64_t seed, std::uint64_t first, std::size_t count);
  // One per column of sample_columns(); valid until the next fill().
  std::vector<OutputSlice> slices() const;

 private:
  SampleClasses classes_;
  std::vector<std::int64_t> age_, earlier_stays_, stay_days_, medications_;
  std::vector<double> haemoglobin_;
  std::vector<std::int32_t> admitted_;
  std::vector<std::uint8_t> sex_, source_, diagnosis_, severity_, lives_alone_, discharged_to_,
      readmitted_, haemoglobin_known_, lives_alone_known_;
};

// Writes the sample batch by batch, in bounded memory; the caller closes the writer. `progress`
// hears the number of rows done so far.
Status write_sample(const SampleOptions& options, TableWriter& writer,
                    const std::function<void(std::uint64_t)>& progress = {});

}  // namespace privpfc
