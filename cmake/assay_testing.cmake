find_package(doctest REQUIRED)
include(doctest)

# All that ./check builds with the sanitizers.
add_custom_target(unit_tests)

# assay_test(<folder> [LINK <target>...] SOURCES <file>...): one program per folder of the tree, so
# that they link apart and run side by side. Sources are relative to the calling tests/<folder>/.
# CTest runs a source at a time: a process for each test case would spend more time on its start,
# with the sanitizers, than on the test.
function(assay_test folder)
  cmake_parse_arguments(ARG "" "" "LINK;SOURCES" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  add_executable(${name}_tests ${ARG_SOURCES})
  target_link_libraries(${name}_tests PRIVATE assay::${name} assay_test_main ${ARG_LINK})
  target_compile_options(${name}_tests PRIVATE ${ASSAY_TEST_OPTIONS})
  target_compile_definitions(${name}_tests PRIVATE
    ASSAY_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
    ASSAY_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    ASSAY_BINARY_DIR="${PROJECT_BINARY_DIR}")
  add_dependencies(unit_tests ${name}_tests)
  foreach(source IN LISTS ARG_SOURCES)
    if(NOT source MATCHES "_test.cpp$")
      continue()
    endif()
    string(REPLACE "_test.cpp" "" subject ${source})
    add_test(NAME "${folder}: ${subject}"
      COMMAND ${name}_tests --no-intro "--source-file=*/tests/${folder}/${source}")
    # No case is a wrong name of a source.
    set_tests_properties("${folder}: ${subject}" PROPERTIES LABELS ${folder} TIMEOUT 900
      FAIL_REGULAR_EXPRESSION "test cases: +0 [|]")
  endforeach()
endfunction()

# assay_fuzzer(<name> <target>...): tests/fuzz/<name>_fuzz.cpp. Fuzzers are built in every developer
# build, into one program (fuzz_replay) that replays tests/fuzz/corpus/<name>/, so that they
# never rot; with ASSAY_LIBFUZZER each is a program of its own that searches for new inputs.
function(assay_fuzzer name)
  set(fuzz ${PROJECT_SOURCE_DIR}/tests/fuzz)
  if(ASSAY_LIBFUZZER)
    add_executable(${name}_fuzz ${fuzz}/${name}_fuzz.cpp)
    target_link_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
    target_link_libraries(${name}_fuzz PRIVATE ${ARGN} assay_flags)
  else()
    set_property(GLOBAL APPEND PROPERTY ASSAY_FUZZERS ${name})
    set_property(GLOBAL APPEND PROPERTY ASSAY_FUZZED ${ARGN})
    file(GLOB corpus CONFIGURE_DEPENDS ${fuzz}/corpus/${name}/*)
    add_test(NAME fuzz_corpus_${name} COMMAND fuzz_replay ${name} ${corpus})
    set_tests_properties(fuzz_corpus_${name} PROPERTIES LABELS fuzz)
  endif()
endfunction()

# assay_fuzz_replay(): the program fuzz_replay, after the last assay_fuzzer(). Its targets are one
# source: each alone would read the same headers again.
function(assay_fuzz_replay)
  if(ASSAY_LIBFUZZER)
    return()
  endif()
  get_property(names GLOBAL PROPERTY ASSAY_FUZZERS)
  get_property(fuzzed GLOBAL PROPERTY ASSAY_FUZZED)
  list(REMOVE_DUPLICATES fuzzed)
  set(table)
  set(sources)
  foreach(name IN LISTS names)
    string(APPEND table "ASSAY_FUZZER(${name})\n")
    string(APPEND sources "#define LLVMFuzzerTestOneInput assay_fuzz_${name}\n"
      "#include \"tests/fuzz/${name}_fuzz.cpp\"\n#undef LLVMFuzzerTestOneInput\n")
  endforeach()
  set(written ${PROJECT_BINARY_DIR}/fuzzers)
  file(CONFIGURE OUTPUT ${written}/fuzzers.inc CONTENT "${table}")
  file(CONFIGURE OUTPUT ${written}/fuzzers.cpp CONTENT "${sources}")
  add_executable(fuzz_replay ${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.cpp ${written}/fuzzers.cpp)
  target_include_directories(fuzz_replay PRIVATE ${written})
  target_link_libraries(fuzz_replay PRIVATE ${fuzzed} assay_flags)
  add_dependencies(unit_tests fuzz_replay)
endfunction()
