#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace privpfc {

// How much memory a part of the work needed: by how much the resident memory of the process grew
// at most while the part ran. Parts that run at the same time are counted with each other, since a
// system keeps no account by thread: for the figures of one method alone, use one thread.
class MemoryWatch {
 public:
  // May be called on several threads at once.
  std::uint64_t begin();
  // Megabytes; none where the system does not tell (it needs Linux's /proc).
  std::optional<double> end(std::uint64_t part);

 private:
  struct Part {
    std::uint64_t start = 0;  // kilobytes
    std::uint64_t peak = 0;
  };

  // Takes the peak since the last call into every part that is running, and begins a new one.
  // False if the system cannot do that. Requires the lock.
  bool take_peak();

  std::mutex mutex_;
  std::uint64_t next_ = 0;
  bool works_ = true;
  std::map<std::uint64_t, Part> running_;
};

}  // namespace privpfc
