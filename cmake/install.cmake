include(GNUInstallDirs)
install(TARGETS assay RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS instant player gameplayer RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/assay)
install(FILES gtql/log/treelog.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/assay OPTIONAL)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs OPTIONAL)

# In the source tree the configs name the players of build/release; an installed config names those
# that are installed beside it.
set(assay_config_dir ${CMAKE_INSTALL_DATADIR}/assay/configs)
file(RELATIVE_PATH assay_players /prefix/${assay_config_dir}
  /prefix/${CMAKE_INSTALL_LIBEXECDIR}/assay)
file(GLOB assay_configs CONFIGURE_DEPENDS configs/*.yaml)
foreach(config IN LISTS assay_configs)
  get_filename_component(name ${config} NAME)
  file(READ ${config} text)
  string(REPLACE "../build/release/engines" "${assay_players}" text "${text}")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/installed_configs/${name} CONTENT "${text}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${config})
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/installed_configs/ DESTINATION ${assay_config_dir}
  FILES_MATCHING PATTERN "*.yaml")
install(DIRECTORY configs/queries DESTINATION ${assay_config_dir} FILES_MATCHING PATTERN "*.gtql")
install(DIRECTORY configs/suites DESTINATION ${assay_config_dir} FILES_MATCHING PATTERN "*.epd")
