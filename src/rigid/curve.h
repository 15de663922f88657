/* A stretch of slip along the curved hodograph, as power series in a local parameter x.
 *
 * Every quantity that the impact needs (p, J, A = -int v_n dp, F = int r dp, each counted from the
 * start of the stretch) is a function of x of one of two kinds:
 *
 *   regular:  sum_n c_n x^n                            x from `begin` to `end`
 *   arrival:  the expansion about an invariant direction at z = 0, where r ~ z^q. The start is
 *             z = 1, the parameter x = (1 - z^q)/q, from 0 to 1/q (zero slip) if q > 0, and with
 *             y = z^q = 1 - q x
 *               p = -c_0 x + y P(z) - P(1),  J alike,  P(z) = sum_(n>0) c_n z^n
 *               F = -f_0 x (1 + y)/2 + y^2 f(z) - f(1)
 *               A = -v_n p + v_0 x (p + c_0 x/2 + P(1)) + y^2 a_2(z) - a_2(1)
 *             with constants v_n, v_0; nothing is divided by q, which may be small.
 *
 * On a line of spinors (spinor.h) the slip direction is known without any series, and
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
    Lanes c[CURVE_ORDER + 1];   /* (p, Jx), (Jy, A) */
    double a2[CURVE_ORDER + 1]; /* arrival only; A's lane in c is not used there */
    double f[CURVE_ORDER + 1];
    Lanes total;             /* arrival: P(1) */
    double total_a, total_f; /* a_2(1); what F is at the start */
    double q, vn, v0;        /* arrival */
    int arrives;             /* at zero slip, at the end */
    double mismatch;         /* relative disagreement of gamma at the end with the closed form */
    Spinor spinor;
    double direction[2][CURVE_ORDER + 1]; /* log-time: series of s */
    double time;
} Curve;

/* The point with the given values of the lanes. */
void curve_point(const Curve *curve, const Slip *slip, double x, const Lanes *lanes, Point *point);

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
