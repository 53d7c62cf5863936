#pragma once

#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "evaluation/made_release.h"
#include "privpfc/evaluation/real_rows.h"

namespace privpfc {

// Made-up rows for kEveryKind, as lines of CSV; some values are missing, unlisted or outside. What
// comes first, second and third speaks for a class as in telling_rows().
inline std::string random_line(std::mt19937& random) {
  static const std::vector<std::string> kValues[] = {{"10", "30", "60", "NA", "250"},
                                                     {"-0.9", "0.9", "0.1", "", "7"},
                                                     {"2020-02-03", "2020-11-30", "1999-01-01"},
                                                     {"p", "u", "?", "q", "s"},
                                                     {"low", "high", "mid", "?"},
                                                     {"true", "false", ""},
                                                     {"a", "b", "c"}};
  const std::size_t label = random() % 3;
  std::string line;
  for (const std::vector<std::string>& values : kValues) {
    const bool is_any = random() % 3 == 0;
    line += (line.empty() ? "" : ",") + values[is_any ? random() % values.size() : label];
  }
  return line + "\n";
}

inline std::vector<std::string> random_lines(std::mt19937& random, std::size_t count) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < count; ++i) lines.push_back(random_line(random));
  return lines;
}

class RealTable {
 public:
  explicit RealTable(const std::vector<std::string>& lines, const std::string& before = "") {
    std::ofstream file(folder_ / "t.csv");
    file << before << "n,r,d,t,o,b,y\n";
    for (const std::string& line : lines) file << line;
  }
  RealSource source() const { return {{(folder_ / "t.csv").string()}, false, 1, {}}; }

 private:
  TemporaryFolder folder_;
};

// A release with the classifiers that were trained on it.
struct Learned {
  Release release;
  ReleaseSpaces spaces;
  ReleaseModels models;
};

inline Learned learn(const MadeRelease& made) {
  Learned learned{made.open(), {}, {}};
  auto spaces = make_release_spaces(learned.release);
  REQUIRE(spaces.ok());
  learned.spaces = *std::move(spaces);
  auto models = train_on_release(learned.release, learned.spaces, {}, 1, [](auto) {});
  REQUIRE_MESSAGE(models.ok(), (models.ok() ? "" : models.error().message));
  learned.models = *std::move(models);
  return learned;
}

}  // namespace privpfc
