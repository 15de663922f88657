/* Several rigid contacts at impulse level, in units of their own.
 *
 *   v = v- + W I
 *   0 <= I_n  perp  v_n - b >= 0,   b = e max(-v_n-, 0)
 *   I_t = -mu I_n v_t/|v_t|,   or   |I_t| <= mu I_n with v_t = 0
 *
 * Units are powers of two near the largest velocity before and the largest diagonal entry of W, so
 * that scaling rounds nothing. */
#ifndef CAROM_IMPULSE_IMPULSE_LAW_H
#define CAROM_IMPULSE_IMPULSE_LAW_H

#include <stddef.h>

#include <carom/problem.h>

/* A velocity below this, relative to the velocities that were summed up in it, is rounding: of
 * contacts that hold each other redundantly, also that of the W they were given. */
#define STRIKE_TOUCH 1e-11

/* Given; nothing changes it once it is filled. */
typedef struct Strike {
    int count, rows, size; /* contacts; rows per contact, 3 or planar 2; rows of W */
    int *order;            /* count: given numbers of the contacts (contact_order.h) */
    double *W;             /* size x size, exactly symmetric */
    double *v_before;      /* size */
    double *b;             /* count: normal velocity that the law asks for, e max(-v_n-, 0) */
    double *e;             /* count */
    double *mu;            /* count */
    double *w_n, *w_t;     /* count: W_nn, and half the trace of B (planar: B) */
    double unit_velocity, unit_impulse;
    double speed, mobility; /* largest velocity before and largest diagonal entry of W, in [1, 2) */
} Strike;

/* What a contact does. */
typedef enum StrikeMode {
    STRIKE_OPEN,  /* I = 0 */
    STRIKE_STICK, /* v_n = b, v_t = 0 */
    STRIKE_SLIP   /* v_n = b, I on the boundary of the cone; without friction I_t = 0 */
} StrikeMode;

/* An answer, or a guess of one. */
typedef struct StrikeState {
    double *I, *v; /* size */
    /* size: the impulse that each contact would have if all gave way by the same small amount per
     * impulse; equal to I along the rows that are kept at their velocity. It decides where velocity
     * does not: at contacts that others hold already. */
    double *share;
    StrikeMode *mode; /* count */
    double *slip;     /* 2 count: unit direction of slip, 0 without friction */
    double *yield;    /* count: |v_t|/(mu I_n); < 0: slip without velocity */
} StrikeState;

static inline int strike_normal(const Strike *strike, int contact) {
    return contact * strike->rows + strike->rows - 1;
}

/* Size of the tangential part of a contact's vector. */
double crm_strike_tangential(const Strike *strike, const double *x, int contact);

/* v = v- + W I with sums in twice the precision; gap, unless it is NULL, is v less b along the
 * normals, rounded after the difference. */
void crm_strike_velocity(const Strike *strike, const double *I, double *v, double *gap);

/* Largest sum of |v-| and |W| |I| over the rows: what velocities are rounded relative to. */
double crm_strike_scale(const Strike *strike, const double *I);

/* By how much (I, v) fails the law, as a velocity: the natural map
 * I_n = max(0, I_n - (v_n - b)/w), I_t = P_disc(I_t - v_t/w) with P onto the disc of radius mu I_n.
 */
double crm_strike_residual(const Strike *strike, const double *I, const double *v);

/* Kinetic energy given to the bodies, I.(v- + v)/2. */
double crm_strike_energy(const Strike *strike, const double *I, const double *v);

#endif
