/* sin, cos: x = n pi/2 + r, |r| <= pi/4; Taylor's series in r. pi/2 is kept in three parts, the
 *           first two with 33 digits, so that their products with n < 2^19 are exact. Beyond, x is
 *           multiplied by the digits of 2/pi that count, as integers.
 * atan:     atan(y/x) = atan c + atan z, z = (y - c x)/(x + c y), c = j/8 nearest to y/x, so that
 *           |z| <= 1/16; Taylor's series in z. */
#include "math/trigonometric.h"

#include <math.h>
#include <stdint.h>

#include "math/exact_sum.h"

static const double QUARTER_HIGH = 0x1.921fb544p+0, QUARTER_MIDDLE = 0x1.0b4611a6p-34,
                    QUARTER_LOW = 0x1.3198a2e037073p-69;
static const double PER_QUARTER = 0x1.45f306dc9c883p-1;
/* pi/2 as a sum of two doubles */
static const Two QUARTER = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/* 32 digits of 2/pi from the given one on, the first after the point being number 0. */
static uint64_t two_over_pi(int first) {
    static const uint64_t digits[] = {
        0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
        0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
        0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
        0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
        0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};
    uint64_t all = 0;
    for (int i = first; i < first + 32; i++) {
        uint64_t digit = i < 0 ? 0 : digits[i / 64] >> (63 - i % 64) & 1;
        all = all << 1 | digit;
    }
    return all;
}

/* x 2/pi mod 4 for finite x >= 2^19: x = m 2^e with an integer m of 53 digits; digits of 2/pi with
 * a weight of 4 2^-e and more add multiples of 4. Five groups of 32 digits follow. */
static int reduce_large(double x, Two *r) {
    int e;
    uint64_t m = (uint64_t)ldexp(frexp(x, &e), 53);
    e -= 53;
    uint64_t low = m & 0xffffffff, high = m >> 32, sum[7] = {0};
    int first = e - 2; /* its weight is 2^(1 - e), times 2^e: 2 */
    for (int i = 0; i < 5; i++) {
        uint64_t group = two_over_pi(first + 32 * i), a = low * group, b = high * group;
        /* group i ends at the weight 2^(2 - 32 (i + 1)) */
        sum[i + 2] += a & 0xffffffff;
        sum[i + 1] += (a >> 32) + (b & 0xffffffff);
        sum[i] += b >> 32;
    }
    for (int i = 6; i > 0; i--) {
        sum[i - 1] += sum[i] >> 32;
        sum[i] &= 0xffffffff;
    }
    /* sum[2] has the weights 2 to 2^-30, sum[3] 2^-31 and on */
    int n = (int)(sum[2] >> 30 & 3);
    double part[4] = {ldexp((double)(sum[2] & 0x3fffffff), -30), ldexp((double)sum[3], -62),
                      ldexp((double)sum[4], -94), ldexp((double)sum[5], -126)};
    if (part[0] >= 0.5) {
        part[0] -= 1;
        n++;
    }
    Two s = two_sum(part[0], part[1]), t = two_sum(s.lo, part[2]);
    s = two_quick_sum(s.hi, t.hi);
    s.lo += t.lo + part[3];
    Two product = two_product(s.hi, QUARTER.hi);
    *r = two_quick_sum(product.hi, product.lo + (s.hi * QUARTER.lo + s.lo * QUARTER.hi));
    return n;
}

/* x = n pi/2 + r modulo 2 pi; returns n modulo 4. */
static int reduce(double x, Two *r) {
    const double shift = 0x1.8p52; /* the sum has no digits after the point */
    double a = fabs(x);
    int n;
    if (a <= 0.78) {
        *r = (Two){x, 0};
        return 0;
    }
    if (a < 0x1p19) {
        double k = (a * PER_QUARTER + shift) - shift;
        Two part = two_sum(a - k * QUARTER_HIGH, -k * QUARTER_MIDDLE);
        *r = two_quick_sum(part.hi, part.lo - k * QUARTER_LOW);
        n = (int)k;
    } else {
        n = reduce_large(a, r);
    }
    if (x < 0) {
        *r = (Two){-r->hi, -r->lo};
        n = -n;
    }
    return n & 3;
}

