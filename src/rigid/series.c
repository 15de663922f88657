/* Power series of slip on a line of spinors: the makers of curves. */
#include "rigid/spinor.h"

#include <math.h>

/* A series is cut where two terms in a row have fallen to this part of the first. */
static const double CUT = 1e-15;

/* Coefficients of Y, Z2 and H, with room for the taps of a filter before the first; Y and H laid
 * out as the lanes of a curve want them. */
#define TAPS 6
typedef struct Terms {
    Lanes yh[TAPS + CURVE_ORDER + 1]; /* y, y, y, h */
    double z[TAPS + CURVE_ORDER + 1];
    int order;
} Terms;

/* Polynomials that multiply the terms. */
typedef struct Filter {
    Lanes lanes[5]; /* k D^2, -mu k D A, -mu k D C, -k D^2 */
    double D3[7];   /* k D^3 */
    double V[5];
} Filter;

static const double RECIPROCAL[] = {
    0,        1.0 / 1,  1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,
    1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16, 1.0 / 17,
    1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23, 1.0 / 24, 1.0 / 25, 1.0 / 26,
    1.0 / 27, 1.0 / 28, 1.0 / 29, 1.0 / 30, 1.0 / 31, 1.0 / 32, 1.0 / 33, 1.0 / 34, 1.0 / 35,
    1.0 / 36, 1.0 / 37, 1.0 / 38, 1.0 / 39, 1.0 / 40, 1.0 / 41, 1.0 / 42, 1.0 / 43, 1.0 / 44,
    1.0 / 45, 1.0 / 46, 1.0 / 47, 1.0 / 48, 1.0 / 49, 1.0 / 50, 1.0 / 51, 1.0 / 52, 1.0 / 53,
    1.0 / 54, 1.0 / 55, 1.0 / 56, 1.0 / 57};
_Static_assert(sizeof RECIPROCAL / sizeof *RECIPROCAL > CURVE_ORDER + 1, "one for every order");

/* Product of quadratics. */
static void multiply(const double a[3], const double b[3], double scale, double out[5]) {
    out[0] = scale * (a[0] * b[0]);
    out[1] = scale * (a[0] * b[1] + a[1] * b[0]);
    out[2] = scale * (a[0] * b[2] + a[1] * b[1] + a[2] * b[0]);
    out[3] = scale * (a[1] * b[2] + a[2] * b[1]);
    out[4] = scale * (a[2] * b[2]);
}

static void make_filter(const Slip *slip, const Spinor *s, Filter *filter) {
    const double *D = s->D;
    double *D3 = filter->D3, DD[5], DA[5], DC[5];
    multiply(D, D, s->k, DD);
    multiply(D, s->A, -slip->mu * s->k, DA);
    multiply(D, s->C, -slip->mu * s->k, DC);
    D3[0] = DD[0] * D[0];
    D3[1] = DD[0] * D[1] + DD[1] * D[0];
    for (int i = 2; i < 5; i++) {
        D3[i] = DD[i] * D[0] + DD[i - 1] * D[1] + DD[i - 2] * D[2];
    }
    D3[5] = DD[4] * D[1] + DD[3] * D[2];
    D3[6] = DD[4] * D[2];
    for (int i = 0; i < 5; i++) {
        filter->lanes[i] = lanes_make(DD[i], DA[i], DC[i], -DD[i]);
        filter->V[i] = DD[i] + slip->d[0] * DA[i] + slip->d[1] * DC[i];
    }
}

static void clear_taps(Terms *terms) {
    for (int i = 0; i < TAPS; i++) {
        terms->yh[i] = lanes_make(0, 0, 0, 0);
        terms->z[i] = 0;
    }
}

/* Five taps of a filter on a series. */
static inline double filtered(const double a[5], const double *y) {
    return (a[0] * y[0] + a[1] * y[-1]) + (a[2] * y[-2] + a[3] * y[-3]) + a[4] * y[-4];
}

/* The derivatives of all lanes at order n. */
static inline Lanes filter_lanes(const Filter *filter, const Terms *terms, int n) {
    const Lanes *a = filter->lanes, *yh = terms->yh + TAPS + n;
    Lanes first = lanes_add(lanes_multiply(a[0], yh[0]), lanes_multiply(a[1], yh[-1]));
    Lanes second = lanes_add(lanes_multiply(a[2], yh[-2]), lanes_multiply(a[3], yh[-3]));
    return lanes_add(lanes_add(first, second), lanes_multiply(a[4], yh[-4]));
}

