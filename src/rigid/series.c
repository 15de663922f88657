/* Power series of slip on a line of spinors: the makers of curves. */
#include "rigid/spinor.h"

#include <float.h>
#include <math.h>

/* A series is cut where two terms in a row have fallen to this part of the first. */
static const double CUT = 1e-16;

/* An expansion that would shrink to less than this part of what it aimed at is not worth it. */
static const double SHORTEST = 0.05;

/* Coefficients of Y, Z2 and H, with room for the taps of a filter before the first. */
#define TAPS 6
typedef struct Terms {
    double y[TAPS + CURVE_ORDER + 1], z[TAPS + CURVE_ORDER + 1], h[TAPS + CURVE_ORDER + 1];
    int order;
} Terms;

/* Polynomials that multiply the terms. */
typedef struct Filter {
    double DD[5], DA[5], DC[5], D3[7]; /* k D^2, -mu k D A, -mu k D C, k D^3 */
    double V[5];
} Filter;

static const double RECIPROCAL[] = {
    0,        1.0 / 1,  1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
    1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
    1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23,
    1.0 / 24, 1.0 / 25, 1.0 / 26, 1.0 / 27, 1.0 / 28, 1.0 / 29, 1.0 / 30, 1.0 / 31,
    1.0 / 32, 1.0 / 33, 1.0 / 34, 1.0 / 35, 1.0 / 36, 1.0 / 37, 1.0 / 38, 1.0 / 39,
    1.0 / 40, 1.0 / 41, 1.0 / 42, 1.0 / 43, 1.0 / 44, 1.0 / 45, 1.0 / 46, 1.0 / 47,
    1.0 / 48, 1.0 / 49, 1.0 / 50, 1.0 / 51, 1.0 / 52, 1.0 / 53, 1.0 / 54, 1.0 / 55,
    1.0 / 56, 1.0 / 57};
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
    double *DD = filter->DD, *D3 = filter->D3;
    multiply(D, D, s->k, DD);
    multiply(D, s->A, -slip->mu * s->k, filter->DA);
    multiply(D, s->C, -slip->mu * s->k, filter->DC);
    D3[0] = DD[0] * D[0];
    D3[1] = DD[0] * D[1] + DD[1] * D[0];
    for (int i = 2; i < 5; i++) {
        D3[i] = DD[i] * D[0] + DD[i - 1] * D[1] + DD[i - 2] * D[2];
    }
    D3[5] = DD[4] * D[1] + DD[3] * D[2];
    D3[6] = DD[4] * D[2];
    for (int i = 0; i < 5; i++) {
        filter->V[i] = DD[i] + slip->d[0] * filter->DA[i] + slip->d[1] * filter->DC[i];
    }
}

static void clear_taps(Terms *terms) {
    for (int i = 0; i < TAPS; i++) {
        terms->y[i] = terms->z[i] = terms->h[i] = 0;
    }
}

/* Five taps of a filter on a series. */
static inline double filtered(const double a[5], const double *y) {
    return a[0] * y[0] + a[1] * y[-1] + a[2] * y[-2] + a[3] * y[-3] + a[4] * y[-4];
}

/* The terms of G Y' = P Y and its companions about a regular point, from those of order 0. */
static void regular_terms(const Spinor *s, const Filter *filter, Terms *terms) {
    double *y = terms->y + TAPS, *z = terms->z + TAPS, *h = terms->h + TAPS;
    double inverse = 1 / s->G[0], g[4], a[4], b[4], v[5];
    for (int j = 0; j < 4; j++) {
        g[j] = s->G[j + 1] * inverse;
        a[j] = s->P[j] * inverse + j * g[j];
        b[j] = (2 * s->P[j]) * inverse + (2 * j + 1) * g[j];
    }
    for (int j = 0; j < 5; j++) {
        v[j] = filter->V[j] * inverse;
    }
    double least_y = CUT * fabs(y[0]), least_z = CUT * fabs(z[0]);
    int n = 0;
    do {
        double ng0 = n * g[0], ng1 = n * g[1], ng2 = n * g[2], ng3 = n * g[3];
        double by = RECIPROCAL[n + 1];
        double a0 = a[0] - ng0, a1 = a[1] - ng1, a2 = a[2] - ng2, a3 = a[3] - ng3;
        y[n + 1] = (a0 * y[n] + (a1 * y[n - 1] + (a2 * y[n - 2] + a3 * y[n - 3]))) * by;
        h[n + 1] = (a0 * h[n] + (a1 * h[n - 1] + (a2 * h[n - 2] + a3 * h[n - 3]) +
                                 filtered(v, z + n))) * by;
        z[n + 1] = ((b[0] - ng0) * z[n] +
                    ((b[1] - ng1) * z[n - 1] +
                     ((b[2] - ng2) * z[n - 2] + (b[3] - ng3) * z[n - 3]))) * by;
        n++;
    } while (n < CURVE_ORDER && (fabs(y[n]) + fabs(y[n - 1]) > least_y ||
                                 fabs(z[n]) + fabs(z[n - 1]) > least_z));
    terms->order = n;
}

