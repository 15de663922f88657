# Installation: library, headers, program, man page, licence, and files for CMake and pkg-config; with the
# program its documents and scenes, which the manual's examples use.
include(CMakePackageConfigHelpers)

set(libraries carom)
if(CAROM_BOTH)
  list(APPEND libraries carom_shared)
endif()
# Libraries that need others, each with its folder
set(parts)
if(CAROM_HAS_FIT)
  list(APPEND parts fit)
endif()
if(CAROM_HAS_MECHANISM)
  list(APPEND parts mechanism)
endif()
foreach(part ${parts})
  list(APPEND libraries carom_${part})
  if(CAROM_BOTH)
    list(APPEND libraries carom_${part}_shared)
  endif()
endforeach()
install(TARGETS ${libraries} EXPORT carom-targets)
install(DIRECTORY include/carom TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
foreach(part ${parts})
  install(DIRECTORY ${part}/include/carom TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
endforeach()
# The installed program finds the shared library relative to itself, so the tree may be moved.
if(CAROM_BUILD_PROGRAM AND BUILD_SHARED_LIBS)
  set_target_properties(carom_program PROPERTIES
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
install(EXPORT carom-targets NAMESPACE carom:: DESTINATION ${package_dir})
# Before 1.0 a new minor version may be incompatible.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/carom-config-version.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(cmake/carom-config.cmake.in ${PROJECT_BINARY_DIR}/carom-config.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/carom-config.cmake
  ${PROJECT_BINARY_DIR}/carom-config-version.cmake DESTINATION ${package_dir})

# Paths in the pkg-config file are relative to it, so the tree may be moved.
set(pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH CAROM_PC_PREFIX ${pc_dir} ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH CAROM_PC_INCLUDE ${pc_dir} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
# A static library needs libm explicitly.
if(NOT BUILD_SHARED_LIBS AND NOT CAROM_BOTH)
  set(CAROM_PC_LIBS " -lm")
endif()
set(CAROM_FIT_WORDS "Coefficients of contacts from measured impacts, strikes for wanted outcomes")
set(CAROM_FIT_NEEDS "-lcminpack")
set(CAROM_MECHANISM_WORDS "Mechanisms over time, with impacts")
set(CAROM_MECHANISM_NEEDS "-lsundials_cvode")
configure_file(cmake/carom.pc.in ${PROJECT_BINARY_DIR}/carom.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/carom.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
foreach(CAROM_PART ${parts})
  string(TOUPPER ${CAROM_PART} part)
  set(CAROM_PART_WORDS ${CAROM_${part}_WORDS})
  set(CAROM_PART_NEEDS ${CAROM_${part}_NEEDS})
  if(CAROM_PC_LIBS)
    set(CAROM_PART_LIBS " -lcarom ${CAROM_PART_NEEDS}${CAROM_PC_LIBS}")
  endif()
  configure_file(cmake/carom-part.pc.in ${PROJECT_BINARY_DIR}/carom-${CAROM_PART}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/carom-${CAROM_PART}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(FILES LICENSE CHANGELOG.md TYPE DOC)
if(CAROM_BUILD_PROGRAM)
  install(FILES README.md CITATION.cff TYPE DOC)
  install(DIRECTORY docs scenes TYPE DOC PATTERN "carom.1" EXCLUDE)
endif()

# Archives: `cpack -G TGZ` (or ZIP) in the build directory
if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR TGZ)
  set(CPACK_PACKAGE_VENDOR carom)
  set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
  set(CPACK_PACKAGE_FILE_NAME carom-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
  set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
  set(CPACK_PACKAGE_CHECKSUM SHA256)
  set(CPACK_STRIP_FILES ON)
  include(CPack)
endif()
