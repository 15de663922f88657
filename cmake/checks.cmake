# CTest tests of the project as a whole: what is installed, the headers, the README, the layout, and
# the structure of the sources.
set(install_test ${PROJECT_SOURCE_DIR}/test/install/run)
set(tools ${PROJECT_SOURCE_DIR}/tools)

add_test(NAME install_static COMMAND ${install_test} static ${PROJECT_BINARY_DIR})
add_test(NAME install_shared COMMAND ${install_test} shared)
add_test(NAME install_both COMMAND ${install_test} both)
add_test(NAME build_unity COMMAND ${tools}/check-build unity)
add_test(NAME build_one COMMAND ${tools}/check-build one)
add_test(NAME build_lto COMMAND ${tools}/check-build lto)
add_test(NAME build_same COMMAND ${tools}/check-build same)
# more than one build each
set_tests_properties(install_shared install_both build_lto build_same PROPERTIES LABELS slow)
add_test(NAME headers COMMAND ${tools}/check-headers ${CMAKE_C_COMPILER})
add_test(NAME includes COMMAND ${tools}/check-includes)
add_test(NAME names COMMAND ${tools}/check-names static $<TARGET_OBJECTS:carom>
  $<TARGET_FILE:carom> COMMAND_EXPAND_LISTS)
if(CAROM_HAS_FIT)
  add_test(NAME names_fit COMMAND ${tools}/check-names static $<TARGET_FILE:carom_fit>)
endif()
add_test(NAME messages COMMAND ${tools}/check-messages)
add_test(NAME versions COMMAND ${tools}/check-versions)
add_test(NAME layout COMMAND ${tools}/format --check)
set_tests_properties(layout PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME readme COMMAND ${tools}/check-readme $<TARGET_FILE:carom_program>)
add_test(NAME links COMMAND ${tools}/check-links)
