# cmake --install: the tool, its man page, the hierarchies, and a library for find_package(privpfc).
include(CMakePackageConfigHelpers)

get_property(stages GLOBAL PROPERTY PRIVPFC_STAGES)
add_library(privpfc_all INTERFACE)
add_library(privpfc::privpfc ALIAS privpfc_all)
set_target_properties(privpfc_all PROPERTIES EXPORT_NAME privpfc)
set(targets privpfc_all)
foreach(stage IN LISTS stages)
  target_link_libraries(privpfc_all INTERFACE privpfc_${stage})
  list(APPEND targets privpfc_${stage})
endforeach()

install(TARGETS ${targets} EXPORT privpfcTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT privpfcTargets NAMESPACE privpfc::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/privpfc)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/privpfc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/hierarchies DESTINATION ${CMAKE_INSTALL_DATADIR}/privpfc)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/privpfcConfig.cmake.in
  ${PROJECT_BINARY_DIR}/privpfcConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/privpfc)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/privpfcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/privpfcConfig.cmake
  ${PROJECT_BINARY_DIR}/privpfcConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/privpfc)
install(FILES ${PROJECT_SOURCE_DIR}/docs/privpfc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
