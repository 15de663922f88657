/* Zeros of g(theta) = d2 cos - d1 sin + e1 sin 2theta - e2 cos 2theta, where
 * e1 = (b11 - b22)/2, e2 = b12.
 *
 * A zero is an s with d - b s = lambda s. In the eigenframe of b (eigenvalues apart by D, larger
 * first, and d1, d2 >= 0 by reflection) that is s = (d1/(x + D), d2/x) with x = b2 + lambda and
 *   (d2/x)^2 + (d1/(x + D))^2 = 1.
 * One solution has x > 0 (s in the first quadrant), one x + D < 0 (third), and there are two more
 * with -D < x < 0 (fourth) if d is inside an astroid. In each of the four cases the power mean
 * F = ((x/p)^-2 + (y/r)^-2)^(-1/2) of two positive linear functions is concave, so Newton on F = 1
 * from below rises monotonically to the solution.
 *
 * A step or two give a starting direction. From there g is, up to a positive factor, a quartic
 * in t = tan((theta - start)/2), set up in the frame of the data and solved to rounding.
 *
 * Zeros are found two at a time: nearly all of the time is spent waiting for divisions and roots,
 * and a pair in one register waits no longer than one. */
#include "rigid/slip/invariants.h"

#include <float.h>

#include "math/functions.h"
#include "math/lanes.h"
#include "math/vec2.h"

/* The data, and their eigenframe. */
typedef struct {
    double d[2];    /* d in the axes of the data */
    double e1, e2;  /* deviatoric part of b */
    double D;       /* difference of the eigenvalues of b */
    double axis[2]; /* unit eigenvector of the larger one */
    double p, r;    /* |d2|, |d1| in the eigenframe, kept off zero */
    double sign[2]; /* signs of d1, d2 in the eigenframe */
    double enough;  /* |g| that is nothing but rounding */
} SlipPlane;

/* Two quartics c0 + c1 t + ... + c4 t^4. */
typedef struct {
    Pair c0, c1, c2, c3, c4;
} Quartics;

/* Replaces exact zeros of d in the eigenframe, relative to the data: moves no root by more than
 * its cube root, 1e-20 (at a cusp), and spares every division below a special case. */
static const double INVARIANT_TINY = 1e-60;

static Pair pair_sqrt(Pair a) {
    return pair_make(sqrt(LANE(a, 0)), sqrt(LANE(a, 1)));
}

/* Axis of the larger eigenvalue: (R + e1, e2) made a unit vector, mirrored where e1 < 0. */
static void eigenframe(SlipPlane *q, double size) {
    double R = sqrt(q->e1 * q->e1 + q->e2 * q->e2);
    q->D = 2 * R;
    q->axis[0] = 1;
    q->axis[1] = 0;
    if (R > 0) {
        double side = R + fabs(q->e1), scale = 1 / sqrt(q->D * side);
        double major = side * scale, minor = q->e2 * scale;
        q->axis[0] = q->e1 >= 0 ? major : fabs(minor);
        q->axis[1] = q->e1 >= 0 ? minor : copysign(major, q->e2);
    }
    double d1 = q->axis[0] * q->d[0] + q->axis[1] * q->d[1];
    double d2 = q->axis[0] * q->d[1] - q->axis[1] * q->d[0];
    q->sign[0] = copysign(1, d1);
    q->sign[1] = copysign(1, d2);
    q->r = most_of(fabs(d1), INVARIANT_TINY * size);
    q->p = most_of(fabs(d2), INVARIANT_TINY * size);
}

