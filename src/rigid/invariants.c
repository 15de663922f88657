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
 * A few such steps give a starting direction. From there g is, up to a positive factor, a quartic
 * in t = tan((theta - start)/2), set up in the frame of the data and solved to rounding. */
#include "rigid/invariants.h"

#include <math.h>

/* The data divided by their largest number, and their eigenframe. */
typedef struct {
    double d[2];    /* d in the axes of the data */
    double e1, e2;  /* deviatoric part of b */
    double D;       /* difference of the eigenvalues of b */
    double axis[2]; /* unit eigenvector of the larger one */
    double p, r;    /* |d2|, |d1| in the eigenframe, kept off zero */
    double sign[2]; /* signs of d1, d2 in the eigenframe */
} Planar;

typedef struct {
    double x, y;
} Vec;

/* c0 + c1 t + ... + c4 t^4 */
typedef struct {
    double c0, c1, c2, c3, c4;
} Quartic;

/* Replaces exact zeros of d in the eigenframe, where the data are of order 1: moves no root by more
 * than its cube root, 1e-20 (at a cusp), and spares every division below a special case. */
static const double tiny = 1e-60;

static double max(double a, double b) {
    return a > b ? a : b;
}

static double min(double a, double b) {
    return a < b ? a : b;
}

/* Axis of the larger eigenvalue; half of the angle whose cosine and sine are e1/R, e2/R. */
static void eigenframe(Planar *q) {
    double R = sqrt(q->e1 * q->e1 + q->e2 * q->e2);
    q->D = 2 * R;
    q->axis[0] = 1;
    q->axis[1] = 0;
    if (R > 0) {
        double major = sqrt((R + fabs(q->e1)) / q->D);
        double minor = q->e2 / (q->D * major);
        q->axis[0] = q->e1 >= 0 ? major : fabs(minor);
        q->axis[1] = q->e1 >= 0 ? minor : copysign(major, q->e2);
    }
    double d1 = q->axis[0] * q->d[0] + q->axis[1] * q->d[1];
    double d2 = q->axis[0] * q->d[1] - q->axis[1] * q->d[0];
    q->sign[0] = copysign(1, d1);
    q->sign[1] = copysign(1, d2);
    q->r = max(fabs(d1), tiny);
    q->p = max(fabs(d2), tiny);
}

/* The root of F(x/p, (D + slope x)/r) = 1 next above x, to three digits. */
static double secular_root(double p, double r, double D, double slope, double x) {
    for (int i = 0; i < 64; ++i) {
        double y = D + slope * x, inverse = 1 / (x * y);
        double a = p * y * inverse, c = r * x * inverse;
        double a2 = a * a, c2 = c * c, n2 = a2 + c2;
        double step = n2 * (sqrt(n2) - 1) / ((a2 * y + slope * c2 * x) * inverse);
        x += step;
        // quadratic convergence: what is left is about the square of this
        if (step < 0.03 * x)
            break;
    }
    return x;
}

/* A lower bound of the root of (p/x)^2 + (r/(x + D))^2 = 1, near enough to start from. */
static double outer_start(double p, double r, double D) {
    double x = max(p, r - D), gap = D - r;
    // near a cusp (r = D, p = 0) the root is far above both: it solves x^2 (x + gap) > k
    if (p < 0.1 * D && fabs(gap) < 0.1 * D) {
        double k = 0.25 * p * p * D, root = cbrt(k);
        x = max(x, gap > root ? min(root, sqrt(k / gap)) : root);
    }
    return x;
}

/* A lower bound of the first root of (p/z)^2 + (r/(D - z))^2 = 1: its fixed-point form, once. */
static double inner_start(double p, double r, double D) {
    double c = r / (D - p);
    return c < 1 ? p / sqrt(1 - c * c) : p;
}

/* From the eigenframe with d1, d2 >= 0 to the axes of the data, as a unit vector. */
static Vec from_eigenframe(const Planar *q, double s1, double s2) {
    double scale = 1 / sqrt(s1 * s1 + s2 * s2);
    s1 *= q->sign[0] * scale;
    s2 *= q->sign[1] * scale;
    return (Vec){q->axis[0] * s1 - q->axis[1] * s2, q->axis[1] * s1 + q->axis[0] * s2};
}

/* The quartic g (1 + t^2)^2 about the unit vector s, t = tan of half the angle from s. */
static Quartic quartic_about(const Planar *q, Vec s) {
    double cos2 = s.x * s.x - s.y * s.y, sin2 = 2 * s.x * s.y;
    double A = q->d[1] * s.x - q->d[0] * s.y, B = -q->d[0] * s.x - q->d[1] * s.y;
    double C = q->e1 * sin2 - q->e2 * cos2, E = q->e1 * cos2 + q->e2 * sin2;
    return (Quartic){A + C, 2 * B + 4 * E, -6 * C, 2 * B - 4 * E, C - A};
}

static double quartic_value(Quartic k, double t) {
    return (((k.c4 * t + k.c3) * t + k.c2) * t + k.c1) * t + k.c0;
}

