# Compiles SOURCE twice: as it is, which must work, and with MISUSE defined, which must fail with the
# error that the file announces in its "EXPECT:" line (a regular expression).
function(compile result output)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${COMPILER} -std=c++20 -fsyntax-only -I${INCLUDE} ${ARGN} ${SOURCE}
    RESULT_VARIABLE code ERROR_VARIABLE text OUTPUT_QUIET)
  set(${result} ${code} PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

file(STRINGS ${SOURCE} line REGEX "^// EXPECT: ")
string(REGEX REPLACE "^// EXPECT: " "" expected "${line}")
if(expected STREQUAL "")
  message(FATAL_ERROR "${SOURCE} does not say which error it expects")
endif()

compile(code text)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "the control does not compile:\n${text}")
endif()
compile(code text -DMISUSE)
if(code EQUAL 0)
  message(FATAL_ERROR "the misuse compiles")
endif()
if(NOT text MATCHES "${expected}")
  message(FATAL_ERROR "another error than '${expected}':\n${text}")
endif()
