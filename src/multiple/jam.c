/* The velocity that the links of a jam have in the mean is
 *
 *   v+ = v - W_A W_AA^+ v_A,
 *
 * with the rows A that are at rest in the mean: those of links that stick for ever, and the normals
 * of links that cannot part. It does not depend on when that is seen if nothing else that may act
 * is left to move. */
#include "multiple/jam.h"

#include <string.h>

#include "multiple/closure.h"
#include "multiple/jam_core.h"
#include "multiple/jam_modes.h"
#include "multiple/jam_parts.h"
#include "multiple/jam_trail.h"
#include "multiple/multiple_visit.h"

/* Slip takes energy from the vibration until it does not happen any more: the nearer to that, the
 * rarer it is. After so many pieces a force may be outside its cone by this part of it. */
enum { JAM_LATE = 4096 };
static const double JAM_SLIP = 0.05;

/* How many pieces after the last look the next one is. */
enum { JAM_NEXT = 128 };

/* Speeds that need not be followed: an error. */
static const double FAINT = 1e-12;

/* The same where otherwise there is no answer. */
static const double FAINT_AT_LAST = 1e-4;

/* All energy of springs. */
static double springs_energy(const Network *network) {
    double sum = 0;
    for (int i = 0; i < network->given.count; i++) {
        const Link *link = &network->state.links[i];
        sum += spring_energy(link);
        sum += is_active(link->phase) ? tangential_energy(&network->given.materials[i], link) : 0;
    }
    return sum;
}

/* What this energy can do to a speed of a link, at most. */
static double effect_on(const Network *network, int link, double energy) {
    return sqrt(2 * energy *
                fmax(network->given.materials[link].w, tangential_mobility(&network->given, link)));
}

/* Is it so little that it does not matter how it ends? It is counted as an error. */
static int jam_is_faint(Network *network, double energy, double least) {
    for (int i = 0; i < network->given.count; i++) {
        if (effect_on(network, i, energy) > least) {
            return 0;
        }
    }
    for (int i = 0; i < network->given.count; i++) {
        network->state.links[i].error[ALONG] += effect_on(network, i, energy);
        network->state.links[i].error[NORMAL] += effect_on(network, i, energy);
    }
    return 1;
}

/* Apply the impulse; what is left in springs and speeds is lost. */
static void finish_jam(Network *network, const double *impulse) {
    const Given *given = &network->given;
    NetworkState *state = &network->state;
    double *after = network->piece.column_out;
    for (int row = 0; row < given->size; row++) {
        after[row] = crm_jam_speed(network, row, impulse);
        state->energy.friction_loss -= impulse[row] * (state->v[row] + after[row]) / 2;
    }
    for (int row = 0; row < given->size; row++) {
        state->I[row] += impulse[row];
        state->v[row] = after[row];
        state->clock += row % given->rows == given->rows - 1 ? impulse[row] : 0;
    }
    for (int i = 0; i < given->count; i++) {
        state->energy.normal_loss += spring_energy(&state->links[i]);
    }
}

/* The links that act, and those that may be driven together again: open ones, unless they part
 * faster than this energy can change. 1: there are more than before. */
static int find_acting(const Network *network, const double *impulse, double energy, int *acts) {
    int more = 0;
    for (int i = 0; i < network->given.count; i++) {
        double vn = crm_jam_speed(network, normal_row(&network->given, i), impulse);
        int absent = network->state.links[i].phase == ABSENT;
        if (!acts[i] && !absent && !(vn > sqrt(2 * energy * network->given.materials[i].w))) {
            acts[i] = 2;
            more = 1;
        }
    }
    return more;
}

/* Do the core and the links that cannot part leave nothing to move in these rows? */
static int leaves_nothing(Network *network, const int *core, const JamRows *rows) {
    int closed[JAM_ROWS], fixed[JAM_ROWS];
    JamRows at_rest;
    crm_closure(network, closed);
    for (int i = 0; i < network->given.count; i++) {
        fixed[i] = core[i] ? 2 : closed[i];
    }
    crm_jam_rows(&network->given, fixed, &at_rest);
    return at_rest.span.rank >= rows->span.rank;
}

/* Elastic links that cannot part, and leave nothing else to move: the impact has no end. */
static int never_ends(Network *network, const JamRows *rows) {
    int closed[JAM_ROWS];
    JamRows at_rest;
    crm_closure(network, closed);
    for (int i = 0; i < network->given.count; i++) {
        if (closed[i] && network->given.materials[i].e < 1) {
            return 0;
        }
        closed[i] *= 2;
    }
    crm_jam_rows(&network->given, closed, &at_rest);
    return at_rest.count > 0 && at_rest.span.rank >= rows->span.rank;
}

