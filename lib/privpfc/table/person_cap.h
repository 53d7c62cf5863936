#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "privpfc/io/column_view.h"

namespace privpfc {

// Whom a row belongs to: 128 bits of BLAKE2b of the id's text. The id itself is not kept.
struct PersonKey {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const PersonKey&, const PersonKey&) = default;
};

// By row; none where a row has no id (null, empty, not a number). Numbers are hashed as their
// shortest decimal text, so that CSV and Parquet agree. Each id by itself: may be called on several
// threads at once.
using PersonKeys = std::vector<std::optional<PersonKey>>;
PersonKeys person_keys(const ColumnView& ids);

// Lets at most `most_rows` rows of each person through, the first that come; rows without an id
// never. Proof: person_cap.md. Nothing that is published may depend on the figures below.
class PersonCap {
 public:
  explicit PersonCap(std::size_t most_rows);

  // Which of these rows are kept, in their order. Batches must come in the order of the rows.
  std::vector<std::size_t> keep(const PersonKeys& keys);

  // For the curator's eyes only.
  std::uint64_t persons() const { return rows_of_.size(); }
  std::uint64_t rows_beyond() const { return rows_beyond_; }
  std::uint64_t rows_without_id() const { return rows_without_id_; }

 private:
  struct Hash {
    std::size_t operator()(const PersonKey& key) const { return key.low; }
  };

  std::size_t most_rows_;
  std::unordered_map<PersonKey, std::uint32_t, Hash> rows_of_;  // kept so far
  std::uint64_t rows_beyond_ = 0;
  std::uint64_t rows_without_id_ = 0;
};

}  // namespace privpfc