/* The derivative of F at order n. */
static inline double filter_friction(const Filter *filter, const Terms *terms, int n) {
    const double *z = terms->z + TAPS + n;
    return filtered(filter->D3, z) + (filter->D3[5] * z[-5] + filter->D3[6] * z[-6]);
}

/* The change of v_n that belongs to changes of p and J. */
static inline double lanes_velocity(const Slip *slip, const Lanes *lanes) {
    return lanes->lo[0] + slip->d[0] * lanes->lo[1] + slip->d[1] * lanes->hi[0];
}

static inline Lanes term(double y, double h) {
    return lanes_make(y, y, y, h);
}

/* Have both of the last two terms of Y and Z2 fallen below the cut? */
static inline int is_cut(Pair last, Pair before, double least_z) {
    return fabs(last[0]) + fabs(before[0]) <= CUT && fabs(last[1]) + fabs(before[1]) <= least_z;
}

/* The terms of G Y' = P Y and its companions about a regular point, from y0 = 1, z0 = G0. Of H only
 * the part with v_n counted from its value at the centre. Y and Z2 run side by side. The order is
 * made even, so that even and odd terms come in pairs. */
static void regular_terms(const Spinor *s, const Filter *filter, Terms *terms) {
    double *z = terms->z + TAPS, v[5], inverse = 1 / s->G[0];
    Pair g[4], a[4], w0 = {1, s->G[0]}, w1 = {0, 0}, w2 = {0, 0}, w3 = {0, 0};
    double h0 = 0, h1 = 0, h2 = 0, h3 = 0;
    for (int j = 0; j < 4; j++) {
        double gj = s->G[j + 1] * inverse, pj = s->P[j] * inverse;
        g[j] = (Pair){gj, gj};
        a[j] = (Pair){pj + j * gj, 2 * pj + (2 * j + 1) * gj};
    }
    for (int j = 0; j < 5; j++) {
        v[j] = filter->V[j] * inverse;
    }
    z[0] = w0[1];
    terms->yh[TAPS] = term(w0[0], h0);
    double least_z = CUT * fabs(z[0]);
    int n = 0;
    do {
        double by = RECIPROCAL[n + 1];
        Pair by2 = {by, by}, first = a[0] * by2;
        Pair w = first * w0 + (a[1] * w1 + (a[2] * w2 + a[3] * w3)) * by2;
        double force = filtered(v, z + n) + (a[2][0] * h2 + a[3][0] * h3);
        double h = first[0] * h0 + (a[1][0] * h1 + force) * by;
        a[0] -= g[0];
        a[1] -= g[1];
        a[2] -= g[2];
        a[3] -= g[3];
        w3 = w2, w2 = w1, w1 = w0, w0 = w;
        h3 = h2, h2 = h1, h1 = h0, h0 = h;
        n++;
        z[n] = w[1];
        terms->yh[TAPS + n] = term(w[0], h);
    } while (n < CURVE_ORDER && (n % 2 == 1 || !is_cut(w0, w1, least_z)));
    terms->order = n;
}

/* Two checks that let no truncated or cancelled series through, at the end of the curve: does the
 * slip velocity agree with the closed form r = D G Y, and is the work of all forces, I.(v- + v)/2
 * = -A - mu F, what the series of A and F make it? */
