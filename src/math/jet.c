/* Zeros of quartic lower bounds, and of polynomials by marching. Coefficients c[k] belong to x^k.
 */
#include "math/jet.h"

#include <float.h>
#include <string.h>

#include "math/functions.h"
#include "math/lanes.h"

/* Lower bound of the first zero of c[0] + c[1] x + ... Without its rising terms the polynomial,
 * c[0] - a[1] x - a[2] x^2 - ..., is falling and concave. */
static double falling_zero(const double c[5], double reach) {
    double a[5], x = reach;
    for (int i = 1; i < 5; i++) {
        a[i] = c[i] < 0 ? -c[i] : 0;
    }
    /* start from the least zero of c[0] minus a single term */
    x = a[1] * x > c[0] ? c[0] / a[1] : x;
    x = a[2] * x * x > c[0] ? sqrt(c[0] / a[2]) : x;
    x = a[3] * x * x * x > c[0] ? cbrt(c[0] / a[3]) : x;
    x = a[4] * x * x * x * x > c[0] ? sqrt(sqrt(c[0] / a[4])) : x;
    /* Newton from above; at the end the chord to c[0], which lies below the curve */
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

/* Move the origin of the polynomial to x. */
static void shift(double c[5], double x) {
    double a3 = c[3] + x * c[4], a2 = c[2] + x * a3, a1 = c[1] + x * a2;
    double b3 = a3 + x * c[4], b2 = a2 + x * b3, d3 = b3 + x * c[4];
    c[0] += x * a1;
    c[1] = a1 + x * b2;
    c[2] = b2 + x * d3;
    c[3] = d3 + x * c[4];
}

/* Lower bound of c[0] + c[1] x + ... on [0, r]. */
static double least_value(const double c[5], double r) {
    return c[0] + r * ((c[1] < 0 ? c[1] : 0) +
                       r * ((c[2] < 0 ? c[2] : 0) + r * ((c[3] < 0 ? c[3] : 0) + r * c[4])));
}

/* crm_jet_clear() for c[0] + c[1] x + ...; overwrites c. */
static double clear_reach(double c[5], double reach) {
    double done = 0;
    /* the usual case: no zero within reach */
    if (c[0] > 0 && least_value(c, reach) > 0) {
        return reach;
    }
    /* divide out a zero at the start, of any order */
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

double crm_jet_clear(const double g[4], double bound, double reach) {
    double c[5] = {g[0], g[1], g[2] / 2, g[3] / 6, -bound / 24};
    return clear_reach(c, reach);
}

/* crm_jet_near_zero() for c[0] + c[1] x + ... */
static double near_zero(const double c[4]) {
    double x = 0, change = -c[0] / c[1];
    /* converges from before the zero; one iteration suffices unless a second zero is close */
    for (int i = 0; i < 40 && fabs(change) > DBL_EPSILON * fabs(x); i++) {
        x += change;
        double rest = c[0] + (c[1] + (c[2] + c[3] * x) * x) * x;
        change = -rest / (c[1] + (2 * c[2] + 3 * c[3] * x) * x);
    }
    return x;
}

double crm_jet_near_zero(const double g[4]) {
    return near_zero((const double[]){g[0], g[1], g[2] / 2, g[3] / 6});
}

/* The first four Taylor coefficients at x. Even and odd terms are evaluated as polynomials of x^2,
 * both at once. */
static void polynomial_jet(const double *a, int degree, double x, double c[4]) {
    double z = 2 * x;
    int i = degree - 1;
    Pair y = pair_make(x * x, x * x), p0 = pair_make(0, 0), p1 = p0, p2 = p0, p3 = p0;
    if (degree % 2 == 0) {
        LANE(p0, 0) = a[degree];
        i = degree - 2;
    }
    for (; i >= 0; i -= 2) {
        p3 = pair_join(p3, y, p2);
        p2 = pair_join(p2, y, p1);
        p1 = pair_join(p1, y, p0);
        p0 = pair_join(p0, y, pair_load(&a[i]));
    }
    /* a change d of x changes y by 2 x d + d^2 */
    Pair q1 = pair_times(pair_make(z, z), p1), q2 = pair_join(pair_make(z * z, z * z), p2, p1);
    Pair q3 =
        pair_join(pair_make(z * z * z, z * z * z), p3, pair_times(pair_make(2 * z, 2 * z), p2));
    c[0] = LANE(p0, 0) + x * LANE(p0, 1);
    c[1] = LANE(q1, 0) + x * LANE(q1, 1) + LANE(p0, 1);
    c[2] = LANE(q2, 0) + x * LANE(q2, 1) + LANE(q1, 1);
    c[3] = LANE(q3, 0) + x * LANE(q3, 1) + LANE(q2, 1);
}

/* Most terms of a polynomial. */
enum { MOST = 34 };

/* A polynomial on (0, 1]. */
typedef struct Unit {
    double a[MOST];
    double size;    /* sum of |a| */
    double falling; /* sum of the negative coefficients from degree 4 on */
    double bound;   /* of the fourth Taylor coefficient (fourth derivative over 24) on [0, 1] */
    int degree;
} Unit;

/* Scale x by h, two terms at once; pad with zeros to an even number of terms, at least four. */
static void use_unit(Unit *unit, const double *a, int degree, double h) {
    Pair power = pair_make(1, h), z = pair_make(h * h, h * h);
    int g = 0;
    for (; g < degree; g += 2) {
        Pair term = pair_times(pair_load(&a[g]), power);
        memcpy(&unit->a[g], &term, sizeof term);
        power = pair_times(power, z);
    }
    if (g == degree) {
        unit->a[g++] = a[degree] * LANE(power, 0);
    }
    for (; g < 4 || g % 2 > 0; g++) {
        unit->a[g] = 0;
    }
    unit->degree = g - 1;
}

static void find_sums(Unit *unit) {
    /* binomial coefficients (g over 4) */
    static const double FOUR[MOST] = {0,     0,     0,     0,     1,     5,     15,    35,    70,
                                      126,   210,   330,   495,   715,   1001,  1365,  1820,  2380,
                                      3060,  3876,  4845,  5985,  7315,  8855,  10626, 12650, 14950,
                                      17550, 20475, 23751, 27405, 31465, 35960, 40920};
    const double *a = unit->a;
    Pair sum = pair_make(0, 0), size = sum, bound = sum;
    for (int g = unit->degree - 1; g >= 4; g -= 2) {
        Pair term = pair_load(&a[g]), amount = magnitude(term);
        sum = pair_plus(sum, term);
        size = pair_plus(size, amount);
        bound = pair_join(amount, pair_load(&FOUR[g]), bound);
    }
    double rest = LANE(size, 0) + LANE(size, 1);
    unit->falling = (LANE(sum, 0) + LANE(sum, 1) - rest) / 2;
    unit->bound = LANE(bound, 0) + LANE(bound, 1);
    unit->size = fabs(a[0]) + fabs(a[1]) + fabs(a[2]) + fabs(a[3]) + rest;
}

/* True if it certainly falls through 0 before 2 d, d being the zero of the tangent: the slope keeps
 * more than half its size up to there. */
static int falls_through(const double c[4], double bound) {
    if (c[0] <= 0 || c[1] >= 0) {
        return 0;
    }
    double d = -c[0] / c[1];
    double slope =
        c[1] + d * (4 * (c[2] > 0 ? c[2] : 0) + d * (12 * (c[3] > 0 ? c[3] : 0) + d * 32 * bound));
    return c[0] + 2 * d * slope < 0;
}

/* Most evaluations of a polynomial; two are usual. */
enum { LOOKS = 200 };

/* The zero of a polynomial that falls from x up to it, or up to 1; c: Taylor coefficients at x. */
static double approach(const Unit *unit, double x, double c[4]) {
    for (int i = 0; i < LOOKS; i++) {
        double d = near_zero(c), y = d < 1 - x ? x + d : 1;
        /* converged if the neglected terms are below rounding */
        if (unit->bound * (d * d) * (d * d) <= DBL_EPSILON / 4 * unit->size) {
            return y < 1 ? y : INFINITY;
        }
        x = y;
        polynomial_jet(unit->a, unit->degree, x, c);
        if (x == 1 && c[0] > 0) {
            return INFINITY;
        }
    }
    return NAN;
}

/* The first zero after x. */
static double march(const Unit *unit, double x) {
    for (int i = 0; i < LOOKS; i++) {
        /* the sum of the steps may miss 1 by rounding */
        if (x >= 1 - 2 * DBL_EPSILON) {
            return INFINITY;
        }
        double c[5];
        polynomial_jet(unit->a, unit->degree, x, c);
        if (falls_through(c, unit->bound)) {
            return approach(unit, x, c);
        }
        if (c[0] <= 4 * DBL_EPSILON * unit->size && c[1] < 0) {
            return x + near_zero(c);
        }
        c[0] = c[0] > 0 ? c[0] : 0;
        c[4] = -unit->bound;
        double step = clear_reach(c, 1 - x);
        if (step <= DBL_EPSILON * x) {
            return x;
        }
        x += step;
    }
    return NAN;
}

double crm_jet_polynomial_zero(const double *a, int degree, double h) {
    Unit unit;
    use_unit(&unit, a, degree, h);
    find_sums(&unit);
    /* at 0 the negative terms are a sharper bound than that of the fourth derivative */
    double start = unit.a[0] > 0 ? unit.a[0] : 0;
    double c[5] = {start, unit.a[1], unit.a[2], unit.a[3], unit.falling};
    if (c[0] > 0 && least_value(c, 1) > 0) {
        return INFINITY;
    }
    if (falls_through(c, unit.bound)) {
        return h * approach(&unit, 0, c);
    }
    double x = clear_reach(c, 1);
    return x > 0 ? h * march(&unit, x) : 0;
}

double crm_jet_polynomial_zero_after(const double *a, int degree, double x, double h) {
    Unit unit;
    double c[5];
    use_unit(&unit, a, degree, h);
    find_sums(&unit);
    x /= h;
    polynomial_jet(unit.a, unit.degree, x, c);
    c[0] = 0;
    c[1] = c[1] > 0 ? c[1] : 0;
    c[4] = -unit.bound;
    return h * march(&unit, x + clear_reach(c, 1 - x));
}
