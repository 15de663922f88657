/* Power series of slip on a line of spinors: the makers of curves. */
#include "rigid/spinor.h"

#include <math.h>

#include "math/reciprocal.h"

/* A series is cut where two terms in a row have fallen to this part of the first; an integral's
 * terms have a further 1/n. About a regular point the terms fall steadily, and count in full at the
 * ends only. */
static const double CUT = 2e-14, CUT_ARRIVAL = 2e-15;

/* A has its own series where mu F is this many times as large. */
static const double LARGE_F = 2;
/* And then F, which it does without, must still agree with it to this part. */
static const double SAME_WORK = 1e-12;

/* The recurrences of Y and Z2 side by side, w_n = sum_j (a_j - (n - 1) g_j) w_(n-1-j)/n. */
typedef struct Recurrence {
    Pair a[4], g[4], w[4]; /* a of the next term, the last four terms */
} Recurrence;

/* What multiplies their terms: a quadratic and a sextic. */
typedef struct Filter {
    Pair U[3]; /* D */
    Pair F[7]; /* k D^3, times Z2's first term */
} Filter;

/* The last terms of Y, even and odd, and of Z2. */
typedef struct Terms {
    Pair y[2], z[4];
} Terms;

/* The sums of even and odd terms at x = 1: of U and dF/dx, and of a curve's series. */
typedef struct Sums {
    Pair u, f, c[4];
} Sums;

_Static_assert(sizeof RECIPROCAL / sizeof *RECIPROCAL > CURVE_TERMS + 2, "one for every order");

/* The second of a and the first of b: the pair in between. */
static inline Pair between(Pair a, Pair b) {
    return (Pair){a[1], b[0]};
}

static void make_filter(const Spinor *s, double z0, Filter *filter) {
    const double *D = s->D;
    double c = s->k * z0, c0 = c * D[0] * D[0], c1 = 2 * c * D[0] * D[1];
    double c2 = c * (2 * D[0] * D[2] + D[1] * D[1]), c3 = 2 * c * D[1] * D[2], c4 = c * D[2] * D[2];
    for (int i = 0; i < 3; i++) {
        filter->U[i] = both(D[i]);
    }
    filter->F[0] = both(c0 * D[0]);
    filter->F[1] = both(c0 * D[1] + c1 * D[0]);
    filter->F[2] = both(c0 * D[2] + c1 * D[1] + c2 * D[0]);
    filter->F[3] = both(c1 * D[2] + c2 * D[1] + c3 * D[0]);
    filter->F[4] = both(c2 * D[2] + c3 * D[1] + c4 * D[0]);
    filter->F[5] = both(c3 * D[2] + c4 * D[1]);
    filter->F[6] = both(c4 * D[2]);
}

/* Terms 0 and 1. */
static inline void first_terms(Recurrence *next, Terms *terms) {
    const Pair none = {0, 0}, one = {1, 1};
    Pair first = next->a[0];
    for (int j = 0; j < 4; j++) {
        next->a[j] -= next->g[j];
    }
    next->w[0] = first, next->w[1] = one, next->w[2] = next->w[3] = none;
    terms->y[0] = (Pair){1, first[0]}, terms->y[1] = none;
    terms->z[0] = (Pair){1, first[1]}, terms->z[1] = terms->z[2] = terms->z[3] = none;
}

/* Term n, from those before it. */
static inline Pair next_term(Recurrence *next, int n) {
    Pair by = both(RECIPROCAL[n]), *a = next->a, *w = next->w;
    Pair term = (a[0] * by) * w[0] + (a[1] * w[1] + (a[2] * w[2] + a[3] * w[3])) * by;
    for (int j = 0; j < 4; j++) {
        a[j] -= next->g[j];
    }
    w[3] = w[2], w[2] = w[1], w[1] = w[0], w[0] = term;
    return term;
}

