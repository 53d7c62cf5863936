#pragma once

#include <string>
#include <string_view>

namespace privpfc {

// Words that several reports share.

// "Naive Bayes" for nb, and so on; an unknown name stays as it is.
std::string classifier_title(std::string_view name);

// Whom a report is for.
inline constexpr std::string_view kInternalHeading = "For internal use: computed on real rows";
inline constexpr std::string_view kInternalNotice =
    "These figures have no noise: they are not private, and not part of the release. Do not "
    "publish "
    "them.";
inline constexpr std::string_view kPaidHeading = "May be published";

// Text in lines of at most 96 characters, for terminals; it ends with a line end.
std::string wrapped(std::string_view text);

// For `epsilon`, in text.
std::string paid_notice(std::string_view epsilon, std::string_view unit);

// What the curator has declared by asking for published figures.
inline constexpr std::string_view kDeclaration =
    "The curator declares that the held-out rows were not among those that the release was made "
    "from.";

}  // namespace privpfc
