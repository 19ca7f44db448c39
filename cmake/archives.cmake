# Where there is an archive of a library, it is linked: what the loader maps and binds at each start,
# and what a match of many games keeps in memory, is then what is used of it. A build that wants the
# shared ones sets ASSAY_ARCHIVES to OFF.
option(ASSAY_ARCHIVES "Link archives (.a) of libraries where there are some" ON)
if(ASSAY_ARCHIVES)
  list(PREPEND CMAKE_FIND_LIBRARY_SUFFIXES .a)
  set(Boost_USE_STATIC_LIBS ON)
endif()

# assay_complete_archive(<prefix>): adds to PkgConfig::<prefix>, where it is an archive, the libraries
# that the archive itself needs.
function(assay_complete_archive prefix)
  get_target_property(files PkgConfig::${prefix} INTERFACE_LINK_LIBRARIES)
  if(NOT files MATCHES "\\.a$")
    return()
  endif()
  foreach(name IN LISTS ${prefix}_STATIC_LIBRARIES)
    find_library(ASSAY_${prefix}_${name} ${name} REQUIRED)
    list(APPEND files ${ASSAY_${prefix}_${name}})
  endforeach()
  set_target_properties(PkgConfig::${prefix} PROPERTIES INTERFACE_LINK_LIBRARIES "${files}")
endfunction()