/* Does the slip velocity at the end of the series agree with the closed form r = D G Y? This is
 * the check that lets no truncated or cancelled series through. */
static int agrees(const Slip *slip, Curve *curve, double r) {
    double s[2];
    const Point *last = &curve->last;
    const State *start = &curve->start;
    curve_direction(curve, curve->end, s);
    double size = fabs(start->gamma[0]) + fabs(start->gamma[1]) +
                  slip->rate * (last->p + fabs(last->J[0]) + fabs(last->J[1]));
    double off = fabs(last->gamma[0] - r * s[0]) + fabs(last->gamma[1] - r * s[1]);
    curve->mismatch = off / size;
    return curve->mismatch <= 1e-13;
}

/* The sum of a series. */
static double sum_at(const double *y, int order, double x) {
    double sum = y[order];
    for (int n = order - 1; n >= 0; n--) {
        sum = sum * x + y[n];
    }
    return sum;
}

/* Integrate the terms into a regular curve, and check it at its end. */
static int finish_regular(const Slip *slip, const Filter *filter, const Terms *terms,
                          Curve *curve) {
    const Spinor *s = &curve->spinor;
    int order = terms->order;
    double x = curve->end;
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        curve->c[0][lane] = 0;
    }
    curve->f[0] = 0;
    for (int n = 0; n < order; n++) {
        const double *y = terms->y + TAPS + n, *z = terms->z + TAPS + n;
        double by = RECIPROCAL[n + 1], *c = curve->c[n + 1];
        c[LANE_P] = by * filtered(filter->DD, y);
        c[LANE_JX] = by * filtered(filter->DA, y);
        c[LANE_JY] = by * filtered(filter->DC, y);
        c[LANE_A] = -by * filtered(filter->DD, terms->h + TAPS + n);
        curve->f[n + 1] =
            by * (filtered(filter->D3, z) + filter->D3[5] * z[-5] + filter->D3[6] * z[-6]);
    }
    curve->kind = CURVE_REGULAR;
    curve->order = order;
    curve_at(curve, slip, x, &curve->last);
    double D = s->D[0] + x * (s->D[1] + x * s->D[2]);
    double G = s->G[0] + x * (s->G[1] + x * (s->G[2] + x * (s->G[3] + x * s->G[4])));
    return agrees(slip, curve, D * G * sum_at(terms->y + TAPS, order, x));
}

/* Where a series that has not converged at x = 1 still has: from its last two terms. */
static double shorten(const double *y, int order) {
    double x = 1;
    for (int n = order - 1; n <= order; n++) {
        if (fabs(y[n]) > CUT * fabs(y[0])) {
            x = fmin(x, exp(log(CUT * fabs(y[0]) / fabs(y[n])) * RECIPROCAL[n]));
        }
    }
    return x;
}

/* A regular expansion on the line m0 + x m1 that the slip follows from x = 0 towards 1. */
static int make_regular(const Slip *slip, const State *start, Curve *curve) {
    Spinor *s = &curve->spinor;
    Filter filter;
    Terms terms;
    spinor_build(slip, s);
    make_filter(slip, s, &filter);
    clear_taps(&terms);
    double *y = terms.y + TAPS, *z = terms.z + TAPS;
    y[0] = sqrt(dot2(start->gamma, start->gamma)) / (s->D[0] * s->G[0]);
    z[0] = s->G[0] * y[0] * y[0];
    terms.h[TAPS] = start->vn * y[0];
    if (!(fabs(z[0]) < 1e250)) {
        return 0;
    }
    regular_terms(s, &filter, &terms);
    curve->end = 1;
    if (terms.order == CURVE_ORDER) {
        curve->end = fmin(shorten(y, CURVE_ORDER), shorten(z, CURVE_ORDER));
    }
    if (!(curve->end > SHORTEST)) {
        return 0;
    }
    curve->start = *start;
    return finish_regular(slip, &filter, &terms, curve);
}

