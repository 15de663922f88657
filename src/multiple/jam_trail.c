#include "multiple/jam_trail.h"

#include <string.h>

#include "multiple/jam_core.h"
#include "multiple/jam_parts.h"

/* It is looked after this many pieces, and whenever they have doubled. After so many a rough answer
 * is better than none. */
enum { TRAIL_FIRST = 2048, TRAIL_LAST = 16384 };

/* How far the velocity may still go, relative to its change in the last half: measured. This has to
 * be negligible, or at the last look so much at most. */
static const double TRAIL_ERROR = 4, TRAIL_CALM = 1e-10, TRAIL_ROUGH = 0.05;

/* A speed that is rounding. */
static const double TRAIL_REST = 1e-10;

/* The impulse that brings to rest the links that have been stuck since then, the normals of those
 * that have been closed, and those that this would drive together. 0: those that are stuck have no
 * load that keeps them so. */
static int trail_rest(const Network *network, int since, double *impulse) {
    int fixed[JAM_ROWS], acts[JAM_ROWS], stuck[JAM_ROWS], count = 0, more = 1;
    JamRows rows;
    for (int i = 0; i < network->given.count; i++) {
        const Link *link = &network->state.links[i];
        int closed = is_active(link->phase) && link->apart <= since;
        fixed[i] = !closed ? 0 : link->loose > since || link->N == 0 ? 1 : 2;
        acts[i] = is_active(link->phase);
        stuck[i] = fixed[i] == 2;
        count += stuck[i];
    }
    if (count < 2 || !crm_jam_loaded(network, acts, stuck)) {
        return 0;
    }
    while (more) {
        more = 0;
        crm_jam_rows(&network->given, fixed, &rows);
        crm_jam_rest(network, &rows, impulse);
        for (int i = 0; i < network->given.count; i++) {
            double vn = crm_jam_speed(network, normal_row(&network->given, i), impulse);
            int absent = network->state.links[i].phase == ABSENT;
            if (!fixed[i] && !absent && vn < -TRAIL_REST) {
                fixed[i] = 2;
                more = 1;
            }
        }
    }
    return 1;
}

int crm_jam_trail(Network *network, double *impulse) {
    const Given *given = &network->given;
    JamTrail *trail = &network->trail;
    double v[JAM_ROWS], change = 0;
    int since = trail->work > 0 ? trail->work : TRAIL_FIRST / 2, known = trail->known;
    if (network->work < 2 * since) {
        return 0;
    }
    trail->work = network->work;
    trail->known = trail_rest(network, since, impulse);
    if (!trail->known) {
        return 0;
    }
    for (int row = 0; row < given->size; row++) {
        v[row] = crm_jam_speed(network, row, impulse);
        change = fmax(change, fabs(v[row] - trail->v[row]));
    }
    memcpy(trail->v, v, sizeof v);
    if (!known ||
        !(TRAIL_ERROR * change <= (network->work >= TRAIL_LAST ? TRAIL_ROUGH : TRAIL_CALM))) {
        return 0;
    }
    for (int i = 0; i < given->count; i++) {
        network->state.links[i].error[ALONG] += TRAIL_ERROR * change;
        network->state.links[i].error[NORMAL] += TRAIL_ERROR * change;
    }
    return 1;
}
