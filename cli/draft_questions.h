#pragma once

#include <string>
#include <vector>

#include "privpfc/schema/draft_answers.h"

namespace privpfc::cli {

// Asks a person at the terminal for what is not known yet: the label if it is empty, and each
// column without an answer. Return leaves a blank in the draft.
void ask_about_columns(const std::vector<DraftColumn>& columns, std::string& label,
                       DraftAnswers& answers);

}  // namespace privpfc::cli
