/* Bits of an integer. */
#ifndef CAROM_MATH_BITS_H
#define CAROM_MATH_BITS_H

/* The place of the highest bit that is set, 0 for the lowest; bits must not be 0. */
static inline int highest_bit(unsigned bits) {
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(CAROM_PLAIN_C)
    return (int)sizeof bits * 8 - 1 - __builtin_clz(bits);
#else
    int place = 0;
    while (bits >>= 1) {
        place++;
    }
    return place;
#endif
}

#endif
