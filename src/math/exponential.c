/* exp:    x = k ln 2 + r, |r| <= (ln 2)/2, e^x = 2^k e^r, Taylor's series in r.
 * log:    x = 2^k (1 + f), 1/sqrt 2 <= 1 + f < sqrt 2; with s = f/(2 + f), R = 2 s^2/3 + 2 s^4/5 +
 * ... log(1 + f) = 2 atanh s = f - s (f - R), because 2 s = f - s f. ln 2 is kept in two parts, the
 * first with 32 digits, so that its product with k is exact. */
#include "math/exponential.h"

#include <math.h>

#include "math/exact_sum.h"

static const double LN2_HIGH = 0x1.62e42feep-1, LN2_LOW = 0x1.a39ef35793c76p-33;
static const double PER_LN2 = 0x1.71547652b82fep+0;

/* x = k ln 2 + hi + lo, for |x| < 1100 */
static int exp_reduce(double x, double *hi, double *lo) {
    const double shift = 0x1.8p52; /* the sum has no digits after the point */
    double k = (x * PER_LN2 + shift) - shift;
    double rest = x - k * LN2_HIGH, part = k * LN2_LOW;
    *hi = rest - part;
    *lo = (rest - *hi) - part;
    return (int)k;
}

/* e^r - 1 - r for |r| < 0.35, to rounding of the first term, r^2/2 */
static double exp_rest(double r) {
    static const double inverse[] = {/* 1/(n + 2)! */
                                     1.0 / 2,        1.0 / 6,         1.0 / 24,
                                     1.0 / 120,      1.0 / 720,       1.0 / 5040,
                                     1.0 / 40320,    1.0 / 362880,    1.0 / 3628800,
                                     1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
    double r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
    double a = (inverse[0] + r * inverse[1]) + r2 * (inverse[2] + r * inverse[3]);
    double b = (inverse[4] + r * inverse[5]) + r2 * (inverse[6] + r * inverse[7]);
    double c = (inverse[8] + r * inverse[9]) + r2 * (inverse[10] + r * inverse[11]);
    return r2 * (a + (r4 * b + r8 * c));
}

/* x 2^k, |k| < 2200 */
static double scale_by(double x, int k) {
    int half = k / 2;
    return ldexp(ldexp(x, half), k - half);
}

double crm_exp(double x) {
    double hi, lo;
    if (!(x < 710)) {
        return x + (x > 0 ? INFINITY : 0); /* NaN stays */
    }
    if (x < -746) {
        return 0;
    }
    int k = exp_reduce(x, &hi, &lo);
    return scale_by(1 + (hi + (lo + exp_rest(hi) + hi * lo)), k);
}

double crm_expm1(double x) {
    double hi, lo;
    if (!(x < 40)) {
        return crm_exp(x) - 1;
    }
    if (x < -40) {
        return -1;
    }
    if (fabs(x) < 0x1p-54) {
        return x;
    }
    int k = exp_reduce(x, &hi, &lo);
    double rest = lo + exp_rest(hi) + hi * lo;
    if (k == 0) {
        return hi + rest;
    }
    /* 2^k (1 + r) - 1 */
    double scale = ldexp(1, k);
    Two sum = two_sum(scale - 1, scale * hi);
    return sum.hi + (sum.lo + scale * rest);
}

/* R above, for s^2 < 0.03 */
static double log_rest(double s2) {
    static const double odd[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                                 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23};
    double s4 = s2 * s2, s8 = s4 * s4;
    double a = (odd[0] + s2 * odd[1]) + s4 * (odd[2] + s2 * odd[3]);
    double b = (odd[4] + s2 * odd[5]) + s4 * (odd[6] + s2 * odd[7]);
    double c = (odd[8] + s2 * odd[9]) + s4 * odd[10];
    return s2 * (a + s8 * (b + s8 * c));
}

/* log(2^k (1 + f) (1 + small)) */
static double log_of(int k, double f, double small) {
    double s = f / (2 + f), part = s * (f - log_rest(s * s));
    double tail = small + k * LN2_LOW;
    return k == 0 ? f - (part - tail) : k * LN2_HIGH + (f - (part - tail));
}

/* 1 + f = x 2^-k for x > 0, finite */
static int log_reduce(double x, double *f) {
    int k;
    double m = frexp(x, &k);
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        k--;
    }
    *f = m - 1;
    return k;
}

