#pragma once

#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "evaluation/made_release.h"
#include "privpfc/evaluation/real_rows.h"

namespace privpfc {

// Made-up rows for kEveryKind, as lines of CSV; some values are missing, unlisted or outside.
inline std::string random_line(std::mt19937& random) {
  const std::size_t label = random() % 3;
  const auto pick = [&](std::vector<std::string> values) {
    const std::size_t hint = label % values.size();
    return values[random() % 3 == 0 ? random() % values.size() : hint];
  };
  return pick({"10", "60", "90", "NA", "250"}) + "," + pick({"-0.9", "0.1", "0.9", "", "7"}) + "," +
         pick({"2020-02-03", "2020-11-30", "1999-01-01"}) + "," + pick({"p", "q", "s", "?", "u"}) +
         "," + pick({"low", "mid", "high", "?"}) + "," + pick({"true", "false", ""}) + "," +
         pick({"a", "b", "c"}) + "\n";
}

inline std::vector<std::string> random_lines(std::mt19937& random, std::size_t count) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < count; ++i) lines.push_back(random_line(random));
  return lines;
}

class RealTable {
 public:
  explicit RealTable(const std::vector<std::string>& lines) {
    std::ofstream file(folder_ / "t.csv");
    file << "n,r,d,t,o,b,y\n";
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
