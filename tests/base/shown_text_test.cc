#include "privpfc/base/shown_text.h"

#include <doctest/doctest.h>

using namespace privpfc;

TEST_CASE("control characters are written out, and letters of any script stay") {
  CHECK(shown_text("age") == "age");
  CHECK(shown_text("\x1b[31mred\x7f") == "\\x1b[31mred\\x7f");
  CHECK(shown_text("two\nlines\tand\r") == "two\\x0alines\\x09and\\x0d");
  CHECK(shown_text("Größe °C 年齢") == "Größe °C 年齢");
  CHECK(shown_text("\xc2\x9b"
                   "2J\xc2\xa0") == "\\x9b2J\xc2\xa0");
  CHECK(shown_text("cut \xc2") == "cut \xc2");
}

TEST_CASE("lines stay apart where there are several") {
  CHECK(shown_lines("") == "");
  CHECK(shown_lines("one\x1b") == "one\\x1b");
  CHECK(shown_lines("one\n\ntwo\r\n") == "one\n\ntwo\\x0d\n");
}
