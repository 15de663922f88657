#include "math/jet.h"

#include <float.h>
#include <math.h>

/* With the rising terms left out, c[0] - a1 x - a2 x^2 ... falls and is concave: where it must
 * still be positive. */
static double falling_zero(const double c[5], double reach) {
    double a[5], x = reach;
    for (int i = 1; i < 5; i++) {
        a[i] = c[i] < 0 ? -c[i] : 0;
    }
    /* no further than each term alone allows */
    x = a[1] * x > c[0] ? c[0] / a[1] : x;
    x = a[2] * x * x > c[0] ? sqrt(c[0] / a[2]) : x;
    x = a[3] * x * x * x > c[0] ? cbrt(c[0] / a[3]) : x;
    x = a[4] * x * x * x * x > c[0] ? sqrt(sqrt(c[0] / a[4])) : x;
    /* Newton from above; the chord from there to c[0] stays below the curve */
    for (int i = 0; i < 4; i++) {
        double rest = c[0] - (((a[4] * x + a[3]) * x + a[2]) * x + a[1]) * x;
        double slope = ((4 * a[4] * x + 3 * a[3]) * x + 2 * a[2]) * x + a[1];
        if (rest >= 0) {
            return x;
        }
        if (i == 3 || -rest < 1e-9 * c[0]) {
            return x * c[0] / (c[0] - rest);
        }
        x += rest / slope;
    }
    return x;
}

/* The polynomial seen from x on. */
static void shift(double c[5], double x) {
    double a3 = c[3] + x * c[4], a2 = c[2] + x * a3, a1 = c[1] + x * a2;
    double b3 = a3 + x * c[4], b2 = a2 + x * b3, d3 = b3 + x * c[4];
    c[0] += x * a1;
    c[1] = a1 + x * b2;
    c[2] = b2 + x * d3;
    c[3] = d3 + x * c[4];
}

double jet_clear(const double g[4], double bound, double reach) {
    double c[5] = {g[0], g[1], g[2] / 2, g[3] / 6, -bound / 24}, done = 0, r = reach;
    /* mostly nothing can happen */
    double least =
        c[0] + r * ((c[1] < 0 ? c[1] : 0) +
                    r * ((c[2] < 0 ? c[2] : 0) + r * ((c[3] < 0 ? c[3] : 0) + r * c[4])));
    if (c[0] > 0 && least > 0) {
        return reach;
    }
    /* a zero at the start, of any order, is not the one that is looked for */
    for (int i = 0; i < 4 && c[0] == 0; i++) {
        c[0] = c[1];
        c[1] = c[2];
        c[2] = c[3];
        c[3] = c[4];
        c[4] = 0;
    }
    for (int i = 0; i < 6 && c[0] > 0; i++) {
        double x = falling_zero(c, reach - done);
        done += x;
        if (done >= reach || x < 0.1 * done) {
            break;
        }
        shift(c, x);
    }
    return done < reach ? done : reach;
}

double jet_near_zero(const double g[4]) {
    double x = 0, change = -g[0] / g[1];
    /* from before the zero; one iteration is enough unless there is a second zero close to it */
    for (int i = 0; i < 40 && fabs(change) > DBL_EPSILON * fabs(x); i++) {
        x += change;
        double rest = g[0] + (g[1] + (g[2] / 2 + g[3] / 6 * x) * x) * x;
        change = -rest / (g[1] + (g[2] + g[3] / 2 * x) * x);
    }
    return x;
}

/* Value and the first three derivatives: even and odd terms by themselves, as functions of x^2, to
 * have two chains of operations instead of one twice as long. */
