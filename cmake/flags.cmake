# Flags every target of ours is built with. Third-party headers are SYSTEM, so none of these
# warnings reach into them.
add_library(assay_flags INTERFACE)
target_include_directories(assay_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(assay_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wcast-qual -Wnon-virtual-dtor -Woverloaded-virtual -Wundef -Wimplicit-fallthrough
  -Wformat=2 -Wextra-semi
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wsuggest-override>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # g++ 12 warns of std::string's own operator+ at -O3
  # Where a source is compiled in one unit with others, g++ takes a type of its anonymous namespace
  # for one of a header.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-subobject-linkage>
  $<$<BOOL:${ASSAY_DEVELOPER_MODE}>:-Werror>)
target_compile_definitions(assay_flags INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
# Its few functions, such as the counting of bits, are called too often to be looked up in the shared
# one, which the compiler would take first.
target_link_libraries(assay_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:gcc>)
if(ASSAY_SANITIZE)
  target_compile_options(assay_flags INTERFACE
    -fsanitize=${ASSAY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(assay_flags INTERFACE -fsanitize=${ASSAY_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # The check of the dynamic type makes a pipe, and so reports errors that are none in the tests of a
    # process without free descriptors. Those of null and of alignment are a third of all code; the
    # address sanitizer and the assertions of the library see a null pointer too, and the presets
    # fuzz and ubsan have both checks.
    target_compile_options(assay_flags INTERFACE
      -fno-sanitize=vptr$<$<NOT:$<BOOL:${ASSAY_LIBFUZZER}>>:,null,alignment>)
    # g++ defines these, which the tests ask for; clang++ does not.
    foreach(kind IN ITEMS address thread)
      string(TOUPPER ${kind} name)
      if(ASSAY_SANITIZE MATCHES ${kind})
        target_compile_definitions(assay_flags INTERFACE __SANITIZE_${name}__=1)
      endif()
    endforeach()
  endif()
endif()
# Code that computes runs for far longer than it compiles in the tests of a sanitizer build.
set(ASSAY_COMPUTING_OPTIONS)
if(ASSAY_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(ASSAY_COMPUTING_OPTIONS -O1)
endif()
# What reads flags and configs, or writes a report, runs once: a third less to compile. Sources of
# tests wait for what they test: two thirds less.
set(ASSAY_WIRING_OPTIONS)
set(ASSAY_TEST_OPTIONS)
if(ASSAY_QUICK_BUILD)
  set(ASSAY_WIRING_OPTIONS -O1)
  set(ASSAY_TEST_OPTIONS -O0)
endif()
if(ASSAY_COVERAGE)
  target_compile_options(assay_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(assay_flags INTERFACE --coverage)
endif()
