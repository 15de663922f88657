/* Steps of a piece by sweeps over Radau's nodes (multiple_sweep.h); gradients from the nodes. */
#include "derivative/multiple_step.h"

#include <string.h>

#include "derivative/multiple_nodes.h"
#include "derivative/multiple_share.h"
#include "derivative/multiple_sweep.h"
#include "derivative/packed.h"
#include "math/functions.h"
#include "math/wide.h"
#include "multiple/pace.h"

/* Longest step, in units of the fastest oscillation: the nodes' error is below rounding. */
static const double STEP_PHASE = 2;

/* Where N of a link that slips begins with 0 its adjoint contains a power of the time since then,
 * in whose place the nodes put a polynomial. The part of the gradients that this may spoil: the
 * impulse goes like the square of the time. */
static const double BEGIN_ERROR = 1e-11;

/* Over this phase and part of the series such a step goes to the start of the piece, with nodes of
 * the cubic root x of the time. t^p dt is x^(3p + 2) dx: its integral misses 7e-7 at most, of what
 * is the phase squared, and what is smooth in time is a series of x^3 that falls fast. The
 * gradients of 1890 problems differ by 2.5e-11 at most. */
static const double CUBIC_PHASE = 0.02, CUBIC_PART = 0.3;

/* ---- gradients ---- */

void crm_adjoint_clear_W(Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    int count = given->size * row_places(given->size) * adjoint->lanes;
    memset(adjoint->nodes->by_W, 0, (size_t)count * sizeof(double));
}

/* Forces times the weights of integrals, node by node. */
INLINE void weigh_push(const Adjoint *adjoint) {
    const Nodes *nodes = adjoint->nodes;
    int m = adjoint->network->given.size, places = row_places(m);
    for (int q = 0; q < NODES; q++) {
        double *push = &nodes->push[q * places];
        for (int j = 0; j < places; j++) {
            push[j] = j < m ? nodes->weight[q] * nodes->F[j * NODES + q] : 0;
        }
    }
}

/* Adds int a_k F_j dt of the step. */
INLINE void add_by_W(const Adjoint *adjoint, int places) {
    const Nodes *nodes = adjoint->nodes;
    const double *push = nodes->push;
    int count = adjoint->network->given.size * adjoint->lanes;
    for (int at = 0; at < count; at++) {
        double *to = &nodes->by_W[at * places];
        const double *a = &nodes->a[at * NODES];
        for (int j = 0; j < places; j += 4) {
            Four sum = four_load(to + j);
            for (int q = 0; q < NODES; q++) {
                sum = four_plus(sum, four_scale(four_load(&push[q * places + j]), a[q]));
            }
            four_store(to + j, sum);
        }
    }
}

