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
  # libbsd's archive needs libmd's, which libedit's description does not say.
  foreach(name IN LISTS ${prefix}_STATIC_LIBRARIES ITEMS md)
    find_library(ASSAY_${prefix}_${name} ${name} REQUIRED)
    list(APPEND files ${ASSAY_${prefix}_${name}})
  endforeach()
  set_target_properties(PkgConfig::${prefix} PROPERTIES INTERFACE_LINK_LIBRARIES "${files}")
endfunction()

# fmt::fmt. The system has no archive of version 9, but all of its source: one file that includes it
# is the archive.
macro(assay_find_fmt)
  find_path(ASSAY_FMT_INCLUDE fmt/format-inl.h)
  set(assay_fmt_version "")
  if(ASSAY_ARCHIVES AND ASSAY_FMT_INCLUDE)
    file(STRINGS ${ASSAY_FMT_INCLUDE}/fmt/core.h assay_fmt_version REGEX "define FMT_VERSION 9")
  endif()
  if(assay_fmt_version)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/fmt/fmt.cpp @ONLY CONTENT "#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
}  // namespace detail
FMT_END_NAMESPACE
")
    add_library(assay_fmt STATIC ${PROJECT_BINARY_DIR}/fmt/fmt.cpp)
    target_compile_definitions(assay_fmt PUBLIC FMT_SHARED)
    add_library(fmt::fmt ALIAS assay_fmt)
  else()
    find_package(fmt REQUIRED)
  endif()
endmacro()

# assay_link_runtime(<target>): the compiler's runtime as an archive too. For programs that load no
# C++ library.
function(assay_link_runtime target)
  if(ASSAY_ARCHIVES AND NOT ASSAY_SANITIZE)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()
