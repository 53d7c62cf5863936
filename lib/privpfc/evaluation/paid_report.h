#pragma once

#include <string>

#include "privpfc/evaluation/paid_evaluation.h"
#include "privpfc/privacy/released.h"

namespace privpfc {

// Reports that may be published: they take released figures and the release, and nothing else, so
// nothing else can be in them.
std::string paid_text(const Release& release, const Released<PaidEvaluation>& evaluation);
std::string paid_json(const Release& release, const Released<PaidEvaluation>& evaluation);
std::string paid_page(const Release& release, const Released<PaidEvaluation>& evaluation);

}  // namespace privpfc
