# assay_rooms(<folder> <room>...): the sub-folders of a folder, lowest first; "." is the folder's own
# files. A file may include its own room and those before it; check_layering.cmake holds it to that.
function(assay_rooms folder)
  string(REPLACE ";" "," rooms "${ARGN}")
  set_property(GLOBAL APPEND PROPERTY ASSAY_ROOMS "${folder}:${rooms}")
endfunction()

# assay_library(<folder> [DEPENDS <folder>...] [LINK <target>...] [ROOMS <room>...] SOURCES <file>...)
#
# DEPENDS names the folders of ours that this one may include; check_layering.cmake holds files to
# it. LINK names libraries of others, which stay private to this folder. A folder may be nested
# ("gtql/log"); its target is then assay_gtql_log.
function(assay_library folder)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK;ROOMS;SOURCES" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  add_library(assay_${name} STATIC ${ARG_SOURCES})
  add_library(assay::${name} ALIAS assay_${name})
  foreach(dep IN LISTS ARG_DEPENDS)
    string(REPLACE "/" "_" dep_name ${dep})
    target_link_libraries(assay_${name} PUBLIC assay::${dep_name})
    set_property(GLOBAL APPEND PROPERTY ASSAY_EDGES "${folder}:${dep}")
  endforeach()
  target_link_libraries(assay_${name} PUBLIC assay_flags PRIVATE ${ARG_LINK})
  if(ASSAY_COMPUTING_OPTIONS AND folder MATCHES "^(stats|rules|gtql|engines|openings)")
    target_compile_options(assay_${name} PRIVATE ${ASSAY_COMPUTING_OPTIONS})
  endif()
  if(folder MATCHES "^(configs|reports)")
    target_compile_options(assay_${name} PRIVATE ${ASSAY_WIRING_OPTIONS})
  endif()
  set_property(GLOBAL APPEND PROPERTY ASSAY_FOLDERS ${folder})
  if(ARG_ROOMS)
    assay_rooms(${folder} ${ARG_ROOMS})
  endif()
endfunction()
