/* The linear system of given modes.
 *
 * Rows E of contact velocity that are kept at a value, impulses I = D x:
 *   stick  E: t1, t2, n      D: t1, t2, n
 *   slip   E: n, s'          D: n - mu s, s'      s: direction of slip, s' across it
 * v_n = b, v_t = 0 (stick), s'.v_t + c x' = 0 with c = |v_t|/(mu I_n) (slip: the direction turns
 * with the velocity), which is A x = a, A = E^T W D + C, a = b_E - E^T v-.
 *
 * Redundant rows (W E y = 0 for some y) are found as dependent rows of G = E^T W E + C. Of all x
 * the one with y.x = 0 for all such y is taken: the limit of W + delta 1 for delta -> 0. With B the
 * independent rows, G_N = T^T G_B the dependent ones, it is x = Z x_B, Z = (1, T), A_B Z x_B = a_B.
 */
#ifndef CAROM_IMPULSE_MODES_H
#define CAROM_IMPULSE_MODES_H

#include "impulse/impulse_law.h"

/* One row of E and the column of D with it. */
typedef struct ModeRow {
    int contact;
    int unit; /* >= 0: E and D are this unit vector of the contact, and e, d are not used */
    double e[3], d[3];
    double yield; /* c */
} ModeRow;

/* Scratch and factors of one system; arrays of the workspace. k <= size. */
typedef struct ModeSystem {
    int k, rank;
    int has_share;             /* redundant rows were looked for */
    ModeRow *row;              /* k */
    const double **WE, **WD;   /* k rows of size: W e, W d; into W or product */
    double *product;           /* 2 size x size */
    double *G, *L, *T, *S;     /* size x size each */
    double *x, *right, *scale; /* size each */
    int *order, *pivots;       /* size each */
} ModeSystem;

/* Relative size of a pivot of G below which its row is redundant. */
#define MODES_CUT 1e-10

/* Set up and factor the system of state's modes. 0: it is singular. */
int crm_modes_factor(const Strike *strike, const StrikeState *state, double cut,
                     ModeSystem *system);

/* I, v and share of the modes. */
void crm_modes_solve(const Strike *strike, ModeSystem *system, StrikeState *state);

/* One Newton step from state, whose modes the system was factored for, with residuals in long
 * double. Returns the largest change of an impulse. */
double crm_modes_refine(const Strike *strike, ModeSystem *system, StrikeState *state);

/* Another share of the impulse among the same contacts, to first order: dependent row at (from rank
 * to k) takes a unit more, the others follow so that the modes are kept: y with W E y = 0, x = y +
 * Z z with A x = 0. dI = D x, dv = W D x. Returns 1 if the velocity changes: contacts that slip
 * carry each other's load. */
int crm_modes_free(const Strike *strike, ModeSystem *system, int at, double *dI, double *dv);

/* Multipliers lambda of the rows, D^T gradient + A^T lambda = 0 along Z: what a unit of each row's
 * velocity costs of a function of the impulse with this gradient. pull = E lambda, size numbers. */
void crm_modes_multipliers(const Strike *strike, ModeSystem *system, const double *gradient,
                           double *pull);

#endif