/* The roots of F(x/p, (D + slope x)/r) = 1 next above x, to two digits. */
static Pair secular_roots(Pair p, Pair r, double D, double slope, Pair x) {
    for (int i = 0; i < 64; i++) {
        Pair y = pair_join(both(slope), x, both(D)), inverse = pair_over(both(1), pair_times(x, y));
        Pair a = pair_times(pair_times(p, y), inverse), c = pair_times(pair_times(r, x), inverse);
        Pair a2 = pair_times(a, a), c2 = pair_times(c, c),
             excess = pair_minus(pair_plus(a2, c2), both(1));
        /* 1 + 1/F to 0.3 % for F >= 1/sqrt(2); its error only slows the convergence */
        Pair sum =
            pair_join(excess, pair_minus(both(0.5), pair_times(both(0.086), excess)), both(2));
        Pair step = pair_over(pair_times(pair_plus(both(1), excess), excess),
                              pair_times(pair_times(sum, pair_join(pair_times(both(slope), c2), x,
                                                                   pair_times(a2, y))),
                                         inverse));
        /* from below, so a step back is nothing but rounding */
        if (!(LANE(step, 0) >= 0 && LANE(step, 1) >= 0)) {
            step = pair_make(most_of(LANE(step, 0), 0), most_of(LANE(step, 1), 0));
        }
        x = pair_plus(x, step);
        /* quadratic convergence: the error is about half the square of this */
        if (LANE(step, 0) < 0.15 * LANE(x, 0) && LANE(step, 1) < 0.15 * LANE(x, 1)) {
            break;
        }
    }
    return x;
}

/* A lower bound of the root of (p/x)^2 + (r/(x + D))^2 = 1, near enough to start from. */
static double outer_start(double p, double r, double D) {
    double x = most_of(p, r - D), gap = D - r;
    /* near a cusp (r = D, p = 0) the root is far above both: it solves x^2 (x + gap) > k */
    if (p < 0.1 * D && fabs(gap) < 0.1 * D) {
        double k = 0.25 * p * p * D, root = cbrt(k);
        x = most_of(x, gap > root ? least_of(root, sqrt(k / gap)) : root);
    }
    return x;
}

/* Lower bounds of the roots of (p/z)^2 + (r/(D - z))^2 = 1: its fixed-point form, once. Inside the
 * astroid p + r < D. */
static Pair inner_starts(Pair p, Pair r, double D) {
    Pair c = pair_over(r, pair_minus(both(D), p));
    return pair_over(p, pair_sqrt(pair_minus(both(1), pair_times(c, c))));
}

/* From the eigenframe with d1, d2 >= 0 to unit vectors (x, y) in the axes of the data. */
static void from_eigenframe(const SlipPlane *q, Pair s1, Pair s2, Pair *x, Pair *y) {
    Pair scale = pair_over(both(1), pair_sqrt(pair_join(s2, s2, pair_times(s1, s1))));
    s1 = pair_times(s1, pair_times(both(q->sign[0]), scale));
    s2 = pair_times(s2, pair_times(both(q->sign[1]), scale));
    *x = pair_minus(pair_times(both(q->axis[0]), s1), pair_times(both(q->axis[1]), s2));
    *y = pair_join(both(q->axis[0]), s2, pair_times(both(q->axis[1]), s1));
}

/* g (1 + t^2)^2 about the unit vectors (x, y), with t the tangent of half the angle from them. */
static Quartics quartics_about(const SlipPlane *q, Pair x, Pair y) {
    Pair cos2 = pair_minus(pair_times(x, x), pair_times(y, y)),
         sin2 = pair_times(pair_times(both(2), x), y);
    Pair A = pair_minus(pair_times(both(q->d[1]), x), pair_times(both(q->d[0]), y)),
         B = pair_minus(pair_times(both(-q->d[0]), x), pair_times(both(q->d[1]), y));
    Pair C = pair_minus(pair_times(both(q->e1), sin2), pair_times(both(q->e2), cos2)),
         E = pair_join(both(q->e2), sin2, pair_times(both(q->e1), cos2));
    return (Quartics){pair_plus(A, C), pair_join(both(4), E, pair_times(both(2), B)),
                      pair_times(both(-6), C),
                      pair_minus(pair_times(both(2), B), pair_times(both(4), E)), pair_minus(C, A)};
}

static Pair quartics_value(const Quartics *k, Pair t) {
    return pair_join(pair_join(pair_join(pair_join(k->c4, t, k->c3), t, k->c2), t, k->c1), t,
                     k->c0);
}

/* Halley's step, cubic, from t where the quartics have the given values. */
static Pair halley_step(const Quartics *k, Pair t, Pair value) {
    Pair slope = pair_join(
        pair_join(
            both(2), k->c2,
            pair_times(pair_join(both(3), k->c3, pair_times(pair_times(both(4), k->c4), t)), t)),
        t, k->c1);
    Pair bend =
        pair_join(pair_join(both(3), k->c3, pair_times(pair_times(both(6), k->c4), t)), t, k->c2);
    return pair_over(pair_times(value, slope),
                     pair_minus(pair_times(value, bend), pair_times(slope, slope)));
}

