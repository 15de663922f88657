/* The series of a piece, all rows of an order next to each other: as they are made, and as they
 * are summed, for all rows at once. */
#ifndef CAROM_MULTIPLE_TERMS_H
#define CAROM_MULTIPLE_TERMS_H

#include "multiple/network.h"

/* Gauss's six points and weights for integrals over [0, 1]. */
static const double GAUSS_NODE[] = {0.033765242898423986, 0.16939530676686774, 0.38069040695840155,
                                    0.61930959304159845,  0.83060469323313226, 0.96623475710157601};
static const double GAUSS_WEIGHT[] = {0.085662246189585173, 0.18038078652406930,
                                      0.23395696728634552,  0.23395696728634552,
                                      0.18038078652406930,  0.085662246189585173};

/* Order g of all rows. */
static inline double *order_terms(const Given *given, double *terms, int g) {
    return &terms[(size_t)g * (size_t)given->stride];
}

/* One row by itself, times factor, in x = t/step. */
static inline void terms_series(const Given *given, const Piece *piece, const double *terms,
                                int row, double factor, double series[TERMS]) {
    for (int g = 0; g < TERMS; g++) {
        series[g] = factor * piece->scale[g] * terms[g * given->stride + row];
    }
}

/* All rows at x, and their integrals from 0; even and odd terms apart, because two short sums do
 * not wait for each other. ORDER is even. */
static inline void terms_at(const Given *given, const Piece *piece, const double *terms, double x,
                            double *out) {
    int half = given->stride / 2;
    double y = piece->scale[1] * x, z = y * y;
    const Pair *term = (const Pair *)terms, by = pair_make(z, z);
    for (int i = 0; i < half; i++) {
        Pair even = term[ORDER * half + i], odd = pair_make(0, 0);
        for (int g = ORDER - 2; g >= 0; g -= 2) {
            odd = pair_join(odd, by, term[(g + 1) * half + i]);
            even = pair_join(even, by, term[g * half + i]);
        }
        ((Pair *)out)[i] = pair_join(odd, both(y), even);
    }
}

/* Lower bound of the series of a row, times a sign, over the piece: all that is below 0 is half of
 * what the sum of its terms is short of that of their magnitudes. */
static inline double terms_lowest(const Ranges *ranges, int row, double first, double sign) {
    return sign * first + (sign * ranges->sum[row] - ranges->size[row]) / 2;
}

static inline Pair term_integral(const Pair *term, int g) {
    return pair_times(*term, both(RECIPROCAL[g + 1]));
}

static inline void terms_integral(const Given *given, const Piece *piece, const double *terms,
                                  double x, double *out) {
    int half = given->stride / 2;
    double y = piece->scale[1] * x, z = y * y;
    const Pair *term = (const Pair *)terms, by = pair_make(z, z);
    for (int i = 0; i < half; i++) {
        Pair even = term_integral(&term[ORDER * half + i], ORDER), odd = pair_make(0, 0);
        for (int g = ORDER - 2; g >= 0; g -= 2) {
            odd = pair_join(odd, by, term_integral(&term[(g + 1) * half + i], g + 1));
            even = pair_join(even, by, term_integral(&term[g * half + i], g));
        }
        ((Pair *)out)[i] = pair_times(pair_join(odd, both(y), even), both(x));
    }
}

/* Where the piece is at x: v and F, and the integral of F since its start. */
void crm_terms_end(const Given *given, const Piece *piece, double x, double *v, double *F,
                   double *gain);

/* Far ahead of the impact links move so little that all of it is less than series leave out. But if
 * one of them only seems to turn back, it becomes stiffer, or is held: what it does when the impact
 * reaches it is wrong then. So series of a link with less than this speed must hold for its own
 * vibration: a piece is no longer than this, in units of its period over 2 pi. */
static const double SMALL_SPEED = 1e-5, OWN_LONGEST = 2;

/* The square of the frequency that a piece must resolve for link i, which acts with this k; 0: none
 * of its own. */
static inline double terms_own_rate(const Given *given, int i, double k, double speed) {
    const Material *material = &given->materials[i];
    int matters = material->e < 1 && fabs(speed) < SMALL_SPEED;
    return matters ? k * material->w : 0;
}

/* How far the series hold for links that hardly move yet, too, if they hold this far for the
 * others; in units of the piece. bounced: also for those that have bounced already. */
double crm_terms_own_reach(const Network *network, double h, int bounced);

/* A piece without friction, of this length in units of the shortest period, whose term of the last
 * order is cut at most, is over at x: what is left out of the speeds by then. Two orders on a
 * term is smaller by about the square of the length over the orders. From piece to piece it adds
 * up: vibrations are damped or driven by it. */
static inline double terms_plain_omitted(double cut, double length, double x) {
    double square = x * x, fourth = square * square, eighth = fourth * fourth;
    double last = cut * (1 + ORDER / length) * (eighth * fourth * square * x);
    return length < INFINITY ? last * (length * length * square / (ORDER * (ORDER + 1))) : 0;
}

/* How far the sums of all rows are from their first terms. */
void crm_terms_ranges(const Given *given, const Piece *piece, const double *terms,
                      const Ranges *ranges);

/* Tangential work f.V of the link whose first row this is, over the piece up to x, by Gauss's six
 * points: exact for eleven terms of the product, and for the rest to 1e-7 of terms that are small
 * themselves. */
double crm_terms_work(const Given *given, const Piece *piece, int row, double x);

#endif
