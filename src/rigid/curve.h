/* A stretch of slip along the curved hodograph, as power series in a local parameter x.
 *
 * Every quantity that the impact needs (p, J, A = -int v_n dp, F = int r dp, each counted from the
 * start of the stretch) is, as a function of x, one of
 *
 *   regular:  sum_n c_n x^n,                             x from `begin` to `end`
 *   arrival:  x Q1(z) + x^2 Q2(z) - (Q1 + Q2)(1),        x from 1 to `end`, z = x^(1/q)
 *
 * The second is the expansion about an invariant direction, where r ~ x: x = 0 is arrival at zero
 * slip. On a line of spinors (spinor.h) the slip direction is known without any series, and
 * dp/dx = k D r/G; in log-time it has series of its own, and dp/dx = r time. */
#ifndef CAROM_RIGID_CURVE_H
#define CAROM_RIGID_CURVE_H

#include "math/lanes.h"
#include "rigid/impact.h"

/* Highest order of a series. Where it does not suffice the stretch is shortened. */
#define CURVE_ORDER 56

typedef enum CurveKind { CURVE_REGULAR, CURVE_LOGTIME, CURVE_ARRIVAL } CurveKind;

/* Where the process is at x; p, J, A count from the start of the stretch. */
typedef struct Point {
    double x;
    double p, J[2], A;
    double gamma[2], vn, r;
} Point;

/* Polynomials of slip on a line of spinors xi(x) = m0 + x m1; see spinor.h. */
typedef struct Spinor {
    double m0[2], m1[2];
    double k;
    double A[3], C[3], D[3];
    double G[5], P[4];
} Spinor;

typedef struct Curve {
    CurveKind kind;
    State start;
    double begin, end; /* first and last x of the stretch */
    Point last;        /* at the end */
    int order;
    Lanes c[CURVE_ORDER + 1];   /* (p, Jx), (Jy, A): regular, or Q1 */
    double a2[CURVE_ORDER + 1]; /* arrival: Q2 of A */
    double f[CURVE_ORDER + 1];  /* F: regular, or Q2 */
    Lanes total;                /* arrival: the sums at x = 1 */
    double total_f;             /* F before it is counted from the start */
    double q;                              /* arrival: r ~ z^q */
    double mismatch; /* relative disagreement of gamma at the end with the closed form */
    Spinor spinor;
    double direction[2][CURVE_ORDER + 1]; /* log-time: series of s */
    double time;
} Curve;

/* The point with the given values of the lanes. */
void curve_point(const Curve *curve, const Slip *slip, double x, const Lanes *lanes,
                 Point *point);

void curve_at(const Curve *curve, const Slip *slip, double x, Point *point);

/* F at x. */
double curve_friction(const Curve *curve, double x);

/* First derivative dp/dx at a point, and second over first. */
void curve_slope(const Curve *curve, const Slip *slip, const Point *point, double *first,
                 double *second);

/* The x at which the slip has direction s; s must lie on the stretch. */
double curve_locate(const Curve *curve, const double s[2]);

/* The slip direction at x. */
void curve_direction(const Curve *curve, double x, double s[2]);

/* Run the normal process over the stretch: to its end, the end of the impact, or (small e) an end
 * of compression, after which the series would cancel. The state moves along. Returns 1 if the end
 * of the stretch was reached. */
int curve_run(Impact *impact, const Curve *curve);

/* Expansion in log-time; suits every case (logtime.c). The others are in spinor.h. */
void curve_logtime(const Slip *slip, const State *start, Curve *curve);

#endif
