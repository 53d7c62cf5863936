#include "privpfc/experiments/memory_watch.h"

#include <algorithm>
#include <fstream>
#include <string>

#include "privpfc/base/memory.h"

namespace privpfc {

namespace {

struct Resident {
  std::uint64_t now = 0;  // kilobytes
  std::uint64_t peak = 0;
};

std::optional<Resident> resident() {
  std::ifstream file("/proc/self/status");
  Resident found;
  for (std::string word; file >> word;) {
    if (word == "VmRSS:") file >> found.now;
    if (word == "VmHWM:") file >> found.peak;
  }
  if (found.now == 0 || found.peak == 0) return std::nullopt;
  return found;
}

}  // namespace

bool MemoryWatch::take_peak() {
  const std::optional<Resident> memory = resident();
  if (!memory) return false;
  for (auto& [number, part] : running_) part.peak = std::max(part.peak, memory->peak);
  // 5: the peak begins anew at what is resident now.
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

std::uint64_t MemoryWatch::begin() {
  // What an earlier part has freed would otherwise be there for this one to use unseen.
  give_back_memory();
  const std::lock_guard lock(mutex_);
  works_ = works_ && take_peak();
  const std::optional<Resident> memory = resident();
  works_ = works_ && memory.has_value();
  if (works_) running_[next_] = {memory->now, memory->now};
  return next_++;
}

std::optional<double> MemoryWatch::end(std::uint64_t part) {
  const std::lock_guard lock(mutex_);
  works_ = works_ && take_peak();
  const auto found = running_.find(part);
  if (!works_ || found == running_.end()) return std::nullopt;
  const Part watched = found->second;
  running_.erase(found);
  return static_cast<double>(watched.peak - watched.start) / 1024;
}

}  // namespace privpfc
