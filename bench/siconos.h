/* Optional competitor: Siconos, the impact law of Liu, Zhao and Brogliato.
 *
 * A row of touching balls against a wall; the first one arrives with speed 1; equal springs, no
 * energy loss. (With losses the models differ: in Siconos a contact that acts again starts with its
 * first stiffness, in carom it keeps the increased one.) The clock is the impulse of the contact
 * with most stored energy, in equal steps: first order. */
#ifndef CAROM_BENCH_SICONOS_H
#define CAROM_BENCH_SICONOS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiconosChain SiconosChain;

/* Balls of mass 1, except the last; NULL on failure. */
SiconosChain *siconos_chain_create(int balls, double last_mass, double step);

/* Accepts NULL. */
void siconos_chain_destroy(SiconosChain *chain);

/* The impulses, from the first contact to the wall. 0, or -1 if Siconos failed. */
int siconos_chain_solve(SiconosChain *chain, double *impulse);

/* Several rigid contacts with friction at impulse level (docs/impulse.md): Siconos' nonsmooth
 * Gauss-Seidel for the frictional problem in local variables, v = q + W I. */
typedef struct SiconosFriction SiconosFriction;

/* W (3n x 3n by rows, order t1, t2, n), q = v- less the velocities asked for along the normals
 * (3n), mu (n); NULL on failure. */
SiconosFriction *siconos_friction_create(int contacts, const double *W, const double *q,
                                         const double *mu, double tolerance);

/* Accepts NULL. */
void siconos_friction_destroy(SiconosFriction *friction);

/* The impulses, order t1, t2, n. 0, or -1 if Siconos did not reach the tolerance. */
int siconos_friction_solve(SiconosFriction *friction, double *impulse);

#ifdef __cplusplus
}
#endif

#endif
