// `privpfc ledger` as a script sees it.

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cctype>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "privpfc/release/ledger.h"
#include "support/temporary_folder.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

struct Run {
  int code = -1;
  std::string out;
  std::string err;
};

std::string read_all(const std::string& file) {
  std::string text;
  if (FILE* handle = std::fopen(file.c_str(), "r")) {
    for (int c = std::fgetc(handle); c != EOF; c = std::fgetc(handle)) {
      text += static_cast<char>(c);
    }
    std::fclose(handle);
  }
  return text;
}

Run privpfc_in(const TemporaryFolder& folder, const std::string& arguments) {
  const std::string command = "cd " + folder.path().string() + " && LC_ALL=de_DE.UTF-8 " +
                              PRIVPFC_BINARY + " " + arguments + " >out 2>err";
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c)
  return {WEXITSTATUS(status), read_all(folder / "out"), read_all(folder / "err")};
}

bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("init, show and verify work together and speak JSON") {
  TemporaryFolder folder;
  const Run init = privpfc_in(folder, "ledger init --ledger l.db --dataset adult --cap 1.5");
  CHECK(init.code == 0);
  CHECK(init.out.empty());
  CHECK(says(init.err, "epsilon 1.5"));
  {
    Ledger ledger = Ledger::open(folder / "l.db").value();
    REQUIRE(ledger.withdraw("adult", eps("0.05"), "publish", utc_now()).ok());
  }
  const Run show = privpfc_in(folder, "ledger show --ledger l.db --json");
  REQUIRE(show.code == 0);
  const auto document = nlohmann::json::parse(show.out);
  CHECK(document["datasets"][0]["cap"] == 1.5);
  CHECK(document["datasets"][0]["spent"] == 0.05);
  CHECK(document["datasets"][0]["left"] == 1.45);
  CHECK(document["entries"].size() == 2);
  CHECK(says(show.out, "1.45"));  // and as text, too
  CHECK(says(privpfc_in(folder, "ledger show --ledger l.db").out, "debit           0.05"));

  const Run verify = privpfc_in(folder, "ledger verify --ledger l.db --json");
  CHECK(verify.code == 0);
  const std::string head = nlohmann::json::parse(verify.out)["head"];
  CHECK(privpfc_in(folder, "ledger verify --ledger l.db --head " + head).code == 0);
  CHECK(privpfc_in(folder, "ledger verify --ledger l.db --head " + std::string(64, '0')).code == 6);
}

TEST_CASE("mistakes have the exit codes that scripts rely on, and leave nothing behind") {
  TemporaryFolder folder;
  for (const char* cap : {"0", "-1", "nan", "1e-400", "1,5", "''"}) {
    const Run run =
        privpfc_in(folder, std::string("ledger init --ledger l.db --dataset adult --cap ") + cap);
    CAPTURE(cap);
    CHECK(run.code == 2);
    CHECK_FALSE(std::filesystem::exists(folder / "l.db"));
  }
  CHECK(privpfc_in(folder, "ledger").code == 2);
  CHECK(privpfc_in(folder, "ledger show").code == 2);
  CHECK(privpfc_in(folder, "ledger init --ledger l.db --dataset adult").code == 2);
  CHECK(privpfc_in(folder, "ledger show --ledger none.db").code == 6);
  CHECK(privpfc_in(folder, "ledger verify --ledger none.db").code == 6);
  CHECK(privpfc_in(folder, "ledger init --ledger none/l.db --dataset a --cap 1").code == 6);
  CHECK(privpfc_in(folder, "ledger init --ledger l.db --dataset adult --cap 1").code == 0);
  CHECK(privpfc_in(folder, "ledger init --ledger l.db --dataset adult --cap 2").code == 6);
  CHECK(privpfc_in(folder, "ledger show --ledger l.db --dataset other").code == 6);
  chmod((folder / "l.db").c_str(), 0666);
  const Run run = privpfc_in(folder, "ledger show --ledger l.db");
  CHECK(run.code == 6);
  CHECK(says(run.err, "can be written by others"));
}

TEST_CASE("a head that is none is a mistake of the user's, and no word against the ledger") {
  TemporaryFolder folder;
  REQUIRE(privpfc_in(folder, "ledger init --ledger l.db --dataset adult --cap 1").code == 0);
  const std::string head =
      nlohmann::json::parse(privpfc_in(folder, "ledger verify --ledger l.db --json").out)["head"];
  for (const std::string& wrong :
       {head.substr(0, 12), std::string("5f2c..."), head + "0", "g" + head.substr(1)}) {
    CAPTURE(wrong);
    const Run run = privpfc_in(folder, "ledger verify --ledger l.db --head " + wrong);
    CHECK(run.code == 2);
    CHECK(says(run.err, "64 hexadecimal digits"));
    CHECK_FALSE(says(run.err, "replaced"));
  }
  std::string large = head;
  for (char& c : large) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  CHECK(privpfc_in(folder, "ledger verify --ledger l.db --head " + large).code == 0);
}

TEST_CASE("a file that never was a ledger is not called a damaged one") {
  TemporaryFolder folder;
  std::ofstream(folder / "table.csv") << "age,income\n39,<=50K\n";
  chmod((folder / "table.csv").c_str(), 0600);
  for (const char* command :
       {"show --ledger table.csv", "init --ledger table.csv --dataset adult --cap 1"}) {
    CAPTURE(command);
    const Run run = privpfc_in(folder, std::string("ledger ") + command);
    CHECK(run.code == 6);
    CHECK(says(run.err, "'table.csv' is not a ledger"));
    CHECK_FALSE(says(run.err, "damaged"));
  }
}

TEST_CASE("who enters a data set again is told what cap it has, or that it has none") {
  TemporaryFolder folder;
  REQUIRE(privpfc_in(folder, "ledger init --ledger l.db --dataset adult --cap 1.5").code == 0);
  const Run capped = privpfc_in(folder, "ledger init --ledger l.db --dataset adult --cap 3");
  CHECK(capped.code == 6);
  CHECK(says(capped.err, "with a cap of 1.5"));
  {
    Ledger ledger = Ledger::open(folder / "l.db").value();
    REQUIRE(ledger.ensure_dataset("open", utc_now()).ok());
    REQUIRE(ledger.withdraw("open", eps("0.25"), "publish", utc_now()).ok());
  }
  const Run open = privpfc_in(folder, "ledger init --ledger l.db --dataset open --cap 3");
  CHECK(open.code == 6);
  CHECK(says(open.err, "without a cap"));
  CHECK(says(open.err, "less the 0.25 that is spent"));
}

TEST_CASE("help has an example") {
  TemporaryFolder folder;
  for (const char* command : {"ledger", "ledger init", "ledger show", "ledger verify"}) {
    const Run run = privpfc_in(folder, std::string(command) + " --help");
    CHECK(run.code == 0);
    CHECK(says(run.out, "Example:\n  privpfc ledger"));
  }
}
