#include "privpfc/experiments/contender.h"

#include <algorithm>
#include <set>

#include "privpfc/experiments/contender_families.h"

namespace privpfc {

const char* promise_name(Promise promise) {
  switch (promise) {
    case Promise::kPure:
      return "pure";
    case Promise::kApproximate:
      return "approximate";
    case Promise::kNone:
      return "none";
  }
  broken_contract("a promise without a name");
}

std::vector<std::unique_ptr<Contender>> all_contenders() {
  std::vector<std::unique_ptr<Contender>> all;
  add_privpfc_contenders(all);
  add_direct_contenders(all);
  add_baseline_contenders(all);
  add_published_contenders(all);
  return all;
}

Result<std::vector<std::unique_ptr<Contender>>> find_contenders(
    const std::vector<std::string>& names) {
  std::set<std::string> wanted(names.begin(), names.end());
  const bool all = wanted.erase("all") > 0;
  std::string known;
  std::vector<std::unique_ptr<Contender>> found;
  for (std::unique_ptr<Contender>& contender : all_contenders()) {
    const MethodCard card = contender->card();
    known += (known.empty() ? "" : ", ") + card.name;
    const bool named = wanted.erase(card.name) > 0;
    if (named || (all && !card.experiments_only)) found.push_back(std::move(contender));
  }
  if (!wanted.empty()) {
    return make_error(ErrorKind::kUsage, "there is no method '{}'; there are: {}", *wanted.begin(),
                      known);
  }
  return found;
}

}  // namespace privpfc
