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

#ifdef __cplusplus
}
#endif

#endif
