// `privpfc ledger` as a script sees it.

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdio>
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

TEST_CASE("help has an example") {
  TemporaryFolder folder;
  for (const char* command : {"ledger", "ledger init", "ledger show", "ledger verify"}) {
    const Run run = privpfc_in(folder, std::string(command) + " --help");
    CHECK(run.code == 0);
    CHECK(says(run.out, "Example:\n  privpfc ledger"));
  }
}
