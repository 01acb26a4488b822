# Makes Argon2::Argon2. libargon2 brings no package file of its own.
find_path(ARGON2_INCLUDE_DIR argon2.h)
find_library(ARGON2_LIBRARY argon2)
mark_as_advanced(ARGON2_INCLUDE_DIR ARGON2_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Argon2 REQUIRED_VARS ARGON2_LIBRARY ARGON2_INCLUDE_DIR)

if(Argon2_FOUND AND NOT TARGET Argon2::Argon2)
  add_library(Argon2::Argon2 UNKNOWN IMPORTED)
  set_target_properties(Argon2::Argon2 PROPERTIES
    IMPORTED_LOCATION ${ARGON2_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${ARGON2_INCLUDE_DIR})
endif()
