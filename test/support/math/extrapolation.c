#include "support/math/extrapolation.h"

/* Gragg's midpoint rule: count substeps; rate is that of y. */
static void midpoint(Rates rates, const void *system, int size, const Real *y, const Real *rate,
                     Real h, int count, Real *out) {
    Real step = h / count;
    Real before[EXTRAPOLATION_SIZE], now[EXTRAPOLATION_SIZE], f[EXTRAPOLATION_SIZE];
    for (int i = 0; i < size; i++) {
        before[i] = y[i];
        now[i] = y[i] + step * rate[i];
    }
    for (int k = 1; k < count; k++) {
        rates(system, now, f);
        for (int i = 0; i < size; i++) {
            Real next = before[i] + 2 * step * f[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    rates(system, now, f);
    for (int i = 0; i < size; i++) {
        out[i] = (before[i] + now[i] + step * f[i]) / 2;
    }
}

void extrapolate(Rates rates, const void *system, int size, const Real *y, Real h, Real *out,
                 Real *lower) {
    Real table[EXTRAPOLATION_COLUMNS][EXTRAPOLATION_SIZE], rate[EXTRAPOLATION_SIZE];
    rates(system, y, rate);
    for (int j = 0; j < EXTRAPOLATION_COLUMNS; j++) {
        midpoint(rates, system, size, y, rate, h, 2 * (j + 1), table[j]);
        /* Aitken and Neville, in h^2: the newest estimate of each order, in place */
        for (int k = j - 1; k >= 0; k--) {
            Real ratio = (Real)(j + 1) / (k + 1), by = ratio * ratio - 1;
            for (int i = 0; i < size; i++) {
                table[k][i] = table[k + 1][i] + (table[k + 1][i] - table[k][i]) / by;
            }
        }
    }
    for (int i = 0; i < size; i++) {
        out[i] = table[0][i];
        lower[i] = table[1][i];
    }
}

static Real value_after(const Watched *watched, Real h, int of_rate) {
    Real rate, value = watched->after(watched->what, h, &rate);
    return of_rate ? rate : value;
}

/* Zero of the value, or of its rate, between 0 and high, where it has opposite signs: false
 * position with Illinois' halving, bisection every third time. */
static Real zero_between(const Watched *watched, Real at_low, Real high, Real at_high,
                         int of_rate) {
    Real low = 0;
    for (int k = 0; k < 200 && high - low > 1e-18L * high; k++) {
        Real middle =
            k % 3 == 2 ? (low + high) / 2 : low + (high - low) * (at_low / (at_low - at_high));
        if (!(middle > low && middle < high)) {
            break;
        }
        Real at = value_after(watched, middle, of_rate);
        if (at == 0) {
            return middle;
        }
        if ((at > 0) == (at_low > 0)) {
            low = middle;
            at_low = at;
            at_high /= 2;
        } else {
            high = middle;
            at_high = at;
            at_low /= 2;
        }
    }
    return high;
}

Real first_fall(const Watched *watched, Real h, int *falls) {
    Real start = watched->start, last = watched->end;
    *falls = last < 0;
    if (last >= 0 && start > 0 && watched->start_rate < 0 && watched->end_rate > 0) {
        Real lowest = zero_between(watched, watched->start_rate, h, watched->end_rate, 1);
        Real there = value_after(watched, lowest, 0);
        *falls = there < 0;
        h = *falls ? lowest : h;
        last = there;
    }
    if (!*falls) {
        return h;
    }
    /* a start below 0 is rounding: the event is there */
    return start <= 0 ? 0 : zero_between(watched, start, h, last, 0);
}