/* Newton from t; a step that brings no smaller value is not taken (where roots cluster within
 * rounding, it leads anywhere). */
static double quartic_root(Quartic k, double t) {
    double value = quartic_value(k, t);
    for (int i = 0; i < 8; ++i) {
        double slope = ((4 * k.c4 * t + 3 * k.c3) * t + 2 * k.c2) * t + k.c1;
        double step = value / slope, next = quartic_value(k, t - step);
        if (!(fabs(next) < fabs(value)))
            break;
        t -= step;
        value = next;
        if (fabs(step) < 1e-9)
            break;
    }
    return t;
}

/* The unit vector s turned by the angle whose half has the tangent t. */
static void turn(Vec s, double t, double out[2]) {
    double scale = 1 / (1 + t * t), c = (1 - t * t) * scale, n = 2 * t * scale;
    double x = c * s.x - n * s.y, y = c * s.y + n * s.x;
    // s is a unit vector to some roundings; leave one. Adding 0 makes -0 a 0: pi, not -pi.
    double unit = 1.5 - 0.5 * (x * x + y * y);
    out[0] = x * unit;
    out[1] = y * unit + 0.0;
}

/* The zero of g next to the direction (s1, s2) of the eigenframe: Halley, then Newton. */
static void polish(const Planar *q, double s1, double s2, double out[2]) {
    Vec s = from_eigenframe(q, s1, s2);
    Quartic k = quartic_about(q, s);
    double t = -k.c0 * k.c1 / (k.c1 * k.c1 - k.c0 * k.c2);
    if (!(fabs(quartic_value(k, t)) < fabs(k.c0)))
        t = 0;
    turn(s, quartic_root(k, t), out);
}

/* The pair of zeros close to each other, about the direction where g is nearest to zero. */
static int close_pair(const Planar *q, double out[2][2]) {
    Vec s = from_eigenframe(q, cbrt(q->r), -cbrt(q->p));
    Quartic k = quartic_about(q, s);
    double half = -0.5 * k.c1, disc = half * half - k.c0 * k.c2;
    double t1 = half / k.c2, t2 = t1;
    if (disc > 0) {
        double big = half + copysign(sqrt(disc), half);
        t1 = quartic_root(k, big / k.c2);
        t2 = quartic_root(k, k.c0 / big);
    }
    turn(s, t1, out[0]);
    turn(s, t2, out[1]);
    return t1 != t2 ? 2 : 1;
}

/* The zeros in the fourth quadrant, if any. */
static int inner_pair(const Planar *q, double out[2][2]) {
    double p = q->p, r = q->r, D = q->D;
    double inside = (D - r) * (D + r) - p * p, product = D * p * r;
    double cube = inside * inside * inside, edge = 27 * product * product;
    if (inside <= 0 || cube < edge)
        return 0;
    if (edge > 0.5 * cube)
        return close_pair(q, out);
    double x = secular_root(p, r, D, -1, inner_start(p, r, D));
    double y = secular_root(r, p, D, -1, inner_start(r, p, D));
    polish(q, r * x, -p * (D - x), out[0]);
    polish(q, r * (D - y), -p * y, out[1]);
    return 2;
}

/* The zeros in the first and third quadrants. */
static void outer_pair(const Planar *q, double out[2][2]) {
    double p = q->p, r = q->r, D = q->D;
    double x = secular_root(p, r, D, 1, outer_start(p, r, D));
    double y = secular_root(r, p, D, 1, outer_start(r, p, D));
    polish(q, r * x, p * (x + D), out[0]);
    polish(q, -r * (y + D), -p * y, out[1]);
}

/* Whether the angle of a in (-pi, pi] is less than that of b. */
static int precedes(const double a[2], const double b[2]) {
    int lower_a = a[1] < 0, lower_b = b[1] < 0;
    if (lower_a != lower_b)
        return lower_a;
    double cross = a[0] * b[1] - a[1] * b[0];
    return cross > 0 || (cross == 0 && a[0] > b[0]);
}

static void sort(int count, double s[4][2]) {
    for (int i = 1; i < count; ++i)
        for (int j = i; j > 0 && precedes(s[j], s[j - 1]); --j) {
            double x = s[j][0], y = s[j][1];
            s[j][0] = s[j - 1][0];
            s[j][1] = s[j - 1][1];
            s[j - 1][0] = x;
            s[j - 1][1] = y;
        }
}

int invariants_find(double b11, double b12, double b22, double d1, double d2, double s[4][2]) {
    Planar q;
    double e1 = 0.5 * b11 - 0.5 * b22;
    double size = max(max(fabs(e1), fabs(b12)), max(fabs(d1), fabs(d2)));
    if (size == 0)
        return 0;
    q.e1 = e1 / size;
    q.e2 = b12 / size;
    q.d[0] = d1 / size;
    q.d[1] = d2 / size;
    eigenframe(&q);
    outer_pair(&q, s);
    int count = 2 + inner_pair(&q, s + 2);
    sort(count, s);
    return count;
}
