#pragma once

#include <string>

#include "privpfc/evaluation/evaluation.h"

namespace privpfc {

// What was measured on real rows, for the curator's eyes: each says so in its head.
std::string evaluation_text(const Release& release, const Diagnostic<Evaluation>& evaluation);
std::string evaluation_json(const Release& release, const Diagnostic<Evaluation>& evaluation);
std::string evaluation_page(const Release& release, const Diagnostic<Evaluation>& evaluation);

}  // namespace privpfc
