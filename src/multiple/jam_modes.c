/* The vibration in modes: with forces phi = F/sqrt(k), k the stiffness of each row, and speeds
 * u = sqrt(k) v,
 *
 *   phi' = -u,   u' = B phi,   B = K^1/2 W K^1/2 (the reactions of held links eliminated).
 *
 * Modes of eigenvalue 0 keep their force; another one of eigenvalue w^2 has the amplitude
 * (phi^2 + u^2/w^2)^1/2 for ever. A linear function of the forces stays below its value for the
 * constant part plus the sum of its amplitudes in all modes; it comes as close as one likes to it
 * unless frequencies are commensurable. So the links stay closed, and stick, if all N and all
 * mu N - |f| stay positive by this. Wherever it is stopped, the velocity is the same:
 * v_- - W_A W_AA^+ v_A-. */
#include "multiple/jam_modes.h"

#include <string.h>

#include "math/eigen.h"
#include "multiple/held.h"
#include "multiple/jam_parts.h"

/* Directions of the tangential force that are looked at; their distance costs 1 - cos. */
enum { JAM_DIRECTIONS = 64 };

/* How much larger amplitudes may become by sharing, and a speed that is rounding. */
static const double JAM_BOUNCES = 2, JAM_REST = 1e-10;

/* An eigenvalue is 0 below this, relative to the largest. */
static const double JAM_ZERO = 1e-11;

/* Eigenvalues that differ by less, relative to themselves, are equal. */
static const double JAM_EQUAL = 1e-9;

typedef struct Jam {
    int rows, list[JAM_ROWS]; /* rows of springs, in all rows */
    double stiffness[JAM_ROWS];
    double B[JAM_ROWS * JAM_ROWS], mode[JAM_ROWS * JAM_ROWS];
    double value[JAM_ROWS];
    double constant[JAM_ROWS];             /* phi of the modes that do not move */
    double phi[JAM_ROWS], speed[JAM_ROWS]; /* per mode that moves: phi and u, else 0 */
    int same[JAM_ROWS];                    /* the first mode of this eigenvalue */
    double spread;                         /* what amplitudes may become, relative to now */
    double slip;                           /* the part of its cone by which a force may leave it */
} Jam;

/* Only links that act and stick, and open ones: these may close again. */
static int may_jam(const Network *network) {
    const Given *given = &network->given;
    int acting = 0;
    for (int i = 0; i < given->count; i++) {
        const Link *link = &network->state.links[i];
        int held = link->phase == HELD;
        int springs = is_sprung(link->phase) && (given->materials[i].e == 1 || !given->mono);
        if (!(held || springs || link->phase == OPEN) || is_slipping(link->friction)) {
            return 0;
        }
        acting += held || springs;
    }
    return acting > 1;
}

static void jam_list(const Network *network, Jam *jam) {
    const Given *given = &network->given;
    jam->rows = 0;
    for (int i = 0; i < given->count; i++) {
        const Material *material = &given->materials[i];
        const Link *link = &network->state.links[i];
        int n = normal_row(given, i), sprung = is_sprung(link->phase);
        for (int row = material->row; row <= n && link->phase != OPEN && link->N > 0; row++) {
            if (row < n ? material->rough : sprung) {
                jam->stiffness[jam->rows] = row < n ? material->kt : link->k;
                jam->list[jam->rows++] = row;
            }
        }
    }
}