/* Terms n and n + 1. Returns 0 if they have fallen below the cut. */
static inline int next_terms(Recurrence *next, int n, double cut, Terms *terms) {
    Pair even = next_term(next, n), odd = next_term(next, n + 1);
    Pair square = even * even + odd * odd;
    terms->y[1] = terms->y[0];
    terms->z[3] = terms->z[2], terms->z[2] = terms->z[1], terms->z[1] = terms->z[0];
    terms->y[0] = (Pair){even[0], odd[0]};
    terms->z[0] = (Pair){even[1], odd[1]};
    return !(square[0] + square[1] <= cut * cut);
}

/* The terms' part in the series of a curve, with the factors of integration. Returns the terms of
 * dF/dx. */
static inline Pair integrate(const Filter *filter, const Terms *terms, const Pair by[4], int m,
                             Curve *curve, Sums *sums) {
    const Pair *U = filter->U, *F = filter->F, *y = terms->y, *z = terms->z;
    Pair u = U[0] * y[0] + U[1] * between(y[1], y[0]) + U[2] * y[1];
    Pair f = (F[0] * z[0] + F[1] * between(z[1], z[0])) +
             (F[2] * z[1] + F[3] * between(z[2], z[1])) +
             (F[4] * z[2] + F[5] * between(z[3], z[2])) + F[6] * z[3];
    Pair c[4] = {u * by[0], u * by[1], u * by[2], f * by[3]};
    for (int i = 0; i < 4; i++) {
        curve->c[i][m] = c[i];
        sums->c[i] += c[i];
    }
    curve->u[m] = u;
    sums->u += u;
    sums->f += f;
    return f;
}

/* Have the terms of dF/dx fallen below the cut, too? Where those of Z2 fall fast, they lag. */
static inline int are_small(const Filter *filter, Pair f) {
    double limit = CUT * filter->F[0][0];
    return f[0] * f[0] + f[1] * f[1] <= limit * limit;
}

/* What makes p and J of the moments, in the scale of the slip. */
static void make_map(const Slip *slip, double scale, Curve *curve) {
    const Spinor *s = &curve->spinor;
    double k = s->k * scale, minus = -slip->mu * k;
    for (int i = 0; i < 3; i++) {
        curve->map[0][i] = k * s->D[i];
        curve->map[1][i] = minus * s->A[i];
        curve->map[2][i] = minus * s->C[i];
    }
    curve->square = scale * scale;
}

static inline double times(const double map[3], const double N[3]) {
    return (map[0] * N[0] + map[1] * N[1]) + map[2] * N[2];
}

/* The terms of G Y' = P Y and its companion about a regular point. */
static void begin_regular(const Spinor *s, Recurrence *next) {
    double inverse = 1 / s->G[0];
    for (int j = 0; j < 4; j++) {
        double gj = s->G[j + 1] * inverse, pj = s->P[j] * inverse;
        next->g[j] = both(gj);
        next->a[j] = (Pair){pj + j * gj, 2 * pj + (2 * j + 1) * gj};
    }
}

/* The series of a regular curve. Returns the last terms. */
static Terms regular_series(const Filter *filter, Recurrence next, Curve *curve, Sums *sums) {
    Terms terms;
    int m = 0, more = 1;
    first_terms(&next, &terms);
    *sums = (Sums){0};
    for (;;) {
        const double *by = RECIPROCAL + 2 * m + 1;
        Pair by0 = pair_load(by);
        const Pair factors[4] = {by0, pair_load(by + 1), pair_load(by + 2), by0};
        Pair f = integrate(filter, &terms, factors, m, curve, sums);
        m++;
        if (m == CURVE_TERMS / 2 || (!more && are_small(filter, f))) {
            break;
        }
        more = next_terms(&next, 2 * m, CUT, &terms);
    }
    curve->pairs = m;
    return terms;
}

/* Two checks that let no truncated or cancelled series through, at x = 1: does the slip velocity at
 * the end of the curve agree with the closed form r = G U, and dF/dx with r dp/dx = k D G U^2? G is
 * known to the last place of g. */
