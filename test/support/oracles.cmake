# carom_oracles: random problems, reference answers and independent slow solvers, which tests and
# benchmark share. The includer finds Jansson, SUNDIALS and OpenMP.
include_guard(GLOBAL)

set(folders math contact rigid planar compliant multiple impulse derivative)
list(TRANSFORM folders REPLACE "(.+)" "${CMAKE_CURRENT_LIST_DIR}/\\1/*.c")
file(GLOB sources CONFIGURE_DEPENDS ${folders})
add_library(carom_oracles STATIC ${sources})
target_include_directories(carom_oracles PUBLIC ${CMAKE_CURRENT_LIST_DIR}/..)
target_link_libraries(carom_oracles PUBLIC carom carom_flags PkgConfig::JANSSON SUNDIALS::cvode
  OpenMP::OpenMP_C)
target_compile_definitions(carom_oracles PUBLIC _POSIX_C_SOURCE=200809L)
