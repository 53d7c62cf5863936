#pragma once

#include <memory>

#include "privpfc/as_published/method.h"

namespace privpfc {

// Naive Bayes as three papers have it. Each scales noise by something private; lib/privpfc/direct
// has the sound forms.
std::unique_ptr<PublishedMethod> nb_comparison_as_published();
std::unique_ptr<PublishedMethod> nb_vaidya_as_published();
std::unique_ptr<PublishedMethod> nb_smooth_as_published();

}  // namespace privpfc
