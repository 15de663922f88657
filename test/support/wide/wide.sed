# The sources of the library in long double: types, literals, functions, vectors. Tolerances go with
# the rounding unit, so that the errors which they leave become as small as its rounding.
/^#/!s/\bdouble\b/long double/g
/^#include/!s/(^|[^A-Za-z0-9_.])([0-9]+\.[0-9]*([eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)/\1\2L/g
s/\bDBL_EPSILON\b/LDBL_EPSILON/g
s/\b(sqrt|cbrt|fabs|hypot|pow|exp|log|log1p|expm1|sin|cos|tan|asin|acos|atan|atan2|tanh|fmin|fmax|floor|ceil|round|lround|frexp|ldexp|scalbn|copysign|fmod|fma|nextafter)\(/\1l(/g
s/vector_size\(32\)/vector_size(64)/
s/vector_size\(16\)/vector_size(32)/
s/int64_t (Four)?Mask/__int128 \1Mask/
/FourMask/s/INT64_MAX/~((__int128)1 << 79)/g
s/\(Mask\)\{INT64_MAX, INT64_MAX\}/~((Mask){1, 1} << 79)/
/static const long double/s/\b([1-9]e-1[1-9]L)/\1 \/ 2048/g
/static const long double/s/\b(1e(9|1[0-9])L)/\1 * 1000/g
/static const Try TRIES/s/\b(1e(9|1[0-9])L)/\1 * 100000/g
/LATCH_SLIPPING/s/1e20L/1e26L/
/^#define .*CUT/s/\b(1e-1[1-9]L)/(\1 \/ 2048)/
s/visibility\("default"\)/visibility("hidden")/
