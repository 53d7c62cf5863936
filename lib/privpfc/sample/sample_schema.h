#pragma once

#include <string>

namespace privpfc {

// How the sample's label is told: readmitted no/yes, or no / later / within 30 days. The rows are
// the same but for that column.
enum class SampleClasses { kTwo = 2, kThree = 3 };

// The YAML schema that fits the sample; samples/*.yaml are copies of it.
std::string sample_schema_yaml(SampleClasses classes);

}  // namespace privpfc
