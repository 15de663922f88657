# carom_flags: compile options of all targets; not exported to users.
add_library(carom_flags INTERFACE)
# Compilers that have the options of gcc; others get none but those named here.
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND NOT CMAKE_C_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC")
  set(CAROM_GNU ON)
endif()
if(CAROM_GNU)
  target_compile_options(carom_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> -Wvla)
  # No contraction of a*b+c into one rounding unless a target sets CAROM_CONTRACT, and no option for
  # -march=native: results depend on compiler and machine only through the functions of libm.
  target_compile_options(carom_flags INTERFACE
    -ffp-contract=$<IF:$<BOOL:$<TARGET_PROPERTY:CAROM_CONTRACT>>,fast,off>)
  # Where the sources lie is no part of the product: two builds have the same bytes.
  target_compile_options(carom_flags INTERFACE -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.
    -ffile-prefix-map=${PROJECT_BINARY_DIR}=.)
elseif(MSVC)
  target_compile_options(carom_flags INTERFACE /W3 /fp:precise)
endif()
if(CAROM_WERROR)
  target_compile_options(carom_flags INTERFACE $<IF:$<BOOL:${CAROM_GNU}>,-Werror,$<$<BOOL:${MSVC}>:/WX>>)
endif()

# Sanitizers need the whole program instrumented, so they are set for every target.
if(CAROM_SANITIZE OR CAROM_FUZZ)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(CAROM_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "CAROM_FUZZ needs clang: set -DCMAKE_C_COMPILER=clang")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
