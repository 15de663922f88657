/* Power series of slip on a line of spinors. */
#include "rigid/spinor.h"

#include <float.h>
#include <math.h>

/* A series is cut where its terms have fallen to this part of its sum. */
static const double CUT = 2e-17;

/* Coefficients of Y and Z2, with room for the taps of a filter before the first. */
#define TAPS 6
typedef struct Terms {
    double y[TAPS + CURVE_ORDER + 1], z[TAPS + CURVE_ORDER + 1];
    int order;
} Terms;

static double reciprocal(int n) {
    static const double table[] = {
        0,        1.0 / 1,  1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
        1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
        1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23,
        1.0 / 24, 1.0 / 25, 1.0 / 26, 1.0 / 27, 1.0 / 28, 1.0 / 29, 1.0 / 30, 1.0 / 31,
        1.0 / 32, 1.0 / 33, 1.0 / 34, 1.0 / 35, 1.0 / 36, 1.0 / 37, 1.0 / 38, 1.0 / 39,
        1.0 / 40, 1.0 / 41, 1.0 / 42, 1.0 / 43, 1.0 / 44, 1.0 / 45, 1.0 / 46, 1.0 / 47,
        1.0 / 48, 1.0 / 49, 1.0 / 50, 1.0 / 51, 1.0 / 52, 1.0 / 53, 1.0 / 54, 1.0 / 55,
        1.0 / 56};
    _Static_assert(sizeof table / sizeof *table > CURVE_ORDER, "a reciprocal for every order");
    return table[n];
}

/* One solution of G y' = P y (shift 0) or, with G[0] = 0, of its part behind x^power:
 * sum_j G_{j+1} (n - j + power) y_{n-j} = sum_j P_j y_{n-j}. y[-1..-4] must be 0. Returns the last
 * order, at which two terms in a row are below the cut, or CURVE_ORDER. */
static int regular_terms(const double G[5], const double P[4], double *y) {
    double inverse = 1 / G[0];
    double g1 = G[1] * inverse, g2 = G[2] * inverse, g3 = G[3] * inverse, g4 = G[4] * inverse;
    double a0 = P[0] * inverse, a1 = P[1] * inverse + g2, a2 = P[2] * inverse + 2 * g3,
           a3 = P[3] * inverse + 3 * g4;
    double least = CUT * fabs(y[0]);
    for (int n = 0; n < CURVE_ORDER; n++) {
        double sum = (a1 - n * g2) * y[n - 1] + (a2 - n * g3) * y[n - 2] + (a3 - n * g4) * y[n - 3];
        y[n + 1] = ((a0 - n * g1) * y[n] + sum) * reciprocal(n + 1);
        if (fabs(y[n + 1]) + fabs(y[n]) < least) {
            return n + 1;
        }
    }
    return CURVE_ORDER;
}

/* The same with G[0] = 0 and y multiplied by x^power. */
static int singular_terms(const double G[5], const double P[4], double power, int order,
                          double *y) {
    double inverse = 1 / G[1];
    double g2 = G[2] * inverse, g3 = G[3] * inverse, g4 = G[4] * inverse;
    double a1 = P[1] * inverse - g2 * (power - 1), a2 = P[2] * inverse - g3 * (power - 2),
           a3 = P[3] * inverse - g4 * (power - 3);
    double least = CUT * fabs(y[0]);
    for (int n = 1; n <= order; n++) {
        double sum = (a2 - n * g3) * y[n - 2] + (a3 - n * g4) * y[n - 3];
        y[n] = ((a1 - n * g2) * y[n - 1] + sum) * reciprocal(n);
        if (fabs(y[n]) + fabs(y[n - 1]) < least) {
            return n;
        }
    }
    return order;
}

static void clear_taps(Terms *terms) {
    for (int i = 0; i < TAPS; i++) {
        terms->y[i] = terms->z[i] = 0;
    }
}

static void friction_right(const Spinor *s, double Q[4]) {
    for (int i = 0; i < 4; i++) {
        Q[i] = 2 * s->P[i] + (i + 1) * s->G[i + 1];
    }
}

/* Products of quadratics. */
static void multiply(const double a[3], const double b[3], double scale, double out[5]) {
    out[0] = scale * (a[0] * b[0]);
    out[1] = scale * (a[0] * b[1] + a[1] * b[0]);
    out[2] = scale * (a[0] * b[2] + a[1] * b[1] + a[2] * b[0]);
    out[3] = scale * (a[1] * b[2] + a[2] * b[1]);
    out[4] = scale * (a[2] * b[2]);
}

