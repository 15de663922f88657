/* With forces phi = F/sqrt(k) and speeds u = sqrt(k) v of the rows of links that stay closed and
 * stick, phi' = -u. The part of phi in the null space of B = K^1/2 W K^1/2 does not change then: u
 * is in the range of B, whatever forces others exert on the bodies. It is the load, which moves
 * nothing. The rest of phi is vibration, |phi|^2/2 of it energy. It takes no more than there is: in
 * itself, in the motion of the links that may act, in their springs. The forces cannot leave a ball
 * about the load whose radius follows, so if all of these are inside the cones, no link of the core
 * ever slips or opens; the energy only falls.
 *
 * The reactions of held links of the core are eliminated from B; other springs change them,
 * too. */
#include "multiple/jam_core.h"

#include <string.h>

#include "multiple/held.h"
#include "multiple/jam_parts.h"

/* Ends of compression, which take energy, and held links that share their loads change forces by
 * more than the ball: they are allowed this factor. */
static const double CORE_SPREAD = 2;

/* Links whose margins differ by no more leave the core together. */
static const double CORE_TIE = 1e-6;

/* Less of phi, relative to all of it, is rounding and no load. */
static const double NO_LOAD = 1e-12;

typedef struct JamCore {
    const int *in, *acts;
    int rows, list[JAM_ROWS];
    double stiffness[JAM_ROWS], load[JAM_ROWS];
    JamSpan span;
    double energy; /* all but that of the load */
} JamCore;

/* Is row one of a spring that acts? */
static int has_spring(const Network *network, int row, double *stiffness) {
    const Given *given = &network->given;
    int i = row / given->rows, along = row < normal_row(given, i);
    const Link *link = &network->state.links[i];
    *stiffness = along ? given->materials[i].kt : link->k;
    return along ? given->materials[i].rough && is_active(link->phase) : is_sprung(link->phase);
}

/* Will it perhaps be one? */
static int may_have_spring(const Network *network, int row) {
    const Given *given = &network->given;
    int i = row / given->rows;
    return row < normal_row(given, i) ? given->materials[i].rough : !network->state.links[i].rigid;
}

static double force_in(const Network *network, int row) {
    const Given *given = &network->given;
    int i = row / given->rows;
    const Link *link = &network->state.links[i];
    return row == normal_row(given, i) ? link->N : -link->f[row - given->materials[i].row];
}

/* B, its range, the load, and the energy of the rest. */
static void find_load(const Network *network, double motion, JamCore *core) {
    const Given *given = &network->given;
    const Held *held = network->held;
    double B[JAM_ROWS * JAM_ROWS], N[JAM_ROWS], part[JAM_ROWS], stiffness;
    core->rows = 0;
    core->energy = motion;
    for (int row = 0; row < given->size; row++) {
        int i = row / given->rows;
        double F = force_in(network, row);
        if (!core->acts[i] || !has_spring(network, row, &stiffness)) {
            continue;
        }
        if (core->in[i]) {
            core->load[core->rows] = F / sqrt(stiffness);
            core->stiffness[core->rows] = stiffness;
            core->list[core->rows++] = row;
        } else {
            core->energy += F * F / (2 * stiffness);
        }
    }
    int r = core->rows;
    B[0] = 0;
    for (int j = 0; j < r; j++) {
        crm_jam_reactions(network, core->list[j], N);
        for (int i = 0; i < r; i++) {
            const double *W = row_of_W(given, core->list[i]);
            double sum = W[core->list[j]];
            for (int p = 0; p < held->count; p++) {
                sum += W[normal_row(given, held->list[p])] * N[p];
            }
            B[i * r + j] = sqrt(core->stiffness[i] * core->stiffness[j]) * sum;
        }
    }
    crm_jam_span_find(r, B, &core->span);
    double vibration = crm_jam_span_part(&core->span, core->load, part), all = 0;
    core->energy += vibration * vibration / 2;
    for (int i = 0; i < r; i++) {
        all += fabs(core->load[i]);
        for (int c = 0; c < core->span.rank; c++) {
            core->load[i] -= core->span.Q[c * r + i] * part[c];
        }
    }
    for (int i = 0; i < r; i++) {
        core->load[i] = fabs(core->load[i]) > NO_LOAD * all ? core->load[i] : 0;
    }
}

/* A force by the load, and how far it may swing: it is the sum of function times phi. Other springs
 * change it by the square root of this energy effect. */
