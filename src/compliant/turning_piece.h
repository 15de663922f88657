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
 * q = |V|/(mu eta^2 k v_n). Close to it chi = chi0 (1 - x/TURNING_ROOT)^(TURNING_ROOT - 1) with
 * chi0 the impulse that is left, about: what is left then goes like (1 -
 * x/TURNING_ROOT)^TURNING_ROOT, still a polynomial, and the power is TURNING_ROOT q/2, so smooth
 * that the pieces go almost to the end. */
#ifndef CAROM_COMPLIANT_TURNING_PIECE_H
#define CAROM_COMPLIANT_TURNING_PIECE_H

#include "compliant/process.h"
#include "math/lanes.h"
#include "math/reciprocal.h"

/* Of the series; flat optimum of time over steps. Collocation needs less. */
enum { TURNING_ORDER = 16 };

/* Truncation of the series, relative to the impulse. */
#define TURNING_CUT 1e-13

/* One piece; the arrays hold coefficients of x^n. Pairs, so that one pass serves all products. */
typedef struct TurningPiece {
    const Process *process;
    int order;
    int closing; /* towards the end of the impact */
    double chi0;
    double left;                     /* of the impulse in restitution, about; 1 in compression */
    double slide[TURNING_ORDER + 1]; /* chi sigma */
    Pair V[TURNING_ORDER + 1], u[TURNING_ORDER + 1];
    Pair ux[TURNING_ORDER + 1], uy[TURNING_ORDER + 1]; /* each twice the same */
    Pair omega[TURNING_ORDER + 1];                     /* twice the same */
    Pair omega_chi[TURNING_ORDER + 1];                 /* omega and chi */
    Pair fall[TURNING_ORDER + 1];                      /* M and v_n */
} TurningPiece;

static inline Pair perp(Pair a) {
    return pair_make(-LANE(a, 1), LANE(a, 0));
}

/* Close to the end, x measures this root of the impulse that is left. Large: smooth, but more
 * terms.
 */
enum { TURNING_ROOT = 4 };

/* 1 - x/TURNING_ROOT close to the end, else 1. */
static inline double turning_tau(const TurningPiece *piece, double x) {
    return piece->closing ? 1 - x / TURNING_ROOT : 1;
}

static inline double turning_chi(const TurningPiece *piece, double x) {
    double tau = turning_tau(piece, x), chi = piece->chi0;
    for (int i = 1; i < TURNING_ROOT; i++) {
        chi *= tau;
    }
    return chi;
}

/* Normal impulse from the start of the piece. */
static inline double turning_impulse(const TurningPiece *piece, double x) {
    return piece->closing ? piece->chi0 - turning_chi(piece, x) * turning_tau(piece, x) : x;
}

#endif