/* dp/dx, dJ/dx and r dp/dx, coefficient by coefficient, from the terms. */
static void derivatives(const Slip *slip, const Spinor *s, const Terms *terms,
                        double c[][LANE_COUNT]) {
    double DD[5], DA[5], DC[5], D3[7];
    const double *D = s->D;
    multiply(D, D, s->k, DD);
    multiply(D, s->A, -slip->mu * s->k, DA);
    multiply(D, s->C, -slip->mu * s->k, DC);
    for (int i = 0; i < 7; i++) {
        D3[i] = (i < 5 ? DD[i] * D[0] : 0) + (i > 0 && i < 6 ? DD[i - 1] * D[1] : 0) +
                (i > 1 ? DD[i - 2] * D[2] : 0);
    }
    for (int n = 0; n <= terms->order; n++) {
        const double *y = terms->y + TAPS + n, *z = terms->z + TAPS + n;
        double p = 0, jx = 0, jy = 0, f = D3[5] * z[-5] + D3[6] * z[-6];
        for (int j = 0; j < 5; j++) {
            p += DD[j] * y[-j];
            jx += DA[j] * y[-j];
            jy += DC[j] * y[-j];
            f += D3[j] * z[-j];
        }
        c[n][LANE_P] = p;
        c[n][LANE_JX] = jx;
        c[n][LANE_JY] = jy;
        c[n][LANE_F] = f;
    }
}

/* The coefficients of v_n dp/dx. */
static void normal_work(const double *vn, const double *slope, int order, double *out) {
    for (int n = 0; n <= order; n++) {
        out[n] = 0;
    }
    for (int i = 0; i <= order; i++) {
        for (int j = 0; j <= order - i; j++) {
            out[i + j] += vn[i] * slope[j];
        }
    }
}

/* Does the slip velocity at the end of the series agree with the closed form r = D G Y? This is
 * the check that lets no truncated or cancelled series through. */
static int agrees(const Slip *slip, Curve *curve, double r) {
    double s[2];
    const Point *last = &curve->last;
    const State *start = &curve->start;
    curve_direction(curve, curve->end, s);
    double size = sqrt(dot2(start->gamma, start->gamma)) +
                  slip->rate * (last->p + sqrt(dot2(last->J, last->J)));
    double off = fabs(last->gamma[0] - r * s[0]) + fabs(last->gamma[1] - r * s[1]);
    curve->mismatch = off / size;
    return curve->mismatch <= 1e-13;
}

/* Integrate the terms into a regular series for the start, and check it at its end. */
static int finish_regular(const Slip *slip, const Spinor *s, Terms *terms, Curve *curve) {
    double vn[CURVE_ORDER + 2], slope[CURVE_ORDER + 2], work[CURVE_ORDER + 2];
    double(*c)[LANE_COUNT] = curve->c;
    int order = terms->order;
    derivatives(slip, s, terms, c + 1);
    for (int n = 0; n < LANE_COUNT; n++) {
        c[0][n] = 0;
    }
    vn[0] = curve->start.vn;
    for (int n = 1; n <= order; n++) {
        double by = reciprocal(n);
        slope[n - 1] = c[n][LANE_P];
        c[n][LANE_P] *= by;
        c[n][LANE_JX] *= by;
        c[n][LANE_JY] *= by;
        c[n][LANE_F] *= by;
        c[n][LANE_A2] = 0;
        vn[n] = c[n][LANE_P] + slip->d[0] * c[n][LANE_JX] + slip->d[1] * c[n][LANE_JY];
    }
    normal_work(vn, slope, order - 1, work);
    for (int n = 1; n <= order; n++) {
        c[n][LANE_A] = -work[n - 1] * reciprocal(n);
    }
    curve->kind = CURVE_SPINOR;
    curve->order = order;
    curve->k = s->k;
    for (int i = 0; i < 5; i++) {
        curve->G[i] = s->G[i];
    }
    for (int i = 0; i < 3; i++) {
        curve->D[i] = s->D[i];
    }
    curve_at(curve, slip, curve->end, &curve->last);
    double x = curve->end, y = terms->y[TAPS + order];
    for (int n = order - 1; n >= 0; n--) {
        y = y * x + terms->y[TAPS + n];
    }
    double D = s->D[0] + x * (s->D[1] + x * s->D[2]);
    double G = s->G[0] + x * (s->G[1] + x * (s->G[2] + x * (s->G[3] + x * s->G[4])));
    return agrees(slip, curve, D * G * y);
}

/* Where a series that has not converged at x = 1 still has: from its last two terms. */
static double shorten(const double *y, int order) {
    double x = 1;
    for (int n = order - 1; n <= order; n++) {
        if (fabs(y[n]) > CUT * fabs(y[0])) {
            x = fmin(x, exp(log(CUT * fabs(y[0]) / fabs(y[n])) * reciprocal(n)));
        }
    }
    return x;
}