static int agrees(const Slip *slip, Curve *curve, double r, Pair f, double G, double g,
                  double kDUU) {
    double size = fabs(f[0]) + fabs(f[1]) + fabs(g * kDUU);
    curve->mismatch = most_of(curve_mismatch(slip, curve, r), fabs(f[0] + f[1] - G * kDUU) / size);
    return curve->mismatch <= CURVE_AGREES;
}

/* A polynomial of degree 2 or 4 at x = 1 and -1. */
static double both_ends(const double *a, int degree, double sign) {
    double value = a[0] + a[2] + sign * a[1];
    return degree == 4 ? value + a[4] + sign * a[3] : value;
}

/* A regular expansion on the line m0 + x m1 that the slip follows from x = -1 to 1, with a check at
 * its end. If the series does not converge there, *radius says how far it would. With even and odd
 * terms summed apart both ends cost no more than one. */
static int make_regular(const Slip *slip, const State *start, Curve *curve, double *radius) {
    const Spinor *s = &curve->spinor;
    Filter filter;
    Recurrence next;
    Sums sums;
    make_filter(s, s->G[0], &filter);
    begin_regular(s, &next);
    Terms terms = regular_series(&filter, next, curve, &sums);
    if (curve->pairs == CURVE_TERMS / 2) {
        double left = fabs(terms.y[0][1]) + fabs(terms.z[0][1]);
        if (!(left < 10 * CUT)) {
            *radius = exp(log(CUT / left) / CURVE_TERMS);
            return 0;
        }
    }
    curve_begin(curve, CURVE_REGULAR, start, -1);
    curve->end = 1;
    double u = sums.u[0] + sums.u[1], G = both_ends(s->G, 4, 1), D = both_ends(s->D, 2, 1);
    double first = both_ends(s->G, 4, -1) * (sums.u[0] - sums.u[1]);
    double scale = norm2(start->gamma) / first, *origin = curve->origin, to[3];
    make_map(slip, scale, curve);
    const Pair *c = sums.c;
    double begin[3] = {c[0][1] - c[0][0], c[1][0] - c[1][1], c[2][1] - c[2][0]};
    double whole[3] = {2 * c[0][0], 2 * c[1][1], 2 * c[2][0]};
    for (int i = 0; i < 3; i++) {
        origin[i] = times(curve->map[i], begin);
        to[i] = times(curve->map[i], whole);
    }
    curve->F = (c[3][1] - c[3][0]) * curve->square;
    curve->last.x = curve->last.y = curve->last.z = 1;
    curve_state(curve, slip, to[0], to[1], to[2], &curve->last);
    double friction = slip->mu * 2 * c[3][0] * curve->square;
    double size = curve->last.p * (fabs(start->vn) + fabs(curve->last.vn));
    curve->has_own_work = friction > LARGE_F * size;
    if (curve->has_own_work) {
        curve_own_work(slip, curve);
        double off = curve_work(curve, &curve->last) + curve->last.A + friction;
        if (!(fabs(off) <= SAME_WORK * friction)) {
            return 0;
        }
    } else {
        curve->last.A = -curve_work(curve, &curve->last) - friction;
    }
    return agrees(slip, curve, scale * G * u, sums.f, G, s->G[0], s->k * D * u * u);
}

int curve_direct(const Slip *slip, const State *start, const double s[2], const Gap *gap,
                 double reach, double bias, Curve *curve) {
    double *m0 = curve->spinor.m0, *m1 = curve->spinor.m1, radius;
    /* the line of curve_middle(), over (a + b)/2 of target = a xi + xi_perp, behind = b xi +
     * xi_perp */
    double sum = gap->ahead + gap->behind, width = gap->ahead - gap->behind;
    double along = 2 * reach / (1 + reach * sum);
    double shift = (sum + reach * width * width) / 2 * along + bias,
           aside = gap->side * along * (1 + bias);
    /* the length of xi does not matter */
    double large = 1 + fabs(s[0]), xi[2] = {s[0] >= 0 ? large : s[1], s[0] >= 0 ? s[1] : large};
    m0[0] = xi[0] - aside * xi[1];
    m0[1] = xi[1] + aside * xi[0];
    m1[0] = shift * xi[0] - aside * xi[1];
    m1[1] = shift * xi[1] + aside * xi[0];
    spinor_build(slip, &curve->spinor);
    return make_regular(slip, start, curve, &radius);
}

