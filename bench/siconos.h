/* The competitor where it is installed: Siconos, the impact law of Liu, Zhao and Brogliato.
 *
 * A row of touching balls against a wall, the first one arriving with speed 1; all springs alike,
 * no energy lost. (With losses it computes something else: a contact that acts again has its first
 * stiffness there, and keeps the grown one here.) The impulse of the contact that holds most energy
 * is the clock, in equal steps: first order. */
#ifndef CAROM_BENCH_SICONOS_H
#define CAROM_BENCH_SICONOS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiconosChain SiconosChain;

/* Balls of mass 1, but the last one; NULL if it could not be made. */
SiconosChain *siconos_chain_create(int balls, double last_mass, double step);

/* Accepts NULL. */
void siconos_chain_destroy(SiconosChain *chain);

/* The impulses, from the first contact to the wall. 0, or -1 if Siconos gave up. */
int siconos_chain_solve(SiconosChain *chain, double *impulse);

#ifdef __cplusplus
}
#endif

#endif
