# A copy of the program with the engine's mathematical functions (those of musl, which wasi-libc uses) and
# without the copy of the solver for FMA. Its results must equal the engine's bit for bit. Needs
# musl-dev.
file(GLOB MUSL_LIBC /usr/lib/${CMAKE_SYSTEM_PROCESSOR}-linux-musl/libc.a)
if(NOT MUSL_LIBC OR BUILD_SHARED_LIBS OR CAROM_SANITIZE)
  message(STATUS "Engine and program are not compared bit for bit: no musl-dev")
  return()
endif()
set(musl_directory ${CMAKE_CURRENT_BINARY_DIR}/musl)
file(MAKE_DIRECTORY ${musl_directory})
set(musl_names acos.lo atan.lo atan2.lo cbrt.lo cos.lo exp.lo expm1.lo hypot.lo log.lo log1p.lo pow.lo
  sin.lo sincos.lo tan.lo tanh.lo
  # dependencies of these
  __cos.lo __rem_pio2.lo __rem_pio2_large.lo __sin.lo __tan.lo exp_data.lo log_data.lo pow_data.lo
  __math_divzero.lo __math_invalid.lo __math_oflow.lo __math_uflow.lo __math_xflow.lo)
list(TRANSFORM musl_names PREPEND ${musl_directory}/ OUTPUT_VARIABLE musl_objects)
add_custom_command(OUTPUT ${musl_objects}
  COMMAND ${CMAKE_AR} x ${MUSL_LIBC} ${musl_names}
  WORKING_DIRECTORY ${musl_directory} VERBATIM)
set_source_files_properties(${musl_objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)

add_executable(carom_same_math ${PROJECT_SOURCE_DIR}/cli/main.c ${musl_objects}
  $<$<BOOL:${CAROM_FMA}>:$<TARGET_OBJECTS:carom_plain>>)
target_link_libraries(carom_same_math PRIVATE carom_cli carom_flags)
target_compile_definitions(carom_same_math PRIVATE _POSIX_C_SOURCE=200809L)
set(CAROM_SAME_MATH ${CMAKE_CURRENT_BINARY_DIR}/carom_same_math)
