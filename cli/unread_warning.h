#pragma once

#include <string>
#include <vector>

#include "privpfc/table/data_check.h"

namespace privpfc::cli {

// Says on standard error how many values went elsewhere than the data means. It counts real rows:
// for commands whose output is for the curator's eyes, never for one that publishes.
void warn_of_unread(const UnreadValues& unread, const std::vector<std::string>& paths,
                    const std::string& schema);

}  // namespace privpfc::cli
