/* Links, forces and speeds at one moment of a piece. */
#include "derivative/multiple_moment.h"

#include <string.h>

#include "derivative/multiple_nodes.h"
#include "derivative/multiple_share.h"

/* A piece up to this, relative to its series, has no length. */
static const double NO_LENGTH = 1e-10;

int crm_adjoint_has_no_length(const Adjoint *adjoint) {
    return adjoint->network->piece.moment <= NO_LENGTH;
}

void crm_adjoint_describe(Adjoint *adjoint, double x) {
    const Network *network = adjoint->network;
    const Given *given = &network->given;
    NodeSlip *slip = adjoint->nodes->now;
    for (int i = 0; i < given->count; i++) {
        const LinkPiece *own = &network->piece.links[i];
        const Link *link = &network->state.links[i];
        int pushes = own->phase == HELD && own->role == HOLD_PUSHES;
        int acts = given->materials[i].rough && (is_sprung(own->phase) || pushes);
        int slips = acts && is_slipping(own->friction);
        adjoint->links[i] = (AdjointLink){.phase = own->phase,
                                          .slips = slips,
                                          .sticks = acts && !slips,
                                          .turns = slips && given->rows > 2,
                                          .pushes = pushes,
                                          .ended = link->ended,
                                          .k = link->k,
                                          .peak = link->peak};
    }
    crm_share_find(adjoint);
    crm_nodes_look(adjoint, x, adjoint->F, adjoint->v, slip);
    for (int i = 0; i < given->count; i++) {
        AdjointLink *link = &adjoint->links[i];
        int t = given->materials[i].row, acts = is_sprung(link->phase) || link->pushes;
        link->N = acts ? fmax(adjoint->F[normal_row(given, i)], 0) : 0;
        for (int k = 0; k < given->rows - 1 && acts; k++) {
            link->f[k] = -adjoint->F[t + k];
        }
        if (link->slips) {
            memcpy(link->s, slip[i].s, sizeof link->s);
        }
    }
}

double crm_adjoint_power(const Adjoint *adjoint, int r) {
    const Given *given = &adjoint->network->given;
    int lanes = adjoint->lanes;
    double sum = 0;
    for (int j = 0; j < given->size; j++) {
        sum += adjoint->P[j * lanes + r] * adjoint->F[j];
    }
    for (int i = 0; i < given->count; i++) {
        const AdjointLink *link = &adjoint->links[i];
        const double *v = &adjoint->v[given->materials[i].row];
        double kt = given->materials[i].kt;
        if (is_sprung(link->phase)) {
            sum -= link->k * adjoint->b[i * lanes + r] * adjoint->v[normal_row(given, i)];
        }
        for (int k = 0; k < given->rows - 1 && link->sticks; k++) {
            sum += kt * adjoint->c[(2 * i + k) * lanes + r] * v[k];
        }
        if (link->turns) {
            sum += kt * adjoint->nodes->now[i].across * adjoint->gamma[i * lanes + r];
        }
    }
    return sum;
}
