/* The series of a curve on a line of spinors, which regular curves and arrivals share.
 *
 * With U = D Y (spinor.h), p' = k D U and J' = -mu k (A, C) U, where D, A, C are quadratics: p and
 * J are linear in the three moments N_j = int z^j U dz, and three series serve all points of the
 * stretch. A fourth one is that of F = int r dp = int k D^3 Z2 dz; the normal work follows from the
 * work of all forces (span.h). */
#ifndef CAROM_RIGID_MOMENTS_H
#define CAROM_RIGID_MOMENTS_H

#include "math/reciprocal.h"
#include "rigid/curve/four_series.h"
#include "rigid/curve/span.h"
#include "rigid/curve/spinor.h"

typedef struct MomentSeries {
    Spinor spinor;
    FourSeries series;     /* N_0, N_1, N_2 and F, or A if a regular curve has its own work */
    double u[CURVE_TERMS]; /* U */
    double map[3][4];      /* contribution of each N to p, J (and 0) */
    double origin[4], F;   /* p, J, 0 and F at the start */
    double square;         /* scale of F */
} MomentSeries;

/* The map from the moments to p, J and 0, without the scale of the slip. */
static inline void moments_map(const Slip *slip, const Spinor *s, Quad map[3]) {
    double minus = -slip->mu * s->k;
    Quad by = quad_make(s->k, minus, minus, 0);
    for (int i = 0; i < 3; i++) {
        map[i] = quad_times(by, quad_load(s->P[i]));
    }
}

static inline Quad moments_mapped(const Quad map[3], const double N[3]) {
    return quad_join(map[0], quad_all(N[0]),
                     quad_join(map[1], quad_all(N[1]), quad_times(map[2], quad_all(N[2]))));
}

/* Store the map, with its scale, and p, J at the start. */
static inline void moments_keep(const Quad map[3], Quad origin, double scale,
                                MomentSeries *moments) {
    Quad by = quad_all(scale);
    for (int i = 0; i < 3; i++) {
        quad_store(moments->map[i], quad_times(by, map[i]));
    }
    quad_store(moments->origin, quad_times(by, origin));
    moments->square = scale * scale;
}

/* p or J of the moments. */
static inline Pair moments_component(const MomentSeries *moments, int i, const Pair N[3]) {
    const double(*map)[4] = moments->map;
    return pair_plus(pair_join(both(map[1][i]), N[1], pair_times(both(map[0][i]), N[0])),
                     pair_minus(pair_times(both(map[2][i]), N[2]), both(moments->origin[i])));
}

/* The state and the slip at two points with moments N; z and y are set. Slip is 0 where y = 0. */
static inline void moments_state(const MomentSeries *moments, const CurveSpan *span,
                                 const Slip *slip, const Pair N[3], PointPair *at) {
    Rates *rates = &at->rates;
    spinor_direction(&moments->spinor, at->z, rates->s);
    span_state(span, slip, moments_component(moments, 0, N), moments_component(moments, 1, N),
               moments_component(moments, 2, N), at);
    Pair r = pair_join(at->gamma[1], rates->s[1], pair_times(at->gamma[0], rates->s[0]));
    rates->r = pair_where(at->y, 0, r);
    rates->inverse = pair_where(at->y, 0, pair_over(both(1), r));
}

/* A from the work of all forces and F, counted from z = 0 and not scaled. */
static inline void moments_work(const MomentSeries *moments, const CurveSpan *span,
                                const Slip *slip, Pair F, PointPair *at) {
    at->A = pair_minus(pair_negate(span_work(span, at)),
                       pair_times(both(slip->mu), pair_minus(pair_times(F, both(moments->square)),
                                                             both(moments->F))));
}

/* The last point, at y = z = yz, without A: p and J in `to`, D, A, C in P, and 1/|gamma|. */
static inline void moments_last(const CurveSpan *span, const Slip *slip, Quad to, Quad P,
                                double over, double yz, PointPair *last) {
    double inverse = 1 / LANE(quad_low(P), 0);
    *last = (PointPair){.x = both(span->end), .y = both(yz), .z = both(yz)};
    last->rates.inverse = both(over);
    last->rates.s[0] = both(LANE(quad_low(P), 1) * inverse);
    last->rates.s[1] = both(LANE(quad_high(P), 0) * inverse);
    span_state(span, slip, both(LANE(quad_low(to), 0)), both(LANE(quad_low(to), 1)),
               both(LANE(quad_high(to), 0)), last);
}

/* D and dD/dz. */
static inline Pair moments_size(const MomentSeries *moments, Pair z, Pair *slope) {
    const double(*P)[4] = moments->spinor.P;
    *slope = pair_join(both(2 * P[2][0]), z, both(P[1][0]));
    return pair_join(z, pair_join(z, both(P[2][0]), both(P[1][0])), both(P[0][0]));
}

