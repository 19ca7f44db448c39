find_package(doctest REQUIRED)
include(doctest)

# assay_test(<folder> [LINK <target>...] SOURCES <file>...): one program per folder of the tree, so
# that they link apart and run side by side. Sources are relative to the calling tests/<folder>/.
function(assay_test folder)
  cmake_parse_arguments(ARG "" "" "LINK;SOURCES" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  add_executable(${name}_tests ${ARG_SOURCES})
  target_link_libraries(${name}_tests PRIVATE assay::${name} assay_test_main ${ARG_LINK})
  target_compile_definitions(${name}_tests PRIVATE
    ASSAY_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
    ASSAY_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    ASSAY_BINARY_DIR="${PROJECT_BINARY_DIR}")
  doctest_discover_tests(${name}_tests TEST_PREFIX "${folder}: "
    PROPERTIES LABELS ${folder} TIMEOUT 120)
endfunction()

# assay_fuzzer(<name> <target>...): tests/fuzz/<name>_fuzz.cpp. Fuzzers are built in every developer
# build, with a main that replays tests/fuzz/corpus/<name>/, so that they never rot; with
# ASSAY_LIBFUZZER they search for new inputs instead.
function(assay_fuzzer name)
  set(fuzz ${PROJECT_SOURCE_DIR}/tests/fuzz)
  add_executable(${name}_fuzz ${fuzz}/${name}_fuzz.cpp)
  target_link_libraries(${name}_fuzz PRIVATE ${ARGN} assay_flags)
  if(ASSAY_LIBFUZZER)
    target_link_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${name}_fuzz PRIVATE ${fuzz}/replay_main.cpp)
    file(GLOB corpus CONFIGURE_DEPENDS ${fuzz}/corpus/${name}/*)
    add_test(NAME fuzz_corpus_${name} COMMAND ${name}_fuzz ${corpus})
    set_tests_properties(fuzz_corpus_${name} PROPERTIES LABELS fuzz)
  endif()
endfunction()
