#include "privpfc/sample/sample_schema.h"

namespace privpfc {
namespace {

constexpr const char* kHeadOfTwo =
    R"(# Is a patient readmitted within a year? Made-up stays in a made-up hospital.
#
# Written by `privpfc sample`. samples/README.md has the data dictionary.
name: readmission
description: Hospital readmission, made-up data with two classes
source: privpfc sample

label: {column: readmitted, classes: ["no", "yes"], other: "no"}
)";

constexpr const char* kHeadOfThree =
    R"(# Is a patient readmitted, and how soon? Made-up stays in a made-up hospital.
#
# Written by `privpfc sample`. samples/README.md has the data dictionary.
name: readmission3
description: Hospital readmission, made-up data with three classes
source: privpfc sample

label: {column: readmitted, classes: ["no", later, within-30-days], other: "no"}
)";

constexpr const char* kAttributes = R"(
attributes:
  # Years; the hospital takes adults. Five-year bins, then the decades of life that matter to care.
  age:
    type: integer
    domain: [18, 100]
    other: "[65, 69]"
    cuts:
      - [25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90]
      - [30, 45, 55, 65, 75, 85]
      - [45, 65, 85]
      - [65]

  sex: {type: categorical, other: female, values: [female, male]}

  # The day of admission, in quarters, half-years and years.
  admitted:
    type: date
    domain: [2021-01-01, 2023-12-31]
    other: 2021-Q1
    intervals:
      "2021":
        2021-H1: {2021-Q1: [2021-01-01, 2021-03-31], 2021-Q2: [2021-04-01, 2021-06-30]}
        2021-H2: {2021-Q3: [2021-07-01, 2021-09-30], 2021-Q4: [2021-10-01, 2021-12-31]}
      "2022":
        2022-H1: {2022-Q1: [2022-01-01, 2022-03-31], 2022-Q2: [2022-04-01, 2022-06-30]}
        2022-H2: {2022-Q3: [2022-07-01, 2022-09-30], 2022-Q4: [2022-10-01, 2022-12-31]}
      "2023":
        2023-H1: {2023-Q1: [2023-01-01, 2023-03-31], 2023-Q2: [2023-04-01, 2023-06-30]}
        2023-H2: {2023-Q3: [2023-07-01, 2023-09-30], 2023-Q4: [2023-10-01, 2023-12-31]}

  # Where the patient came from.
  source:
    type: categorical
    other: walk-in
    tree:
      Planned: [family-doctor, outpatient-clinic]
      Unplanned:
        Emergency: [walk-in, ambulance]
        Transfer: [other-hospital, nursing-home]

  # The main reason of the stay, by part of the body. A diagnosis that is not listed is `other`.
  diagnosis:
    type: categorical
    other: true
    tree:
      Circulatory: {Heart: [heart-failure, heart-attack, arrhythmia], stroke: }
      Respiratory: [copd, pneumonia, asthma]
      Metabolic: [diabetes, kidney-failure]
      Digestive: {Surgical: [appendicitis, gallstones], liver-disease: }
      Injury: {Fracture: [hip-fracture, other-fracture], head-injury: }
      General: [cancer, sepsis, depression]

  severity:
    type: ordinal
    other: moderate
    tree: {Light: [minor, moderate], Grave: [major, extreme]}

  # Stays in hospital in the year before this one.
  earlier_stays:
    type: integer
    domain: [0, 20]
    other: "[0, 0]"
    cuts: [[1, 2, 3, 4, 6, 10], [1, 2, 4], [1]]

  # Nights in hospital.
  stay_days:
    type: integer
    domain: [0, 60]
    other: "[3, 3]"
    cuts:
      - [1, 2, 3, 4, 5, 7, 10, 14, 21, 30]
      - [2, 4, 7, 14]
      - [4, 14]

  # Different medicines at discharge.
  medications:
    type: integer
    domain: [0, 40]
    other: "[8, 9]"
    cuts:
      - [2, 5, 8, 10, 12, 15, 18, 20, 25, 30]
      - [5, 10, 15, 20]
      - [10, 15]

  # In the blood, in g/dl; below 12 to 13 is anaemia. Empty where no blood was taken.
  haemoglobin: {type: real, domain: [4, 20], levels: [16, 8, 4, 2], missing: [""]}

  # Empty where nobody asked.
  lives_alone: {type: boolean, missing: [""]}

  discharged_to:
    type: categorical
    other: home
    tree:
      Own-home: [home, home-with-care]
      Institution: [rehabilitation, nursing-home]
      against-advice:
)";

}  // namespace

std::string sample_schema_yaml(SampleClasses classes) {
  return std::string(classes == SampleClasses::kTwo ? kHeadOfTwo : kHeadOfThree) + kAttributes;
}

}  // namespace privpfc
