/* A unit force that pulls link i apart gives the accelerations b = W e_i. With the reactions N >= 0
 * of all links against closing, v' = b + W N, N.v' = 0, so v'_i = e_i.v' is twice the kinetic
 * energy of v': it is 0 only if v' is, and then no motion with v_n >= 0 has v_n,i > 0. */
#include "multiple/closure.h"

#include "multiple/held.h"

/* An acceleration is 0 below this part of the free one. */
static const double CANNOT_PART = 1e-9;

void crm_closure(const Network *network, int *closed) {
    const Given *given = &network->given;
    Held *held = network->held;
    for (int i = 0; i < given->count; i++) {
        const double *W = row_of_W(given, normal_row(given, i));
        for (int j = 0; j < given->count; j++) {
            held->kind[j] = network->state.links[j].phase == ABSENT ? HELD_OUT : HELD_RESTRICTED;
            held->drag[2 * j] = held->drag[2 * j + 1] = 0;
            held->pushes[j] = 0;
            held->b[j] = W[normal_row(given, j)];
            held->size[j] = fabs(held->b[j]);
        }
        closed[i] = held->kind[i] != HELD_OUT && crm_held_react(given, held) &&
                    held->slack[i] <= CANNOT_PART * given->materials[i].w;
    }
}
