#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/experiments/contender.h"

namespace privpfc {

// What one part of a comparison came to.
struct JournalEntry {
  std::vector<Outcome> outcomes;  // by repeat
  std::optional<double> megabytes;
  std::string problem{};  // why there are none
};

// The finished parts of a comparison, one line each, so that an interrupted run can go on. The
// first line says which experiment it belongs to.
class Journal {
 public:
  // Opens or begins the journal. An error (kUsage) if there is one of another experiment. A last
  // line that was cut off in the middle is as if it had not been written.
  static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& path,
                                               const std::string& experiment);

  std::optional<JournalEntry> find(const std::string& part) const;
  std::size_t size() const { return entries_.size(); }  // when it was opened

  // May be called on several threads at once.
  Status add(const std::string& part, const JournalEntry& entry);

  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

 private:
  Journal() = default;
  int file_ = -1;
  std::string path_;
  std::mutex mutex_;
  std::map<std::string, JournalEntry> entries_;
};

}  // namespace privpfc