double crm_log(double x) {
    double f;
    if (!(x > 0)) {
        return x == 0 ? -INFINITY : NAN;
    }
    if (x == INFINITY) {
        return x;
    }
    int k = log_reduce(x, &f);
    return log_of(k, f, 0);
}

double crm_log1p(double x) {
    double f;
    if (!(x > -1) || x == INFINITY) {
        return x == -1 ? -INFINITY : x == INFINITY ? x : NAN;
    }
    if (fabs(x) < 0x1p-54) {
        return x;
    }
    if (x > -0.29 && x < 0.41) {
        return log_of(0, x, 0);
    }
    Two sum = two_sum(1, x);
    int k = log_reduce(sum.hi, &f);
    return log_of(k, f, sum.lo / sum.hi);
}

/* log(x) in two parts, to 2^-61 */
static Two log_two(double x) {
    double f;
    int k = log_reduce(x, &f);
    Two below = two_sum(2, f);
    double s = f / below.hi;
    Two back = two_product(s, below.hi);
    double off = (((f - back.hi) - back.lo) - s * below.lo) / below.hi;
    Two sum = two_sum(k * LN2_HIGH, 2 * s);
    return two_quick_sum(sum.hi, sum.lo + (2 * off + s * log_rest(s * s) + k * LN2_LOW));
}

double crm_pow(double x, double y) {
    if (y == 0 || x == 1) {
        return 1;
    }
    if (!(x >= 0) || isnan(y)) {
        return NAN;
    }
    if (x == 0 || x == INFINITY) {
        return (x == 0) == (y > 0) ? 0 : INFINITY;
    }
    if (!(fabs(y) < 1e15)) {
        return crm_exp(y * crm_log(x));
    }
    Two log = log_two(x), product = two_product(y, log.hi);
    double small = product.lo + y * log.lo, power = crm_exp(product.hi);
    /* where the product is out of range its parts do not count */
    return power > 0 && power < INFINITY ? power + power * small : power;
}

double crm_asinh(double x) {
    double a = fabs(x), result;
    if (a > 0x1p28) {
        result = crm_log(a) + (LN2_HIGH + LN2_LOW);
    } else {
        result = crm_log1p(a + a * a / (1 + sqrt(1 + a * a)));
    }
    return copysign(result, x);
}

double crm_cbrt(double x) {
    int k;
    if (!(x != 0 && fabs(x) < INFINITY)) {
        return x;
    }
    double m = frexp(fabs(x), &k);
    int third = (k + 3000) / 3 - 1000, rest = k - 3 * third; /* rest 0, 1 or 2 */
    m = ldexp(m, rest);                                      /* in [1/2, 4) */
    double y = 0.6 + m * (0.5 - m * 0.0515);                 /* within 15 % */
    for (int i = 0; i < 4; i++) {
        y = y - (y * y * y - m) / (3 * y * y);
    }
    /* once more with the residual to twice the digits */
    Two square = two_product(y, y), cube = two_product(square.hi, y);
    y -= ((cube.hi - m) + (cube.lo + square.lo * y)) / (3 * square.hi);
    return copysign(ldexp(y, third), x);
}

double crm_hypot(double x, double y) {
    double a = fabs(x), b = fabs(y), most = a > b ? a : b;
    int k;
    if (a == INFINITY || b == INFINITY) {
        return INFINITY;
    }
    if (!(most > 0)) {
        return a + b; /* 0 or NaN */
    }
    if (isnan(a) || isnan(b)) {
        return NAN;
    }
    frexp(most, &k);
    a = ldexp(a, -k);
    b = ldexp(b, -k);
    Two a2 = two_product(a, a), b2 = two_product(b, b), sum = two_sum(a2.hi, b2.hi);
    double root = sqrt(sum.hi);
    Two back = two_product(root, root);
    double off = (sum.hi - back.hi) - back.lo + (sum.lo + (a2.lo + b2.lo));
    return ldexp(root + off / (2 * root), k);
}
