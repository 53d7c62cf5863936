#pragma once

// PRIVPFC_WIDE before a function: it is compiled twice, once for wider registers, and which of the
// two runs is decided when the program starts. The results are the same. (Sanitizers and clang 14
// do not get along with that.)
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PRIVPFC_WIDE __attribute__((target_clones("default", "avx2")))
#else
#define PRIVPFC_WIDE
#endif
