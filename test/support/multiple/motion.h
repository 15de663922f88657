/* The motion of several contacts between events, for oracle.c: equations and one step. */
#ifndef CAROM_TEST_MULTIPLE_MOTION_H
#define CAROM_TEST_MULTIPLE_MOTION_H

#include "support/math/extrapolation.h"
#include "support/multiple/problems.h"

/* The mode of a contact. */
typedef enum ContactMode {
    MODE_OPEN,
    MODE_NORMAL, /* acts, without friction */
    MODE_STICK,
    MODE_SLIP,     /* its direction is part of the state */
    MODE_FOLLOW,   /* slips with N hardly more than 0: its direction is that of v_t, corrected */
    MODE_STRAIGHT, /* slips in a direction that stays */
    MODE_HELD      /* latched: v_n = 0 */
} ContactMode;

#define MOTION_SIZE (9 * MULTIPLE_CONTACTS + 2)

/* Units: the largest W_nn, approach and stiffness are 1. Three rows per contact, whether the
 * problem is planar or not. */
typedef struct Motion {
    int n;
    Real W[MULTIPLE_ROWS * MULTIPLE_ROWS];
    int live[MULTIPLE_ROWS], live_count; /* rows whose velocity matters: no tangents if mu = 0 */
    Real mu[MULTIPLE_CONTACTS], kt[MULTIPLE_CONTACTS], k[MULTIPLE_CONTACTS];
    ContactMode mode[MULTIPLE_CONTACTS];
    /* contacts held, and the inverse of W among their normals */
    int held[MULTIPLE_CONTACTS], held_count;
    Real inverse[MULTIPLE_CONTACTS * MULTIPLE_CONTACTS];
    Real y[MOTION_SIZE]; /* the state: places below */
    /* the clock, see oracle.h */
    Real omega, fall[MULTIPLE_CONTACTS];
} Motion;

/* Places in the state: v, I, N, q or s, the work of friction, the time. */
static inline int at_velocity(int i) {
    return 3 * i;
}
static inline int at_impulse(const Motion *m, int i) {
    return 3 * (m->n + i);
}
static inline int at_force(const Motion *m, int i) {
    return 6 * m->n + i;
}
static inline int at_tangent(const Motion *m, int i) {
    return 7 * m->n + 2 * i;
}
static inline int at_work(const Motion *m) {
    return 9 * m->n;
}
static inline int at_time(const Motion *m) {
    return 9 * m->n + 1;
}
static inline int motion_size(const Motion *m) {
    return 9 * m->n + 2;
}

static inline int mode_slips(ContactMode mode) {
    return mode == MODE_SLIP || mode == MODE_FOLLOW || mode == MODE_STRAIGHT;
}

/* Acts by springs. */
static inline int mode_acts(ContactMode mode) {
    return mode != MODE_OPEN && mode != MODE_HELD;
}

/* Forces in the state y, 3n. */
void motion_forces(const Motion *m, const Real *y, Real *F);

/* Their rates in time; the turn of a direction that follows v_t is left out. */
void motion_force_rates(const Motion *m, const Real *y, Real *out);

/* W F in the live rows, 0 in the others; exactly 0 where v_n is held. */
void motion_acceleration(const Motion *m, const Real *F, Real *a);

/* Direction of slip of contact i. */
void motion_direction(const Motion *m, const Real *y, int i, Real s[2]);

/* Speed at which contact i slides, v_t.s - rho'. */
Real motion_sliding_speed(const Motion *m, const Real *y, int i);

/* Set the clock for the present modes. */
void motion_set_clock(Motion *m);

/* dt/dtheta in the state y. */
Real motion_clock(const Motion *m, const Real *y);

/* A step of the given length of theta from m->y into out; returns its estimated error. */
Real motion_advance(const Motion *m, Real h, Real *out);

/* Hold the contacts of the list: their inverse. 0, or -1 if W among them is singular. */
int motion_hold(Motion *m, const int *list, int count);

#endif