/* ---- terms of the series ----
 *
 * G Y' = (N - G') Y and G Z2' = (2 N - G') Z2 give every term from the four before it:
 *
 *   w_n = sum_j (a_j/n - g_j) w_(n-1-j),   a_j = N_j/G_0 or 2 N_j/G_0,   g_j = G_(j+1)/G_0
 *
 * Speed: Y and Z2 side by side in a Pair, four terms of every filtered series in a Quad. */

/* A series is cut where two terms in a row have fallen to this part of the first; an integral's
 * terms have a further 1/n. About a regular point the terms fall steadily, and count in full at the
 * ends only. */
#define RECURRENCE_CUT 2e-14

_Static_assert(sizeof RECIPROCAL / sizeof *RECIPROCAL > CURVE_TERMS + 2, "one for every order");

/* The recurrences of Y and Z2 side by side, w_n = sum_j (a_j/n - g_j) w_(n-1-j). */
typedef struct Recurrence {
    Pair a[4], g[4];
} Recurrence;

/* The polynomials that multiply them, each coefficient four times: U = D Y, dF/dx = k D^3 Z2. */
typedef struct Filter {
    Quad U[3]; /* D */
    Quad F[7]; /* k D^3, times Z2's first term */
} Filter;

/* The last four terms, and the parts of the four before them that the filters need: Y and Z2, and
 * Z2 from one and from two terms further back. */
typedef struct RecurrenceTerms {
    Pair w[4]; /* of Y and Z2; the last one first */
    Quad y, z, z1, z2;
    Quad u, c[4]; /* the last terms of the series kept */
} RecurrenceTerms;

/* The sums of the terms at x = 1, every fourth one together: of U, dF/dx, and the series kept. */
typedef struct SeriesSums {
    Quad u, f, c[4];
} SeriesSums;

static inline void recurrence_filter(const Spinor *s, double z0, Filter *filter) {
    const double D[3] = {s->P[0][0], s->P[1][0], s->P[2][0]};
    double c = s->k * z0, c0 = c * D[0] * D[0], c1 = 2 * c * D[0] * D[1];
    double c2 = c * (2 * D[0] * D[2] + D[1] * D[1]), c3 = 2 * c * D[1] * D[2], c4 = c * D[2] * D[2];
    for (int i = 0; i < 3; i++) {
        filter->U[i] = quad_all(D[i]);
    }
    filter->F[0] = quad_all(c0 * D[0]);
    filter->F[1] = quad_all(c0 * D[1] + c1 * D[0]);
    filter->F[2] = quad_all(c0 * D[2] + c1 * D[1] + c2 * D[0]);
    filter->F[3] = quad_all(c1 * D[2] + c2 * D[1] + c3 * D[0]);
    filter->F[4] = quad_all(c2 * D[2] + c3 * D[1] + c4 * D[0]);
    filter->F[5] = quad_all(c3 * D[2] + c4 * D[1]);
    filter->F[6] = quad_all(c4 * D[2]);
}

/* Term n, from the last four, or three. */
static inline Pair recurrence_term(const Recurrence *next, int taps, int n, Pair w0, Pair w1,
                                   Pair w2, Pair w3) {
    const Pair by = both(RECIPROCAL[n]), *a = next->a, *g = next->g;
    Pair sum = pair_times(pair_minus(pair_times(a[2], by), g[2]), w2);
    if (taps == 4) {
        sum = pair_join(pair_minus(pair_times(a[3], by), g[3]), w3, sum);
    }
    return pair_join(pair_minus(pair_times(a[0], by), g[0]), w0,
                     pair_join(pair_minus(pair_times(a[1], by), g[1]), w1, sum));
}

/* Terms 0 to 3. */
static inline void recurrence_first(const Recurrence *next, Pair w[4]) {
    const Pair *a = next->a, *g = next->g;
    const double half = 1.0 / 2, third = 1.0 / 3;
    w[3] = both(1);
    w[2] = pair_minus(a[0], g[0]);
    w[1] = pair_join(pair_minus(pair_times(a[0], both(half)), g[0]), w[2],
                     pair_minus(pair_times(a[1], both(half)), g[1]));
    w[0] = pair_join(pair_minus(pair_times(a[0], both(third)), g[0]), w[1],
                     pair_join(pair_minus(pair_times(a[1], both(third)), g[1]), w[2],
                               pair_minus(pair_times(a[2], both(third)), g[2])));
}