/* A regular expansion on the line m0 + x m1 that the slip follows from x = 0 towards 1. */
static int regular(const Slip *slip, const State *start, const double m0[2], const double m1[2],
                   double least, Curve *curve) {
    Spinor s;
    Terms terms;
    double Q[4];
    spinor_build(slip, m0, m1, &s);
    clear_taps(&terms);
    double *y = terms.y + TAPS, *z = terms.z + TAPS;
    y[0] = sqrt(dot2(start->gamma, start->gamma)) / (s.D[0] * s.G[0]);
    z[0] = s.G[0] * y[0] * y[0];
    if (!isfinite(y[0])) {
        return 0;
    }
    friction_right(&s, Q);
    int ny = regular_terms(s.G, s.P, y), nz = regular_terms(s.G, Q, z);
    for (; ny < nz; ny++) {
        y[ny + 1] = 0;
    }
    for (; nz < ny; nz++) {
        z[nz + 1] = 0;
    }
    terms.order = ny;
    curve->end = ny < CURVE_ORDER ? 1 : 0.97 * fmin(shorten(y, ny), shorten(z, nz));
    if (!(curve->end > least)) {
        return 0;
    }
    curve->start = *start;
    for (int i = 0; i < 2; i++) {
        curve->m0[i] = m0[i];
        curve->m1[i] = m1[i];
    }
    return finish_regular(slip, &s, &terms, curve);
}

int curve_taylor(const Slip *slip, const State *start, double reach, Curve *curve) {
    double r = sqrt(dot2(start->gamma, start->gamma)), rate[2], m0[2], m1[2];
    double at[2] = {start->gamma[0] / r, start->gamma[1] / r};
    slip_rate(slip, at, rate);
    if (cross2(at, rate) < 0) {
        reach = -reach;
    }
    spinor_half(at, m0);
    m1[0] = -reach * m0[1];
    m1[1] = reach * m0[0];
    return regular(slip, start, m0, m1, 0.05, curve);
}

/* The zeros of G beyond those of the sector: nearest distance from 0 of w = (u + c)/(u (1 + c)),
 * the place of 1/x for the parameter of the arrival with pole at u = -c; c = INFINITY: 1/u. */
static double nearest(const Sector *sector, double c) {
    const double *h = sector->h;
    double half = h[1] / 2, square = half * half - h[0] * h[2];
    double w = c < INFINITY ? 1 / (1 + c) : 0;
    if (square < 0) {
        /* |u|^2 = h0/h2, Re u = -h1/(2 h2) */
        double rr = h[0] / h[2], re = -half / h[2];
        double value = c < INFINITY ? sqrt((rr + c * (2 * re + c)) / rr) * w : 1 / sqrt(rr);
        return fmax(value, w);
    }
    double sum = -(half + copysign(sqrt(square), half));
    double v1 = h[2] / sum, v2 = sum / h[0]; /* 1/u */
    double f1 = c < INFINITY ? fabs(1 + c * v1) * w : fabs(v1);
    double f2 = c < INFINITY ? fabs(1 + c * v2) * w : fabs(v2);
    return fmax(fmax(f1, f2), w);
}

/* The best pole for the arrival: see docs/theory.md, "Where to put the pole". */
static double best_pole(const Sector *sector) {
    const double *h = sector->h;
    double half = h[1] / 2, square = half * half - h[0] * h[2], c;
    if (square < 0) {
        double rr = h[0] / h[2], re = -half / h[2];
        c = (rr - re) / (1 - re);
    } else {
        double sum = -(half + copysign(sqrt(square), half));
        c = -2 / fmin(h[2] / sum, sum / h[0]);
    }
    return c > 0 && nearest(sector, c) < nearest(sector, INFINITY) ? c : INFINITY;
}

int curve_middle(const Slip *slip, const State *start, const Sector *sector, Curve *curve) {
    double m0[2], m1[2];
    const double reach = 0.4;
    for (int i = 0; i < 2; i++) {
        m0[i] = sector->target[i] + sector->behind[i];
        m1[i] = reach * (sector->target[i] - sector->behind[i]);
    }
    return regular(slip, start, m0, m1, 0.05, curve);
}

/* Is some n + q within this of 0 (n = 0, 1, ...)? The terms there would be divided by next to 0. */
static int resonates(double q) {
    return q < 0.02 && fabs(q - nearbyint(q)) < 0.02;
}

