/* The solver of one rigid contact as one translation unit.
 *
 * Its parts, the headers in process/ and curve/, define static functions; no other source file
 * includes them. One unit lets the compiler inline every part and hides all names but the crm_
 * ones. It is compiled once as it is and, on x86-64, once more for AVX2 and FMA with contraction of
 * a*b+c, with CAROM_FMA_COPY defined (src/CMakeLists.txt); rigid.c chooses between the copies. The
 * published schemes are in the first copy only: their digits must not depend on the processor. */
#ifdef CAROM_FMA_COPY
#define crm_rigid_exact crm_rigid_exact_fma
#endif

#include "rigid/process/exact.c"

#ifndef CAROM_FMA_COPY
#include "rigid/scheme/scheme.c"
#endif