int curve_taylor(const Slip *slip, const State *start, double reach, Curve *curve) {
    double r = sqrt(dot2(start->gamma, start->gamma)), rate[2];
    double at[2] = {start->gamma[0] / r, start->gamma[1] / r};
    double *m0 = curve->spinor.m0, *m1 = curve->spinor.m1;
    slip_rate(slip, at, rate);
    if (cross2(at, rate) < 0) {
        reach = -reach;
    }
    spinor_half(at, m0);
    m1[0] = -reach * m0[1];
    m1[1] = reach * m0[0];
    return make_regular(slip, start, curve);
}

int curve_middle(const Slip *slip, const State *start, const Sector *sector, Curve *curve) {
    const double reach = 0.4; /* of the way to the unit circle, where target and behind lie */
    for (int i = 0; i < 2; i++) {
        curve->spinor.m0[i] = sector->target[i] + sector->behind[i];
        curve->spinor.m1[i] = reach * (sector->target[i] - sector->behind[i]);
    }
    return make_regular(slip, start, curve);
}

/* The terms about a zero of G: Y = x^(q-1) y(x), Z2 = x^(2q-1) z(x), and the part x^(2q-1) h(x) of
 * H that does not come from the constant of v_n. */
static void arrival_terms(const Spinor *s, const Filter *filter, double q, Terms *terms) {
    double *y = terms->y + TAPS, *z = terms->z + TAPS, *h = terms->h + TAPS;
    double inverse = 1 / s->G[1], g[4], a[4], b[4], c[4], v[5];
    for (int j = 1; j < 4; j++) {
        g[j] = s->G[j + 1] * inverse;
        a[j] = s->P[j] * inverse - g[j] * (q - 1 - j);
        b[j] = 2 * s->P[j] * inverse - g[j] * (2 * q - 2 - 2 * j);
        c[j] = s->P[j] * inverse - g[j] * (2 * q - 1 - j);
    }
    for (int j = 0; j < 5; j++) {
        v[j] = filter->V[j] * inverse;
    }
    double least_y = CUT * fabs(y[0]), least_z = CUT * fabs(z[0]);
    int n = 0;
    h[0] = v[0] * z[0] / q;
    do {
        n++;
        double ng1 = n * g[1], ng2 = n * g[2], ng3 = n * g[3], by = RECIPROCAL[n];
        y[n] = ((a[1] - ng1) * y[n - 1] + ((a[2] - ng2) * y[n - 2] + (a[3] - ng3) * y[n - 3])) * by;
        z[n] = ((b[1] - ng1) * z[n - 1] + ((b[2] - ng2) * z[n - 2] + (b[3] - ng3) * z[n - 3])) * by;
        h[n] = ((c[1] - ng1) * h[n - 1] + ((c[2] - ng2) * h[n - 2] + (c[3] - ng3) * h[n - 3]) +
                filtered(v, z + n)) / (n + q);
    } while (n < CURVE_ORDER && (fabs(y[n]) + fabs(y[n - 1]) > least_y ||
                                 fabs(z[n]) + fabs(z[n - 1]) > least_z));
    terms->order = n;
}

/* Do the terms of a series at x = 1 stay below this many times their sum? Else digits are lost. */
static int sums_well(const double *y, int order, double *sum) {
    double size = 0;
    *sum = 0;
    for (int n = 0; n <= order; n++) {
        *sum += y[n];
        size += fabs(y[n]);
    }
    return size < 100 * fabs(*sum);
}

/* Is some n + q next to 0 (n = 0, 1, ...)? The terms there would be divided by it. */
static int resonates(double q) {
    return q < 0.02 && fabs(q - nearbyint(q)) < 0.02;
}

