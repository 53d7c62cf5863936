#include "privpfc/experiments/journal.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "support/temporary_folder.h"

using namespace privpfc;

namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a journal goes on where it was cut off, at any byte") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "journal";
  {
    auto journal = Journal::open(path, "mine").value();
    REQUIRE(journal->add(
        "a 0.1 0", {{{{0.25, 1.0 / 3}, {1, 2}, {{"training", 0.75}}}, {{0.5, 0}, {3, 4}}}, 7, ""}));
    REQUIRE(journal->add("b none 1", {{}, std::nullopt, "cannot be done"}));
  }
  const std::string whole = read(path);
  const std::size_t head = whole.find('\n') + 1;
  const std::size_t first = whole.find('\n', head) + 1;
  for (std::size_t length = head; length <= whole.size(); ++length) {
    std::ofstream(path, std::ios::trunc) << whole.substr(0, length);
    const auto journal = Journal::open(path, "mine").value();
    CHECK(journal->size() == (length < first ? 0 : length < whole.size() ? 1 : 2));
    if (length < first) continue;
    const auto entry = journal->find("a 0.1 0");
    REQUIRE(entry.has_value());
    REQUIRE(entry->outcomes.size() == 2);
    CHECK(entry->outcomes[0].errors == std::vector<double>{0.25, 1.0 / 3});
    CHECK(entry->outcomes[1].seconds == std::vector<double>{3, 4});
    REQUIRE(entry->outcomes[0].parts.size() == 1);
    CHECK(entry->outcomes[0].parts[0].part == "training");
    CHECK(entry->outcomes[0].parts[0].seconds == 0.75);
    CHECK(entry->megabytes == 7);
  }
  CHECK(Journal::open(path, "mine").value()->find("b none 1")->problem == "cannot be done");
  CHECK_FALSE(Journal::open(path, "mine").value()->find("b none 1")->megabytes.has_value());
}

TEST_CASE("a journal of another experiment is refused") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "journal";
  REQUIRE(Journal::open(path, "one").ok());
  const auto other = Journal::open(path, "two");
  REQUIRE_FALSE(other.ok());
  CHECK(other.error().kind == ErrorKind::kUsage);
}
