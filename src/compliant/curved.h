/* Slip whose direction turns, piece by piece: polynomials in the clock p, or in a clock that
 * stretches the end.
 *
 * With M = N^2, z = s and g = 1/(mu eta^2), and a clock x with dp = chi dx, put u = chi z. Then
 *
 *   V' = chi d - mu B u    v_n' = chi - mu d.u    M' = -2 k chi v_n
 *   u' = (chi'/chi) u + omega u_perp              M omega = g (V_y u_x - V_x u_y)
 *
 * With chi = 1, x is p itself: there V and v_n would be linear and M quadratic if z stood still,
 * which is why the pieces are long. The end, M = 0, is singular: z contains the power q/2 of M,
 * q = |V|/(mu eta^2 k v_n). Close to it chi = chi0 (1 - x/CLOSE)^(CLOSE - 1) with chi0 the impulse
 * that is left, about: what is left then goes like (1 - x/CLOSE)^CLOSE, still a polynomial, and the
 * power is CLOSE q/2, so smooth that the pieces go almost to the end. */
#ifndef CAROM_COMPLIANT_CURVED_H
#define CAROM_COMPLIANT_CURVED_H

#include "compliant/process.h"
#include "math/lanes.h"
#include "math/reciprocal.h"

/* Of the series; flat optimum of time over steps. Collocation needs less. */
enum { CURVE_ORDER = 16 };

/* Relative size of what is left out of the impulse. */
#define CURVE_CUT 1e-13

/* One piece; the arrays hold coefficients of x^n. Pairs, so that one pass serves all products. */
typedef struct Curve {
    const Process *process;
    int order;
    int closing; /* towards the end of the impact */
    double chi0;
    double left;                   /* of the impulse in restitution, about; 1 in compression */
    double slide[CURVE_ORDER + 1]; /* chi sigma */
    Pair V[CURVE_ORDER + 1], u[CURVE_ORDER + 1];
    Pair ux[CURVE_ORDER + 1], uy[CURVE_ORDER + 1]; /* each twice the same */
    Pair omega[CURVE_ORDER + 1];                   /* twice the same */
    Pair omega_chi[CURVE_ORDER + 1];               /* omega and chi */
    Pair fall[CURVE_ORDER + 1];                    /* M and v_n */
} Curve;

static inline Pair perp(Pair a) {
    return (Pair){-a[1], a[0]};
}

/* The root of what is left that x counts close to the end. Large: smooth, but more terms. */
enum { CLOSE = 4 };

/* 1 - x/CLOSE close to the end, else 1. */
static inline double curved_tau(const Curve *curve, double x) {
    return curve->closing ? 1 - x / CLOSE : 1;
}

static inline double curved_chi(const Curve *curve, double x) {
    double tau = curved_tau(curve, x), chi = curve->chi0;
    for (int i = 1; i < CLOSE; i++) {
        chi *= tau;
    }
    return chi;
}

/* Normal impulse from the start of the piece. */
static inline double curved_impulse(const Curve *curve, double x) {
    return curve->closing ? curve->chi0 - curved_chi(curve, x) * curved_tau(curve, x) : x;
}

/* The clock for a piece that starts here. */
void crm_curved_begin(Curve *curve, const Process *process);

/* Taylor series from here; returns how far they hold. */
double crm_curved_series(Curve *curve);

/* How fast the direction is pulled towards V, per unit of x; M > 0. */
double crm_curved_pull(const Curve *curve);

/* Collocation over [0, h], for where that pull is too fast for series. Returns the error of the
 * direction relative to what it may be, as a multiple; INFINITY if there is no solution. *end gets
 * the state at h, and *friction the work of friction. */
double crm_curved_collocate(Curve *curve, double h, Moment *end, double *friction);

#endif
