# CAROM_DETERMINISTIC: the same bits on all machines with IEEE doubles, by functions of our own instead of
# libm's (src/math/functions.h) and without contraction of a*b+c. It turns CAROM_FMA off.
option(CAROM_DETERMINISTIC "The same bits on every machine" OFF)
# CAROM_FMA: on x86-64 processors with AVX2 and FMA one contact is solved by a copy of the solver that is
# compiled for them. Off: the bits depend on the processor only through libm.
include(CheckCSourceCompiles)
check_c_source_compiles("
#ifndef __x86_64__
#error
#endif
int main(void) { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\"); }
" CAROM_HAS_FMA)
if(CAROM_HAS_FMA AND NOT CAROM_DETERMINISTIC)
  option(CAROM_FMA "Use AVX2 and FMA where the processor has them" ON)
else()
  set(CAROM_FMA OFF)
endif()
