/* Power series of slip on a line of spinors: the makers of curves. */
#include "rigid/spinor.h"

#include <float.h>
#include <math.h>

/* A series is cut where two terms in a row have fallen to this part of the first. */
static const double CUT = 1e-16;

/* Coefficients of Y, Z2 and H, with room for the taps of a filter before the first; Y and H laid
 * out as the lanes of a curve want them. */
#define TAPS 6
typedef struct Terms {
    double yh[TAPS + CURVE_ORDER + 1][LANE_COUNT]; /* y, y, y, h */
    double z[TAPS + CURVE_ORDER + 1];
    int order;
} Terms;

/* Polynomials that multiply the terms. */
typedef struct Filter {
    double lane[5][LANE_COUNT]; /* k D^2, -mu k D A, -mu k D C, -k D^2 */
    double D3[7];               /* k D^3 */
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
        double *lane = filter->lane[i];
        lane[LANE_P] = DD[i];
        lane[LANE_JX] = DA[i];
        lane[LANE_JY] = DC[i];
        lane[LANE_A] = -DD[i];
        filter->V[i] = DD[i] + slip->d[0] * DA[i] + slip->d[1] * DC[i];
    }
}

static void clear_taps(Terms *terms) {
    for (int i = 0; i < TAPS; i++) {
        for (int lane = 0; lane < LANE_COUNT; lane++) {
            terms->yh[i][lane] = 0;
        }
        terms->z[i] = 0;
    }
}

static inline void set_term(double *lanes, double y, double h) {
    lanes[0] = lanes[1] = lanes[2] = y;
    lanes[3] = h;
}

/* Five taps of a filter on a series. */
static inline double filtered(const double a[5], const double *y) {
    return a[0] * y[0] + a[1] * y[-1] + a[2] * y[-2] + a[3] * y[-3] + a[4] * y[-4];
}

/* The derivatives of all lanes, and of F, at order n. */
static inline void filter_lanes(const Filter *filter, const Terms *terms, int n, double *c,
                                double *f) {
    const double(*yh)[LANE_COUNT] = terms->yh + TAPS + n;
    const double *z = terms->z + TAPS + n;
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        c[lane] = (filter->lane[0][lane] * yh[0][lane] + filter->lane[1][lane] * yh[-1][lane]) +
                  (filter->lane[2][lane] * yh[-2][lane] + filter->lane[3][lane] * yh[-3][lane]) +
                  filter->lane[4][lane] * yh[-4][lane];
    }
    *f = filtered(filter->D3, z) + (filter->D3[5] * z[-5] + filter->D3[6] * z[-6]);
}

/* The terms of G Y' = P Y and its companions about a regular point, from y0 = 1, z0 = G0. Of H only
 * the part with v_n counted from its value at the centre. */
