/* Power series of slip on a line of spinors: the makers of curves. */
#include "rigid/spinor.h"

#include <math.h>

#include "math/reciprocal.h"

/* A series is cut where two terms in a row have fallen to this part of the first; an integral's
 * terms have a further 1/n. About a regular point the terms fall steadily, and count in full at the
 * ends only. */
static const double CUT = 1e-14, CUT_ARRIVAL = 1e-15;

/* Coefficients of Y and Z2 in pairs (even, odd), with zeros before the first for the taps of a
 * filter. */
#define TAPS 3
typedef struct Terms {
    Pair y[TAPS + CURVE_TERMS / 2], z[TAPS + CURVE_TERMS / 2];
    int pairs;
} Terms;

/* What multiplies the terms: quadratics and a sextic. */
typedef struct Filter {
    Pair U[3], P[3], V[3]; /* D; k D; k (D - mu d.(A, C)) */
    Pair F[7];             /* k D^3, times Z2's first term */
} Filter;

/* Terms of v_n (each twice) and of dp/dx (0 and 1, 2 and 3, ...; -1 and 0, 1 and 2, ...), to be
 * multiplied. */
typedef struct Product {
    Pair v[CURVE_TERMS + 2];
    Pair p[CURVE_TERMS / 2], between[CURVE_TERMS / 2];
} Product;

/* The last two terms of U and dp/dx. */
typedef struct Last {
    Pair u, p;
} Last;

_Static_assert(sizeof RECIPROCAL / sizeof *RECIPROCAL > CURVE_TERMS + 2, "one for every order");

/* The second of a and the first of b: the pair in between. */
static inline Pair between(Pair a, Pair b) {
    return (Pair){a[1], b[0]};
}

static void make_filter(const Slip *slip, const Spinor *s, double z0, Filter *filter) {
    const double *D = s->D;
    double k = s->k, c = k * z0, c0 = c * D[0] * D[0], c1 = 2 * c * D[0] * D[1];
    double c2 = c * (2 * D[0] * D[2] + D[1] * D[1]), c3 = 2 * c * D[1] * D[2], c4 = c * D[2] * D[2];
    for (int i = 0; i < 3; i++) {
        double rise = D[i] - slip->mu * (slip->d[0] * s->A[i] + slip->d[1] * s->C[i]);
        filter->U[i] = both(D[i]);
        filter->P[i] = both(k * D[i]);
        filter->V[i] = both(k * rise);
    }
    filter->F[0] = both(c0 * D[0]);
    filter->F[1] = both(c0 * D[1] + c1 * D[0]);
    filter->F[2] = both(c0 * D[2] + c1 * D[1] + c2 * D[0]);
    filter->F[3] = both(c1 * D[2] + c2 * D[1] + c3 * D[0]);
    filter->F[4] = both(c2 * D[2] + c3 * D[1] + c4 * D[0]);
    filter->F[5] = both(c3 * D[2] + c4 * D[1]);
    filter->F[6] = both(c4 * D[2]);
}

/* Two terms of a filtered series. */
static inline Pair filtered(const Pair a[3], Pair before, Pair shifted, Pair now) {
    return a[0] * now + a[1] * shifted + a[2] * before;
}

/* Two terms of dF/dx from z. */
static inline Pair filter_friction(const Pair F[7], const Pair *z) {
    return (F[0] * z[0] + F[1] * between(z[-1], z[0])) +
           (F[2] * z[-1] + F[3] * between(z[-2], z[-1])) +
           (F[4] * z[-2] + F[5] * between(z[-3], z[-2])) + F[6] * z[-3];
}

/* Terms 2m and 2m + 1 of U, from y[0] on, of dp/dx, and, with the slope's terms times `by`, of v_n
 * to v[0] and v[1]. */
