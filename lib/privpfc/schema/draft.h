#pragma once

#include <string>
#include <vector>

#include "privpfc/schema/draft_answers.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// A schema to start from. The label's answer is its classes. Columns without an answer, and a label
// that is not named, are written with blanks that `lint` points out. `csv` is how the file was
// read. Requires answers without an answer_problem().
std::string draft_schema(const std::string& name, const CsvFormat& csv,
                         const std::vector<DraftColumn>& columns, const std::string& label_column,
                         const DraftAnswers& answers);

}  // namespace privpfc
