/* One link acts, without friction, and nothing touches: no series are needed. With its normal
 * impulse p as the clock and w = W_ii,
 *
 *   v = v0 + w p,   E = E0 - v0 p - w p^2/2,   v_j = v_j0 + W_ji p,
 *
 * so that every event is the root of a linear or quadratic equation. */
#include <math.h>

#include "multiple/network.h"

int crm_single_applies(Network *network) {
    int acting = 0;
    for (Link *link = network->links; link < network->links + network->count; link++) {
        if (link->phase == HELD || link->phase == TOUCHING) {
            return 0;
        }
        if (is_sprung(link)) {
            network->single = link;
            acting++;
        }
    }
    return network->rows == 1 && acting == 1 && !network->sampler;
}

static const double *row_of(const Network *network, const Link *link) {
    return &network->W[(size_t)normal_row(network, link) * (size_t)network->size];
}

/* Where the energy has fallen to what is left at the end. */
static double single_end_of_restitution(const Network *network, const Link *link, double v,
                                        double w) {
    double force = opening_force(network, link);
    double E = spring_energy(link) - force * force / (2 * link->k);
    E = E > 0 ? E : 0;
    double root = sqrt(v * v + 2 * w * E);
    /* without cancellation */
    return v > 0 ? 2 * E / (v + root) : (root - v) / w;
}

void crm_single_watch(Network *network) {
    Link *acting = network->single;
    const double *row = row_of(network, acting);
    int n = normal_row(network, acting);
    double v = network->v[n], w = row[n], first = INFINITY;
    for (Link *link = network->links; link < network->links + network->count; link++) {
        int j = normal_row(network, link);
        wait_for_nothing(link);
        if (link->phase == OPEN && row[j] < 0) {
            link->wait[WATCH_SPEED] = -network->v[j] / row[j];
            first = link->wait[WATCH_SPEED] < first ? link->wait[WATCH_SPEED] : first;
        }
    }
    int compresses = acting->phase == LINK_COMPRESSION;
    LinkWatch what = compresses ? WATCH_SPEED : WATCH_FORCE;
    double p = compresses ? -v / w : single_end_of_restitution(network, acting, v, w);
    acting->wait[what] = p;
    network->moment = p < first ? p : first;
}

void crm_single_advance(Network *network) {
    Link *acting = network->single;
    const double *row = row_of(network, acting);
    int n = normal_row(network, acting);
    double p = network->moment, v = network->v[n];
    double E = spring_energy(acting) - p * (v + row[n] * p / 2);
    acting->N = E > 0 ? sqrt(2 * acting->k * E) : 0;
    network->I[n] += p;
    network->clock += p;
    for (int j = 0; j < network->size; j++) {
        network->v[j] += row[j] * p;
    }
}
