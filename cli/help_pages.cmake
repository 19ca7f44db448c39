# The manual page and the shells' completions are printed by the program itself, so they say what
# --help says. A step of the program's own build, so that whoever builds it alone can install all.
include(GNUInstallDirs)
set(pages ${CMAKE_CURRENT_BINARY_DIR}/pages)
file(MAKE_DIRECTORY ${pages})
add_custom_command(TARGET assay POST_BUILD
  COMMAND assay help-page man > ${pages}/assay.1
  COMMAND assay help-page bash > ${pages}/assay
  COMMAND assay help-page zsh > ${pages}/_assay
  COMMAND assay help-page fish > ${pages}/assay.fish
  COMMENT "Printing the manual page and completions"
  VERBATIM)

install(FILES ${pages}/assay.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${pages}/assay DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${pages}/_assay DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${pages}/assay.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
