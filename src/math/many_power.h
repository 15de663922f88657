/* Logarithm and exponential function of each element of a Many, and powers from them.
 *
 * log x = e log 2 + 2 atanh f with x = 2^e m, m from sqrt(1/2) to sqrt(2), f = (m - 1)/(m + 1).
 * exp x = 2^k exp f with |f| <= log(2)/2. Both series are Taylor's, cut where the next term is
 * below 1e-17. Errors are a few units in the last place; the bits do not depend on the machine if
 * a*b+c is not contracted. */
#ifndef CAROM_MATH_MANY_POWER_H
#define CAROM_MATH_MANY_POWER_H

#include "math/many.h"
#include "math/reciprocal.h"

#ifdef CAROM_LANES

/* log 2, its leading bits and the rest: whole multiples of the first are exact. */
#define MANY_LN2_HIGH 0x1.62e42fefa38p-1
#define MANY_LN2_LOW 0x1.ef35793c7673p-45

/* 2^52 + 2^51: its last bits, as an integer, are those of what is added. */
#define MANY_WHOLE 0x1.8p52

/* For positive normal x. */
static inline Many many_log(Many x) {
    const Many magic = many_all(MANY_WHOLE);
    ManyBits bits = (ManyBits)x, half = (ManyBits)many_all(0x1.6a09e667f3bcdp-1);
    /* the exponent of x over sqrt(1/2), with its sign, and the mantissa from there */
    ManyBits exponent = (ManyBits)((ManyMask)(bits - half) >> 52);
    Many m = (Many)(bits - (exponent << 52)), e = (Many)((ManyBits)magic + exponent) - magic;
    Many f = (m - 1) / (m + 1), ff = f * f, sum = many_all(RECIPROCAL[23]);
    for (int n = 21; n >= 3; n -= 2) {
        sum = sum * ff + RECIPROCAL[n];
    }
    return e * MANY_LN2_HIGH + (2 * f + (2 * f * ff * sum + e * MANY_LN2_LOW));
}

/* From x = -700 to 700; beyond, as there. */
static inline Many many_exp(Many x) {
    const Many magic = many_all(MANY_WHOLE);
    x = many_most(many_least(x, many_all(700)), many_all(-700));
    Many shifted = x * 0x1.71547652b82fep0 + magic, k = shifted - magic;
    Many f = (x - k * MANY_LN2_HIGH) - k * MANY_LN2_LOW, sum = 1 + f * RECIPROCAL[14];
    for (int n = 13; n >= 1; n--) {
        sum = 1 + f * RECIPROCAL[n] * sum;
    }
    return (Many)((ManyBits)sum + (((ManyBits)shifted - (ManyBits)magic) << 52));
}

/* (1 - q x)^(1/q), for small q as well. */
static inline Many many_root(Many x, Many q) {
    Many part = -q * x, y = 1 + part;
    /* the rounding of y, too */
    return many_exp((many_log(y) + (part - (y - 1)) / y) / q);
}

#endif

#endif
