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

/* Value and the first three derivatives. */
static void polynomial_jet(const double *a, int degree, double x, double g[4]) {
    double b0 = a[degree], b1 = 0, b2 = 0, b3 = 0;
    for (int i = degree - 1; i >= 0; i--) {
        b3 = b3 * x + b2;
        b2 = b2 * x + b1;
        b1 = b1 * x + b0;
        b0 = b0 * x + a[i];
    }
    g[0] = b0;
    g[1] = b1;
    g[2] = 2 * b2;
    g[3] = 6 * b3;
}

/* Looks at a polynomial; five are usual. */
enum { LOOKS = 200 };

double jet_polynomial_zero(const double *a, int degree, double h) {
    double size = 0, bound = 0, power = 1, x = 0;
    for (int i = 1; i <= degree; i++) {
        power *= h;
        size += fabs(a[i]) * power;
    }
    if (a[0] > size) {
        return INFINITY;
    }
    size += a[0];
    power = 1;
    for (int i = 4; i <= degree; i++) {
        bound += fabs(a[i]) * power * (i * (i - 1.0) * (i - 2.0) * (i - 3.0));
        power *= h;
    }
    double reach = bound > 0 ? sqrt(sqrt(24 * size / bound)) : h;
    for (int i = 0; i < LOOKS; i++) {
        double g[4];
        polynomial_jet(a, degree, x, g);
        if (i > 0 && g[0] <= 4 * DBL_EPSILON * size && g[1] < 0) {
            return x + jet_near_zero(g);
        }
        g[0] = g[0] > 0 ? g[0] : 0;
        double step = jet_clear(g, bound, reach < h - x ? reach : h - x);
        if (step <= DBL_EPSILON * x || step == 0) {
            return x;
        }
        x += step;
        if (x >= h) {
            return INFINITY;
        }
    }
    return NAN;
}
