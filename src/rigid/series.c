/* Power series of slip on a line of spinors: the makers of curves. */
#include "rigid/spinor.h"

#include <math.h>

#include "math/reciprocal.h"
#include "rigid/points.h"

/* A series is cut where two terms in a row have fallen to this part of the first; an integral's
 * terms have a further 1/n. About a regular point the terms fall steadily, and count in full at the
 * ends only. */
static const double CUT = 2e-14, CUT_ARRIVAL = 2e-15;

/* A has its own series where mu F is this many times as large. */
static const double LARGE_F = 2;
/* And then F, which it does without, must still agree with it to this part. */
static const double SAME_WORK = 1e-12;

/* The recurrences of Y and Z2 side by side, w_n = sum_j (a_j/n - g_j) w_(n-1-j). */
typedef struct Recurrence {
    Pair a[4], g[4];
} Recurrence;

/* What multiplies their terms: a quadratic and a sextic. */
typedef struct Filter {
    Quad U[3]; /* D */
    Quad F[7]; /* k D^3, times Z2's first term */
} Filter;

/* The last four terms, and what the filters still need of the four before them: Y and Z2, and Z2
 * from one and from two terms further back. */
typedef struct Terms {
    Pair w[4]; /* of Y and Z2; the last one first */
    Quad y, z, z1, z2;
    Quad u, c[4]; /* the last of the series of a curve */
} Terms;

/* The sums of the terms at x = 1, every fourth one together: of U and dF/dx, and of a
 * curve's series. */
typedef struct Sums {
    Quad u, f, c[4];
} Sums;

_Static_assert(sizeof RECIPROCAL / sizeof *RECIPROCAL > CURVE_TERMS + 2, "one for every order");

static void make_filter(const Spinor *s, double z0, Filter *filter) {
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
static inline Pair next_term(const Recurrence *next, int taps, int n, Pair w0, Pair w1, Pair w2,
                             Pair w3) {
    const Pair by = both(RECIPROCAL[n]), *a = next->a, *g = next->g;
    Pair sum = (a[2] * by - g[2]) * w2;
    if (taps == 4) {
        sum += (a[3] * by - g[3]) * w3;
    }
    return (a[0] * by - g[0]) * w0 + ((a[1] * by - g[1]) * w1 + sum);
}

/* Terms 0 to 3. */
static inline void first_terms(const Recurrence *next, Pair w[4]) {
    const Pair *a = next->a, *g = next->g;
    const double half = 1.0 / 2, third = 1.0 / 3;
    w[3] = both(1);
    w[2] = a[0] - g[0];
    w[1] = (a[0] * half - g[0]) * w[2] + (a[1] * half - g[1]);
    w[0] = (a[0] * third - g[0]) * w[1] + ((a[1] * third - g[1]) * w[2] + (a[2] * third - g[2]));
}

/* Terms n to n + 3. */
static inline void next_terms(const Recurrence *next, int taps, int n, Pair w[4]) {
    Pair a = next_term(next, taps, n, w[0], w[1], w[2], w[3]);
    Pair b = next_term(next, taps, n + 1, a, w[0], w[1], w[2]);
    Pair c = next_term(next, taps, n + 2, b, a, w[0], w[1]);
    w[0] = next_term(next, taps, n + 3, c, b, a, w[0]);
    w[1] = c;
    w[2] = b;
    w[3] = a;
}

/* Have the last two terms fallen below the cut? */
static inline int are_below(const Pair w[4], double cut) {
    Pair square = w[0] * w[0] + w[1] * w[1];
    return square[0] + square[1] <= cut * cut;
}

/* The part of terms n to n + 3 in the series of a curve. Returns those of dF/dx. */
static inline Quad integrate(const Filter *filter, Terms *terms, const Quad by[4], int n,
                             Curve *curve, Sums *sums) {
    const Pair *w = terms->w;
    const Quad *U = filter->U, *F = filter->F;
    Quad y = quad_make(w[3][0], w[2][0], w[1][0], w[0][0]), y2 = quad_two_back(terms->y, y);
    Quad z = quad_make(w[3][1], w[2][1], w[1][1], w[0][1]), z2 = quad_two_back(terms->z, z);
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
        quad_store(curve->c[i] + n, terms->c[i]);
    }
    terms->u = u;
    quad_store(curve->u + n, u);
    sums->f = quad_plus(sums->f, f);
    return f;
}

