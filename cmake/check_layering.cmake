cmake_minimum_required(VERSION 3.25)
# Fails where a file includes a folder that its own folder's CMakeLists.txt does not list in
# DEPENDS, and where a library that belongs to one folder is included in another or in a header.
# However an include is written: indented, in angle brackets, or by a path that climbs.
set(include "^[ \t]*#[ \t]*include[ \t]*")
set(top "base|stats|rules|openings|gtql|adapters|harness|configs|reports|engines|cli|tests|bench")
foreach(folder IN LISTS FOLDERS)
  set(allowed ${EDGES})
  list(FILTER allowed INCLUDE REGEX "^${folder}:")
  list(TRANSFORM allowed REPLACE "^${folder}:" "")
  list(APPEND allowed ${folder})
  list(JOIN allowed "|" any)
  file(GLOB_RECURSE files ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cpp)
  foreach(file IN LISTS files)
    file(STRINGS ${file} found REGEX "${include}([<\"](${top})/|\"\\.\\./)")
    foreach(line IN LISTS found)
      if(NOT line MATCHES "^#include \"(${any})/")
        message(SEND_ERROR "${file}: ${folder}/ may not have ${line}")
      endif()
    endforeach()
  endforeach()
endforeach()

# library | the folders that alone may include it; never in a header
set(owned
  "boost/process|adapters" "boost/asio|(adapters,reports/live)" "boost/math|stats"
  "yaml-cpp|configs" "boost/beast|reports/live" "kainjow|reports" "SQLiteCpp|harness" "sqlite3.h|harness")
file(GLOB_RECURSE all ${ROOT}/base/* ${ROOT}/stats/* ${ROOT}/rules/* ${ROOT}/openings/*
  ${ROOT}/gtql/* ${ROOT}/adapters/* ${ROOT}/harness/* ${ROOT}/configs/* ${ROOT}/reports/*
  ${ROOT}/engines/* ${ROOT}/cli/*)
list(FILTER all INCLUDE REGEX "\\.(h|cpp)$")
foreach(rule IN LISTS owned)
  string(REPLACE "|" ";" parts ${rule})
  list(GET parts 0 library)
  list(GET parts 1 owner)
  string(REPLACE "," "|" owner ${owner})
  foreach(file IN LISTS all)
    file(STRINGS ${file} found REGEX "${include}<${library}")
    if(found AND NOT file MATCHES "^${ROOT}/${owner}/.*\\.cpp$")
      message(SEND_ERROR "${file}: only ${owner}/*.cpp may have ${found}")
    endif()
  endforeach()
endforeach()

# CLI11 is the command line's, in headers too.
foreach(file IN LISTS all)
  file(STRINGS ${file} found REGEX "${include}<CLI/")
  if(found AND NOT file MATCHES "^${ROOT}/cli/")
    message(SEND_ERROR "${file}: only cli/ may have ${found}")
  endif()
endforeach()