/* Roots by Halley's method from t, given the values and the step there. A step that brings no
 * smaller value, or leads far from the start, is not taken: where roots cluster within rounding, it
 * leads anywhere. */
static Pair quartics_roots(const Quartics *k, Pair t, Pair value, Pair step, double enough) {
    const double far = 0.25; /* starts are some 0.01 off */
    for (int i = 0; i < 8; i++) {
        Pair next = quartics_value(k, pair_plus(t, step));
        int take[2];
        for (int j = 0; j < 2; j++) {
            take[j] = fabs(LANE(next, j)) < fabs(LANE(value, j)) &&
                      fabs(LANE(t, j) + LANE(step, j)) < far;
        }
        if (!(take[0] && take[1])) {
            step = pair_make(take[0] ? LANE(step, 0) : 0, take[1] ? LANE(step, 1) : 0);
            next = pair_make(take[0] ? LANE(next, 0) : LANE(value, 0),
                             take[1] ? LANE(next, 1) : LANE(value, 1));
        }
        t = pair_plus(t, step);
        value = next;
        int done = fabs(LANE(value, 0)) < enough && fabs(LANE(value, 1)) < enough;
        if (done || !(take[0] || take[1])) {
            break;
        }
        step = halley_step(k, t, value);
    }
    return t;
}

/* The unit vectors (x, y) turned by the angles whose halves have the tangents t. */
static void turn_units(Pair x, Pair y, Pair t, double out[2][2]) {
    Pair scale = pair_over(both(1), pair_join(t, t, both(1))),
         c = pair_times(pair_minus(both(1), pair_times(t, t)), scale),
         s = pair_times(pair_times(both(2), t), scale);
    Pair u = pair_minus(pair_times(c, x), pair_times(s, y)), v = pair_join(s, x, pair_times(c, y));
    /* a unit vector to some roundings; leave one. Adding 0 makes -0 a 0: pi, not -pi */
    Pair unit = pair_minus(both(1.5), pair_times(both(0.5), pair_join(v, v, pair_times(u, u))));
    u = pair_times(u, unit);
    v = pair_join(v, unit, both(0));
    out[0][0] = LANE(u, 0);
    out[0][1] = LANE(v, 0);
    out[1][0] = LANE(u, 1);
    out[1][1] = LANE(v, 1);
}

/* The zeros of g next to the directions (s1, s2) of the eigenframe. */
static void polish_zeros(const SlipPlane *q, Pair s1, Pair s2, double out[2][2]) {
    Pair x, y;
    from_eigenframe(q, s1, s2, &x, &y);
    Quartics k = quartics_about(q, x, y);
    Pair step = pair_over(
        pair_times(k.c0, k.c1),
        pair_minus(pair_times(k.c0, k.c2), pair_times(k.c1, k.c1))); /* halley_step() at 0 */
    turn_units(x, y, quartics_roots(&k, both(0), k.c0, step, q->enough), out);
}

/* The zeros in the first and third quadrants. */
static void outer_pair(const SlipPlane *q, double out[2][2]) {
    double p = q->p, r = q->r, D = q->D;
    Pair x = pair_make(outer_start(p, r, D), outer_start(r, p, D));
    x = secular_roots(pair_make(p, r), pair_make(r, p), D, 1, x);
    polish_zeros(q, pair_make(r * LANE(x, 0), -r * (LANE(x, 1) + D)),
                 pair_make(p * (LANE(x, 0) + D), -p * LANE(x, 1)), out);
}

/* The zeros in the fourth quadrant close to each other, from where g is nearest to zero. */
static int close_pair(const SlipPlane *q, double out[2][2]) {
    Pair x, y;
    from_eigenframe(q, both(cbrt(q->r)), both(-cbrt(q->p)), &x, &y);
    Quartics k = quartics_about(q, x, y);
    double half = -0.5 * LANE(k.c1, 0), disc = half * half - LANE(k.c0, 0) * LANE(k.c2, 0);
    Pair t = both(half / LANE(k.c2, 0));
    if (disc > 0) {
        double big = half + copysign(sqrt(disc), half);
        t = pair_make(big / LANE(k.c2, 0), LANE(k.c0, 0) / big);
        Pair value = quartics_value(&k, t);
        t = quartics_roots(&k, t, value, halley_step(&k, t, value), q->enough);
    }
    turn_units(x, y, t, out);
    return LANE(t, 0) != LANE(t, 1) ? 2 : 1;
}