/* Have the last terms of dF/dx fallen below the cut, too? Where those of Z2 fall fast, they lag. */
static inline int are_small(const Filter *filter, Quad f) {
    Pair last = quad_high(f);
    double limit = CUT * quad_low(filter->F[0])[0];
    return last[0] * last[0] + last[1] * last[1] <= limit * limit;
}

static inline void clear_sums(Terms *terms, Sums *sums) {
    const Quad none = quad_all(0);
    terms->y = terms->z = terms->z1 = terms->z2 = none;
    sums->f = none;
}

/* Sum the n terms that a curve keeps, the last four from where they still are; those of dF/dx were
 * summed as they came. Not in the loop that makes them, which has no registers left for it. */
static inline void sum_up(Curve *curve, int n, const Terms *terms, Sums *sums) {
    const double *d0 = curve->c[0], *d1 = curve->c[1], *d2 = curve->c[2], *d3 = curve->c[3];
    Quad u = quad_all(0), c0 = u, c1 = u, c2 = u, c3 = u;
    for (int i = 0; i < n - 4; i += 4) {
        u = quad_plus(u, quad_load(curve->u + i));
        c0 = quad_plus(c0, quad_load(d0 + i));
        c1 = quad_plus(c1, quad_load(d1 + i));
        c2 = quad_plus(c2, quad_load(d2 + i));
        c3 = quad_plus(c3, quad_load(d3 + i));
    }
    sums->u = quad_plus(u, terms->u);
    sums->c[0] = quad_plus(c0, terms->c[0]);
    sums->c[1] = quad_plus(c1, terms->c[1]);
    sums->c[2] = quad_plus(c2, terms->c[2]);
    sums->c[3] = quad_plus(c3, terms->c[3]);
    curve->terms = n;
}

/* What the moments add to p and J, but for the scale of the slip. */
static inline void make_map(const Slip *slip, const Spinor *s, Quad map[3]) {
    double minus = -slip->mu * s->k;
    Quad by = quad_make(s->k, minus, minus, 0);
    for (int i = 0; i < 3; i++) {
        map[i] = quad_times(by, quad_load(s->P[i]));
    }
}

static inline Quad mapped(const Quad map[3], const double N[3]) {
    return quad_join(map[0], quad_all(N[0]),
                     quad_join(map[1], quad_all(N[1]), quad_times(map[2], quad_all(N[2]))));
}

/* Keep the map, with its scale, and p, J at the start. */
static inline void keep_map(const Quad map[3], Quad origin, double scale, Curve *curve) {
    Quad by = quad_all(scale);
    for (int i = 0; i < 3; i++) {
        quad_store(curve->map[i], quad_times(by, map[i]));
    }
    quad_store(curve->origin, quad_times(by, origin));
    curve->square = scale * scale;
}

/* The terms of G Y' = (N - G') Y and its companion about a regular point. */
static void begin_regular(const Spinor *s, Recurrence *next) {
    double inverse = 1 / s->G[0];
    for (int j = 0; j < 4; j++) {
        next->g[j] = both(s->G[j + 1] * inverse);
        next->a[j] = (Pair){1, 2} * both(s->N[j] * inverse);
    }
}

/* The series of a regular curve. Returns the last term. */
static Pair regular_series(const Filter *filter, Recurrence next, Curve *curve, Sums *sums) {
    Terms terms;
    int n = 0, more = 1;
    clear_sums(&terms, sums);
    first_terms(&next, terms.w);
    for (;;) {
        const double *by = RECIPROCAL + n + 1;
        Quad by0 = quad_load(by);
        const Quad factors[4] = {by0, quad_load(by + 1), quad_load(by + 2), by0};
        Quad f = integrate(filter, &terms, factors, n, curve, sums);
        n += 4;
        if (n == CURVE_TERMS || (!more && are_small(filter, f))) {
            break;
        }
        next_terms(&next, 4, n, terms.w);
        more = !are_below(terms.w, CUT);
    }
    sum_up(curve, n, &terms, sums);
    return terms.w[0];
}

