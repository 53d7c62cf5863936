#pragma once

#include <string>
#include <vector>

#include "privpfc/classifiers/dataset.h"
#include "privpfc/evaluation/release_models.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/table/data_check.h"

namespace privpfc {

// Where rows of real people are read from.
struct RealSource {
  std::vector<std::string> paths;
  bool ignore_extra_columns = false;
  unsigned threads = 0;
  ReaderLimits limits{};
  bool caps_persons = true;  // as EncoderOptions has it
};

// Real rows in the views of a release: mapped to its grid, and with their own numbers where the
// release has numbers.
struct RealRows {
  Dataset as_released;
  Dataset groups;
  Dataset grid;

  const Dataset& operator[](ReleaseView view) const;
};
// `unread` is for the curator's eyes only: paid figures are read without it.
Result<RealRows> read_real_rows(const RealSource& source, const Schema& schema,
                                const ReleaseSpaces& spaces, UnreadValues* unread = nullptr);

// Real rows as they are.
Result<Dataset> read_plain_rows(const RealSource& source, const Schema& schema,
                                const FeatureSpace& space, UnreadValues* unread = nullptr);

}  // namespace privpfc