/* The zeros in the fourth quadrant, if any; *delicate if they are close to others. */
static int inner_pair(const SlipPlane *q, double out[2][2], int *delicate) {
    double p = q->p, r = q->r, D = q->D;
    double inside = (D - r) * (D + r) - p * p, product = D * p * r;
    double cube = inside * inside * inside, edge = 27 * product * product;
    int close = edge > 0.5 * cube;
    *delicate = close || inside < 1e-6 * D * D;
    if (inside <= 0 || cube < edge) {
        return 0;
    }
    if (close) {
        return close_pair(q, out);
    }
    Pair pr = pair_make(p, r), rp = pair_make(r, p);
    Pair x = secular_roots(pr, rp, D, -1, inner_starts(pr, rp, D));
    polish_zeros(q, pair_make(r * LANE(x, 0), r * (D - LANE(x, 1))),
                 pair_make(-p * (D - LANE(x, 0)), -p * LANE(x, 1)), out);
    return 2;
}

/* Whether the angle of a in (-pi, pi] is less than that of b. */
static int precedes(const double a[2], const double b[2]) {
    int lower_a = a[1] < 0, lower_b = b[1] < 0;
    if (lower_a != lower_b) {
        return lower_a;
    }
    double cross = a[0] * b[1] - a[1] * b[0];
    return cross > 0 || (cross == 0 && a[0] > b[0]);
}

static void sort_by_angle(int count, double s[4][2]) {
    for (int i = 1; i < count; i++) {
        for (int j = i; j > 0 && precedes(s[j], s[j - 1]); j--) {
            double x = s[j][0], y = s[j][1];
            s[j][0] = s[j - 1][0];
            s[j][1] = s[j - 1][1];
            s[j - 1][0] = x;
            s[j - 1][1] = y;
        }
    }
}

/* Drop zeros that rounding does not separate; needed next to the astroid only. */
static int merge_zeros(int count, double s[4][2]) {
    const double apart = 16 * DBL_EPSILON;
    int kept = 1;
    for (int i = 1; i < count; i++) {
        const double *last = s[kept - 1];
        if (s[i][0] * last[0] + s[i][1] * last[1] < 0 ||
            fabs(s[i][0] * last[1] - s[i][1] * last[0]) > apart) {
            s[kept][0] = s[i][0];
            s[kept][1] = s[i][1];
            kept++;
        }
    }
    /* across the cut at pi */
    const double *last = s[kept - 1];
    int wraps = s[0][0] < 0 && last[0] < 0 && s[0][1] < 0 && last[1] >= 0;
    return wraps && last[1] - s[0][1] < apart ? kept - 1 : kept;
}

/* Zeros that INVARIANT_TINY has moved off an axis of the data. */
static void flush_zeros(int count, double s[4][2]) {
    for (int i = 0; i < 2 * count; i++) {
        double *entry = &s[i / 2][i % 2];
        *entry = fabs(*entry) < 1e-40 ? 0 : *entry;
    }
}

int crm_invariants_find(double b11, double b12, double b22, double d1, double d2, double s[4][2]) {
    double e1 = 0.5 * b11 - 0.5 * b22;
    double size = most_of(most_of(fabs(e1), fabs(b12)), most_of(fabs(d1), fabs(d2)));
    if (size == 0) {
        return 0;
    }
    SlipPlane q = {.e1 = e1, .e2 = b12, .d = {d1, d2}};
    /* sixth powers appear above */
    if (size < 1e-40 || size > 1e40) {
        q = (SlipPlane){.e1 = e1 / size, .e2 = b12 / size, .d = {d1 / size, d2 / size}};
        size = 1;
    }
    q.enough = 0x1p-52 * size;
    eigenframe(&q, size);
    outer_pair(&q, s);
    int delicate, count = 2 + inner_pair(&q, s + 2, &delicate);
    if (least_of(q.p, q.r) == INVARIANT_TINY * size) {
        flush_zeros(count, s);
    }
    sort_by_angle(count, s);
    return count > 2 && delicate ? merge_zeros(count, s) : count;
}
