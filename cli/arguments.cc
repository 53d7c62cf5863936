#include "arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace privpfc::cli {
namespace {

// Letters to insert, remove or replace to make one word into the other.
std::size_t edits_between(const std::string& from, const std::string& to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row.back();
}

std::string what_there_is(const std::string& word, const std::vector<std::string>& names) {
  const auto nearest =
      std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
        return edits_between(word, a) < edits_between(word, b);
      });
  if (edits_between(word, *nearest) <= 2) return fmt::format("did you mean '{}'?", *nearest);
  return fmt::format("there are: {}", fmt::join(names, ", "));
}

}  // namespace

std::vector<std::string> with_help_as_flag(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

Status check_command_names(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* command = &app;
  std::string path;
  for (const std::string& word : arguments) {
    std::vector<std::string> names;
    const CLI::App* found = nullptr;
    for (const CLI::App* candidate :
         command->get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(candidate->get_name());
      if (candidate->get_name() == word) found = candidate;
    }
    if (names.empty() || word.starts_with('-')) return {};
    path += (path.empty() ? "" : " ") + word;
    if (found == nullptr) {
      return make_error(ErrorKind::kUsage, "there is no command '{}'; {}", path,
                        what_there_is(word, names));
    }
    command = found;
  }
  return {};
}

Status check_not_empty(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const bool ends_empty = word.starts_with("--") && word.ends_with('=');
    if (!word.empty() && !ends_empty) continue;
    const bool follows_option = word.empty() && i > 0 && arguments[i - 1].starts_with("--");
    const std::string what = ends_empty       ? "what follows " + word
                             : follows_option ? "what follows " + arguments[i - 1]
                                              : fmt::format("argument {}", i + 1);
    return make_error(ErrorKind::kUsage, "{} is empty; is a variable not set?", what);
  }
  return {};
}

}  // namespace privpfc::cli
