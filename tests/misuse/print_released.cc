// A released value is printed on purpose, by value(), never by accident.
// EXPECT: (deleted function|deleted operator)

#include <iostream>

#include "privpfc/privacy/released.h"

void f(const privpfc::Released<int>& known) {
#ifdef MISUSE
  std::cout << known;
#else
  std::cout << known.value();
#endif
}
