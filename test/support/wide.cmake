# carom_wide: the library's own sources in long double (support/wide/wide.h). A shared library, so that
# its names do not meet those of the library under test.
file(GLOB wide_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src/*/*.c
  ${PROJECT_SOURCE_DIR}/src/rigid/slip/*.c)
file(GLOB_RECURSE wide_others CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
  ${PROJECT_SOURCE_DIR}/src/*.[ch] ${PROJECT_SOURCE_DIR}/include/*.h)
list(REMOVE_ITEM wide_others ${wide_sources})
set(wide ${CMAKE_CURRENT_BINARY_DIR}/wide)
foreach(file ${wide_sources} ${wide_others})
  get_filename_component(folder ${wide}/${file} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${wide}/${file}
    COMMAND sed -E -f ${CMAKE_CURRENT_LIST_DIR}/wide/wide.sed ${PROJECT_SOURCE_DIR}/${file} > ${wide}/${file}
    DEPENDS ${PROJECT_SOURCE_DIR}/${file} ${CMAKE_CURRENT_LIST_DIR}/wide/wide.sed)
endforeach()
list(TRANSFORM wide_sources PREPEND ${wide}/)
list(TRANSFORM wide_others PREPEND ${wide}/)
# exact.c and the like are parts of other sources
set_source_files_properties(${wide_others} PROPERTIES HEADER_FILE_ONLY ON)
add_library(carom_wide SHARED ${wide_sources} ${wide_others} ${CMAKE_CURRENT_LIST_DIR}/wide/wide.c)
target_include_directories(carom_wide PRIVATE ${wide}/include ${wide}/src ${CMAKE_CURRENT_LIST_DIR}/..)
target_compile_options(carom_wide PRIVATE -O2 -w -Wno-psabi)
# one element of a vector is a double there
target_compile_definitions(carom_wide PRIVATE CAROM_NO_LANES)
target_link_libraries(carom_wide PRIVATE m)
set_target_properties(carom_wide PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