/* B, its modes, and the motion in each. */
static void jam_modes(const Network *network, Jam *jam) {
    const Given *given = &network->given;
    const Held *held = network->held;
    int r = jam->rows;
    double N[JAM_ROWS], largest = 0;
    for (int j = 0; j < r; j++) {
        crm_jam_reactions(network, jam->list[j], N);
        for (int i = 0; i < r; i++) {
            const double *W = row_of_W(given, jam->list[i]);
            double sum = W[jam->list[j]];
            for (int p = 0; p < held->count; p++) {
                sum += W[normal_row(given, held->list[p])] * N[p];
            }
            jam->B[i * r + j] = sqrt(jam->stiffness[i] * jam->stiffness[j]) * sum;
        }
    }
    crm_eigen_symmetric(r, jam->B, jam->mode, jam->value);
    for (int m = 0; m < r; m++) {
        largest = fmax(largest, jam->value[m]);
    }
    memset(jam->constant, 0, sizeof jam->constant);
    for (int m = 0; m < r; m++) {
        double phi = 0, u = 0;
        for (int i = 0; i < r; i++) {
            int row = jam->list[i], link = row / given->rows, n = normal_row(given, link);
            const Link *own = &network->state.links[link];
            double F = row == n ? own->N : -own->f[row - given->materials[link].row];
            phi += jam->mode[i * r + m] * F / sqrt(jam->stiffness[i]);
            u += jam->mode[i * r + m] * network->state.v[row] * sqrt(jam->stiffness[i]);
        }
        int moves = jam->value[m] > JAM_ZERO * largest;
        jam->speed[m] = moves ? u : 0;
        jam->phi[m] = moves ? phi : 0;
        jam->same[m] = m;
        for (int k = m - 1; k >= 0; k--) {
            int equal = fabs(jam->value[k] - jam->value[m]) <= JAM_EQUAL * jam->value[m];
            jam->same[m] = equal ? jam->same[k] : jam->same[m];
        }
        for (int i = 0; i < r && !moves; i++) {
            jam->constant[i] += phi * jam->mode[i * r + m];
        }
    }
}

/* A linear function of phi, without the vibration. */
static double jam_constant(const Jam *jam, const double *function) {
    double sum = 0;
    for (int i = 0; i < jam->rows; i++) {
        sum += function[i] * jam->constant[i];
    }
    return sum;
}

/* The amplitude of a linear function of phi, or of its integral. Modes of equal frequency keep
 * their phases. */
static double jam_swing(const Jam *jam, const double *function, int integral) {
    int r = jam->rows;
    double sum = 0, part[JAM_ROWS][2] = {{0}};
    for (int m = 0; m < r; m++) {
        double share = 0, frequency = sqrt(fmax(jam->value[m], 0));
        for (int i = 0; i < r && (jam->phi[m] != 0 || jam->speed[m] != 0); i++) {
            share += function[i] * jam->mode[i * r + m];
        }
        if (share != 0) {
            share /= integral ? frequency : 1;
            part[jam->same[m]][0] += share * jam->phi[m];
            part[jam->same[m]][1] += share * jam->speed[m] / frequency;
        }
    }
    for (int m = 0; m < r; m++) {
        sum += sqrt(part[m][0] * part[m][0] + part[m][1] * part[m][1]);
    }
    return sum;
}

/* The largest value that it may come to. */
static double jam_highest(const Jam *jam, const double *function) {
    return jam->spread * jam_swing(jam, function, 0) + jam_constant(jam, function);
}

/* -N of a link as a function of phi, times factor. */
static void pull_function(const Network *network, const Jam *jam, int link, double factor,
                          double *function) {
    const Held *held = network->held;
    double N[JAM_ROWS];
    for (int i = 0; i < jam->rows; i++) {
        double root = sqrt(jam->stiffness[i]),
               own = jam->list[i] == normal_row(&network->given, link);
        if (network->state.links[link].phase == HELD) {
            crm_jam_reactions(network, jam->list[i], N);
            for (int p = 0; p < held->count; p++) {
                own = held->list[p] == link ? N[p] : own;
            }
        }
        function[i] = -factor * root * own;
    }
}

/* Does a held link without a load stay so? */
static int stays_idle(const Network *network, const Jam *jam, int link) {
    Held *held = network->held;
    double function[JAM_ROWS], N[JAM_ROWS];
    crm_held_place(&network->given, held, link);
    for (int i = 0; i < jam->rows; i++) {
        crm_jam_reactions(network, jam->list[i], N);
        function[i] = sqrt(jam->stiffness[i]) * crm_held_wish_of(&network->given, held, link, N);
    }
    return held->depends[link] && jam_highest(jam, function) < 0;
}

