/* Points that fill a box evenly: van der Corput's sequence in another prime for each axis. */
#ifndef CAROM_FIT_DESCENT_SPREAD_H
#define CAROM_FIT_DESCENT_SPREAD_H

#define SPREAD_AXES 16

/* Coordinate of point number index along an axis below SPREAD_AXES, in [0, 1). */
static inline double spread(int index, int axis) {
    static const int primes[SPREAD_AXES] = {2,  3,  5,  7,  11, 13, 17, 19,
                                            23, 29, 31, 37, 41, 43, 47, 53};
    double sum = 0, part = 1;
    for (; index > 0; index /= primes[axis]) {
        part /= primes[axis];
        sum += part * (index % primes[axis]);
    }
    return sum;
}

#endif
