/* The law of several rigid contacts at impulse level as equations of the active modes, at a
 * solution: their linearisation, and what decides where they leave something open.
 *
 * With y = v- + W I each contact obeys, in its mode,
 *
 *   open    I = 0
 *   stick   y_t = 0,                        y_n = target
 *   slip    I_t + mu I_n y_t/|y_t| = 0,     y_n = target,   target = e max(-v_n-, 0)
 *
 * These are equations F(I, y) = c. With C = F_y and A = F_I + C W the impulse changes by
 *
 *   A dI = -C (dW I + dv-) + (what mu, e and v_n- change).
 *
 * Where contacts share their load in many ways A is singular. Let Z be its null vectors.
 * Along some of them the velocity changes; there the share of least energy T = I.(v- + y)/2 was
 * taken. With the multipliers l of y + A^T l = 0, and H the curvature of T + l.F along I,
 *
 *   H dI + A^T dl = -(change of y + A^T l at fixed I, l),   Z^T H Z = S.
 *
 * Along the others, N = Z (null vectors of S), W N = 0, only the share changes: that of least norm
 * was taken. It is I = P W x, P the projection onto the directions that modes leave to impulses, so
 * for z in N: z.dI = z.(dP W x + dW x).
 *
 * Redundant equations of velocities agree, for bodies have these velocities; their changes must,
 * too. With u^T A = 0 and q_n = e u_n where a contact approaches, 0 elsewhere, they do for all
 * changes of motion and inertia if W q = 0; for those of geometry as well if q = 0. */
#ifndef CAROM_DERIVATIVE_IMPULSE_SYSTEM_H
#define CAROM_DERIVATIVE_IMPULSE_SYSTEM_H

#include <stddef.h>

#include <carom/problem.h>

#include "derivative/rank_factor.h"

typedef enum ImpulseMode { ACTIVE_OPEN, ACTIVE_STICK, ACTIVE_SLIP } ImpulseMode;

/* The problem at its solution; arrays are in the workspace. */
typedef struct ImpulseSystem {
    const CaromProblem *problem;
    int rows, each; /* each: rows of a contact */
    double *I, *y;
    double speed, push; /* the largest of v- and y, of I */
    double unit;        /* the largest W_ii; equations of impulses are times this */
    double *modes;      /* n: ImpulseMode */
    double *C;          /* blocks of the contacts: m x each */
    RankFactor A;
    RankFactor S;    /* on the null vectors of A */
    RankFactor kept; /* W of the rows whose velocity is kept */
    double *neutral; /* N: orthonormal rows */
    int neutral_count;
    double *multiplier; /* l */
    double *share;      /* x... */
    int least;          /* ...and whether the share of least norm is what it says */
    int continuum; /* the share is that of least energy; that of least norm was not looked for */
    int alike;     /* as long as all mu of contacts that slip change in proportion */
    int kinked;    /* a contact at which the outcome has a kink here, or -1 */
    int rigid; /* redundant equations agree as long as contacts stay where they are on the bodies */
    double *scratch; /* 4 m */
} ImpulseSystem;

/* Numbers of workspace, without the rows that the solver needs. */
size_t crm_impulse_system_workspace(int contact_count);
/* Lay out; returns the first number of workspace that is left. I and y are to be filled. */
double *crm_impulse_system_lay_out(const CaromProblem *problem, double *workspace,
                                   ImpulseSystem *system);
/* Modes, equations and their factors; continuum as above. NULL, or why there are no derivatives. */
const char *crm_impulse_system_set(ImpulseSystem *system, int continuum);

/* The share of least norm where the equations leave none open, but contacts in touch without load
 * might take some. */
void crm_impulse_explain(ImpulseSystem *system);

/* Why there are no derivatives where contacts that slip in one direction share their load. */
extern const char *const crm_impulse_unison;

/* Size of the tangential rows t of a vector at a contact. */
double crm_impulse_tangential(const ImpulseSystem *system, const double *x, int contact,
                              double t[2]);

/* Direction of slip of a contact, across it, its speed. 0: it does not slip. */
int crm_impulse_slip(const ImpulseSystem *system, int contact, double s[2], double across[2],
                     double *speed);

/* v = W z */
void crm_impulse_respond(const ImpulseSystem *system, const double *z, double *v);

/* The change of the gradient of l.F by (I, y), at fixed l, with I by z and y by v. */
void crm_impulse_bend(const ImpulseSystem *system, const double *z, const double *v, double *by_I,
                      double *by_y);

/* Do contacts slip in the same direction and change their load along z, W z = 0? Where their
 * directions begin to differ the share of least energy takes the place of that of least norm; in a
 * plane, where their friction does. */
int crm_impulse_slips_along(ImpulseSystem *system, const double *z);

/* Is an open contact held in touch by those that push? */
int crm_impulse_depends(ImpulseSystem *system, int contact);

#endif