/* sin r and cos r, |r| <= 0.79 */
static double sin_near(Two r) {
    static const double c[] = {
        -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
        -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
    double x = r.hi, z = x * x, z2 = z * z, z4 = z2 * z2;
    double sum = (c[0] + z * c[1]) + z2 * (c[2] + z * c[3]) +
                 z4 * ((c[4] + z * c[5]) + z2 * (c[6] + z * c[7]));
    return x + (x * z * sum + r.lo * (1 - z / 2));
}

static double cos_near(Two r) {
    static const double c[] = {
        1.0 / 24,        -1.0 / 720,         1.0 / 40320,         -1.0 / 3628800,
        1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};
    double x = r.hi, z = x * x, z2 = z * z, z4 = z2 * z2, half = z / 2, first = 1 - half;
    double sum = (c[0] + z * c[1]) + z2 * (c[2] + z * c[3]) + z4 * ((c[4] + z * c[5]) + z2 * c[6]);
    return first + (((1 - first) - half) + (z2 * sum - x * r.lo));
}

/* |x| below which sin x, tan x and atan x are x to rounding */
static const double NO_BEND = 0x1p-27;

double crm_sin(double x) {
    Two r;
    if (!(fabs(x) < INFINITY)) {
        return NAN;
    }
    if (fabs(x) < NO_BEND) {
        return x;
    }
    int n = reduce(x, &r);
    double value = n & 1 ? cos_near(r) : sin_near(r);
    return n & 2 ? -value : value;
}

double crm_cos(double x) {
    Two r;
    if (!(fabs(x) < INFINITY)) {
        return NAN;
    }
    int n = reduce(x, &r);
    double value = n & 1 ? sin_near(r) : cos_near(r);
    return (n + 1) & 2 ? -value : value;
}

double crm_tan(double x) {
    Two r;
    if (!(fabs(x) < INFINITY)) {
        return NAN;
    }
    if (fabs(x) < NO_BEND) {
        return x;
    }
    int n = reduce(x, &r);
    double s = sin_near(r), c = cos_near(r);
    return n & 1 ? -c / s : s / c;
}

/* atan(y/x) for x, y >= 0, not both 0, of moderate size; in [0, pi/2] */
static Two atan_quadrant(double y, double x) {
    /* atan(j/8) */
    static const Two at[] = {{0, 0},
                             {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                             {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                             {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                             {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                             {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                             {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                             {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                             {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
    int steep = y > x;
    double low = steep ? x : y, high = steep ? y : x;
    int j = (int)(8 * (low / high) + 0.5);
    double c = j / 8.0, z = (low - c * high) / (high + c * low), z2 = z * z;
    static const double odd[] = {1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13};
    double rest =
        odd[0] - z2 * (odd[1] - z2 * (odd[2] - z2 * (odd[3] - z2 * (odd[4] - z2 * odd[5]))));
    double small = at[j].lo - z * z2 * rest;
    Two sum = two_sum(at[j].hi, z);
    if (!steep) {
        return (Two){sum.hi, sum.lo + small};
    }
    Two other = two_sum(QUARTER.hi, -sum.hi);
    return (Two){other.hi, other.lo + (QUARTER.lo - (sum.lo + small))};
}

double crm_atan(double x) {
    double a = fabs(x);
    if (!(a >= NO_BEND)) {
        return x; /* NaN too */
    }
    if (a > 0x1p60) {
        return copysign(QUARTER.hi, x);
    }
    Two angle = atan_quadrant(a, 1);
    return copysign(angle.hi + angle.lo, x);
}

double crm_atan2(double y, double x) {
    double a = fabs(y), b = fabs(x), most = a > b ? a : b;
    int k;
    if (isnan(x) || isnan(y)) {
        return NAN;
    }
    if (a < NO_BEND * b && !signbit(x)) {
        return y / x;
    }
    if (most == INFINITY) {
        a = a == INFINITY;
        b = b == INFINITY;
    } else if (most > 0) {
        frexp(most, &k);
        a = ldexp(a, -k);
        b = ldexp(b, -k);
    } else {
        b = 1;
    }
    Two angle = atan_quadrant(a, b);
    if (signbit(x)) {
        Two other = two_sum(2 * QUARTER.hi, -angle.hi);
        angle = (Two){other.hi, other.lo + (2 * QUARTER.lo - angle.lo)};
    }
    return copysign(angle.hi + angle.lo, y);
}

double crm_acos(double x) {
    return 2 * crm_atan2(sqrt(1 - x), sqrt(1 + x));
}
