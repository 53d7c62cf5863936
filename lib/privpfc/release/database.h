#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "privpfc/base/result.h"

namespace privpfc {

// A thin wall around SQLite. Only the ledger's source files include this.
class Database {
 public:
  using Value = std::variant<std::nullptr_t, std::int64_t, std::string>;
  using Row = std::vector<Value>;

  // Opens an existing file, or ":memory:"; nothing is created. Waits up to a minute where others
  // hold the lock.
  static Result<Database> open(const std::filesystem::path& file);

  // For reading what the file says by itself: no journal is looked at and no lock is asked for, so
  // it may be half of a commit.
  static Result<Database> open_alone(const std::filesystem::path& file);

  // Runs one statement with these values bound to its question marks; answers with the rows.
  Result<std::vector<Row>> run(const char* statement, const std::vector<Value>& values = {});

  // Runs `work` as one transaction that no other writer can come between. Whatever it returns, an
  // error undoes it; success means that it is on the disk, in the file itself and nowhere else.
  Status exclusively(const std::function<Status()>& work);

  // The bytes of a file with the same content.
  Result<std::string> image();

 private:
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close(connection); }
  };

  static Result<Database> connect(const std::filesystem::path& file, const std::string& name,
                                  int flags);
  Status leave_write_ahead_mode();
  Error failure(const char* doing) const;

  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Close> connection_;
};

}  // namespace privpfc
