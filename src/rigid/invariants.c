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

/* Two of everything: the steps below wait for divisions and roots, and a pair costs as one. */
typedef struct {
    double a[2];
} Pair;

/* Replaces exact zeros of d in the eigenframe, where the data are of order 1: moves no root by more
 * than its cube root, 1e-20 (at a cusp), and spares every division below a special case. */
static const double tiny = 1e-60;

static double max(double a, double b) {
    return a > b ? a : b;
}

static double min(double a, double b) {
    return a < b ? a : b;
}

/* Axis of the larger eigenvalue: (R + e1, e2) made a unit vector, mirrored where e1 < 0. */
static void eigenframe(Planar *q, double size) {
    double R = sqrt(q->e1 * q->e1 + q->e2 * q->e2);
    q->D = 2 * R;
    q->axis[0] = 1;
    q->axis[1] = 0;
    if (R > 0) {
        double long_side = R + fabs(q->e1), scale = 1 / sqrt(q->D * long_side);
        double major = long_side * scale, minor = q->e2 * scale;
        q->axis[0] = q->e1 >= 0 ? major : fabs(minor);
        q->axis[1] = q->e1 >= 0 ? minor : copysign(major, q->e2);
    }
    double d1 = q->axis[0] * q->d[0] + q->axis[1] * q->d[1];
    double d2 = q->axis[0] * q->d[1] - q->axis[1] * q->d[0];
    q->sign[0] = copysign(1, d1);
    q->sign[1] = copysign(1, d2);
    q->r = max(fabs(d1), tiny * size);
    q->p = max(fabs(d2), tiny * size);
}