/* Scale and integrate the terms into the series of an arrival, and check it. */
static int finish_arrival(const Slip *slip, const Spinor *s, Terms *terms, Curve *curve) {
    double vn[CURVE_ORDER + 1], slope[CURVE_ORDER + 1], work[CURVE_ORDER + 1];
    double(*c)[LANE_COUNT] = curve->c;
    double q = curve->q;
    derivatives(slip, s, terms, c);
    for (int n = 0; n <= terms->order; n++) {
        double by = 1 / (n + q);
        slope[n] = c[n][LANE_P];
        c[n][LANE_P] *= by;
        c[n][LANE_JX] *= by;
        c[n][LANE_JY] *= by;
        c[n][LANE_F] /= n + 2 * q;
        vn[n] = c[n][LANE_P] + slip->d[0] * c[n][LANE_JX] + slip->d[1] * c[n][LANE_JY];
    }
    normal_work(vn, slope, terms->order, work);
    double first = 0;
    for (int n = 0; n <= terms->order; n++) {
        first += vn[n];
    }
    /* v_n = (v_n at arrival) + x V(z): A1 from the constant, A2 from the rest */
    double arrival = curve->start.vn - first;
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        curve->total[lane] = 0;
    }
    for (int n = 0; n <= terms->order; n++) {
        c[n][LANE_A] = -arrival * c[n][LANE_P];
        c[n][LANE_A2] = -work[n] / (n + 2 * q);
        for (int lane = 0; lane < LANE_COUNT; lane++) {
            curve->total[lane] += c[n][lane];
        }
    }
    curve->total[LANE_A] += curve->total[LANE_A2];
    curve->kind = CURVE_ARRIVAL;
    curve->order = terms->order;
    curve->k = s->k;
    for (int i = 0; i < 5; i++) {
        curve->G[i] = s->G[i];
    }
    for (int i = 0; i < 3; i++) {
        curve->D[i] = s->D[i];
    }
    curve_at(curve, slip, curve->end, &curve->last);
    double z = curve->end == 0 ? 0 : exp(log(curve->end) / q), y = terms->y[TAPS + terms->order];
    for (int n = terms->order - 1; n >= 0; n--) {
        y = y * z + terms->y[TAPS + n];
    }
    double D = s->D[0] + z * (s->D[1] + z * s->D[2]);
    double H = s->G[1] + z * (s->G[2] + z * (s->G[3] + z * s->G[4]));
    return agrees(slip, curve, D * H * y * curve->end);
}

int curve_arrival(const Slip *slip, const State *start, const Sector *sector, Curve *curve) {
    const double slowest = 0.5;
    double c = best_pole(sector), m1[2], Q[4];
    if (!(nearest(sector, c) < slowest)) {
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        m1[i] = c < INFINITY ? (c * sector->behind[i] - sector->target[i]) / (1 + c)
                             : sector->behind[i];
    }
    Spinor s;
    Terms terms;
    spinor_build(slip, sector->target, m1, &s);
    s.G[0] = 0;
    double q = 1 + s.P[0] / s.G[1];
    if (!(fabs(q) < 1e3) || resonates(q) || resonates(2 * q)) {
        return 0;
    }
    clear_taps(&terms);
    double *y = terms.y + TAPS, *z = terms.z + TAPS;
    y[0] = 1;
    z[0] = s.G[1];
    friction_right(&s, Q);
    int ny = singular_terms(s.G, s.P, q - 1, CURVE_ORDER, y);
    int nz = singular_terms(s.G, Q, 2 * q - 1, CURVE_ORDER, z);
    for (; ny < nz; ny++) {
        y[ny + 1] = 0;
    }
    for (; nz < ny; nz++) {
        z[nz + 1] = 0;
    }
    if (ny == CURVE_ORDER && fabs(y[ny]) + fabs(y[ny - 1]) > 1e-15 * fabs(y[0])) {
        return 0;
    }
    double sum = 0, size = 0, sum_z = 0, size_z = 0;
    for (int n = 0; n <= ny; n++) {
        sum += y[n];
        size += fabs(y[n]);
        sum_z += z[n];
        size_z += fabs(z[n]);
    }
    /* much larger terms than sums: digits are lost */
    if (!(size < 100 * fabs(sum)) || !(size_z < 100 * fabs(sum_z))) {
        return 0;
    }
    double D = s.D[0] + s.D[1] + s.D[2], H = s.G[1] + s.G[2] + s.G[3] + s.G[4];
    double scale = sqrt(dot2(start->gamma, start->gamma)) / (D * H * sum);
    for (int n = 0; n <= ny; n++) {
        y[n] *= scale;
        z[n] *= scale * scale;
    }
    terms.order = ny;
    curve->start = *start;
    curve->q = q;
    /* a centrifugal target is never reached: as far as its direction is within 1 % of it */
    curve->end = q > 0 ? 0 : pow(0.01, q);
    for (int i = 0; i < 2; i++) {
        curve->m0[i] = sector->target[i];
        curve->m1[i] = m1[i];
    }
    return finish_arrival(slip, &s, &terms, curve);
}
