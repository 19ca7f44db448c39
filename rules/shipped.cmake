# The programs that ship, compiled: a tool writes the C of each, as assay writes it for a user, and
# what the C compiler makes of it is linked into the programs that play by rules. It costs about 22 s
# of processor time, in files that are compiled side by side, once until a program or the writer
# changes. Without it these programs are compiled when they are first played, as all others are.
option(ASSAY_SHIPPED_RULES "Compile the rules of rules/multigame/programs/ into the programs" ON)
file(GLOB programs CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/multigame/programs/*.mg)
set(ASSAY_SHIPPED_DECLARATIONS)
set(ASSAY_SHIPPED_NAMES)
set(sources)
# Code under a sanitizer is that of assay; tests compile rules with sanitizers themselves.
if(ASSAY_SHIPPED_RULES AND NOT ASSAY_SANITIZE AND NOT ASSAY_COVERAGE)
  add_executable(write_shipped multigame/shipped/write_shipped.cpp)
  target_link_libraries(write_shipped PRIVATE assay::rules assay_flags)
  set_target_properties(write_shipped PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
  foreach(program IN LISTS programs)
    get_filename_component(name ${program} NAME_WE)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/shipped/${name}.c)
    add_custom_command(OUTPUT ${source}
      COMMAND write_shipped ${program} ${source}
      DEPENDS write_shipped ${programs}
      COMMENT "Writing the C of ${name}.mg" VERBATIM)
    set_source_files_properties(${source} PROPERTIES
      COMPILE_DEFINITIONS mg_game_v1=mg_game_v1_${name})
    list(APPEND sources ${source})
    string(APPEND ASSAY_SHIPPED_DECLARATIONS "const mg_game* mg_game_v1_${name}(void);\n")
    string(APPEND ASSAY_SHIPPED_NAMES "mg_game_v1_${name}, ")
  endforeach()
endif()
configure_file(multigame/shipped/shipped_table.cpp.in shipped_table.cpp @ONLY)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/shipped)

add_library(assay_shipped_rules STATIC multigame/shipped/shipped_rules.cpp
  ${CMAKE_CURRENT_BINARY_DIR}/shipped_table.cpp)
add_library(assay::shipped_rules ALIAS assay_shipped_rules)
target_link_libraries(assay_shipped_rules PUBLIC assay::rules PRIVATE assay_flags)
if(sources)
  target_compile_definitions(assay_shipped_rules INTERFACE ASSAY_HAS_SHIPPED_RULES=1)
  # Of their own, as their flags are those with which assay compiles rules: no others, in any build.
  add_library(assay_shipped_objects STATIC ${sources})
  target_compile_options(assay_shipped_objects PRIVATE -O3 -g0)
  set_target_properties(assay_shipped_objects PROPERTIES
    UNITY_BUILD OFF INTERPROCEDURAL_OPTIMIZATION OFF
    C_COMPILER_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}")
  target_link_libraries(assay_shipped_rules PRIVATE assay_shipped_objects)
else()
  target_compile_definitions(assay_shipped_rules INTERFACE ASSAY_HAS_SHIPPED_RULES=0)
endif()
install(DIRECTORY multigame/programs/ DESTINATION share/assay/rules FILES_MATCHING PATTERN "*.mg")
install(DIRECTORY multigame/editors/ DESTINATION share/assay/editors)
