#include "privpfc/experiments/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

namespace privpfc {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const std::string& part, const JournalEntry& entry) {
  Json outcomes = Json::array();
  for (const Outcome& outcome : entry.outcomes) {
    Json parts = Json::object();
    for (const PartTime& time : outcome.parts) parts[time.part] = time.seconds;
    outcomes.push_back(
        {{"errors", outcome.errors}, {"seconds", outcome.seconds}, {"parts", std::move(parts)}});
  }
  return Json{{"part", part},
              {"outcomes", std::move(outcomes)},
              {"megabytes", entry.megabytes ? Json(*entry.megabytes) : Json()},
              {"problem", entry.problem}}
             .dump() +
         "\n";
}

// Nothing if the line is not whole.
std::optional<std::pair<std::string, JournalEntry>> read_line(const std::string& line) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  try {
    JournalEntry entry;
    for (const Json& outcome : json.at("outcomes")) {
      entry.outcomes.push_back({outcome.at("errors").get<std::vector<double>>(),
                                outcome.at("seconds").get<std::vector<double>>()});
      for (const auto& [part, seconds] : outcome.at("parts").items()) {
        entry.outcomes.back().parts.push_back({part, seconds.get<double>()});
      }
    }
    if (const Json& megabytes = json.at("megabytes"); !megabytes.is_null()) {
      entry.megabytes = megabytes.get<double>();
    }
    entry.problem = json.at("problem").get<std::string>();
    return std::pair(json.at("part").get<std::string>(), std::move(entry));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

Result<std::unique_ptr<Journal>> Journal::open(const std::filesystem::path& path,
                                               const std::string& experiment) {
  std::unique_ptr<Journal> journal(new Journal);
  journal->path_ = path.string();
  const std::string head = Json{{"experiment", experiment}}.dump();
  std::string whole;  // the lines that are kept
  if (std::ifstream earlier(path); earlier) {
    std::string line;
    std::getline(earlier, line);
    if (line != head) {
      return make_error(ErrorKind::kUsage,
                        "{}: belongs to an experiment with other data or options; choose another "
                        "--out, or remove it",
                        path.string());
    }
    while (std::getline(earlier, line)) {
      auto entry = read_line(line);
      if (!entry || earlier.eof()) break;  // a whole line ends with a line feed
      whole += line + "\n";
      journal->entries_.insert(std::move(*entry));
    }
  }
  journal->file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  whole = head + "\n" + whole;
  if (journal->file_ < 0 ||
      ::write(journal->file_, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size())) {
    return make_error(ErrorKind::kIo, "{}: {}", path.string(), std::strerror(errno));
  }
  return journal;
}

std::optional<JournalEntry> Journal::find(const std::string& part) const {
  const auto found = entries_.find(part);
  if (found == entries_.end()) return std::nullopt;
  return found->second;
}

Status Journal::add(const std::string& part, const JournalEntry& entry) {
  const std::string line = line_of(part, entry);
  const std::lock_guard lock(mutex_);
  if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    return make_error(ErrorKind::kIo, "{}: {}", path_, std::strerror(errno));
  }
  return {};
}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace privpfc
