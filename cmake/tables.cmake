# What tables use where it is there:
#   C++17's <charconv>   digits of numbers, many times as fast as printf and strtod
#   libzip               .npz (NumPy archives), in a module of its own
#   HDF5                 .h5, in a module of its own
# and what runs of several processes use:
#   MPI                  mpirun carom batch, in a module of its own
if(CAROM_HAS_CHARCONV)
  target_sources(carom_cli PRIVATE base/digits.cpp)
  set_target_properties(carom_cli PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  target_compile_definitions(carom_cli PRIVATE CAROM_HAS_CHARCONV)
  # the shared library would double the program's time to start
  target_link_options(carom_cli PUBLIC $<$<CXX_COMPILER_ID:GNU>:-static-libstdc++> $<$<CXX_COMPILER_ID:GNU>:-static-libgcc>)
endif()

# From the folder of the program to that of installed modules.
file(RELATIVE_PATH modules ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/carom)
set_source_files_properties(io/module.c PROPERTIES COMPILE_DEFINITIONS
  "CAROM_MODULES=\"${modules}\"")
# A module is loaded when it is needed; what it calls of carom_cli is in the program.
function(add_carom_module name folder library)
  add_library(carom_${name} MODULE ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/module/${name}_module.c)
  set_target_properties(carom_${name} PROPERTIES PREFIX "" OUTPUT_NAME carom-${name} SUFFIX .so
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_include_directories(carom_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(carom_${name} PRIVATE ${library} carom_flags)
  target_compile_definitions(carom_${name} PRIVATE _POSIX_C_SOURCE=200809L)
  install(TARGETS carom_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/carom)
endfunction()

pkg_check_modules(LIBZIP QUIET IMPORTED_TARGET libzip)
if(LIBZIP_FOUND)
  add_carom_module(npz table PkgConfig::LIBZIP)
endif()
# Debian's name of the library without MPI comes first
pkg_search_module(HDF5 QUIET IMPORTED_TARGET hdf5-serial hdf5)
if(HDF5_FOUND)
  add_carom_module(hdf5 table PkgConfig::HDF5)
endif()

pkg_check_modules(MPI QUIET IMPORTED_TARGET ompi-c)
if(MPI_FOUND)
  add_carom_module(mpi batch PkgConfig::MPI)
endif()
