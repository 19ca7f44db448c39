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
    PROPERTIES LABELS ${folder} TIMEOUT 900)
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
endfunction()
