/* Events of a single link in closed form. */
#include "multiple/single.h"

#include "math/functions.h"
#include "multiple/multiple_visit.h"
#include "multiple/watch.h"

int crm_single_applies(Network *network) {
    int acting = 0;
    if (network->given.rows != 1) {
        return 0;
    }
    for (int i = 0; i < network->given.count; i++) {
        LinkPhase phase = network->state.links[i].phase;
        if (phase == HELD || phase == TOUCHING) {
            return 0;
        }
        network->piece.links[i].phase = phase;
        if (is_sprung(phase)) {
            network->piece.single = i;
            acting++;
        }
    }
    return acting == 1 && !network_needs_series(network);
}

/* Where the energy has fallen to what is left at the end. */
static double single_end_of_restitution(const Given *given, const Link *link, int i, double v,
                                        double w) {
    double force = opening_force(given, i, link);
    double E = spring_energy(link) - force * force / (2 * link->k);
    E = E > 0 ? E : 0;
    double root = sqrt(v * v + 2 * w * E);
    /* without cancellation */
    return v > 0 ? 2 * E / (v + root) : (root - v) / w;
}

void crm_single_watch(Network *network) {
    const Given *given = &network->given;
    Piece *piece = &network->piece;
    int acting = piece->single;
    const Link *link = &network->state.links[acting];
    const double *row = row_of_W(given, acting), *v = network->state.v;
    double w = row[acting], first = INFINITY;
    for (int j = 0; j < given->count; j++) {
        LinkPiece *own = &piece->links[j];
        crm_watch_clear(own);
        if (own->phase == OPEN && row[j] < 0) {
            own->wait[WATCH_SPEED] = -v[j] / row[j];
            first = fmin(first, own->wait[WATCH_SPEED]);
        }
    }
    int compresses = link->phase == LINK_COMPRESSION;
    double p =
        compresses ? -v[acting] / w : single_end_of_restitution(given, link, acting, v[acting], w);
    piece->links[acting].wait[compresses ? WATCH_SPEED : WATCH_FORCE] = p;
    piece->moment = fmin(p, first);
}

void crm_single_advance(Network *network) {
    NetworkState *state = &network->state;
    int acting = network->piece.single;
    Link *link = &state->links[acting];
    const double *row = row_of_W(&network->given, acting);
    double p = network->piece.moment;
    double E = spring_energy(link) - p * (state->v[acting] + row[acting] * p / 2);
    link->N = E > 0 ? sqrt(2 * link->k * E) : 0;
    state->I[acting] += p;
    state->clock += p;
    for (int j = 0; j < network->given.size; j++) {
        state->v[j] += row[j] * p;
    }
}