static void polynomial_jet(const double *a, int degree, double x, double g[4]) {
    double y = x * x, e0 = 0, e1 = 0, e2 = 0, e3 = 0, o0 = 0, o1 = 0, o2 = 0, o3 = 0;
    int i = degree;
    if (degree % 2 == 0) {
        e0 = a[i--];
    }
    for (; i > 0; i -= 2) {
        o3 = o3 * y + o2;
        o2 = o2 * y + o1;
        o1 = o1 * y + o0;
        o0 = o0 * y + a[i];
        e3 = e3 * y + e2;
        e2 = e2 * y + e1;
        e1 = e1 * y + e0;
        e0 = e0 * y + a[i - 1];
    }
    /* if x moves by d, y moves by 2 x d + d^2 */
    double z = 2 * x, c2 = e1 + z * z * e2, c3 = 2 * z * e2 + z * z * z * e3;
    double d1 = z * o1, d2 = o1 + z * z * o2, d3 = 2 * z * o2 + z * z * z * o3;
    g[0] = e0 + x * o0;
    g[1] = z * e1 + x * d1 + o0;
    g[2] = 2 * (c2 + x * d2 + d1);
    g[3] = 6 * (c3 + x * d3 + d2);
}

/* Looks at a polynomial; five are usual. */
enum { LOOKS = 200 };

/* Can it fall to 0 at all up to 1? Only its negative terms take it there, none of them by more than
 * its coefficient. Four sums at once: this is asked of every series, and mostly the end. */
static int stays_positive(const double *a, int degree) {
    double down[4] = {a[0], 0, 0, 0};
    int i = 1;
    for (; i + 3 <= degree; i += 4) {
        for (int j = 0; j < 4; j++) {
            down[j] += a[i + j] < 0 ? a[i + j] : 0;
        }
    }
    for (; i <= degree; i++) {
        down[0] += a[i] < 0 ? a[i] : 0;
    }
    return (down[0] + down[1]) + (down[2] + down[3]) > 0;
}

/* Sum of the terms at h, without their signs, and a bound of the fourth derivative up to there. */
static void find_size(const double *a, int degree, double h, double *size, double *bound) {
    static const double factor[] = {0,     0,     0,     0,     24,    120,   360,
                                    840,   1680,  3024,  5040,  7920,  11880, 17160,
                                    24024, 32760, 43680, 57120, 73440, 93024, 116280};
    double power = 1, fourth = 0;
    *size = a[0];
    *bound = 0;
    for (int g = 1; g <= degree; g++) {
        power *= h;
        *size += fabs(a[g]) * power;
        if (g >= 4) {
            fourth = g == 4 ? 1 : fourth * h;
            /* g (g - 1) (g - 2) (g - 3) */
            *bound +=
                fabs(a[g]) * fourth * (g <= 20 ? factor[g] : g * (g - 1.0) * (g - 2.0) * (g - 3.0));
        }
    }
}

double jet_polynomial_zero(const double *a, int degree, double h) {
    double size, bound, x = 0;
    if (h <= 1 && stays_positive(a, degree)) {
        return INFINITY;
    }
    find_size(a, degree, h, &size, &bound);
    if (2 * a[0] > size) {
        return INFINITY;
    }
    double reach = bound > 0 ? sqrt(sqrt(24 * size / bound)) : h;
    double g[4] = {a[0], a[1], degree > 1 ? 2 * a[2] : 0, degree > 2 ? 6 * a[3] : 0};
    for (int i = 0; i < LOOKS; i++) {
        if (i > 0) {
            polynomial_jet(a, degree, x, g);
            if (g[0] <= 4 * DBL_EPSILON * size && g[1] < 0) {
                return x + jet_near_zero(g);
            }
        }
        g[0] = g[0] > 0 ? g[0] : 0;
        double step = jet_clear(g, bound, reach < h - x ? reach : h - x);
        if (step <= DBL_EPSILON * x || step == 0) {
            return x;
        }
        x += step;
        /* the sum of the steps may be short of h by rounding */
        if (x >= h * (1 - 2 * DBL_EPSILON)) {
            return INFINITY;
        }
    }
    return NAN;
}
