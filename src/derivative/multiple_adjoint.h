/* Several compliant contacts: the adjoint of the process, backwards in time.
 *
 * L = weight.I depends on the state of the network (multiple/network.h). With P = W a + weight the
 * adjoints a of v, b of N and c of f obey, between events,
 *
 *   spring: a_n' = k b,  b' = -P_n          held: v_n = 0; a_n is such that P_n = 0
 *   stick:  a_t' = -kt c,  c' = P_t
 *   slip:   c = gamma s_perp, gamma' = P_t.s_perp + (sigma/rho) gamma,
 *           and P_n - mu s.P_t - theta gamma takes the place of P_n
 *
 * with s_perp the direction of slip turned by 90 degrees, sigma = V.s - rho' > 0 the sliding speed
 * and theta = kt (V.s_perp)/N. gamma belongs to g = mu N dphi, the change of f across s by a turn
 * of s: it is bounded where N is 0, and backwards in time it only decays. The gradient is
 *
 *   dL/dW = int (a F^T + F a^T),  dL/dv- = a at the start,  dL/dk = -int b v_n,
 *   dL/dkt = int c.V,  dL/dmu = -int (N s.P_t + (kt/mu) (V.s_perp) gamma).
 *
 * Forces and their rates are continuous at events, but for those of held links and at the ends of
 * mono-stiffness: so there are no other jumps of the adjoint than those of the choice of variables
 * (multiple_events.c). */
#ifndef CAROM_DERIVATIVE_MULTIPLE_ADJOINT_H
#define CAROM_DERIVATIVE_MULTIPLE_ADJOINT_H

#include "multiple/network.h"

/* Weights that are followed at once: the rows of two contacts. */
enum { LANES_MOST = 6 };

/* A link at the start of a piece, or what is left of it at its end. */
typedef struct AdjointLink {
    LinkPhase phase;
    int slips, sticks; /* it has friction and acts */
    int turns;         /* it slips and its direction may turn */
    int pushes;        /* it is held and pushes */
    int ended;         /* the piece of its last end of compression (multiple/bounces.h) */
    double k, peak;
    double N, f[2], s[2];
} AdjointLink;

/* A path of friction, step by step, and numbers of links and lanes that belong to it. */
typedef struct FrictionPath {
    int links, steps, too_long;
    double *length, *r, *y; /* of each step; at its start, one per link */
    int *falls, *pushes;
    double *q, *turn; /* links times lanes: the adjoint of phi; of the angle of f */
} FrictionPath;

/* Arrays of rows or links times lanes. */
typedef struct Adjoint {
    Network *network;
    int lanes;
    double *weight;
    double *a, *b, *c, *gamma, *peak;
    double *P;                           /* at the present moment, for events */
    double *by_k, *by_kt, *by_mu, *by_e; /* gradients in the network's units */
    double *by_share;                    /* by the given stiffness, through loads that are shared */
    double *out[LANES_MOST];             /* the caller's rows, for W and v */
    /* the piece in hand at its end, and the one after it at its start */
    AdjointLink *links, *after;
    double *F, *F_after, *v;
    struct Nodes *nodes;
    double *matrix, *pivots, *column; /* reactions of held links */
    int shares; /* held links that share their load (multiple_share.h), or 0 */
    double *share;
    int has_shared;    /* they did so at some time */
    int magnifies;     /* as the tape has it */
    FrictionPath path; /* of friction in a jump (multiple_path.h) */
    /* the rates of the state times the adjoint, which do not change with time, and what is missing
     * of them after events in pieces without length: they happen when the one before them does */
    double power[LANES_MOST], missing[LANES_MOST];
    const char *message; /* why it cannot go on, or NULL */
} Adjoint;

/* Index of W_jk in the caller's vector of inputs, j and k counted as the network does. */
static inline int adjoint_index(const Given *given, int j, int k) {
    int rows = given->count * given->caller_rows;
    int a = caller_row(given, j), b = caller_row(given, k);
    int row = a < b ? a : b, column = a < b ? b : a;
    return row * rows - row * (row - 1) / 2 + (column - row);
}

#endif