/* One attempt of curve_middle(). */
static int try_middle(const Slip *slip, const State *start, const Sector *sector, double reach,
                      Curve *curve, double *radius) {
    double centre = (1 - reach) / (1 + reach);
    const double t[2] = {1, reach}, u[2] = {centre, -reach * centre};
    spinor_build_sector(slip, sector, t, u, &curve->spinor);
    return make_regular(slip, start, curve, radius);
}

int curve_middle(const Slip *slip, const State *start, const Sector *sector, double reach,
                 Curve *curve) {
    double radius = 0.25;
    return try_middle(slip, start, sector, reach, curve, &radius) ||
           try_middle(slip, start, sector, reach * 0.85 * radius, curve, &radius);
}

/* The terms about a zero of G: Y = z^(q-1) y(z), Z2 = z^(2q-1) z(z). */
static void begin_arrival(const Spinor *s, double q, Recurrence *next) {
    double inverse = 1 / s->G[1];
    for (int j = 1; j < 4; j++) {
        double gj = s->G[j + 1] * inverse, pj = s->P[j] * inverse;
        next->g[j - 1] = both(gj);
        next->a[j - 1] = (Pair){pj - gj * (q - j), 2 * pj - gj * (2 * q - 1 - 2 * j)};
    }
    next->g[3] = next->a[3] = both(0);
}

/* The series of an arrival. Returns 0 if it converges slowly, or if its terms are so much larger
 * than their sum that digits are lost. */
static int arrival_series(const Filter *filter, Recurrence next, Curve *curve, Sums *sums) {
    Terms terms;
    int m = 0, more = 1;
    double q = curve->q;
    /* 1/(n + q) and 1/(n + 2 q), without n = 0 */
    Pair order = {0, 1}, by0 = {0, 1 / (1 + q)}, by_q = {0, 1 / (1 + 2 * q)};
    Pair squares_u = {0, 0}, squares_f = {0, 0};
    first_terms(&next, &terms);
    *sums = (Sums){0};
    for (;;) {
        order += 2;
        Pair by2 = 1 / (order + q);
        const Pair factors[4] = {by0, between(by0, by2), by2, by_q};
        Pair f = integrate(filter, &terms, factors, m, curve, sums);
        squares_u += curve->u[m] * curve->u[m];
        squares_f += f * f;
        by0 = by2;
        by_q = 1 / (order + 2 * q);
        m++;
        if (m == CURVE_TERMS / 2 || (!more && are_small(filter, f))) {
            break;
        }
        more = next_terms(&next, 2 * m, CUT_ARRIVAL, &terms);
    }
    curve->pairs = m;
    double u = sums->u[0] + sums->u[1], f = sums->f[0] + sums->f[1];
    return m < CURVE_TERMS / 2 && squares_u[0] + squares_u[1] < 400 * u * u &&
           squares_f[0] + squares_f[1] < 400 * f * f;
}

/* Is n + q next to 0 for some n = 1, 2, ...? The terms there would be divided by it. */
static int resonates(double q) {
    return q < -0.9 && fabs(q - nearbyint(q)) < 0.02;
}

/* G U of an arrival at z, where y = z^q. */
static double arrival_speed(const Curve *curve, double y, double z) {
    const double *G = curve->spinor.G;
    return (G[1] + z * (G[2] + z * (G[3] + z * G[4]))) * curve_speed(curve, y, z);
}

