/* The general solve: any model, law and number of contacts. */
#ifndef CAROM_SOLVE_H
#define CAROM_SOLVE_H

#include <stddef.h>

#include <carom/problem.h>
#include <carom/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How contacts are computed. NI, FS and VS belong to the rigid model and take one contact, EULER
 * belongs to the compliant model; these four take spatial contacts only. SEQUENCE belongs to the
 * rigid model and takes any number of contacts, planar or spatial. */
typedef enum CaromMethod {
    CAROM_METHOD_EXACT = 0, /* series and closed forms, to rounding */
    CAROM_METHOD_NI = 1,    /* Jia and Wang: Euler, fixed step, no closed forms */
    CAROM_METHOD_FS = 2,    /* Jia and Wang: as NI, closed form once the slip is straight */
    CAROM_METHOD_VS = 3,    /* Jia and Wang: as FS, step adapted to speed and curvature */
    /* Jia: Euler, fixed step of the normal impulse, tangential springs. Several contacts: Jia,
     * Mason and Erdmann, Algorithms 1 and 2; e > 0 and no limits of the stiffness. */
    CAROM_METHOD_EULER = 4,
    CAROM_METHOD_SEQUENCE = 5 /* one impact after another, each exact: carom/sequence.h */
} CaromMethod;

/* Parameters of the published schemes. A field left 0 has its default.
 *
 * By default they are relative: velocities in units of -v_n-, impulses in units of -v_n-/W_nn
 * (several contacts: the largest of each), energies in the product of both, so that the answer does
 * not depend on the units of the input.
 * The papers state theirs in the units of their examples: set absolute for those. */
typedef struct CaromSchemeOptions {
    int absolute;       /* 1: everything below is in the caller's units */
    double step;        /* NI, FS: of the normal impulse, default 1e-3; EULER: default 1e-5 */
    double h1;          /* VS: arc length of the hodograph (a velocity), default 0.01 */
    double h2;          /* VS: angle of its tangent in radians, default 0.01 */
    double epsilon;     /* VS: weight of h1 against h2, in (0, 1], default 0.5 */
    double straight;    /* FS, VS: slip is straight where |s x dgamma/dp| is at most this, s the
                           direction of slip; an inverse mass, default 0.002 (of W_nn) */
    double zero;        /* FS, VS: slip has stopped where |gamma| is at most this, default 0 */
    double stop_energy; /* EULER: restitution ends where the normal energy is this, default 0 */
    int as_printed; /* EULER: 1: as the published numbers have it (docs/errata.md): friction e mu
                       in restitution; several contacts: the primary impulse, the one that is
                       stepped, stays the same until its contact opens */
} CaromSchemeOptions;

/* How to solve. All zero is the default: exact, no limit of the error, memory of its own. */
typedef struct CaromOptions {
    CaromMethod method;
    /* Largest acceptable estimate of the relative error of the impulse; a larger one makes the
     * status CAROM_NOT_CONVERGED (the result is still there). 0: report, never refuse. */
    double tolerance;
    /* Several contacts: memory to work in, of carom_workspace_size() bytes and aligned as malloc()
     * does. NULL: up to CAROM_STACK_CONTACTS contacts need none, for more the solver allocates and
     * frees its own. SEQUENCE does not use it. */
    void *workspace;
    /* One rigid contact, EXACT: 1 to look for a jump near the input (CaromResult.jump), which takes
     * as long as the derivatives where friction is strong enough for one. Several contacts always
     * do. */
    int jumps;
    CaromSchemeOptions scheme;
} CaromOptions;

/* The default: all zero. */
CAROM_API CaromOptions carom_options_default(void);

/* As many contacts are solved on the stack alone. */
#define CAROM_STACK_CONTACTS 8

/* Bytes of workspace for a number of contacts; 0 if it is not 1 to CAROM_CONTACTS_MAX. */
CAROM_API size_t carom_workspace_size(int contact_count);

/* Solve any problem. options NULL: the defaults. Returns result->status. */
CAROM_API CaromStatus carom_solve(const CaromProblem *problem, const CaromOptions *options,
                                  CaromResult *result);

#ifdef __cplusplus
}
#endif

#endif