static int agrees(const Slip *slip, Curve *curve, double r, double F) {
    double s[2];
    const Point *last = &curve->last;
    const State *start = &curve->start;
    curve_direction(curve, curve->end, s);
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

/* Integrate the terms into a regular curve from x = -1 to 1, and check it at its end. With even and
 * odd terms summed apart both ends cost no more than one. */
static int finish_regular(const Slip *slip, const Filter *filter, const Terms *terms,
                          Curve *curve) {
    const Spinor *s = &curve->spinor;
    int order = terms->order;
    double y_even = 0, y_odd = 0, f_even = 0, f_odd = 0;
    Lanes even = lanes_make(0, 0, 0, 0), odd = even, *c = curve->c;
    const Lanes *yh = terms->yh + TAPS;
    for (int n = 0; n < order; n += 2) {
        y_even += yh[n].lo[0];
        y_odd += yh[n + 1].lo[0];
    }
    double first = both_ends(s->D, 2, -1) * both_ends(s->G, 4, -1) * (y_even - y_odd);
    double last = both_ends(s->D, 2, 1) * both_ends(s->G, 4, 1) * (y_even + y_odd);
    double scale = norm2(curve->start.gamma) / first;
    Lanes scales = lanes_make(scale, scale, scale, scale * scale);
    for (int n = 1; n <= order; n += 2) {
        double by = RECIPROCAL[n], by2 = RECIPROCAL[n + 1];
        c[n] = lanes_multiply(filter_lanes(filter, terms, n - 1), lanes_scale(scales, by));
        c[n + 1] = lanes_multiply(filter_lanes(filter, terms, n), lanes_scale(scales, by2));
        curve->f[n] = filter_friction(filter, terms, n - 1) * (scale * scale * by);
        curve->f[n + 1] = filter_friction(filter, terms, n) * (scale * scale * by2);
        odd = lanes_add(odd, c[n]);
        even = lanes_add(even, c[n + 1]);
        f_odd += curve->f[n];
        f_even += curve->f[n + 1];
    }
    Lanes at = lanes_subtract(even, odd);
    /* v_n at the centre; its part of A is -v_n p */
    double vn = curve->start.vn - lanes_velocity(slip, &at);
    for (int n = 1; n <= order; n++) {
        c[n].hi[1] -= vn * c[n].lo[0];
    }
    at.hi[1] -= vn * at.lo[0];
    c[0] = lanes_scale(at, -1);
    at = lanes_scale(odd, 2);
    at.hi[1] -= vn * at.lo[0];
    curve->f[0] = 0;
    curve->total_f = f_even - f_odd;
    curve->kind = CURVE_REGULAR;
    curve->order = order;
    curve->begin = -1;
    curve->end = 1;
    curve_point(curve, slip, 1, &at, &curve->last);
    return agrees(slip, curve, scale * last, 2 * f_odd);
}

/* A regular expansion on the line m0 + x m1 that the slip follows from x = -1 to 1. If the series
 * does not converge there, *radius says how far it would. */
static int make_regular(const Slip *slip, const State *start, Curve *curve, double *radius) {
    Spinor *s = &curve->spinor;
    Filter filter;
    Terms terms;
    make_filter(slip, s, &filter);
    clear_taps(&terms);
    regular_terms(s, &filter, &terms);
    if (terms.order == CURVE_ORDER) {
        double left = fabs(terms.yh[TAPS + CURVE_ORDER].lo[0]) +
                      fabs(terms.z[TAPS + CURVE_ORDER] / terms.z[TAPS]);
        if (!(left < 10 * CUT)) {
            *radius = exp(log(CUT / left) / CURVE_ORDER);
            return 0;
        }
    }
    curve->start = *start;
    return finish_regular(slip, &filter, &terms, curve);
}

int curve_taylor(const Slip *slip, const State *start, double reach, Curve *curve) {
    double r = norm2(start->gamma), rate[2], xi[2];
    double at[2] = {start->gamma[0] / r, start->gamma[1] / r};
    double *m0 = curve->spinor.m0, *m1 = curve->spinor.m1;
    slip_rate(slip, at, rate);
    if (cross2(at, rate) < 0) {
        reach = -reach;
    }
    spinor_half(at, xi);
    m0[0] = xi[0] - reach * xi[1];
    m0[1] = xi[1] + reach * xi[0];
    m1[0] = -reach * m0[1];
    m1[1] = reach * m0[0];
    double radius;
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

/* The terms about a zero of G: Y = z^(q-1) y(z), Z2 = z^(2q-1) z(z), and the part z^(2q-1) h(z) of
 * H that comes from what v_n is beyond a constant and a multiple of w (curve.h). */
static void arrival_terms(const Spinor *s, const Filter *filter, double q, Terms *terms) {
    double *z = terms->z + TAPS, c[4], v[5], inverse = 1 / s->G[1];
    Pair g[4], a[4], w0 = {1, s->G[1]}, w1 = {0, 0}, w2 = {0, 0}, w3 = {0, 0};
    for (int j = 1; j < 4; j++) {
        double gj = s->G[j + 1] * inverse, pj = s->P[j] * inverse;
        g[j] = (Pair){gj, gj};
        a[j] = (Pair){pj - gj * (q - j), 2 * pj - gj * (2 * q - 1 - 2 * j)};
        c[j] = pj - gj * (2 * q - j);
    }
    for (int j = 0; j < 5; j++) {
        v[j] = filter->V[j] * inverse;
    }
    z[0] = w0[1];
    double h0 = 0, h1 = 0, h2 = 0, least_z = CUT * fabs(z[0]);
    terms->yh[TAPS] = term(w0[0], h0);
    int n = 0;
    do {
        n++;
        double by = RECIPROCAL[n];
        Pair by2 = {by, by};
        Pair w = (a[1] * by2) * w0 + (a[2] * w1 + a[3] * w2) * by2;
        w3 = w2, w2 = w1, w1 = w0, w0 = w;
        z[n] = w[1];
        double linear = w0[0] + (g[1][0] * w1[0] + (g[2][0] * w2[0] + g[3][0] * w3[0]));
        double h =
            (c[1] * h0 + (c[2] * h1 + c[3] * h2) + filtered(v, z + n) - filter->V[0] * linear) /
            (n + q);
        for (int j = 1; j < 4; j++) {
            a[j] -= g[j];
            c[j] -= g[j][0];
        }
        h2 = h1, h1 = h0, h0 = h;
        terms->yh[TAPS + n] = term(w[0], h);
    } while (n < CURVE_ORDER && !is_cut(w0, w1, least_z));
    terms->order = n;
}

/* The sum of Y at the start x = 1, or 0 if its terms are so much larger that digits are lost. */
static double sum_well(const Terms *terms) {
    double sum = 0, size = 0;
    for (int n = 0; n <= terms->order; n++) {
        sum += terms->yh[TAPS + n].lo[0];
        size += fabs(terms->yh[TAPS + n].lo[0]);
    }
    return size < 100 * fabs(sum) ? sum : 0;
}

/* Is n + q next to 0 for some n = 1, 2, ...? The terms there would be divided by it. */
static int resonates(double q) {
    return q < -0.9 && fabs(q - nearbyint(q)) < 0.02;
}

/* Integrate the terms into an arrival, and check it at its end. */
static int finish_arrival(const Slip *slip, const Filter *filter, const Terms *terms, double scale,
                          Curve *curve) {
    const Spinor *s = &curve->spinor;
    double q = curve->q, square = scale * scale, a2 = 0, f = 0;
    Lanes total = lanes_make(0, 0, 0, 0), *c = curve->c;
    c[0] = lanes_scale(filter_lanes(filter, terms, 0), scale);
    curve->f[0] = filter_friction(filter, terms, 0) * square;
    double v0 = lanes_velocity(slip, &c[0]);
    for (int n = 1; n <= terms->order; n++) {
        double by = scale / (n + q), by2 = 1 / (n + 2 * q);
        c[n] = lanes_multiply(filter_lanes(filter, terms, n), lanes_make(by, by, by, square * by2));
        curve->f[n] = filter_friction(filter, terms, n) * (square * by2);
        curve->a2[n] = c[n].hi[1] + v0 * c[n].lo[0] * by2;
        total = lanes_add(total, c[n]);
        a2 += curve->a2[n];
        f += curve->f[n];
    }
    curve->a2[0] = 0;
    curve->total = total;
    curve->total_a = a2;
    curve->total_f = f;
    curve->v0 = v0;
    curve->vn = curve->start.vn - lanes_velocity(slip, &total);
    curve->kind = CURVE_ARRIVAL;
    curve->order = terms->order;
    curve_at(curve, slip, curve->end, &curve->last);
    double F = curve_friction(curve, curve->end), sum = 0;
    if (curve->arrives) {
        return agrees(slip, curve, 0, F);
    }
    double x = 1 - q * curve->end, z = exp(log(x) / q);
    for (int n = terms->order; n >= 0; n--) {
        sum = sum * z + terms->yh[TAPS + n].lo[0];
    }
    double D = s->D[0] + z * (s->D[1] + z * s->D[2]);
    double H = s->G[1] + z * (s->G[2] + z * (s->G[3] + z * s->G[4]));
    return agrees(slip, curve, scale * D * H * sum * x, F);
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
    make_filter(slip, s, &filter);
    clear_taps(&terms);
    arrival_terms(s, &filter, q, &terms);
    double sum = sum_well(&terms);
    if (sum == 0 || terms.order == CURVE_ORDER) {
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
