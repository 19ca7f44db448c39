# Installs what has been built into a folder of its own, as README.md says it, and asks the installed
# program what it is: nothing it needs may be missing there.
set(prefix ${BINARY_DIR}/installed)
file(REMOVE_RECURSE ${prefix})
file(READ ${ROOT}/README.md readme)
string(FIND "${readme}" "cmake --install build/release --prefix ~/.local" step)
if(step EQUAL -1 OR NOT readme MATCHES "~/.local/bin must be in PATH")
  message(FATAL_ERROR "README.md has no step that installs assay, or not this one")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${prefix}
  RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE error)
if(code)
  message(FATAL_ERROR "cmake --install: ${error}")
endif()
foreach(file bin/assay share/man/man1/assay.1 share/assay/books/unbalanced.epd.zst
    share/assay/configs/gate.yaml share/doc/assay/docs/gate.md include/assay/treelog.h
    libexec/assay/player)
  if(NOT EXISTS ${prefix}/${file})
    message(SEND_ERROR "${file} was not installed")
  endif()
endforeach()
# By its plain name, as all documents call it.
execute_process(COMMAND ${CMAKE_COMMAND} -E env "PATH=${prefix}/bin:$ENV{PATH}" assay --version
  OUTPUT_VARIABLE said RESULT_VARIABLE code)
if(code OR NOT said STREQUAL "assay ${VERSION}\n")
  message(SEND_ERROR "the installed assay says '${said}' (code ${code})")
endif()
foreach(config quickstart suite tt-vs-chains)
  execute_process(COMMAND ${prefix}/bin/assay run --explain
    ${prefix}/share/assay/configs/${config}.yaml
    WORKING_DIRECTORY ${prefix} OUTPUT_QUIET ERROR_VARIABLE error RESULT_VARIABLE code)
  if(code)
    message(SEND_ERROR "the installed ${config}.yaml cannot be run (code ${code}): ${error}")
  endif()
endforeach()
file(REMOVE_RECURSE ${prefix})
