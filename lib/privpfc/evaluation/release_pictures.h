#pragma once

#include <string>

#include "privpfc/evaluation/page.h"
#include "privpfc/release/release_reader.h"

namespace privpfc {

// Parts of a page about a release that need nothing but the release.

// A page with its title and subtitle, and nothing else yet.
Page release_page(const Release& release);

// The chosen grid as a picture: each attribute's groups in a row, and what was left out.
Page::Section grid_section(const Release& release);

// Epsilon by step, as a bar.
Page::Section budget_section(const Release& release);

// What is promised and what is not, in plain language. `more` (HTML) is added to the promise.
Page::Section promise_section(const Release& release, const std::string& more);

// Which release and which program the page is about.
std::string release_footer(const Release& release);

}  // namespace privpfc