/* int one other dt of the step, where other has its weights already. */
INLINE double sum_over_nodes(const double *one, const double *other) {
    double sum[4];
    Four low = four_times(four_load(one), four_load(other));
    four_store(sum, four_plus(low, four_times(four_load(one + 4), four_load(other + 4))));
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* By the coefficients of link i, which acts. */
INLINE void add_by_coefficients(const Adjoint *adjoint, int i) {
    const Given *given = &adjoint->network->given;
    const Nodes *nodes = adjoint->nodes;
    const AdjointLink *link = &adjoint->links[i];
    const Material *material = &given->materials[i];
    const StepSlip *slip = &nodes->slip[i];
    int lanes = adjoint->lanes, n = normal_row(given, i), t = material->row;
    double speed[3][NODES], drag[2][NODES], turn[NODES];
    for (int q = 0; q < NODES; q++) {
        double weight = nodes->weight[q], push = weight * nodes->F[n * NODES + q];
        for (int k = 0; k < given->rows; k++) {
            speed[k][q] = weight * nodes->v[(t + k) * NODES + q];
        }
        for (int k = 0; k < given->rows - 1 && link->slips; k++) {
            drag[k][q] = push * slip->s[k][q];
        }
        turn[q] = link->turns ? weight * material->kt / material->mu * slip->across[q] : 0;
    }
    for (int r = 0; r < lanes; r++) {
        int at = i * lanes + r;
        if (is_sprung(link->phase)) {
            adjoint->by_k[at] -= sum_over_nodes(&nodes->b[at * NODES], speed[given->rows - 1]);
        }
        for (int k = 0; k < given->rows - 1; k++) {
            if (link->sticks || link->turns) {
                adjoint->by_kt[at] +=
                    sum_over_nodes(&nodes->c[((2 * i + k) * lanes + r) * NODES], speed[k]);
            }
            if (link->slips) {
                adjoint->by_mu[at] -=
                    sum_over_nodes(&nodes->P[((t + k) * lanes + r) * NODES], drag[k]);
            }
        }
        if (link->turns) {
            adjoint->by_mu[at] -= sum_over_nodes(&nodes->gamma[at * NODES], turn);
        }
    }
}

/* The gradients of the step. */
INLINE void add_gradients(const Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    int places = row_places(given->size);
    weigh_push(adjoint);
    if (places == 8) {
        add_by_W(adjoint, 8);
    } else {
        add_by_W(adjoint, places);
    }
    for (int i = 0; i < given->count; i++) {
        if (is_sprung(adjoint->links[i].phase) || adjoint->links[i].pushes) {
            add_by_coefficients(adjoint, i);
        }
    }
}

WIDE void add_wide(const Adjoint *adjoint) {
    add_gradients(adjoint);
}

NARROW void add_narrow(const Adjoint *adjoint) {
    add_gradients(adjoint);
}

void crm_adjoint_add_W(const Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    const double *by_W = adjoint->nodes->by_W;
    int lanes = adjoint->lanes, places = row_places(given->size);
    for (int j = 0; j < given->size; j++) {
        for (int k = j; k < given->size; k++) {
            int index = adjoint_index(given, j, k);
            for (int r = 0; r < lanes; r++) {
                double other = j == k ? 0 : by_W[(k * lanes + r) * places + j];
                adjoint->out[r][index] += by_W[(j * lanes + r) * places + k] + other;
            }
        }
    }
}

/* The last node is where the next step begins. */
static void take_last(const double *nodes, int count, double *to) {
    for (int k = 0; k < count; k++) {
        to[k] = nodes[k * NODES + NODES - 1];
    }
}

/* One step backwards. */
static void adjoint_step(Adjoint *adjoint, double right, double length, int cubic) {
    const Given *given = &adjoint->network->given;
    Nodes *nodes = adjoint->nodes;
    int lanes = adjoint->lanes;
    crm_nodes_fill(adjoint, right, length, cubic);
    if (!crm_adjoint_sweep(adjoint)) {
        adjoint->message = adjoint->message ? adjoint->message : "the derivatives do not settle";
        return;
    }
    (has_wide() ? add_wide : add_narrow)(adjoint);
    take_last(nodes->a, given->size * lanes, adjoint->a);
    for (int i = 0; i < given->count; i++) {
        const AdjointLink *link = &adjoint->links[i];
        int at = i * lanes;
        if (is_sprung(link->phase)) {
            take_last(&nodes->b[at * NODES], lanes, &adjoint->b[at]);
        }
        if (link->sticks || link->turns) {
            take_last(&nodes->c[2 * at * NODES], 2 * lanes, &adjoint->c[2 * at]);
        }
        if (link->turns) {
            take_last(&nodes->gamma[at * NODES], lanes, &adjoint->gamma[at]);
        }
    }
    for (int q = 0; q < NODES && adjoint->shares; q++) {
        crm_share_add(adjoint, nodes->a + q, nodes->F + q, NODES, nodes->weight[q]);
    }
}

/* ---- the length of steps ---- */

/* A bound of the square of the fastest rate: Gershgorin's, of K^1/2 W K^1/2. */
static double fastest_rate(const Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    int m = given->size;
    double most = 0, *root = adjoint->column;
    for (int j = 0; j < m; j++) {
        int i = j / given->rows, normal = j % given->rows == given->rows - 1;
        const AdjointLink *link = &adjoint->links[i];
        int acts = normal ? is_sprung(link->phase) : link->sticks || link->slips;
        root[j] = acts ? sqrt(normal ? link->k : given->materials[i].kt) : 0;
    }
    for (int j = 0; j < m; j++) {
        double sum = 0;
        const double *W = row_of_W(given, j);
        for (int k = 0; k < m && root[j] > 0; k++) {
            sum += fabs(W[k]) * root[k];
        }
        most = fmax(most, sum * root[j]);
    }
    return sqrt(most);
}

/* Does N of a link that turns begin with 0 in this piece? */
static int begins_with_nothing(const Adjoint *adjoint) {
    int begins = 0;
    for (int i = 0; i < adjoint->network->given.count; i++) {
        begins |= adjoint->links[i].turns && adjoint->network->piece.links[i].N[0] <= 0;
    }
    return begins;
}

/* The part of the way to the start of the piece that the step to there may leave, this phase away
 * from it: a power is smooth over an interval with this ratio r of its ends up to
 * ((1 - r^1/2)/(1 + r^1/2))^15. */
static double part_left(double phase) {
    double y = sqrt(sqrt(sqrt(sqrt(BEGIN_ERROR / (phase * phase)))));
    double root = y < 1 ? (1 - y) / (1 + y) : 0;
    return root * root;
}

void crm_adjoint_piece(Adjoint *adjoint, double from, double to) {
    const Piece *piece = &adjoint->network->piece;
    double right = from, rate = fastest_rate(adjoint) * piece->step;
    int begins = begins_with_nothing(adjoint);
    if (!isfinite(rate)) {
        return;
    }
    while (right > to && !adjoint->message) {
        /* equal steps where only the oscillation limits them */
        double rest = right - to, length = rate > 0 ? rest / ceil(rest * rate / STEP_PHASE) : rest;
        int cubic = begins && to == 0 && rate * right <= CUBIC_PHASE && right <= CUBIC_PART;
        double limit = begins && !cubic ? right * (1 - part_left(rate * right)) : right;
        length = limit < length ? limit : length;
        length = length > rest * (1 - 1e-12) ? rest : length;
        adjoint_step(adjoint, right, length, cubic);
        right = length == rest ? to : right - length;
    }
}