/* Terms n to n + 3. */
static inline void recurrence_next(const Recurrence *next, int taps, int n, Pair w[4]) {
    Pair a = recurrence_term(next, taps, n, w[0], w[1], w[2], w[3]);
    Pair b = recurrence_term(next, taps, n + 1, a, w[0], w[1], w[2]);
    Pair c = recurrence_term(next, taps, n + 2, b, a, w[0], w[1]);
    w[0] = recurrence_term(next, taps, n + 3, c, b, a, w[0]);
    w[1] = c;
    w[2] = b;
    w[3] = a;
}

/* Have the last two terms fallen below the cut? */
static inline int recurrence_is_below(const Pair w[4], double cut) {
    Pair square = pair_join(w[1], w[1], pair_times(w[0], w[0]));
    return LANE(square, 0) + LANE(square, 1) <= cut * cut;
}

/* Terms n to n + 3 of U and of the series kept, whose integrals multiply them with `by`. Returns
 * those of dF/dx. */
static inline Quad recurrence_integrate(const Filter *filter, RecurrenceTerms *terms,
                                        const Quad by[4], int n, MomentSeries *moments,
                                        SeriesSums *sums) {
    const Pair *w = terms->w;
    const Quad *U = filter->U, *F = filter->F;
    Quad y = quad_make(LANE(w[3], 0), LANE(w[2], 0), LANE(w[1], 0), LANE(w[0], 0)),
         y2 = quad_two_back(terms->y, y);
    Quad z = quad_make(LANE(w[3], 1), LANE(w[2], 1), LANE(w[1], 1), LANE(w[0], 1)),
         z2 = quad_two_back(terms->z, z);
    Quad z1 = quad_one_back(z2, z), z3 = quad_one_back(terms->z, z2);
    Quad u = quad_join(U[0], y, quad_join(U[1], quad_one_back(y2, y), quad_times(U[2], y2)));
    Quad f = quad_join(F[0], z, quad_join(F[1], z1, quad_times(F[2], z2)));
    Quad g = quad_join(F[5], terms->z1, quad_times(F[6], terms->z2));
    f = quad_plus(f, quad_join(F[3], z3, quad_join(F[4], terms->z, g)));
    terms->y = y;
    terms->z = z;
    terms->z1 = z1;
    terms->z2 = z2;
    for (int i = 0; i < 4; i++) {
        terms->c[i] = quad_times(i < 3 ? u : f, by[i]);
        quad_store(moments->series.c[i] + n, terms->c[i]);
    }
    terms->u = u;
    quad_store(moments->u + n, u);
    sums->f = quad_plus(sums->f, f);
    return f;
}

/* Have the last terms of dF/dx fallen below the cut, too? Where those of Z2 fall fast, they lag. */
static inline int recurrence_is_small(const Filter *filter, Quad f) {
    Pair last = quad_high(f);
    double limit = RECURRENCE_CUT * LANE(quad_low(filter->F[0]), 0);
    return LANE(last, 0) * LANE(last, 0) + LANE(last, 1) * LANE(last, 1) <= limit * limit;
}

static inline void recurrence_clear(RecurrenceTerms *terms, SeriesSums *sums) {
    const Quad none = quad_all(0);
    terms->y = terms->z = terms->z1 = terms->z2 = none;
    sums->f = none;
}

/* Sum the n terms kept. Speed: not in the loop that makes them, which has no registers left; the
 * last four come from registers; dF/dx was summed as it came. */
static inline void recurrence_sum(MomentSeries *moments, int n, const RecurrenceTerms *terms,
                                  SeriesSums *sums) {
    Quad u = quad_all(0), c[4] = {u, u, u, u};
    for (int j = 0; j < n - 4; j += 4) {
        u = quad_plus(u, quad_load(moments->u + j));
        for (int i = 0; i < 4; i++) {
            c[i] = quad_plus(c[i], quad_load(moments->series.c[i] + j));
        }
    }
    sums->u = quad_plus(u, terms->u);
    for (int i = 0; i < 4; i++) {
        sums->c[i] = quad_plus(c[i], terms->c[i]);
    }
    moments->series.terms = n;
}

/* Two checks against series that were cut too early or cancel: does the slip velocity at the end of
 * the curve agree with the closed form r = G U, and dF/dx at x = 1 with r dp/dx = k D G U^2? G is
 * known to the last place of g. */
static inline int recurrence_agrees(const Slip *slip, CurveSpan *span, double r, Pair f, double G,
                                    double g, double kDUU) {
    double size = fabs(LANE(f, 0)) + fabs(LANE(f, 1)) + fabs(g * kDUU);
    Fraction off = span_mismatch(span, slip, r),
             rate = {fabs(LANE(f, 0) + LANE(f, 1) - G * kDUU), size};
    int larger = rate.above * off.below > off.above * rate.below;
    span->mismatch = larger ? rate.above / rate.below : off.above / off.below;
    return off.above <= CURVE_AGREES * off.below && rate.above <= CURVE_AGREES * rate.below;
}

#endif
