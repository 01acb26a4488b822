# What `cmake --install` puts into a prefix for programs that embed the database. The server's
# program is installed by src/main.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/trestle)

# Embedders link trestle::trestle; the others come with it.
set_target_properties(trestle_embed PROPERTIES EXPORT_NAME trestle)
install(TARGETS trestle_base trestle_value trestle_storage trestle_expr trestle_engine trestle_embed
  EXPORT trestleTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY include/trestle
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h")
install(EXPORT trestleTargets NAMESPACE trestle::
  DESTINATION ${package_folder} COMPONENT development)

configure_package_config_file(cmake/trestleConfig.cmake.in trestleConfig.cmake
  INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may change what it likes.
write_basic_package_version_file(trestleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${CMAKE_BINARY_DIR}/trestleConfig.cmake
    ${CMAKE_BINARY_DIR}/trestleConfigVersion.cmake
    cmake/FindDeflate.cmake
  DESTINATION ${package_folder} COMPONENT development)
