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

/* ---- gradients ---- */

void crm_adjoint_clear_W(Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    size_t count = (size_t)given->size * (size_t)given->stride * (size_t)adjoint->lanes;
    memset(adjoint->nodes->by_W, 0, count * sizeof(double));
}

/* Adds int a_k F_j dt of the step. */
INLINE void add_by_W(const Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    const Nodes *nodes = adjoint->nodes;
    int lanes = adjoint->lanes, m = given->size, stride = given->stride;
    for (int at = 0; at < m * lanes; at++) {
        double *to = &nodes->by_W[at * stride], weighed[NODES];
        const double *a = &nodes->a[at * NODES];
        for (int q = 0; q < NODES; q++) {
            weighed[q] = nodes->weight[q] * a[q];
        }
        for (int j = 0; j < m; j++) {
            const double *F = &nodes->F[j * NODES];
            double one = 0, other = 0; /* two sums do not wait for each other */
            for (int q = 0; q < NODES; q += 2) {
                one += weighed[q] * F[q];
                other += weighed[q + 1] * F[q + 1];
            }
            to[j] += one + other;
        }
    }
}

WIDE void add_W_wide(const Adjoint *adjoint) {
    add_by_W(adjoint);
}

NARROW void add_W_narrow(const Adjoint *adjoint) {
    add_by_W(adjoint);
}

void crm_adjoint_add_W(const Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    const double *by_W = adjoint->nodes->by_W;
    int lanes = adjoint->lanes, stride = given->stride;
    for (int j = 0; j < given->size; j++) {
        for (int k = j; k < given->size; k++) {
            int index = adjoint_index(given, j, k);
            for (int r = 0; r < lanes; r++) {
                double other = j == k ? 0 : by_W[(k * lanes + r) * stride + j];
                adjoint->out[r][index] += by_W[(j * lanes + r) * stride + k] + other;
            }
        }
    }
}

/* By the coefficients of link i, lane r. */
static void add_by_coefficients(const Adjoint *adjoint, int i, int r) {
    const Given *given = &adjoint->network->given;
    const Nodes *nodes = adjoint->nodes;
    const AdjointLink *link = &adjoint->links[i];
    const Material *material = &given->materials[i];
    const StepSlip *slip = &nodes->slip[i];
    int lanes = adjoint->lanes, n = normal_row(given, i), t = material->row, at = i * lanes + r;
    double by_k = 0, by_kt = 0, by_mu = 0;
    for (int q = 0; q < NODES && is_sprung(link->phase); q++) {
        by_k += nodes->weight[q] * nodes->b[at * NODES + q] * nodes->v[n * NODES + q];
    }
    for (int k = 0; k < given->rows - 1 && (link->sticks || link->turns); k++) {
        const double *c = &nodes->c[((2 * i + k) * lanes + r) * NODES];
        for (int q = 0; q < NODES; q++) {
            by_kt += nodes->weight[q] * c[q] * nodes->v[(t + k) * NODES + q];
        }
    }
    for (int k = 0; k < given->rows - 1 && link->slips; k++) {
        const double *P = &nodes->P[((t + k) * lanes + r) * NODES];
        for (int q = 0; q < NODES; q++) {
            by_mu += nodes->weight[q] * nodes->F[n * NODES + q] * slip->s[k][q] * P[q];
        }
    }
    for (int q = 0; q < NODES && link->turns; q++) {
        by_mu += nodes->weight[q] * material->kt / material->mu * slip->across[q] *
                 nodes->gamma[at * NODES + q];
    }
    adjoint->by_k[at] -= by_k;
    adjoint->by_kt[at] += by_kt;
    adjoint->by_mu[at] -= by_mu;
}

/* The last node is where the next step begins. */
static void take_last(const double *nodes, int count, double *to) {
    for (int k = 0; k < count; k++) {
        to[k] = nodes[k * NODES + NODES - 1];
    }
}

/* One step backwards. */
static void adjoint_step(Adjoint *adjoint, double right, double length) {
    const Given *given = &adjoint->network->given;
    Nodes *nodes = adjoint->nodes;
    int lanes = adjoint->lanes, links = given->count * lanes;
    crm_nodes_fill(adjoint, right, length);
    if (!crm_adjoint_sweep(adjoint)) {
        adjoint->message = adjoint->message ? adjoint->message : "the derivatives do not settle";
        return;
    }
    (has_wide() ? add_W_wide : add_W_narrow)(adjoint);
    for (int i = 0; i < given->count; i++) {
        for (int r = 0; r < lanes; r++) {
            add_by_coefficients(adjoint, i, r);
        }
    }
    for (int q = 0; q < NODES && adjoint->shares; q++) {
        crm_share_add(adjoint, nodes->a + q, nodes->F + q, NODES, nodes->weight[q]);
    }
    take_last(nodes->a, given->size * lanes, adjoint->a);
    take_last(nodes->b, links, adjoint->b);
    take_last(nodes->c, 2 * links, adjoint->c);
    take_last(nodes->gamma, links, adjoint->gamma);
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
        double limit = begins ? right * (1 - part_left(rate * right)) : right;
        length = limit < length ? limit : length;
        length = length > rest * (1 - 1e-12) ? rest : length;
        adjoint_step(adjoint, right, length);
        right = length == rest ? to : right - length;
    }
}
