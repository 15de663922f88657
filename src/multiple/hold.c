/* Links that are held: v_n = 0 by a force that pushes and does not pull.
 *
 * Holding a link eliminates its row from v' = W F: with the pivot exchanged, the row gives the
 * force that holds it, and the other rows the accelerations that are left. Which of the links that
 * could be held are is a complementarity problem, N >= 0, v_n' >= 0, N v_n' = 0, solved by
 * principal pivots (the least index first, which cannot cycle where W is definite). What is exactly
 * on the edge is decided by the next order of the series. */
#include <math.h>
#include <string.h>

#include "multiple/network.h"
#include "multiple/product.h"
#include "multiple/terms.h"

/* Smallest pivot relative to its diagonal; a link whose row depends on held ones need not be. */
static const double DEPENDENT = 1e-10;

/* Exchange force and acceleration of a link. */
static void pivot(Network *network, Link *link) {
    int m = network->size, p = normal_row(network, link);
    link->eliminated = !link->eliminated;
    network->used_held = 0;
    double *A = network->held, *row = &A[(size_t)p * (size_t)m], a = row[p];
    for (int j = 0; j < m; j++) {
        row[j] = j == p ? 1 / a : -row[j] / a;
    }
    for (int i = 0; i < m; i++) {
        double b = A[(size_t)i * (size_t)m + (size_t)p];
        if (i == p || b == 0) {
            continue;
        }
        for (int j = 0; j < m; j++) {
            A[(size_t)i * (size_t)m + (size_t)j] += j == p ? b / a - b : b * row[j];
        }
    }
}

static int can_be_held(const Network *network, int p) {
    size_t at = (size_t)p * (size_t)network->size + (size_t)p;
    return network->held[at] > DEPENDENT * network->W[at];
}

/* May this column have a force that is not known from the others? */
static int drives(const Network *network, int column) {
    const Link *link = &network->links[column / network->rows];
    if (column % network->rows == network->rows - 1) {
        return is_sprung(link) || (link->phase == TOUCHING && !link->rigid);
    }
    return link->rough && link->phase > OPEN;
}

static int is_needed(const Network *network, int row) {
    const Link *link = &network->links[row / network->rows];
    return row % network->rows == network->rows - 1 || (link->rough && link->phase > OPEN);
}

void crm_list_terms(Network *network) {
    int m = network->size;
    network->used_count = network->driver_count = 0;
    network->column_in[network->stride - 1] = 0;
    for (int i = 0; i < m; i++) {
        if (is_needed(network, i)) {
            network->used[network->used_count++] = i;
        }
        network->column_in[i] = 0;
        if (drives(network, i)) {
            network->drivers[network->driver_count++] = i;
        }
    }
}

void crm_use_right_matrix(Network *network) {
    if (network->used_held != network->any_held) {
        crm_use_matrix(network, network->any_held ? network->held : network->W);
        network->used_held = network->any_held;
    }
}

/* Eliminate the links that are held, unless it is just these that are. */
static void eliminate_held(Network *network) {
    size_t m = (size_t)network->size;
    int same = network->held_ready;
    for (const Link *link = network->links; link < network->links + network->count; link++) {
        same &= link->eliminated == (link->phase == HELD);
    }
    if (same) {
        return;
    }
    memcpy(network->held, network->W, m * m * sizeof *network->W);
    network->held_ready = 1;
    network->used_held = 0;
    for (Link *link = network->links; link < network->links + network->count; link++) {
        link->eliminated = 0;
        if (link->phase == HELD && can_be_held(network, normal_row(network, link))) {
            pivot(network, link);
        } else if (link->phase == HELD) {
            link->phase = TOUCHING;
        }
    }
}

void crm_hold_begin(Network *network) {
    network->any_held = 0;
    for (Link *link = network->links; link < network->links + network->count; link++) {
        network->any_held |= link->phase == HELD || (link->phase == TOUCHING && link->rigid);
        link->decided &= link->phase != HELD;
    }
    if (network->any_held) {
        eliminate_held(network);
    }
    crm_use_right_matrix(network);
    crm_list_terms(network);
}

static double held_term(const Network *network, int row, int order) {
    const double *A = held_row(network, row);
    double sum = 0;
    for (int j = 0; j < network->driver_count; j++) {
        sum += A[network->drivers[j]] * *force_term(network, network->drivers[j], order);
    }
    return sum;
}

static int is_candidate(const Link *link) {
    return !link->decided && link->rigid && (link->phase == HELD || link->phase == TOUCHING);
}

/* The first candidate that is on the wrong side, or NULL. */
static Link *find_wrong(Network *network, int order) {
    for (Link *link = network->links; link < network->links + network->count; link++) {
        int row = normal_row(network, link);
        if (!is_candidate(link)) {
            continue;
        }
        double term = held_term(network, row, order);
        if (term < 0 &&
            !crm_is_noise(network, row, force_term(network, 0, order),
                          link->phase == HELD ? term * normal_W(network, link) : term) &&
            (link->phase == HELD || can_be_held(network, row))) {
            return link;
        }
    }
    return NULL;
}

/* A candidate is on the right side, or on the edge. */
static void hold_settle(Network *network, Link *link, int order) {
    int row = normal_row(network, link), pulls = link->f[0] != 0 || link->f[1] != 0;
    double term = held_term(network, row, order);
    int held = term > 0 && !crm_is_noise(network, row, force_term(network, 0, order), term);
    if (held && link->phase == HELD) {
        link->decided = 1;
        if (!link->holding) {
            crm_begin_to_hold(network, link, order == 0 ? term : 0);
        }
        network->again |=
            order == 0 && link->rough && !network->sweeping && !crm_slide_fits(network, link, term);
    } else if (pulls && order == 0 && !network->sweeping) {
        /* nothing presses it: friction has nothing to go by */
        crm_go_bare(network, link);
        network->again = 1;
    } else if (held) {
        link->decided = 1;
        link->phase = OPEN;
    }
}

void crm_hold_decide(Network *network, int order) {
    int open = 0;
    for (const Link *link = network->links; link < network->links + network->count; link++) {
        open += is_candidate(link);
    }
    if (open == 0) {
        return;
    }
    Link *wrong;
    int changes = 0;
    while ((wrong = find_wrong(network, order)) && changes++ < 8 + 4 * network->count) {
        pivot(network, wrong);
        /* next time from scratch, so that rounding does not depend on the way here */
        network->held_ready = 0;
        wrong->phase = wrong->phase == HELD ? TOUCHING : HELD;
    }
    if (wrong) {
        network->message = "the held contacts cannot be told apart";
    }
    for (Link *link = network->links; link < network->links + network->count; link++) {
        if (is_candidate(link)) {
            hold_settle(network, link, order);
        }
    }
    crm_use_right_matrix(network);
    crm_list_terms(network);
}