static void secular_step(const double *restrict p, const double *restrict r, double D, double slope, const double *restrict x, double *restrict step) {
        for (int k = 0; k < 2; ++k) {
            double y = D + slope * x[k], inverse = 1 / (x[k] * y);
            double a = p[k] * y * inverse, c = r[k] * x[k] * inverse;
            double a2 = a * a, c2 = c * c, excess = a2 + c2 - 1;
            // 1 + 1/F, to 0.3 %: a + c are at most 2 here, and the last step is what counts
            double sum = 2 + excess * (0.5 - 0.086 * excess);
            step[k] = (1 + excess) * excess / (sum * (a2 * y + slope * c2 * x[k]) * inverse);
        }
}
/* The roots of F(x/p, (D + slope x)/r) = 1 next above x, to two digits. */
static void secular_roots(const double p[2], const double r[2], double D, double slope, double x[2]) {
    double step[2];
    for (int i = 0; i < 64; ++i) {
        secular_step(p, r, D, slope, x, step);
        x[0] += step[0];
        x[1] += step[1];
        // quadratic convergence: what is left is about half the square of this
        if (step[0] < 0.15 * x[0] && step[1] < 0.15 * x[1])
            break;
    }
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

typedef struct {
    double c0[2], c1[2], c2[2], c3[2], c4[2];
} Quartics;

/* From the eigenframe with d1, d2 >= 0 to the axes of the data, as a unit vector. */
static void from_eigenframe(const Planar *q, const double *restrict s1, const double *restrict s2, double *restrict x, double *restrict y) {
    double a=q->axis[0]*q->sign[0], b=-q->axis[1]*q->sign[1],c=q->axis[1]*q->sign[0],d=q->axis[0]*q->sign[1];
    for (int k = 0; k < 2; ++k) {
    double scale = 1 / sqrt(s1[k] * s1[k] + s2[k] * s2[k]);
    x[k] = (a * s1[k] + b * s2[k])*scale;
    y[k] = (c * s1[k] + d * s2[k])*scale;
    }
}

/* The quartic g (1 + t^2)^2 about the unit vector s, t = tan of half the angle from s. */
static void quartic_about(const Planar *q, const double *restrict x, const double *restrict y, Quartics *restrict o) {
    double d0=q->d[0],d1=q->d[1],e1=q->e1,e2=q->e2;
    for (int k = 0; k < 2; ++k) {
    double cos2 = x[k] * x[k] - y[k] * y[k], sin2 = 2 * x[k] * y[k];
    double A = d1 * x[k] - d0 * y[k], B = -d0 * x[k] - d1 * y[k];
    double C = e1 * sin2 - e2 * cos2, E = e1 * cos2 + e2 * sin2;
    o->c0[k] = A + C;
    o->c1[k] = 2 * B + 4 * E;
    o->c2[k] = -6 * C;
    o->c3[k] = 2 * B - 4 * E;
    o->c4[k] = C - A;
    }
}

static double quartic_root(const Quartics *o, int k, double t) {
    double c0=o->c0[k],c1=o->c1[k],c2=o->c2[k],c3=o->c3[k],c4=o->c4[k];
    double value = (((c4 * t + c3) * t + c2) * t + c1) * t + c0;
    for (int i = 0; i < 8; ++i) {
        double slope = ((4 * c4 * t + 3 * c3) * t + 2 * c2) * t + c1;
        double bend = (6 * c4 * t + 3 * c3) * t + c2;
        double step = value * slope / (slope * slope - value * bend);
        double u = t - step, next = (((c4 * u + c3) * u + c2) * u + c1) * u + c0;
        if (!(fabs(next) < fabs(value)))
            break;
        t -= step;
        value = next;
        if (fabs(step) < 3e-6)
            break;
    }
    return t;
}

static void turn(const double x[2], const double y[2], const double t[2], double out[2][2]) {
    double o0[2], o1[2];
    for (int k = 0; k < 2; ++k) {
    double scale = 1 / (1 + t[k] * t[k]), c = (1 - t[k] * t[k]) * scale, n = 2 * t[k] * scale;
    double u = c * x[k] - n * y[k], v = c * y[k] + n * x[k];
    double unit = 1.5 - 0.5 * (u * u + v * v);
    o0[k] = u * unit;
    o1[k] = v * unit + 0.0;
    }
    out[0][0]=o0[0];out[0][1]=o1[0];out[1][0]=o0[1];out[1][1]=o1[1];
}

static void polish(const Planar *q, const double s1[2], const double s2[2], double out[2][2]) {
    double x[2], y[2], t[2], step[2], value[2];
    Quartics o;
    from_eigenframe(q, s1, s2, x, y);
    quartic_about(q, x, y, &o);
    for (int k = 0; k < 2; ++k)
        t[k] = o.c0[k] * o.c1[k] / (o.c0[k] * o.c2[k] - o.c1[k] * o.c1[k]);
    for (int k = 0; k < 2; ++k) {
        double c0=o.c0[k],c1=o.c1[k],c2=o.c2[k],c3=o.c3[k],c4=o.c4[k],u=t[k];
        double val = (((c4 * u + c3) * u + c2) * u + c1) * u + c0;
        double slope = ((4 * c4 * u + 3 * c3) * u + 2 * c2) * u + c1;
        double bend = (6 * c4 * u + 3 * c3) * u + c2;
        step[k] = val * slope / (slope * slope - val * bend);
        t[k] = u - step[k];
        value[k] = val;
    }
    for (int k = 0; k < 2; ++k)
        if (!(fabs(step[k]) < 3e-6 && fabs(value[k]) < fabs(o.c0[k])))
            t[k] = quartic_root(&o, k, 0);
    turn(x, y, t, out);
}

/* The pair of zeros close to each other, about the direction where g is nearest to zero. */
static int close_pair(const Planar *q, double out[2][2]) {
    double c=cbrt(q->r), d=-cbrt(q->p);
    double s1[2]={c,c},s2[2]={d,d},x[2],y[2];
    from_eigenframe(q, s1,s2,x,y);
    Quartics k;
    quartic_about(q,x,y,&k);
    double half = -0.5 * k.c1[0], disc = half * half - k.c0[0] * k.c2[0];
    double t[2] = {half/k.c2[0],half/k.c2[0]};
    if (disc > 0) {
        double big = half + copysign(sqrt(disc), half);
        t[0] = quartic_root(&k, 0, big / k.c2[0]);
        t[1] = quartic_root(&k, 1, k.c0[1] / big);
    }
    turn(x,y,t,out);
    return t[0] != t[1] ? 2 : 1;
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
    const double pp[2] = {p, r}, rr[2] = {r, p};
    double x[2] = {inner_start(p, r, D), inner_start(r, p, D)};
    secular_roots(pp, rr, D, -1, x);
    const double s1[2] = {r * x[0], r * (D - x[1])}, s2[2] = {-p * (D - x[0]), -p * x[1]};
    polish(q, s1, s2, out);
    return 2;
}

static void outer_pair(const Planar *q, double out[2][2]) {
    double p = q->p, r = q->r, D = q->D;
    const double pp[2] = {p, r}, rr[2] = {r, p};
    double x[2] = {outer_start(p, r, D), outer_start(r, p, D)};
    secular_roots(pp, rr, D, 1, x);
    const double s1[2] = {r * x[0], -r * (x[1] + D)}, s2[2] = {p * (x[0] + D), -p * x[1]};
    polish(q, s1, s2, out);
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
    double e1 = 0.5 * b11 - 0.5 * b22;
    double size = max(max(fabs(e1), fabs(b12)), max(fabs(d1), fabs(d2)));
    if (size == 0)
        return 0;
    Planar q = {.e1 = e1, .e2 = b12, .d = {d1, d2}};
    // sixth powers appear below
    if (size < 1e-40 || size > 1e40) {
        q = (Planar){.e1 = e1 / size, .e2 = b12 / size, .d = {d1 / size, d2 / size}};
        size = 1;
    }
    eigenframe(&q, size);
    outer_pair(&q, s);
    int count = 2 + inner_pair(&q, s + 2);
    sort(count, s);
    return count;
}