static void regular_terms(const Spinor *s, const Filter *filter, Terms *terms) {
    double *z = terms->z + TAPS, g[4], a[4], b[4], v[5], inverse = 1 / s->G[0];
    double y0 = 1, y1 = 0, y2 = 0, y3 = 0, h0 = 0, h1 = 0, h2 = 0, h3 = 0;
    for (int j = 0; j < 4; j++) {
        g[j] = s->G[j + 1] * inverse;
        a[j] = s->P[j] * inverse + j * g[j];
        b[j] = (2 * s->P[j]) * inverse + (2 * j + 1) * g[j];
    }
    for (int j = 0; j < 5; j++) {
        v[j] = filter->V[j] * inverse;
    }
    z[0] = s->G[0];
    set_term(terms->yh[TAPS], y0, h0);
    double least_z = CUT * fabs(z[0]);
    int n = 0;
    do {
        double by = RECIPROCAL[n + 1];
        double y = (a[0] * y0 + (a[1] * y1 + (a[2] * y2 + a[3] * y3))) * by;
        double h = (a[0] * h0 + (a[1] * h1 + (a[2] * h2 + a[3] * h3) + filtered(v, z + n))) * by;
        z[n + 1] = (b[0] * z[n] + (b[1] * z[n - 1] + (b[2] * z[n - 2] + b[3] * z[n - 3]))) * by;
        for (int j = 0; j < 4; j++) {
            a[j] -= g[j];
            b[j] -= g[j];
        }
        y3 = y2, y2 = y1, y1 = y0, y0 = y;
        h3 = h2, h2 = h1, h1 = h0, h0 = h;
        n++;
        set_term(terms->yh[TAPS + n], y, h);
    } while (n < CURVE_ORDER &&
             (fabs(y0) + fabs(y1) > CUT || fabs(z[n]) + fabs(z[n - 1]) > least_z));
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
    double y[2] = {0, 0}, f[2] = {0, 0}, lanes[2][LANE_COUNT] = {{0}};
    for (int n = 0; n <= order; n++) {
        y[n & 1] += terms->yh[TAPS + n][0];
    }
    double first = both_ends(s->D, 2, -1) * both_ends(s->G, 4, -1) * (y[0] - y[1]);
    double last = both_ends(s->D, 2, 1) * both_ends(s->G, 4, 1) * (y[0] + y[1]);
    double r = norm2(curve->start.gamma), scale = r / first;
    for (int n = 0; n < order; n++) {
        double *c = curve->c[n + 1], by = scale * RECIPROCAL[n + 1];
        const double factor[LANE_COUNT] = {by, by, by, by * scale};
        filter_lanes(filter, terms, n, c, &curve->f[n + 1]);
        for (int lane = 0; lane < LANE_COUNT; lane++) {
            c[lane] *= factor[lane];
            lanes[~n & 1][lane] += c[lane];
        }
        curve->f[n + 1] *= by * scale;
        f[~n & 1] += curve->f[n + 1];
    }
    /* v_n at the centre; its part of A is -v_n p */
    double at[LANE_COUNT];
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        at[lane] = lanes[0][lane] - lanes[1][lane];
    }
    double vn = curve->start.vn -
                (at[LANE_P] + slip->d[0] * at[LANE_JX] + slip->d[1] * at[LANE_JY]);
    for (int n = 1; n <= order; n++) {
        curve->c[n][LANE_A] -= vn * curve->c[n][LANE_P];
    }
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        curve->c[0][lane] = -at[lane];
        at[lane] = 2 * lanes[1][lane];
    }
    curve->c[0][LANE_A] += vn * (lanes[0][LANE_P] - lanes[1][LANE_P]);
    at[LANE_A] -= vn * at[LANE_P];
    curve->f[0] = 0;
    curve->total_f = f[0] - f[1];
    curve->kind = CURVE_REGULAR;
    curve->order = order;
    curve->begin = -1;
    curve->end = 1;
    curve_point(curve, slip, 1, at, &curve->last);
    return agrees(slip, curve, scale * last);
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
        double left = fabs(terms.yh[TAPS + CURVE_ORDER][0]) +
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

/* The terms about a zero of G: Y = x^(q-1) y(x), Z2 = x^(2q-1) z(x), and the part x^(2q-1) h(x) of
 * H that comes from v_n counted from its value at the zero. */
static void arrival_terms(const Spinor *s, const Filter *filter, double q, Terms *terms) {
    double *z = terms->z + TAPS, g[4], a[4], b[4], c[4], v[5], inverse = 1 / s->G[1];
    for (int j = 1; j < 4; j++) {
        g[j] = s->G[j + 1] * inverse;
        a[j] = s->P[j] * inverse - g[j] * (q - j);
        b[j] = 2 * s->P[j] * inverse - g[j] * (2 * q - 1 - 2 * j);
        c[j] = s->P[j] * inverse - g[j] * (2 * q - j);
    }
    for (int j = 0; j < 5; j++) {
        v[j] = filter->V[j] * inverse;
    }
    z[0] = s->G[1];
    double y0 = 1, y1 = 0, y2 = 0, h0 = v[0] * z[0] / q, h1 = 0, h2 = 0;
    double least_z = CUT * fabs(z[0]);
    set_term(terms->yh[TAPS], y0, h0);
    int n = 0;
    do {
        n++;
        double by = RECIPROCAL[n];
        double y = (a[1] * y0 + (a[2] * y1 + a[3] * y2)) * by;
        z[n] = (b[1] * z[n - 1] + (b[2] * z[n - 2] + b[3] * z[n - 3])) * by;
        double h = (c[1] * h0 + (c[2] * h1 + c[3] * h2) + filtered(v, z + n)) / (n + q);
        for (int j = 1; j < 4; j++) {
            a[j] -= g[j];
            b[j] -= g[j];
            c[j] -= g[j];
        }
        y2 = y1, y1 = y0, y0 = y;
        h2 = h1, h1 = h0, h0 = h;
        set_term(terms->yh[TAPS + n], y, h);
    } while (n < CURVE_ORDER &&
             (fabs(y0) + fabs(y1) > CUT || fabs(z[n]) + fabs(z[n - 1]) > least_z));
    terms->order = n;
}