/* Set p, J and F at the beginning of an arrival, whose series at z = 1 are summed. */
static void set_origin(Curve *curve, const Sums *sums) {
    double x = curve->begin, y = curve->y, z = curve->z, at[4];
    for (int i = 0; i < 4; i++) {
        at[i] = z < 1 ? curve_series(curve, curve->c[i], z) : sums->c[i][0] + sums->c[i][1];
    }
    double N[3] = {y * at[0] - curve->u0 * x, y * z * at[1], y * z * z * at[2]};
    for (int i = 0; i < 3; i++) {
        curve->origin[i] = times(curve->map[i], N);
    }
    curve->F = (y * y * at[3] - curve->f0 * x * (1 + y) / 2) * curve->square;
}

/* The exponent of r at a zero of G at z = 0. */
static double exponent(const Spinor *s) {
    return 1 + s->P[0] / s->G[1];
}

/* Expansion about a zero of G at z = 0, for slip that is at z = from: 1 if it goes there, less if
 * it leaves. */
static int make_arrival(const Slip *slip, const State *start, double from, Curve *curve) {
    const Spinor *s = &curve->spinor;
    double q = exponent(s);
    if (!(fabs(q) < 1e3) || !(fabs(q) > 1e-12) || resonates(q) || resonates(2 * q)) {
        return 0;
    }
    Filter filter;
    Recurrence next;
    Sums sums;
    curve->q = q;
    make_filter(s, s->G[1], &filter);
    begin_arrival(s, q, &next);
    if (!arrival_series(&filter, next, curve, &sums)) {
        return 0;
    }
    double D = s->D[0] + s->D[1] + s->D[2], H = s->G[1] + s->G[2] + s->G[3] + s->G[4];
    double u = sums.u[0] + sums.u[1], first = H * u;
    curve_begin(curve, CURVE_ARRIVAL, start, 0);
    curve->z = from;
    curve->u0 = filter.U[0][0];
    curve->f0 = filter.F[0][0];
    if (from < 1) {
        curve->y = exp(q * log(from));
        curve->begin = -expm1(q * log(from)) / q;
        curve->end = 0;
        first = arrival_speed(curve, curve->y, from);
    } else if (q > 0.05) {
        curve->ending = CURVE_STOPS;
        curve->end = 1 / q;
    } else {
        /* a centrifugal target is never reached: as far as z = 0.01. Towards a slow centripetal one
         * the slip is straight long before it ends */
        curve->ending = q > 0 ? CURVE_STRAIGHT : CURVE_GOES_ON;
        curve->end = -expm1(q * log(q > 0 ? 1e-18 : 0.01)) / q;
    }
    double scale = norm2(start->gamma) / first;
    make_map(slip, scale, curve);
    set_origin(curve, &sums);
    curve_at(curve, slip, curve->end, &curve->last);
    double r = scale * arrival_speed(curve, curve->last.y, curve->last.z);
    return agrees(slip, curve, r, sums.f, H, s->G[1], s->k * D * u * u);
}

int curve_arrival(const Slip *slip, const State *start, const Sector *sector, double pole,
                  Curve *curve) {
    double w = pole < INFINITY ? 1 / (1 + pole) : 0;
    const double t[2] = {1, -w}, u[2] = {0, 1 - w};
    spinor_build_sector(slip, sector, t, u, &curve->spinor);
    return make_arrival(slip, start, 1, curve);
}

int curve_departure(const Slip *slip, const State *start, const Sector *sector, double far,
                    Curve *curve) {
    Spinor *s = &curve->spinor;
    double t[2] = {0, far}, u[2] = {1, 0};
    spinor_build_sector(slip, sector, t, u, s);
    /* r goes like z^q: no further down than to where it still has digits */
    double q = exponent(s), log_r = q * log(far);
    if (!(log_r < 100)) {
        return 0;
    }
    if (log_r < -25) {
        t[1] = exp(-25 / q);
        spinor_build_sector(slip, sector, t, u, s);
    }
    return make_arrival(slip, start, 1 / t[1], curve);
}
