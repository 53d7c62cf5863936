#pragma once

#include <memory>

#include "privpfc/as_published/method.h"

namespace privpfc {

// Trees and forests as their papers have them. None is private as printed; lib/privpfc/direct has
// the sound forms, but for Rana and others, whose form has none.
std::unique_ptr<PublishedMethod> tree_cart_as_published();
std::unique_ptr<PublishedMethod> forest_fletcher_islam_2015a_as_published();
std::unique_ptr<PublishedMethod> forest_fletcher_islam_2016_as_published();
std::unique_ptr<PublishedMethod> forest_rana_as_published();

}  // namespace privpfc
