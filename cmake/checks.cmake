# CTest tests of the whole project: installation, headers, versions, format, README.
set(install_test ${PROJECT_SOURCE_DIR}/test/install/run)
set(tools ${PROJECT_SOURCE_DIR}/tools)

add_test(NAME install_static COMMAND ${install_test} static ${PROJECT_BINARY_DIR})
add_test(NAME install_shared COMMAND ${install_test} shared)
add_test(NAME headers COMMAND ${tools}/check-headers ${CMAKE_C_COMPILER})
add_test(NAME versions COMMAND ${tools}/check-versions)
add_test(NAME layout COMMAND ${tools}/format --check)
set_tests_properties(layout PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME readme COMMAND ${tools}/check-readme $<TARGET_FILE:carom_program>)
