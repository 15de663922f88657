/* Many independent contacts: rigid ones in lanes, the others one after the other. */
#include <carom/batch.h>

#include <math.h>
#include <string.h>

#include <carom/solve.h>

#include "compliant_lanes/compliant_lanes.h"
#include "planar_lanes/planar_lanes.h"
#include "rigid_lanes/rigid_lanes.h"

/* The general call. A planar problem has two rows, t and n. */
static void solve_alone(const CaromCase *one, CaromOutcome *out) {
    const double *w = one->W, v[2] = {one->v[0], one->v[2]};
    const double flat[4] = {w[0], w[2], w[2], w[5]};
    const double W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    CaromProblem problem = {
        one->model,    one->law,   1, one->planar ? flat : W, one->planar ? v : one->v,
        &one->contact, one->planar};
    CaromResult result = {.impulse = out->impulse, .velocity = out->velocity};
    out->status = carom_solve(&problem, NULL, &result);
    memcpy(out->sequence, result.sequence, sizeof out->sequence);
    if (one->planar) {
        out->impulse[2] = out->impulse[1];
        out->velocity[2] = out->velocity[1];
        out->impulse[1] = out->velocity[1] = out->status >= 0 ? 0 : NAN;
    }
}

/* Choose the copies that suit the processor, as rigid.c does. */
static void solve_in_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                           unsigned char *open) {
#ifdef CAROM_FMA
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        crm_rigid_lanes_fma(count, cases, outcomes, open);
        crm_planar_lanes_fma(count, cases, outcomes, open);
        crm_compliant_lanes_fma(count, cases, outcomes, open);
        return;
    }
#endif
    crm_rigid_lanes(count, cases, outcomes, open);
    crm_planar_lanes(count, cases, outcomes, open);
    crm_compliant_lanes(count, cases, outcomes, open);
}

void carom_batch_solve(size_t count, const CaromCase *cases, CaromOutcome *outcomes) {
    static const CaromCase none = {.contact = {.mu = NAN}}; /* refused */
    unsigned char open[RIGID_LANES_BLOCK];
    for (size_t first = 0; outcomes && first < count; first += RIGID_LANES_BLOCK) {
        int size = count - first < RIGID_LANES_BLOCK ? (int)(count - first) : RIGID_LANES_BLOCK;
        if (cases) {
            solve_in_lanes(size, cases + first, outcomes + first, open);
        } else {
            memset(open, 1, sizeof open);
        }
        for (int i = 0; i < size; i++) {
            if (open[i]) {
                solve_alone(cases ? &cases[first + (size_t)i] : &none,
                            &outcomes[first + (size_t)i]);
            }
        }
    }
}
