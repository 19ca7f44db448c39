# Precompiled headers: the headers that most sources include, compiled once for each set of flags.
# They take a fifth of the compiler's time otherwise. Our own headers are not among them, so that a
# change to one of ours recompiles only the sources that include it.
#
# A source still includes what it uses. CMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without precompiled
# headers, as the tidy and fuzz presets do, and there a missing include is an error. <filesystem> is not
# among them: it brings std::quoted, which a call quoted(text) of ours finds before our own.
set(assay_common_headers
  <algorithm> <array> <cmath> <cstddef> <cstdint> <cstdio> <cstdlib> <cstring> <functional>
  <limits> <map> <memory> <optional> <set> <span> <string> <string_view> <utility>
  <vector> <fmt/format.h>)

if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  # GCC refuses a precompiled header whose FMT_SHARED differs from the source's.
  target_compile_definitions(assay_flags INTERFACE
    $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  # In an optimised build g++ 12 warns of std::string's own functions where they come out of a
  # precompiled header: false alarms. A build without precompiled headers keeps these warnings.
  target_compile_options(assay_flags INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
  # ccache cannot preprocess a source with a precompiled header without it.
  if(ASSAY_CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(assay_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled/empty.cpp CONTENT "")

# assay_headers(<name> [OPTIONS <option>...] [HEADERS <header>...]): a target that compiles the common
# headers and HEADERS.
function(assay_headers name)
  cmake_parse_arguments(ARG "" "" "OPTIONS;HEADERS" ${ARGN})
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/precompiled/empty.cpp)
  target_link_libraries(${name} PRIVATE assay_flags)
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${assay_common_headers} ${ARG_HEADERS})
endfunction()

assay_headers(assay_headers)
# The option that assay_library gives to folders that compute, in a sanitizer build.
if(ASSAY_COMPUTING_OPTIONS)
  assay_headers(assay_headers_computing OPTIONS ${ASSAY_COMPUTING_OPTIONS})
endif()
if(ASSAY_DEVELOPER_MODE)
  assay_headers(assay_headers_tests HEADERS <doctest/doctest.h>)
endif()

# assay_precompile(<target> [<headers>]): compiles the target's sources with these headers
# (assay_headers if none are named), whose flags must be the target's.
function(assay_precompile target)
  set(headers assay_headers)
  if(ARGC GREATER 1)
    set(headers ${ARGV1})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()
