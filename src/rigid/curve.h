/* A stretch of slip along the curved hodograph, as power series in a local parameter.
 *
 * On a line of spinors (spinor.h) the slip direction is known without any series, and with U = D Y
 *
 *   p' = k D U,   J' = -mu k (A, C) U
 *
 * where D, A, C are quadratics. So p and J are linear in the three moments N_j = int z^j U dz, and
 * three series serve all points of the stretch. A fourth one is that of F = int r dp; the normal
 * work A = -int v_n dp is what is left of the work of all forces: -A - mu F = I.(v- + v)/2. Counted
 * from the start of the stretch, in its parameter x,
 *
 *   regular:  U = sum_n u_n z^n, z = x, from -1 to 1:   N_j = z^(j+1) sum_n u_n z^n/(n + j + 1)
 *             F = z f(z) - ...
 *   arrival:  the expansion about an invariant direction at z = 0, where r ~ z^q. The start is
 *             z = 1, the parameter x = (1 - z^q)/q, from 0 to 1/q (zero slip) if q > 0, and with
 *             y = z^q = 1 - q x, U = z^(q-1) sum_n u_n z^n
 *               N_0 = -u_0 x + y sum_(n>0) u_n z^n/(n + q)
 *               N_j = y z^j sum_n u_n z^n/(n + j + q) for j = 1, 2
 *               F = -f_0 x (1 + y)/2 + y^2 f(z) - f(1)
 *             nothing is divided by q, which may be small. A departure is the same from a small z
 *             to z = 1, x = 0.
 *   log-time: p, J, A are z times a series each, z = x from 0, and dp/dx = r time.
 *   fade:     the parameter x = 1 - y from 0, y = e^-z = r/r_0 but for slow changes (fade.c);
 *             p = c(0) - y c(z), J likewise, F = c(0) - y^2 c(z).
 *
 * Where mu F is large beside A, so that little would be left of it, a regular stretch has a series
 * of A's own, too: A = -v_n p - z a(z) + ..., with v_n in the middle. */
#ifndef CAROM_RIGID_CURVE_H
#define CAROM_RIGID_CURVE_H

#include "math/lanes.h"
#include "rigid/impact.h"

/* What the checks of a curve at its end may be off by, relative. */
#define CURVE_AGREES 2e-14

/* Below this e, E in restitution (e^2 of its peak) is expanded anew from the end of compression:
 * as a difference of sums the size of the peak it would lose a factor 1/e of accuracy. */
#define CURVE_SMALL_E 0.1

/* y = e^-z that is nothing, and the least that is worth a stretch. */
#define FADE_ALL 40.0
#define FADE_LEAST 1.5

/* Most terms of a series, a multiple of four. Where they do not suffice the stretch is shortened.
 */
#define CURVE_TERMS 56

typedef enum CurveKind { CURVE_REGULAR, CURVE_LOGTIME, CURVE_ARRIVAL, CURVE_FADE } CurveKind;

/* Where the process is; p, J, A count from the start of the stretch. */
typedef struct Point {
    double x;
    double p, J[2], A, friction; /* friction: mu F */
    double gamma[2], vn;
    double y, z, s[2];
    double inverse;       /* 1/|gamma|, 0 at zero slip */
    double a, da, x1, x2; /* only where they were asked for */
} Point;

/* Polynomials of slip on a line of spinors xi(x) = m0 + x m1; see spinor.h. */
typedef struct Spinor {
    double m0[2], m1[2];
    double k, inverse_k;
    double P[3][4]; /* D, A, C and 0 of each power */
    double G[5], N[4];
} Spinor;

/* A division that is put off, to be done together with another. */
typedef struct Fraction {
    double above, below;
} Fraction;

/* What the slip does at the end of a curve. */
typedef enum CurveEnding { CURVE_GOES_ON, CURVE_STOPS, CURVE_STRAIGHT } CurveEnding;

typedef struct Curve {
    CurveKind kind;
    State start;
    double begin, end;        /* first and last x of the stretch */
    double y, z;              /* at the beginning */
    Point last;               /* without a, da, x1, x2 */
    int terms;                /* in use, a multiple of four */
    double c[4][CURVE_TERMS]; /* N_0, N_1, N_2 (log-time: p, J); A, if has_own_work, else F */
    double u[CURVE_TERMS];    /* U; fade: r/y */
    double map[3][4];         /* what each N adds to p, J and 0 */
    double square;            /* F of its series */
    double origin[4], F;      /* p, J, 0 and F at the start */
    double u0, f0, q;         /* arrival */
    int has_own_work;
    double vn, a; /* regular: v_n in the middle; the rest of A at the start */
    CurveEnding ending;
    double mismatch; /* the larger of what the checks at the end are off by */
    Spinor spinor;
    double direction[2][CURVE_TERMS]; /* log-time, fade: series of s */
    double time;                      /* of z, in log-time */
} Curve;

/* What most curves begin with. */
static inline void curve_begin(Curve *curve, CurveKind kind, const State *start, double x) {
    curve->kind = kind;
    curve->start = *start;
    curve->begin = curve->z = x;
    curve->y = 1;
    curve->has_own_work = 0;
    curve->ending = CURVE_GOES_ON;
}

/* A series of the curve at z. */
INTERNAL double curve_series(const Curve *curve, const double *c, double z);

/* y times the series u at z. */
INTERNAL double curve_speed(const Curve *curve, double y, double z);

/* The relative disagreement of gamma at the end of the curve with speed r in the direction there.
 */
INTERNAL Fraction curve_mismatch(const Slip *slip, const Curve *curve, double r);

/* Give a regular stretch, which ends at p = end, A's own series (normal_work.c). Returns A there.
 */
INTERNAL double curve_own_work(const Slip *slip, double end, Curve *curve);

/* Fill the last point. */
INTERNAL void curve_finish(const Slip *slip, Curve *curve);

/* The x at which the slip has direction s; s must lie on the stretch. */
INTERNAL double curve_locate(const Curve *curve, const double s[2]);

/* Run the normal process over the stretch, on which slip starts in direction s with speed
 * 1/inverse: to its end, the end of the impact, or (small e) an end of compression, after which the
 * series would cancel. The state moves along. Returns 1 if the end of the stretch was reached. */
INTERNAL int curve_run(Impact *impact, Curve *curve, const double s[2], double inverse);

/* Expansion in log-time; suits every case (logtime.c). Those by spinors are in spinor.h. */
INTERNAL void curve_logtime(const Slip *slip, const State *start, Curve *curve);

/* Expansion for slip that falls, r' = f < 0, before it turns (fade.c): to zero slip if z = FADE_ALL
 * is reached. 0 if not even FADE_LEAST is. */
INTERNAL int curve_fade(const Slip *slip, const State *start, double r, double f, Curve *curve);

#endif
