# Makes Jemalloc::Jemalloc. jemalloc 5.3 (Debian 12) brings no package file for CMake.
find_library(JEMALLOC_LIBRARY jemalloc)
mark_as_advanced(JEMALLOC_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Jemalloc REQUIRED_VARS JEMALLOC_LIBRARY)

if(Jemalloc_FOUND AND NOT TARGET Jemalloc::Jemalloc)
  add_library(Jemalloc::Jemalloc UNKNOWN IMPORTED)
  set_target_properties(Jemalloc::Jemalloc PROPERTIES IMPORTED_LOCATION ${JEMALLOC_LIBRARY})
endif()
