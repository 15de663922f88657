/* A stretch of slip along the curved hodograph, as power series in a local parameter x.
 *
 * Every quantity Q that the impact needs (p, J, A = -int v_n dp, F = int r dp, each counted from
 * the start of the stretch) is one of
 *
 *   regular:  Q(x) = sum_n c_n x^n,                       x from 0 to `end` > 0
 *   arrival:  Q(x) = x Q1(z) + x^2 Q2(z) - (Q1+Q2)(1),    x from 1 to `end`, z = x^(1/q)
 *
 * The second is the expansion about an invariant direction, where r ~ x: x = 0 is arrival at zero
 * slip. The slip direction s is known as a function of x without any series: on the spinor line
 * xi(x) = m0 + x m1 (half angles), or in log-time from its own series. */
#ifndef CAROM_RIGID_CURVE_H
#define CAROM_RIGID_CURVE_H

#include "rigid/impact.h"

/* Highest order of a series. Where it does not suffice the stretch is shortened. */
#define CURVE_ORDER 56

/* Lanes of the coefficients. */
enum { LANE_P, LANE_JX, LANE_JY, LANE_A, LANE_F, LANE_A2, LANE_COUNT };

typedef enum CurveKind { CURVE_SPINOR, CURVE_LOGTIME, CURVE_ARRIVAL } CurveKind;

/* Where the process is at x: everything counted from the start of the stretch but gamma, v_n. */
typedef struct Point {
    double x;
    double p, J[2], A, F;
    double gamma[2], vn, r;
} Point;

typedef struct Curve {
    CurveKind kind;
    State start;
    double end; /* last x of the stretch */
    Point last; /* at `end` */
    int order;
    double c[CURVE_ORDER + 2][LANE_COUNT];
    /* spinor line: s = (A, C)/D with quadratics A, C, D, and dx/dp = G/(k D r) */
    double m0[2], m1[2];
    double k, D[3], G[5];
    double q; /* arrival: r ~ z^q */
    double total[LANE_COUNT]; /* arrival: the sums at x = 1 */
    double direction[2][CURVE_ORDER + 2]; /* log-time: series of s */
    double mismatch; /* relative disagreement of gamma at the end with the closed form */
    double time; /* log-time: dp/dx = r time */
} Curve;

void curve_at(const Curve *curve, const Slip *slip, double x, Point *point);

/* dp/dx at a point. */
double curve_slope(const Curve *curve, const Point *point);

/* The x at which the slip has direction s; s must lie on the stretch. */
double curve_locate(const Curve *curve, const double s[2]);

/* The slip direction at x. */
void curve_direction(const Curve *curve, double x, double s[2]);

/* Run the normal process over the stretch: to its end, the end of the impact, or (small e) an end
 * of compression, after which the series would cancel. The state moves along. Returns 1 if the end
 * of the stretch was reached. */
int curve_run(Impact *impact, const Curve *curve);

/* Makers; each returns 0 and leaves *curve unusable if its series does not suit the case. */

/* Expansion at the present direction, made for a stretch on which the direction turns by about
 * tan(angle/2) = reach. Shortened to where the series has converged. */
int curve_taylor(const Slip *slip, const State *start, double reach, Curve *curve);

/* Expansion in log-time; always suits. */
int curve_logtime(const Slip *slip, const State *start, Curve *curve);

#endif