/* Integrate the terms into an arrival, and check it at its end. */
static int finish_arrival(const Slip *slip, const Filter *filter, const Terms *terms,
                          Curve *curve) {
    const Spinor *s = &curve->spinor;
    double q = curve->q, vn = 0, *total = curve->total;
    total[LANE_P] = total[LANE_JX] = total[LANE_JY] = total[LANE_A] = curve->total_f = 0;
    for (int n = 0; n <= terms->order; n++) {
        const double *y = terms->y + TAPS + n, *z = terms->z + TAPS + n;
        double by = 1 / (n + q), by2 = 1 / (n + 2 * q), *c = curve->c[n];
        c[LANE_P] = by * filtered(filter->DD, y);
        c[LANE_JX] = by * filtered(filter->DA, y);
        c[LANE_JY] = by * filtered(filter->DC, y);
        curve->a2[n] = -by2 * filtered(filter->DD, terms->h + TAPS + n);
        curve->f[n] =
            by2 * (filtered(filter->D3, z) + filter->D3[5] * z[-5] + filter->D3[6] * z[-6]);
        total[LANE_P] += c[LANE_P];
        total[LANE_JX] += c[LANE_JX];
        total[LANE_JY] += c[LANE_JY];
        total[LANE_A] += curve->a2[n];
        curve->total_f += curve->f[n];
    }
    /* v_n is its value at zero slip plus x V(z): the first makes Q1 of A, the second Q2 */
    vn = curve->start.vn - (total[LANE_P] + slip->d[0] * total[LANE_JX] +
                            slip->d[1] * total[LANE_JY]);
    for (int n = 0; n <= terms->order; n++) {
        curve->c[n][LANE_A] = -vn * curve->c[n][LANE_P];
    }
    total[LANE_A] -= vn * total[LANE_P];
    curve->kind = CURVE_ARRIVAL;
    curve->order = terms->order;
    curve_at(curve, slip, curve->end, &curve->last);
    double z = curve->end == 0 ? 0 : exp(log(curve->end) / q);
    double D = s->D[0] + z * (s->D[1] + z * s->D[2]);
    double H = s->G[1] + z * (s->G[2] + z * (s->G[3] + z * s->G[4]));
    return agrees(slip, curve, D * H * sum_at(terms->y + TAPS, terms->order, z) * curve->end);
}

int curve_arrival(const Slip *slip, const State *start, const Sector *sector, Curve *curve) {
    const double slowest = 0.5; /* 0.5^CURVE_ORDER is rounding */
    double pole = sector_pole(sector);
    if (!(sector_ratio(sector, pole) < slowest)) {
        return 0;
    }
    Spinor *s = &curve->spinor;
    for (int i = 0; i < 2; i++) {
        double target = sector->target[i], behind = sector->behind[i];
        s->m0[i] = target;
        s->m1[i] = pole < INFINITY ? (pole * behind - target) / (1 + pole) : behind;
    }
    spinor_build(slip, s);
    s->G[0] = 0;
    double q = 1 + s->P[0] / s->G[1];
    if (!(fabs(q) < 1e3) || resonates(q) || resonates(2 * q)) {
        return 0;
    }
    Filter filter;
    Terms terms;
    double *y = terms.y + TAPS, *z = terms.z + TAPS, sum_y, sum_z;
    make_filter(slip, s, &filter);
    clear_taps(&terms);
    y[0] = 1;
    z[0] = s->G[1];
    arrival_terms(s, &filter, q, &terms);
    if (!sums_well(y, terms.order, &sum_y) || !sums_well(z, terms.order, &sum_z)) {
        return 0;
    }
    double D = s->D[0] + s->D[1] + s->D[2], H = s->G[1] + s->G[2] + s->G[3] + s->G[4];
    double scale = sqrt(dot2(start->gamma, start->gamma)) / (D * H * sum_y);
    for (int n = 0; n <= terms.order; n++) {
        y[n] *= scale;
        z[n] *= scale * scale;
        terms.h[TAPS + n] *= scale * scale;
    }
    curve->start = *start;
    curve->q = q;
    /* a centrifugal target is never reached: as far as its direction is within 1 % of it */
    curve->end = q > 0 ? 0 : pow(0.01, q);
    return finish_arrival(slip, &filter, &terms, curve);
}