/* The sum of Y at the start x = 1, or 0 if its terms are so much larger that digits are lost. */
static double sum_well(const Terms *terms) {
    double sum = 0, size = 0;
    for (int n = 0; n <= terms->order; n++) {
        sum += terms->yh[TAPS + n][0];
        size += fabs(terms->yh[TAPS + n][0]);
    }
    return size < 100 * fabs(sum) ? sum : 0;
}

/* Is some n + q next to 0 (n = 0, 1, ...)? The terms there would be divided by it. */
static int resonates(double q) {
    return q < 0.02 && fabs(q - nearbyint(q)) < 0.02;
}

/* Integrate the terms into an arrival, and check it at its end. */
static int finish_arrival(const Slip *slip, const Filter *filter, const Terms *terms, double scale,
                          Curve *curve) {
    const Spinor *s = &curve->spinor;
    double q = curve->q, *total = curve->total;
    total[LANE_P] = total[LANE_JX] = total[LANE_JY] = total[LANE_A] = curve->total_f = 0;
    for (int n = 0; n <= terms->order; n++) {
        double *c = curve->c[n], by = scale / (n + q), by2 = scale * scale / (n + 2 * q);
        filter_lanes(filter, terms, n, c, &curve->f[n]);
        total[LANE_P] += c[LANE_P] *= by;
        total[LANE_JX] += c[LANE_JX] *= by;
        total[LANE_JY] += c[LANE_JY] *= by;
        total[LANE_A] += curve->a2[n] = c[LANE_A] * by2;
        curve->total_f += curve->f[n] *= by2;
    }
    /* v_n is its value at zero slip plus x V(z): the first makes Q1 of A, the second Q2 */
    double vn = curve->start.vn - (total[LANE_P] + slip->d[0] * total[LANE_JX] +
                                   slip->d[1] * total[LANE_JY]);
    for (int n = 0; n <= terms->order; n++) {
        curve->c[n][LANE_A] = -vn * curve->c[n][LANE_P];
    }
    total[LANE_A] -= vn * total[LANE_P];
    curve->kind = CURVE_ARRIVAL;
    curve->order = terms->order;
    curve_at(curve, slip, curve->end, &curve->last);
    if (curve->end == 0) {
        return agrees(slip, curve, 0);
    }
    double z = exp(log(curve->end) / q), sum = 0;
    for (int n = terms->order; n >= 0; n--) {
        sum = sum * z + terms->yh[TAPS + n][0];
    }
    double D = s->D[0] + z * (s->D[1] + z * s->D[2]);
    double H = s->G[1] + z * (s->G[2] + z * (s->G[3] + z * s->G[4]));
    return agrees(slip, curve, scale * D * H * sum * curve->end);
}

int curve_arrival(const Slip *slip, const State *start, const Sector *sector, double pole,
                  Curve *curve) {
    Spinor *s = &curve->spinor;
    double w = pole < INFINITY ? 1 / (1 + pole) : 0;
    const double t[2] = {1, -w}, u[2] = {0, 1 - w};
    spinor_build_sector(slip, sector, t, u, s);
    double q = 1 + s->P[0] / s->G[1];
    if (!(fabs(q) < 1e3) || resonates(q) || resonates(2 * q)) {
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
    curve->begin = 1;
    /* a centrifugal target is never reached: as far as its direction is within 1 % of it */
    curve->end = q > 0 ? 0 : pow(0.01, q);
    double r = norm2(start->gamma);
    return finish_arrival(slip, &filter, &terms, r / (D * H * sum), curve);
}