/* Two checks that let no truncated or cancelled series through, at x = 1: does the slip velocity at
 * the end of the curve agree with the closed form r = G U, and dF/dx with r dp/dx = k D G U^2? G is
 * known to the last place of g. */
static int agrees(const Slip *slip, Curve *curve, double r, Pair f, double G, double g,
                  double kDUU) {
    double size = fabs(f[0]) + fabs(f[1]) + fabs(g * kDUU);
    Fraction off = curve_mismatch(slip, curve, r), rate = {fabs(f[0] + f[1] - G * kDUU), size};
    int larger = rate.above * off.below > off.above * rate.below;
    curve->mismatch = larger ? rate.above / rate.below : off.above / off.below;
    return off.above <= CURVE_AGREES * off.below && rate.above <= CURVE_AGREES * rate.below;
}

/* The last point of a regular curve, or of one that arrives at zero slip, with p and J, 1/|gamma|,
 * the direction from D, A, C there, and what friction took from the start. Where that is large, a
 * regular curve gets a series of A's own. */
static void set_last(const Slip *slip, Quad to, double over, Quad P, double friction,
                     Curve *curve) {
    const State *start = &curve->start;
    double yz = curve->ending == CURVE_STOPS ? 0 : 1;
    Pair low = quad_low(P), high = quad_high(P);
    double inverse = 1 / low[0];
    Points last = {.x = both(curve->end), .y = both(yz), .z = both(yz)};
    last.rates.inverse = both(over);
    last.rates.s[0] = both(low[1] * inverse);
    last.rates.s[1] = both(high[0] * inverse);
    curve_state(curve, slip, both(quad_low(to)[0]), both(quad_low(to)[1]), both(quad_high(to)[0]),
                &last);
    double p = last.p[0], size = p * (fabs(start->vn) + fabs(last.vn[0]));
    curve->has_own_work = curve->kind == CURVE_REGULAR && friction > LARGE_F * size;
    last.A = curve->has_own_work ? both(curve_own_work(slip, p, curve))
                                 : -curve_work(curve, &last) - friction;
    curve_point(curve, &last, 0, &curve->last);
}

/* A regular expansion on the line m0 + x m1 that the slip follows from x = -1 to 1, with a check at
 * its end. If the series does not converge there, *radius says how far it would. With even and odd
 * terms summed apart both ends cost no more than one. */
static int make_regular(const Slip *slip, const State *start, double r, Curve *curve,
                        double *radius) {
    const Spinor *s = &curve->spinor;
    const double *G = s->G;
    Filter filter;
    Recurrence next;
    Sums sums;
    Quad map[3];
    make_filter(s, G[0], &filter);
    begin_regular(s, &next);
    Pair rest = magnitude(regular_series(&filter, next, curve, &sums));
    if (curve->terms == CURVE_TERMS) {
        double left = rest[0] + rest[1];
        if (!(left < 10 * CUT)) {
            *radius = exp(log(CUT / left) / CURVE_TERMS);
            return 0;
        }
    }
    curve_begin(curve, CURVE_REGULAR, start, -1);
    curve->end = 1;
    /* the sums of even and of odd terms */
    Pair u = quad_halves(sums.u), c0 = quad_halves(sums.c[0]), c1 = quad_halves(sums.c[1]);
    Pair c2 = quad_halves(sums.c[2]), c3 = quad_halves(sums.c[3]);
    double even = G[0] + G[2] + G[4], odd = G[1] + G[3];
    double first = (even - odd) * (u[0] - u[1]), last = (even + odd) * (u[0] + u[1]);
    double scale = r / first, over = first / (r * last);
    const double begin[3] = {c0[1] - c0[0], c1[0] - c1[1], c2[1] - c2[0]};
    const double whole[3] = {2 * c0[0], 2 * c1[1], 2 * c2[0]};
    make_map(slip, s, map);
    keep_map(map, mapped(map, begin), scale, curve);
    Quad to = quad_times(quad_all(scale), mapped(map, whole));
    curve->F = (c3[1] - c3[0]) * curve->square;
    Quad P = quad_plus(quad_plus(quad_load(s->P[0]), quad_load(s->P[1])), quad_load(s->P[2]));
    double sum = u[0] + u[1], kDUU = s->k * quad_low(P)[0] * sum * sum;
    double friction = slip->mu * 2 * c3[0] * curve->square;
    set_last(slip, to, over, P, friction, curve);
    int same =
        !curve->has_own_work || fabs(curve->last.friction - friction) <= SAME_WORK * friction;
    return same && agrees(slip, curve, scale * last, quad_halves(sums.f), even + odd, G[0], kDUU);
}