typedef enum JamLook { GOES_ON, JAMS, FADES } JamLook;

/* The links that act, or all. */
static void list_links(const Network *network, LinkPhase least, int *links) {
    for (int i = 0; i < network->given.count; i++) {
        links[i] = 2 * (network->state.links[i].phase >= least);
    }
}

/* Is there a spring whose bounces are still to accumulate? Where it is held in the end, it loses
 * its load. */
static int still_bounces(const Network *network) {
    int bounces = 0;
    for (int i = 0; i < network->given.count; i++) {
        bounces |= is_sprung(network->state.links[i].phase) && network->given.materials[i].e < 1;
    }
    return bounces;
}

static JamLook jam_look(Network *network, double *impulse) {
    int acts[JAM_ROWS], core[JAM_ROWS];
    JamRows rows;
    double energy;
    list_links(network, TOUCHING, acts);
    do {
        crm_jam_rows(&network->given, acts, &rows);
        double motion = crm_jam_rest(network, &rows, impulse);
        if (jam_is_faint(network, motion + springs_energy(network), FAINT)) {
            return FADES;
        }
        if (still_bounces(network)) {
            return GOES_ON;
        }
        energy = crm_jam_core(network, acts, motion, core);
    } while (energy >= 0 && find_acting(network, impulse, energy, acts));
    if (energy >= 0 &&
        (leaves_nothing(network, core, &rows) || jam_is_faint(network, energy, FAINT))) {
        return JAMS;
    }
    list_links(network, TOUCHING, acts);
    crm_jam_rows(&network->given, acts, &rows);
    crm_jam_rest(network, &rows, impulse);
    if (crm_jam_modes(network, impulse, 0)) {
        return JAMS;
    }
    list_links(network, OPEN, acts);
    crm_jam_rows(&network->given, acts, &rows);
    crm_jam_rest(network, &rows, impulse);
    return never_ends(network, &rows) ? JAMS : GOES_ON;
}

/* Do the links that act stay closed, and slip but little? What still vibrates may go another way
 * then, and is an error. */
static int nearly_stick(Network *network, double *impulse) {
    int acts[JAM_ROWS];
    JamRows rows;
    double largest = 0;
    if (network->work < JAM_LATE || still_bounces(network)) {
        return 0;
    }
    list_links(network, TOUCHING, acts);
    crm_jam_rows(&network->given, acts, &rows);
    crm_jam_rest(network, &rows, impulse);
    if (!crm_jam_modes(network, impulse, JAM_SLIP)) {
        return 0;
    }
    for (int row = 0; row < network->given.size; row++) {
        double change = network->state.v[row] - crm_jam_speed(network, row, impulse);
        largest = fmax(largest, fabs(change));
    }
    for (int i = 0; i < network->given.count; i++) {
        network->state.links[i].error[ALONG] += largest;
        network->state.links[i].error[NORMAL] += largest;
    }
    return 1;
}

/* The last means: how it has gone so far; or to bring all that acts to rest where little is left.
 */
static JamLook last_look(Network *network, double *impulse) {
    int acts[JAM_ROWS];
    JamRows rows;
    if (crm_jam_trail(network, impulse)) {
        return JAMS;
    }
    if (network->work + JAM_NEXT <= most_pieces(&network->given)) {
        return GOES_ON;
    }
    list_links(network, TOUCHING, acts);
    crm_jam_rows(&network->given, acts, &rows);
    double motion = crm_jam_rest(network, &rows, impulse);
    return jam_is_faint(network, motion + springs_energy(network), FAINT_AT_LAST) ? FADES : GOES_ON;
}

int crm_jam(Network *network) {
    if (network->work < network->next_look || network->given.size > JAM_ROWS) {
        return 0;
    }
    if (network_visitor(network)) {
        network->differs = -1;
        return 0;
    }
    network->next_look = network->work + JAM_NEXT;
    double *impulse = network->piece.column_in;
    JamLook found = jam_look(network, impulse);
    if (found == GOES_ON && nearly_stick(network, impulse)) {
        found = JAMS;
    }
    if (found == GOES_ON && (network->last_try || !still_bounces(network))) {
        found = last_look(network, impulse);
    }
    if (found == GOES_ON) {
        return 0;
    }
    network->jams = found == JAMS;
    finish_jam(network, impulse);
    return 1;
}