static double force_range(const JamCore *core, const double *function, double others,
                          double *swing) {
    double sum = 0, part[JAM_ROWS], mine = crm_jam_span_part(&core->span, function, part);
    for (int i = 0; i < core->rows; i++) {
        sum += function[i] * core->load[i];
    }
    *swing = CORE_SPREAD * sqrt(2 * core->energy * (mine * mine + others));
    return sum;
}

/* N of link i as a function of phi; the square of what others do to it. */
static double core_push(const Network *network, const JamCore *core, int i, double *function) {
    const Given *given = &network->given;
    const Held *held = network->held;
    double N[JAM_ROWS], others = 0, stiffness;
    int mine = 0, at = 0, is_held = network->state.links[i].phase == HELD;
    while (is_held && held->list[mine] != i) {
        mine++;
    }
    for (int row = 0; row < given->size; row++) {
        int j = row / given->rows, acts = has_spring(network, row, &stiffness);
        if (core->in[j] ? !acts : !(core->acts[j] && may_have_spring(network, row))) {
            continue;
        }
        crm_jam_reactions(network, row, N);
        double effect = is_held ? N[mine] : row == normal_row(given, i);
        if (core->in[j]) {
            function[at++] = sqrt(stiffness) * effect;
        } else {
            others += is_held ? stiffness * effect * effect : 0;
        }
    }
    return others;
}

/* How far the cone of link i is from what it may come to: less than 1, it may slip or open. */
static double margin_of(const Network *network, const JamCore *core, int i) {
    const Given *given = &network->given;
    const Material *material = &given->materials[i];
    double function[JAM_ROWS], swing, all, square = 0, along = 0;
    double others = core_push(network, core, i, function);
    double N = force_range(core, function, others, &all);
    for (int k = 0; k < given->rows - 1 && material->rough; k++) {
        for (int r = 0; r < core->rows; r++) {
            function[r] = core->list[r] == material->row + k ? sqrt(core->stiffness[r]) : 0;
        }
        double f = force_range(core, function, 0, &swing);
        square += f * f;
        along += swing * swing;
    }
    all += material->rough ? sqrt(along) / material->mu : 0;
    N -= material->rough ? sqrt(square) / material->mu : 0;
    return N > 0 ? (all > 0 ? N / all : INFINITY) : 0;
}

/* May link i be in the core? */
static int may_stay(const Network *network, int i) {
    const Link *link = &network->state.links[i];
    int springs =
        is_sprung(link->phase) && (network->given.materials[i].e == 1 || !network->given.mono);
    return (springs || link->phase == HELD) && link->N > 0 && !is_slipping(link->friction);
}

/* The load of the links with in[i], and the energy of the rest. */
static void look_at(const Network *network, double motion, JamCore *core) {
    for (int i = 0; i < network->given.count; i++) {
        network->held->pushes[i] = core->in[i] && network->state.links[i].phase == HELD;
    }
    crm_jam_factor(network);
    find_load(network, motion, core);
}

int crm_jam_loaded(const Network *network, const int *acts, const int *stuck) {
    JamCore now = {.in = stuck, .acts = acts};
    look_at(network, 0, &now);
    now.energy = 0;
    for (int i = 0; i < network->given.count; i++) {
        if (stuck[i] && !(margin_of(network, &now, i) > 0)) {
            return 0;
        }
    }
    return 1;
}

double crm_jam_core(const Network *network, const int *acts, double motion, int *core) {
    const Given *given = &network->given;
    JamCore now = {.in = core, .acts = acts};
    double margin[JAM_ROWS];
    int left = 0;
    for (int i = 0; i < given->count; i++) {
        core[i] = acts[i] && may_stay(network, i);
        left += core[i];
    }
    while (left > 1) {
        double least = INFINITY;
        look_at(network, motion, &now);
        for (int i = 0; i < given->count; i++) {
            margin[i] = core[i] ? margin_of(network, &now, i) : INFINITY;
            least = fmin(least, margin[i]);
        }
        if (least >= 1) {
            return now.energy;
        }
        for (int i = 0; i < given->count; i++) {
            if (core[i] && margin[i] <= least * (1 + CORE_TIE)) {
                core[i] = 0;
                left--;
            }
        }
    }
    memset(core, 0, (size_t)given->count * sizeof *core);
    return -1;
}