int curve_direct(const Slip *slip, const State *start, const double s[2], double r, const Gap *gap,
                 Fraction turn, double bias, Curve *curve) {
    const double longest = 0.3;
    double *m0 = curve->spinor.m0, *m1 = curve->spinor.m1, radius;
    Fraction far = fraction_tanh(turn, gap->square);
    double above = far.above, below = far.below;
    if (!(gap->square * (above * above) < longest * longest * (below * below))) {
        return 0;
    }
    /* the line of curve_middle(), over (a + b)/2 of target = a xi + xi_perp, behind = b xi +
     * xi_perp */
    double reach = above / below, along = 2 * above / (below + above * gap->sum);
    double shift = (gap->sum + reach * gap->square) / 2 * along + bias,
           aside = gap->g * along * (1 + bias);
    /* the length of xi does not matter */
    double large = 1 + fabs(s[0]), xi[2] = {s[0] >= 0 ? large : s[1], s[0] >= 0 ? s[1] : large};
    m0[0] = xi[0] - aside * xi[1];
    m0[1] = xi[1] + aside * xi[0];
    m1[0] = shift * xi[0] - aside * xi[1];
    m1[1] = shift * xi[1] + aside * xi[0];
    spinor_build(slip, &curve->spinor);
    return make_regular(slip, start, r, curve, &radius);
}

/* One attempt of curve_middle(). */
static int try_middle(const Slip *slip, const State *start, double r, const Sector *sector,
                      double reach, Curve *curve, double *radius) {
    double centre = (1 - reach) / (1 + reach);
    const double t[2] = {1, reach}, u[2] = {centre, -reach * centre};
    spinor_build_sector(slip, sector, t, u, &curve->spinor);
    return make_regular(slip, start, r, curve, radius);
}

int curve_middle(const Slip *slip, const State *start, double r, const Sector *sector, double reach,
                 Curve *curve) {
    double radius = 0.25;
    return try_middle(slip, start, r, sector, reach, curve, &radius) ||
           try_middle(slip, start, r, sector, reach * 0.85 * radius, curve, &radius);
}

/* The terms about a zero of G: Y = z^(q-1) y(z), Z2 = z^(2q-1) z(z). */
static void begin_arrival(const Spinor *s, double q, Recurrence *next) {
    double inverse = 1 / s->G[1];
    for (int j = 0; j < 3; j++) {
        next->g[j] = both(s->G[j + 2] * inverse);
        next->a[j] = (Pair){1, 2} * both((s->N[j + 1] - q * s->G[j + 2]) * inverse);
    }
}

/* 1/a and 1/b with one division. */
static inline void inverses(Quad a, Quad b, Quad *by_a, Quad *by_b) {
    Quad both_of = quad_inverse(quad_times(a, b));
    *by_a = quad_times(both_of, b);
    *by_b = quad_times(both_of, a);
}

/* The series of an arrival. Returns 0 if it converges slowly, or if its terms are so much larger
 * than their sum that digits are lost. */