/* Does a link stay closed, and stick but for a little? */
static int stays_stuck(const Network *network, const Jam *jam, int link) {
    const Given *given = &network->given;
    const Material *material = &given->materials[link];
    double function[JAM_ROWS], cone[JAM_ROWS], pi = 4 * atan(1);
    pull_function(network, jam, link, 1, function);
    if (!(jam_highest(jam, function) < 0)) {
        return 0;
    }
    /* |f| is at most its largest component in one of the directions, over the cosine of half the
     * angle between two of them */
    double share = material->mu * cos(pi / JAM_DIRECTIONS);
    double margin = -jam->slip * share * jam_constant(jam, function);
    pull_function(network, jam, link, share, cone);
    for (int k = 0; k < JAM_DIRECTIONS && material->rough; k++) {
        double angle = 2 * pi * k / JAM_DIRECTIONS, s[2] = {cos(angle), sin(angle)};
        for (int i = 0; i < jam->rows; i++) {
            int along = jam->list[i] - material->row;
            int mine = along >= 0 && along < given->rows - 1;
            function[i] = cone[i] + (mine ? s[along] * sqrt(jam->stiffness[i]) : 0);
        }
        if (!(jam_highest(jam, function) < margin && jam_constant(jam, function) < 0)) {
            return 0;
        }
    }
    return 1;
}

/* Is an open link certain to stay so? Its speed is at least that at rest less its amplitude. */
static int stays_open(const Network *network, const Jam *jam, int link, const double *impulse) {
    const Given *given = &network->given;
    const Held *held = network->held;
    int n = normal_row(given, link);
    const double *W = row_of_W(given, n);
    double function[JAM_ROWS], N[JAM_ROWS];
    for (int i = 0; i < jam->rows; i++) {
        double sum = W[jam->list[i]];
        crm_jam_reactions(network, jam->list[i], N);
        for (int p = 0; p < held->count; p++) {
            sum += W[normal_row(given, held->list[p])] * N[p];
        }
        function[i] = sqrt(jam->stiffness[i]) * sum;
    }
    return crm_jam_speed(network, n, impulse) > jam_swing(jam, function, 1);
}

/* Does link i rest where the others do? */
static int jam_rests(const Network *network, int i, const double *impulse) {
    int n = normal_row(&network->given, i), row = network->given.materials[i].row, at_rest = 1;
    for (; row <= n; row++) {
        at_rest &= fabs(crm_jam_speed(network, row, impulse)) <= JAM_REST;
    }
    return at_rest;
}

/* Links that bounce, or become stiffer, take from the vibration, but share it out anew. 0: an open
 * link may close and move on, or rounding hides whether the others come to rest. */
static int allow_for_bounces(const Network *network, Jam *jam, const double *impulse) {
    int bounces = 0;
    for (int i = 0; i < network->given.count; i++) {
        const Link *link = &network->state.links[i];
        int open = link->phase == OPEN, stays = open && stays_open(network, jam, i, impulse);
        if (!stays && !jam_rests(network, i, impulse)) {
            return 0;
        }
        bounces |=
            (open && !stays) || (is_sprung(link->phase) && network->given.materials[i].e < 1);
    }
    jam->spread = bounces ? JAM_BOUNCES : 1;
    return 1;
}

static int stays_jammed(const Network *network, Jam *jam, const double *impulse) {
    int stays = allow_for_bounces(network, jam, impulse);
    for (int i = 0; i < network->given.count && stays; i++) {
        const Link *link = &network->state.links[i];
        stays = link->phase == OPEN                   ? 1
                : link->phase == HELD && link->N == 0 ? stays_idle(network, jam, i)
                                                      : stays_stuck(network, jam, i);
    }
    return stays;
}

int crm_jam_modes(const Network *network, const double *impulse, double slip) {
    Jam jam;
    if (!may_jam(network)) {
        return 0;
    }
    jam_list(network, &jam);
    jam.slip = slip;
    for (int i = 0; i < network->given.count; i++) {
        const Link *link = &network->state.links[i];
        network->held->pushes[i] = link->phase == HELD && link->N > 0;
    }
    crm_jam_factor(network);
    jam_modes(network, &jam);
    return stays_jammed(network, &jam, impulse);
}
