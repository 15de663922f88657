/* The exact solver once more, for processors with AVX2 and FMA (src/CMakeLists.txt): all its files
 * at once, so that nothing but this name is seen from outside, and the compiler sees all there is.
 */
#define INTERNAL static
#define exact_solve exact_solve_fma

#include "rigid/curve.c"
#include "rigid/curve_run.c"
#include "rigid/exact.c"
#include "rigid/fade.c"
#include "rigid/forecast.c"
#include "rigid/line.c"
#include "rigid/logtime.c"
#include "rigid/normal.c"
#include "rigid/normal_work.c"
#include "rigid/series.c"
#include "rigid/setup.c"
#include "rigid/slip_series.c"
#include "rigid/solve.c"
#include "rigid/spinor.c"