static inline void extend(const Filter *filter, const Pair *y, Pair by, int m, Pair *v,
                          Product *product, Last *last) {
    Pair u = filtered(filter->U, y[-1], between(y[-1], y[0]), y[0]), shifted = between(last->u, u);
    Pair p = filtered(filter->P, last->u, shifted, u);
    Pair rise = filtered(filter->V, last->u, shifted, u) * by;
    v[0] = both(rise[0]);
    v[1] = both(rise[1]);
    product->p[m] = p;
    product->between[m] = between(last->p, p);
    last->u = u;
    last->p = p;
}

/* Terms 2m and 2m + 1 of v_n dp/dx. */
static inline Pair product_terms(const Product *product, int m) {
    const Pair *v = product->v;
    Pair even = {0, 0}, odd = {0, 0};
    for (int i = m; i >= 0; i--, v += 2) {
        even += v[0] * product->p[i];
        odd += v[1] * product->between[i];
    }
    return even + odd;
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

/* The change of v_n that belongs to changes of p and J. */
static inline double normal_velocity(const Slip *slip, const double pj[3]) {
    return pj[0] + slip->d[0] * pj[1] + slip->d[1] * pj[2];
}

/* The terms w_n = sum_j (a_j - (n - 1) g_j) w_(n-1-j)/n of Y and Z2 side by side, from 1 on, until
 * two in a row have fallen below the cut. */
static void make_terms(const Pair a[4], const Pair g[4], double cut, Terms *terms) {
    const Pair none = {0, 0};
    Pair a0 = a[0] - g[0], a1 = a[1] - g[1], a2 = a[2] - g[2], a3 = a[3] - g[3];
    Pair w0 = a[0], w1 = both(1), w2 = none, w3 = none, square, *y = terms->y, *z = terms->z;
    for (int i = 0; i < TAPS; i++) {
        *y++ = *z++ = none;
    }
    *y++ = (Pair){1, w0[0]};
    *z++ = (Pair){1, w0[1]};
    int n = 2;
    do {
        Pair by = both(RECIPROCAL[n]);
        Pair even = (a0 * by) * w0 + (a1 * w1 + (a2 * w2 + a3 * w3)) * by;
        a0 -= g[0], a1 -= g[1], a2 -= g[2], a3 -= g[3];
        by = both(RECIPROCAL[n + 1]);
        Pair odd = (a0 * by) * even + (a1 * w0 + (a2 * w1 + a3 * w2)) * by;
        a0 -= g[0], a1 -= g[1], a2 -= g[2], a3 -= g[3];
        w3 = w1, w2 = w0, w1 = even, w0 = odd;
        *y++ = (Pair){even[0], odd[0]};
        *z++ = (Pair){even[1], odd[1]};
        square = even * even + odd * odd;
        n += 2;
    } while (n < CURVE_TERMS && !(square[0] + square[1] <= cut * cut));
    terms->pairs = n / 2;
}

/* The terms of G Y' = P Y and its companion about a regular point. */
static void regular_terms(const Spinor *s, Terms *terms) {
    Pair g[4], a[4];
    double inverse = 1 / s->G[0];
    for (int j = 0; j < 4; j++) {
        double gj = s->G[j + 1] * inverse, pj = s->P[j] * inverse;
        g[j] = both(gj);
        a[j] = (Pair){pj + j * gj, 2 * pj + (2 * j + 1) * gj};
    }
    make_terms(a, g, CUT, terms);
}

/* Two checks that let no truncated or cancelled series through, at the end of the curve: does the
 * slip velocity agree with the closed form r = D G Y, and is the work of all forces, I.(v- + v)/2
 * = -A - mu F, what the series of A and F make it? */
static int agrees(const Slip *slip, Curve *curve, double r, double F) {
    double s[2];
    const Point *last = &curve->last;
    const State *start = &curve->start;
    curve_direction(curve, last->z, s);
    double size = fabs(start->gamma[0]) + fabs(start->gamma[1]) +
                  slip->rate * (last->p + fabs(last->J[0]) + fabs(last->J[1]));
    double off = fabs(last->gamma[0] - r * s[0]) + fabs(last->gamma[1] - r * s[1]);
    double friction = slip->mu * F, normal = last->p * (start->vn + last->vn) / 2;
    double sum = normal + last->J[0] * (start->gamma[0] + last->gamma[0]) / 2 +
                 last->J[1] * (start->gamma[1] + last->gamma[1]) / 2 + last->A + friction;
    double work = fabs(normal) + fabs(friction) + fabs(last->A);
    curve->mismatch = most_of(off / size, fabs(sum) / work);
    return curve->mismatch <= 2e-14;
}

/* A polynomial of degree 2 or 4 at x = 1 and -1. */
static double both_ends(const double *a, int degree, double sign) {
    double value = a[0] + a[2] + sign * a[1];
    return degree == 4 ? value + a[4] + sign * a[3] : value;
}

/* The sums of even and odd terms of the series of a regular curve at x = 1. */
typedef struct Ends {
    Pair y, c[4], f;
} Ends;

/* Integrate the terms into the series of a regular curve. */
static Ends integrate_regular(const Filter *filter, const Terms *terms, Curve *curve) {
    const Pair *y = terms->y + TAPS, *z = terms->z + TAPS, none = {0, 0};
    Product product;
    Last last = {none, none};
    Ends ends = {none, {none, none, none, none}, none};
    product.v[0] = none;
    for (int m = 0; m < terms->pairs; m++) {
        const double *by = RECIPROCAL + 2 * m + 1;
        Pair by0 = pair_load(by), by1 = pair_load(by + 1), by2 = pair_load(by + 2), c[4];
        extend(filter, y + m, by0, m, product.v + 2 * m + 1, &product, &last);
        c[0] = last.u * by0;
        c[1] = last.u * by1;
        c[2] = last.u * by2;
        c[3] = product_terms(&product, m) * by0;
        for (int i = 0; i < 4; i++) {
            curve->c[i][m] = c[i];
            ends.c[i] += c[i];
        }
        curve->f[m] = filter_friction(filter->F, z + m) * by0;
        ends.f += curve->f[m];
        ends.y += y[m];
    }
    return ends;
}

/* Integrate the terms into a regular curve from x = -1 to 1, and check it at its end. With even and
 * odd terms summed apart both ends cost no more than one. */
static int finish_regular(const Slip *slip, const Filter *filter, const Terms *terms,
                          Curve *curve) {
    const Spinor *s = &curve->spinor;
    Ends ends = integrate_regular(filter, terms, curve);
    double first = both_ends(s->D, 2, -1) * both_ends(s->G, 4, -1) * (ends.y[0] - ends.y[1]);
    double last = both_ends(s->D, 2, 1) * both_ends(s->G, 4, 1) * (ends.y[0] + ends.y[1]);
    double scale = norm2(curve->start.gamma) / first, *origin = curve->origin, to[3];
    make_map(slip, scale, curve);
    const Pair *c = ends.c;
    double begin[3] = {c[0][1] - c[0][0], c[1][0] - c[1][1], c[2][1] - c[2][0]};
    double whole[3] = {2 * c[0][0], 2 * c[1][1], 2 * c[2][0]};
    for (int i = 0; i < 3; i++) {
        origin[i] = times(curve->map[i], begin);
        to[i] = times(curve->map[i], whole);
    }
    curve->vn = curve->start.vn - normal_velocity(slip, origin);
    curve->a = (c[3][1] - c[3][0]) * curve->square;
    curve->F = (ends.f[1] - ends.f[0]) * curve->square;
    curve->kind = CURVE_REGULAR;
    curve->pairs = terms->pairs;
    curve->begin = -1;
    curve->end = 1;
    curve->z = -1;
    curve->last.x = curve->last.at = curve->last.y = curve->last.z = 1;
    curve->last.F = 0;
    curve_state(curve, slip, to[0], to[1], to[2], -2 * c[3][0] * curve->square - curve->vn * to[0],
                &curve->last);
    return agrees(slip, curve, scale * last, 2 * ends.f[0] * curve->square);
}

/* A regular expansion on the line m0 + x m1 that the slip follows from x = -1 to 1. If the series
 * does not converge there, *radius says how far it would. */
static int make_regular(const Slip *slip, const State *start, Curve *curve, double *radius) {
    Spinor *s = &curve->spinor;
    Filter filter;
    Terms terms;
    make_filter(slip, s, s->G[0], &filter);
    regular_terms(s, &terms);
    if (terms.pairs == CURVE_TERMS / 2) {
        Pair y = terms.y[TAPS + CURVE_TERMS / 2 - 1], z = terms.z[TAPS + CURVE_TERMS / 2 - 1];
        double left = fabs(y[1]) + fabs(z[1]);
        if (!(left < 10 * CUT)) {
            *radius = exp(log(CUT / left) / CURVE_TERMS);
            return 0;
        }
    }
    curve->start = *start;
    return finish_regular(slip, &filter, &terms, curve);
}

int curve_direct(const Slip *slip, const State *start, const double s[2], const Gap *gap,
                 double above, double below, Curve *curve) {
    double *m0 = curve->spinor.m0, *m1 = curve->spinor.m1, radius;
    /* the line of curve_middle(), over (a + b)/2 of target = a xi + xi_perp, behind = b xi +
     * xi_perp */
    double sum = gap->ahead + gap->behind, width = gap->ahead - gap->behind;
    double along = 2 * above / (below + above * sum), reach = width * above / below;
    double shift = (sum + reach * width) / 2 * along, aside = gap->side * along;
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
static void arrival_terms(const Spinor *s, double q, Terms *terms) {
    Pair g[4], a[4];
    double inverse = 1 / s->G[1];
    for (int j = 1; j < 4; j++) {
        double gj = s->G[j + 1] * inverse, pj = s->P[j] * inverse;
        g[j - 1] = both(gj);
        a[j - 1] = (Pair){pj - gj * (q - j), 2 * pj - gj * (2 * q - 1 - 2 * j)};
    }
    g[3] = a[3] = both(0);
    make_terms(a, g, CUT_ARRIVAL, terms);
}

/* The sum of Y at the start x = 1, or 0 if its terms are so much larger that digits are lost. */
static double sum_well(const Terms *terms) {
    Pair sum = {0, 0}, square = {0, 0};
    for (int m = 0; m < terms->pairs; m++) {
        Pair y = terms->y[TAPS + m];
        sum += y;
        square += y * y;
    }
    double total = sum[0] + sum[1];
    return square[0] + square[1] < 400 * total * total ? total : 0;
}

/* Is n + q next to 0 for some n = 1, 2, ...? The terms there would be divided by it. */
static int resonates(double q) {
    return q < -0.9 && fabs(q - nearbyint(q)) < 0.02;
}

/* Integrate the terms into the series of an arrival; fills u0, f0, v0, a, F, and N at the start. */
static void integrate_arrival(const Filter *filter, const Terms *terms, Curve *curve, double N[3]) {
    const Pair *y = terms->y + TAPS, *z = terms->z + TAPS, none = {0, 0};
    Product product;
    Last last = {none, none};
    Pair sum[4] = {none, none, none, none}, sum_f = none;
    double q = curve->q, v0 = filter->V[0][0] * filter->U[0][0];
    /* 1/(n + q) and 1/(n + 2 q), without n = 0 */
    Pair order = {0, 1}, by0 = {0, 1 / (1 + q)}, by_q = {0, 1 / (1 + 2 * q)};
    for (int m = 0; m < terms->pairs; m++) {
        order += 2;
        Pair by2 = 1 / (order + q), by1 = between(by0, by2), c[4];
        extend(filter, y + m, by0, m, product.v + 2 * m, &product, &last);
        c[0] = last.u * by0;
        c[1] = last.u * by1;
        c[2] = last.u * by2;
        c[3] = (product_terms(&product, m) - v0 * last.p * by0) * by_q;
        for (int i = 0; i < 4; i++) {
            curve->c[i][m] = c[i];
            sum[i] += c[i];
        }
        curve->f[m] = filter_friction(filter->F, z + m) * by_q;
        sum_f += curve->f[m];
        by0 = by2;
        by_q = 1 / (order + 2 * q);
    }
    for (int i = 0; i < 3; i++) {
        N[i] = sum[i][0] + sum[i][1];
    }
    curve->u0 = filter->U[0][0];
    curve->f0 = filter->F[0][0];
    curve->v0 = v0;
    curve->a = (sum[3][0] + sum[3][1]) * curve->square;
    curve->F = (sum_f[0] + sum_f[1]) * curve->square;
}

/* Integrate the terms into an arrival, and check it at its end. */
static int finish_arrival(const Slip *slip, const Filter *filter, const Terms *terms, double scale,
                          Curve *curve) {
    const Spinor *s = &curve->spinor;
    double N[3];
    make_map(slip, scale, curve);
    integrate_arrival(filter, terms, curve, N);
    for (int i = 0; i < 3; i++) {
        curve->origin[i] = times(curve->map[i], N);
    }
    curve->v0 *= scale;
    curve->vn = curve->start.vn - normal_velocity(slip, curve->origin);
    curve->kind = CURVE_ARRIVAL;
    curve->pairs = terms->pairs;
    curve->z = 1;
    curve_at(curve, slip, curve->end, &curve->last);
    double F = curve_friction(curve, &curve->last), sum = 0;
    if (curve->arrives) {
        return agrees(slip, curve, 0, F);
    }
    double y = curve->last.y, z = curve->last.z;
    for (int m = terms->pairs - 1; m >= 0; m--) {
        const Pair *pair = terms->y + TAPS + m;
        sum = (sum * z + (*pair)[1]) * z + (*pair)[0];
    }
    double D = s->D[0] + z * (s->D[1] + z * s->D[2]);
    double H = s->G[1] + z * (s->G[2] + z * (s->G[3] + z * s->G[4]));
    return agrees(slip, curve, scale * D * H * sum * y, F);
}

int curve_arrival(const Slip *slip, const State *start, const Sector *sector, double pole,
                  Curve *curve) {
    Spinor *s = &curve->spinor;
    double w = pole < INFINITY ? 1 / (1 + pole) : 0;
    const double t[2] = {1, -w}, u[2] = {0, 1 - w};
    spinor_build_sector(slip, sector, t, u, s);
    double q = 1 + s->P[0] / s->G[1];
    if (!(fabs(q) < 1e3) || !(fabs(q) > 1e-12) || resonates(q) || resonates(2 * q)) {
        return 0;
    }
    Filter filter;
    Terms terms;
    make_filter(slip, s, s->G[1], &filter);
    arrival_terms(s, q, &terms);
    double sum = sum_well(&terms);
    if (sum == 0 || terms.pairs == CURVE_TERMS / 2) {
        return 0;
    }
    double D = s->D[0] + s->D[1] + s->D[2], H = s->G[1] + s->G[2] + s->G[3] + s->G[4];
    curve->start = *start;
    curve->q = q;
    curve->begin = 0;
    /* a centrifugal target is never reached: as far as z = 0.01. Towards a slow centripetal one the
     * slip is straight long before it ends */
    curve->arrives = q > 0.05;
    curve->end = curve->arrives ? 1 / q : -expm1(q * log(q > 0 ? 1e-18 : 0.01)) / q;
    double r = norm2(start->gamma);
    return finish_arrival(slip, &filter, &terms, r / (D * H * sum), curve);
}
