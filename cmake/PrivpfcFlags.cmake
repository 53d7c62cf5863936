# One INTERFACE target carries the flags that everything here is compiled with.
add_library(privpfc_flags INTERFACE)
target_compile_features(privpfc_flags INTERFACE cxx_std_20)
target_compile_options(privpfc_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies in std::string's own operator+ (its bug 105651).
  target_compile_options(privpfc_flags INTERFACE -Wno-restrict)
endif()
if(PRIVPFC_WARNINGS_AS_ERRORS)
  target_compile_options(privpfc_flags INTERFACE -Werror)
endif()
if(PRIVPFC_SANITIZE)
  target_compile_options(privpfc_flags INTERFACE
    -fsanitize=${PRIVPFC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(privpfc_flags INTERFACE -fsanitize=${PRIVPFC_SANITIZE})
endif()
if(PRIVPFC_BUILD_FUZZERS)
  # The fuzzers go where code is new to them, so everything has to tell them where it has been.
  target_compile_options(privpfc_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(PRIVPFC_CCACHE ccache)
if(PRIVPFC_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PRIVPFC_CCACHE})
endif()
