#pragma once

#include <memory>
#include <vector>

#include "privpfc/as_published/method.h"

namespace privpfc {

// Linear classifiers by objective and output perturbation as their papers have them: for tables of
// a known number of rows that differ in one of them. lib/privpfc/direct has the sound forms.
//
// svm-objective, svm-output, logistic-objective, svm-comparison; each "-as-published".
std::vector<std::unique_ptr<PublishedMethod>> linear_as_published();

}  // namespace privpfc
