/* A stretch of slip: the series of its integrals, and points on it.
 *
 * There are two kinds, regular (regular.h) and arrival (arrival.h), with a parameter x that grows
 * along the slip. Both give v_n and the normal work A with their slopes by x, for the events, and
 * the moments M, from which p and J follow:
 *
 *   p = unit D.M,   J = -mu unit (A.M, C.M) */
#ifndef CAROM_LANES_CURVE_H
#define CAROM_LANES_CURVE_H

#include "rigid_lanes/lanes_series.h"

#ifdef CAROM_LANES

/* Largest relative disagreement in the checks of a curve. */
static const double SERIES_AGREES = 2e-14;
/* The same of the rate of the normal work, for each term. */
static const double WORK_AGREES = 5e-15;

/* The impulses since the start of a stretch, and the state there. */
typedef struct ManyPoint {
    Many p, J[2], gamma[2], vn;
} ManyPoint;

typedef struct ManyCurve {
    ManyLine line;
    ManySeries series;
    Many unit;            /* of U, times k */
    Many begin[3], alpha; /* moments and alpha at the start */
    Many from, to;        /* x at the start and the end */
    Many v[2], dv[2];     /* v_n and its slope at both, and */
    Many dp[2];           /* the slope of p */
    ManyPoint end;
    Many A; /* at the end */
    ManyMask good;
    /* arrival */
    Many q, v0, p;  /* exponent; v_n without V; P at the start */
    Many kappa, pi; /* first terms of K U and D U */
    ManyMask stops; /* the end is zero slip */
} ManyCurve;

typedef enum ManyKind { MANY_REGULAR, MANY_ARRIVAL } ManyKind;

INLINE Many mapped(const Many q[3], const Many M[3]) {
    return q[0] * M[0] + (q[1] * M[1] + q[2] * M[2]);
}

/* The state at a point whose moments since the start are M. */
INLINE void curve_state(const ManyProblem *problem, const ManyState *from, const ManyCurve *curve,
                        const Many M[3], ManyPoint *at) {
    const Many *B = problem->B, *d = problem->d;
    Many push = -problem->mu * curve->unit;
    Many p = curve->unit * mapped(curve->line.D, M), jx = push * mapped(curve->line.A, M),
         jy = push * mapped(curve->line.C, M);
    at->p = p;
    at->J[0] = jx;
    at->J[1] = jy;
    at->gamma[0] = from->gamma[0] + (d[0] * p + (B[1] * jy + B[0] * jx));
    at->gamma[1] = from->gamma[1] + (d[1] * p + (B[2] * jy + B[1] * jx));
    at->vn = from->vn + (p + (d[1] * jy + d[0] * jx));
}

/* Check of a curve: does gamma, known from p and J, agree with speed r in the direction of the
 * line, at a point where its polynomials are D, A, C? */
INLINE ManyMask curve_agrees(const ManyProblem *problem, const ManyState *from, const ManyPoint *at,
                             Many r, Many D, Many A, Many C) {
    Many by = r / D, off = many_abs(at->gamma[0] - by * A) + many_abs(at->gamma[1] - by * C);
    Many size = many_abs(from->gamma[0]) + many_abs(from->gamma[1]) +
                problem->rate * (at->p + many_abs(at->J[0]) + many_abs(at->J[1]));
    return off <= SERIES_AGREES * size;
}

/* Sum of an even number of terms at z, and its slope. Speed: even and odd terms apart, because a
 * sum waits for the one before. */
INLINE Many series_slope(const Many *term, int count, Many z, Many *slope) {
    Many even = term[count - 2], odd = term[count - 1], zz = z * z;
    Many even_rise = many_all(0), odd_rise = even_rise;
    for (int n = count - 4; n >= 0; n -= 2) {
        even_rise = even_rise * zz + even;
        odd_rise = odd_rise * zz + odd;
        even = even * zz + term[n];
        odd = odd * zz + term[n + 1];
    }
    *slope = odd + 2 * z * (even_rise + z * odd_rise);
    return even + z * odd;
}

INLINE Many series_sum(const Many *term, int count, Many z) {
    Many even = term[count - 2], odd = term[count - 1], zz = z * z;
    for (int n = count - 4; n >= 0; n -= 2) {
        even = even * zz + term[n];
        odd = odd * zz + term[n + 1];
    }
    return even + z * odd;
}

#endif

#endif