static int arrival_series(const Filter *filter, Recurrence next, Curve *curve, Sums *sums) {
    Terms terms;
    int n = 0, more = 1, converged = 0;
    double q = curve->q;
    /* n + q and n + 2 q, and one over them, without n = 0 */
    Quad from_u = quad_make(q, 1 + q, 2 + q, 3 + q), four = quad_all(4), by_u, by_f;
    Quad from_f = quad_plus(from_u, quad_all(q)), no_first = quad_make(0, 1, 1, 1);
    Quad squares_u = quad_all(0), squares_f = squares_u;
    inverses(from_u, from_f, &by_u, &by_f);
    by_u = quad_times(by_u, no_first);
    by_f = quad_times(by_f, no_first);
    clear_sums(&terms, sums);
    first_terms(&next, terms.w);
    for (;;) {
        Quad next_u, next_f;
        from_u = quad_plus(from_u, four);
        from_f = quad_plus(from_f, four);
        inverses(from_u, from_f, &next_u, &next_f);
        Quad by2 = quad_two_back(by_u, next_u);
        const Quad factors[4] = {by_u, quad_one_back(by_u, by2), by2, by_f};
        Quad f = integrate(filter, &terms, factors, n, curve, sums);
        squares_f = quad_join(f, f, squares_f);
        by_u = next_u;
        by_f = next_f;
        n += 4;
        converged = !more && are_small(filter, f);
        if (converged || n == CURVE_TERMS) {
            break;
        }
        next_terms(&next, 3, n, terms.w);
        more = !are_below(terms.w, CUT_ARRIVAL);
    }
    sum_up(curve, n, &terms, sums);
    for (int i = 0; i < n; i += 4) {
        Quad u = quad_load(curve->u + i);
        squares_u = quad_join(u, u, squares_u);
    }
    double u = quad_sum(sums->u), f = quad_sum(sums->f);
    return converged && quad_sum(squares_u) < 400 * u * u && quad_sum(squares_f) < 400 * f * f;
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
static void set_origin(const Slip *slip, Curve *curve, const Sums *sums, double scale) {
    double x = curve->begin, y = curve->y, z = curve->z, at[4];
    for (int i = 0; i < 4; i++) {
        at[i] = z < 1 ? curve_series(curve, curve->c[i], z) : quad_sum(sums->c[i]);
    }
    double N[3] = {y * at[0] - curve->u0 * x, y * z * at[1], y * z * z * at[2]};
    Quad map[3];
    make_map(slip, &curve->spinor, map);
    keep_map(map, mapped(map, N), scale, curve);
    curve->F = (y * y * at[3] - curve->f0 * x * (1 + y) / 2) * curve->square;
}

/* The exponent of r at a zero of G at z = 0. */
static double exponent(const Spinor *s) {
    return s->N[0] / s->G[1];
}

/* Expansion about a zero of G at z = 0, for slip that is at z = from: 1 if it goes there, less if
 * it leaves. */
static int make_arrival(const Slip *slip, const State *start, double speed, double from,
                        Curve *curve) {
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
    double D = s->P[0][0] + s->P[1][0] + s->P[2][0], H = s->G[1] + s->G[2] + s->G[3] + s->G[4];
    double u = quad_sum(sums.u), first = H * u;
    curve_begin(curve, CURVE_ARRIVAL, start, 0);
    curve->z = from;
    curve->u0 = quad_low(filter.U[0])[0];
    curve->f0 = quad_low(filter.F[0])[0];
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
    double scale = speed / first;
    set_origin(slip, curve, &sums, scale);
    if (curve->ending == CURVE_STOPS) {
        double x = curve->end, F = -curve->f0 * x / 2 * curve->square - curve->F;
        Quad to = quad_join(quad_load(curve->map[0]), quad_all(-curve->u0 * x),
                            quad_times(quad_all(-1), quad_load(curve->origin)));
        set_last(slip, to, 0, quad_load(s->P[0]), slip->mu * F, curve);
        return agrees(slip, curve, 0, quad_halves(sums.f), H, s->G[1], s->k * D * u * u);
    }
    curve_finish(slip, curve);
    double r = scale * arrival_speed(curve, curve->last.y, curve->last.z);
    return agrees(slip, curve, r, quad_halves(sums.f), H, s->G[1], s->k * D * u * u);
}

int curve_arrival(const Slip *slip, const State *start, double r, const Sector *sector,
                  double weight, Curve *curve) {
    const double t[2] = {1, -weight}, u[2] = {0, 1 - weight};
    spinor_build_sector(slip, sector, t, u, &curve->spinor);
    return make_arrival(slip, start, r, 1, curve);
}

int curve_approach(const Slip *slip, const State *start, double r, const double s[2],
                   const Gap *gap, Curve *curve) {
    return gap_approach(slip, gap, s, &curve->spinor) && make_arrival(slip, start, r, 1, curve);
}

int curve_departure(const Slip *slip, const State *start, double r, const Sector *sector,
                    double far, Curve *curve) {
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
    return make_arrival(slip, start, r, 1 / t[1], curve);
}
