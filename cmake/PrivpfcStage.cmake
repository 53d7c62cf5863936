# privpfc_unity(<target>): compiles several sources as one where the preset says so (the presets that
# build everything from nothing: headers cost more than our own lines). The dev preset compiles each
# file for itself, and so sees a missing include.
function(privpfc_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${PRIVPFC_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  if(PRIVPFC_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # The compiler takes every file but the outermost for a header, where this would be a mistake.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # GCC 12 loses track of which alternative of a std::variant is alive.
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
  endif()
endfunction()

# privpfc_stage(<name> SOURCES <files> [NEEDS <earlier stages>] [USES <libraries seen in headers>]
#               [HIDES <libraries used in sources only>])
#
# A stage is one room of the house: a static library made of lib/privpfc/<name>. NEEDS is the data
# flow: the link graph and the include test (tests/house) both follow it, so a room cannot reach
# into one that it does not name.
function(privpfc_stage name)
  cmake_parse_arguments(ARG "COLD" "" "SOURCES;NEEDS;USES;HIDES" ${ARGN})
  set(target privpfc_${name})
  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(privpfc::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  privpfc_unity(${target})
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  foreach(needed IN LISTS ARG_NEEDS)
    target_link_libraries(${target} PUBLIC privpfc_${needed})
  endforeach()
  target_link_libraries(${target} PUBLIC ${ARG_USES} PRIVATE ${ARG_HIDES}
    $<BUILD_INTERFACE:privpfc_flags>)
  if(ARG_COLD AND NOT PRIVPFC_BUILD_FUZZERS)
    # Runs once per command or file: under the sanitizers its compilation costs more than its speed.
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
  endif()
  set_property(GLOBAL APPEND PROPERTY PRIVPFC_STAGES ${name})
endfunction()

# Tests know that they are slow under a sanitizer. The one for undefined behaviour looks at what is
# tested; in the tests themselves it would cost a third of their compilation.
function(privpfc_test_sanitizers target)
  if(PRIVPFC_SANITIZE)
    target_compile_definitions(${target} PRIVATE PRIVPFC_SANITIZED)
  endif()
  if(PRIVPFC_SANITIZE MATCHES undefined)
    target_compile_options(${target} PRIVATE -fno-sanitize=undefined)
  endif()
endfunction()

# privpfc_needs_german(<ctest name>...): these tests look for de_DE.UTF-8, with its decimal comma. It is
# made by the test locale/german where the system has what it takes; elsewhere they go on without.
function(privpfc_needs_german)
  if(PRIVPFC_GERMAN)
    set_tests_properties(${ARGN} PROPERTIES
      FIXTURES_REQUIRED german ENVIRONMENT LOCPATH=${PRIVPFC_GERMAN})
  endif()
endfunction()

# privpfc_test(<stage> SOURCES <files> [LIBRARIES <targets>])
#
# One executable per stage, one ctest entry per test file, so that a failure names its subject.
function(privpfc_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  set(target test_${name})
  add_executable(${target} $<TARGET_OBJECTS:privpfc_test_main> ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE privpfc_flags doctest::doctest fmt::fmt ${ARG_LIBRARIES})
  target_precompile_headers(${target} REUSE_FROM privpfc_test_main)
  # What is tested is optimised; the tests themselves need not be.
  target_compile_options(${target} PRIVATE
    $<$<CONFIG:Release>:-O1> $<$<CONFIG:RelWithDebInfo>:-O0>)
  privpfc_test_sanitizers(${target})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees impossible copies in std::string when its header comes precompiled.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
  foreach(source IN LISTS ARG_SOURCES)
    if(source MATCHES "_test\\.cc$")
      string(REPLACE "_test.cc" "" subject ${source})
      add_test(NAME ${name}/${subject} COMMAND ${target} --source-file=*/${source} --no-version)
    endif()
  endforeach()
endfunction()
