#include "unread_warning.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace privpfc::cli {

void warn_of_unread(const UnreadValues& unread, const std::vector<std::string>& paths,
                    const std::string& schema) {
  if (unread.values == 0) return;
  fmt::print(stderr,
             "privpfc: {} {} in {} {} could not be read as the schema says; privpfc check {} "
             "--schema {} says which\n",
             unread.values, unread.values == 1 ? "value" : "values", unread.columns,
             unread.columns == 1 ? "column" : "columns", fmt::join(paths, " "), schema);
}

}  // namespace privpfc::cli
