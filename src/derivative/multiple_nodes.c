/* Series of the piece in hand, evaluated. */
#include "derivative/multiple_nodes.h"

#include <string.h>

#include "math/wide.h"
#include "multiple/pace.h"
#include "multiple/terms.h"
#include "multiple/watch.h"

void crm_nodes_lay_out(Nodes *nodes, Block *block, int links, int rows) {
    size_t n = (size_t)links, m = (size_t)rows + (size_t)rows % 2, lanes = LANES_MOST;
    double **by_row[] = {&nodes->a, &nodes->P, &nodes->start};
    double **by_link[] = {&nodes->b, &nodes->gamma}, **now[] = {&nodes->F_now, &nodes->v_now};
    for (size_t i = 0; i < 3; i++) {
        *by_row[i] = block_take(block, m * lanes * NODES, sizeof(double));
    }
    for (size_t i = 0; i < 2; i++) {
        *by_link[i] = block_take(block, n * lanes * NODES, sizeof(double));
        *now[i] = block_take(block, m, sizeof(double));
    }
    nodes->c = block_take(block, 2 * n * lanes * NODES, sizeof(double));
    nodes->F = block_take(block, m * NODES, sizeof(double));
    nodes->v = block_take(block, m * NODES, sizeof(double));
    nodes->slip = block_take(block, n, sizeof *nodes->slip);
    nodes->now = block_take(block, n, sizeof *nodes->now);
    nodes->room = block_take(block, m * lanes, sizeof(double));
    nodes->press = block_take(block, m * lanes, sizeof(double));
    nodes->runs = block_take(block, n, sizeof *nodes->runs);
    nodes->push = block_take(block, (m + 3) * NODES, sizeof(double));
    nodes->by_W = block_take(block, m * (m + 3) * lanes, sizeof(double));
    for (int q = 0; q < NODES; q++) {
        nodes->reaction[q] = block_take(block, n * (n + 1), sizeof(double));
    }
}

/* Speeds of a piece without friction (multiple/plain.h): derivatives of order -1 come first. */
static void plain_speeds(const Given *given, const Piece *piece, double x, double *v) {
    for (int i = 0; i < given->size; i++) {
        double sum = 0;
        for (int g = ORDER; g >= 0; g--) {
            sum = sum * x + LANE(piece->power[g], 0) * piece->terms_v[(g + 1) * given->stride + i];
        }
        v[i] = sum;
    }
}

double crm_nodes_reaction_rate(const Adjoint *adjoint, int i, double x) {
    const Given *given = &adjoint->network->given;
    const Piece *piece = &adjoint->network->piece;
    double series[TERMS];
    terms_series(given, piece, piece->terms_f, normal_row(given, i), 1, series);
    return crm_series_slope(series, x) / (piece->step * crm_pace_at(piece, x));
}

/* ---- one moment ---- */

static void look_at_slip(const Adjoint *adjoint, int i, double x, const double *F, const double *v,
                         NodeSlip *slip) {
    const Given *given = &adjoint->network->given;
    const Material *material = &given->materials[i];
    const LinkPiece *own = &adjoint->network->piece.links[i];
    double slack = material->mu / material->kt, N = F[normal_row(given, i)], V[2], s[2];
    for (int k = 0; k < 2; k++) {
        double sum = LANE(own->s[ORDER], k);
        for (int g = ORDER - 1; g >= 0; g--) {
            sum = sum * x + LANE(own->s[g], k);
        }
        s[k] = sum;
        V[k] = k < given->rows - 1 ? v[material->row + k] : 0;
    }
    double rate = is_sprung(own->phase) ? -adjoint->links[i].k * v[normal_row(given, i)]
                                        : crm_nodes_reaction_rate(adjoint, i, x);
    N = N > 0 ? N : 0;
    *slip = (NodeSlip){.s = {s[0], s[1]},
                       .rho = slack * N,
                       .sigma = V[0] * s[0] + V[1] * s[1] - slack * rate,
                       .across = V[1] * s[0] - V[0] * s[1]};
    slip->theta = N > 0 ? material->kt * slip->across / N : 0;
}

void crm_nodes_look(const Adjoint *adjoint, double x, double *F, double *v, NodeSlip *slip) {
    const Given *given = &adjoint->network->given;
    const Piece *piece = &adjoint->network->piece;
    if (x == 0 && piece->kind != PLAIN) {
        memcpy(F, piece->terms_f, (size_t)given->size * sizeof *F);
        memcpy(v, piece->terms_v, (size_t)given->size * sizeof *v);
    } else {
        terms_at(given, piece, piece->terms_f, x, F);
        if (piece->kind == PLAIN) {
            plain_speeds(given, piece, x, v);
        } else {
            terms_at(given, piece, piece->terms_v, x, v);
        }
    }
    for (int i = 0; i < given->count && slip; i++) {
        if (adjoint->links[i].slips) {
            look_at_slip(adjoint, i, x, F, v, &slip[i]);
        }
    }
}

/* ---- all nodes of a step ---- */

/* out = sum of the terms, stride apart, times powers of x. */
INLINE void sum_at_nodes(const double *term, size_t stride, const double x[NODES],
                         double out[NODES]) {
    double sum[NODES];
    for (int q = 0; q < NODES; q++) {
        sum[q] = term[ORDER * stride];
    }
    for (size_t g = ORDER; g-- > 0;) {
        double next = term[g * stride];
        for (int q = 0; q < NODES; q++) {
            sum[q] = sum[q] * x[q] + next;
        }
    }
    for (int q = 0; q < NODES; q++) {
        out[q] = sum[q];
    }
}

/* Link i slips; rate: of N. */
INLINE void fill_slip(const Given *given, const LinkPiece *own, int i, const double x[NODES],
                      const double rate[NODES], Nodes *nodes) {
    const Material *material = &given->materials[i];
    StepSlip *slip = &nodes->slip[i];
    double slack = material->mu / material->kt, kt = material->kt, zero[NODES] = {0};
    const double *N = &nodes->F[normal_row(given, i) * NODES];
    const double *V = &nodes->v[material->row * NODES], *V2 = given->rows > 2 ? V + NODES : zero;
    for (int k = 0; k < 2; k++) {
        sum_at_nodes((const double *)own->s + k, 2, x, slip->s[k]);
    }
    for (int q = 0; q < NODES; q++) {
        double s0 = slip->s[0][q], s1 = slip->s[1][q], push = N[q] > 0 ? N[q] : 0;
        double across = V2[q] * s0 - V[q] * s1;
        slip->rho[q] = slack * push;
        slip->sigma[q] = V[q] * s0 + V2[q] * s1 - slack * rate[q];
        slip->across[q] = across;
        slip->drag[0][q] = material->mu * s0;
        slip->drag[1][q] = material->mu * s1;
        slip->theta[q] = push > 0 ? kt * across / push : 0;
    }
}

INLINE void fill_nodes(const Adjoint *adjoint, const double x[NODES]) {
    const Given *given = &adjoint->network->given;
    const Piece *piece = &adjoint->network->piece;
    Nodes *nodes = adjoint->nodes;
    size_t stride = (size_t)given->stride;
    double y[NODES];
    for (int q = 0; q < NODES; q++) {
        y[q] = piece->scale[1] * x[q];
    }
    for (int row = 0; row < given->size; row++) {
        sum_at_nodes(piece->terms_f + row, stride, y, &nodes->F[row * NODES]);
        sum_at_nodes(piece->terms_v + row, stride, y, &nodes->v[row * NODES]);
    }
    for (int i = 0; i < given->count; i++) {
        double rate[NODES];
        const double *vn = &nodes->v[normal_row(given, i) * NODES];
        if (!adjoint->links[i].slips) {
            continue;
        }
        for (int q = 0; q < NODES; q++) {
            rate[q] = is_sprung(piece->links[i].phase) ? -adjoint->links[i].k * vn[q]
                                                       : crm_nodes_reaction_rate(adjoint, i, x[q]);
        }
        fill_slip(given, &piece->links[i], i, x, rate, nodes);
    }
}

WIDE void fill_wide(const Adjoint *adjoint, const double x[NODES]) {
    fill_nodes(adjoint, x);
}

NARROW void fill_narrow(const Adjoint *adjoint, const double x[NODES]) {
    fill_nodes(adjoint, x);
}

/* The same without friction. */
static void fill_plain(const Adjoint *adjoint, const double x[NODES]) {
    Nodes *nodes = adjoint->nodes;
    for (int q = 0; q < NODES; q++) {
        crm_nodes_look(adjoint, x[q], nodes->F_now, nodes->v_now, NULL);
        for (int row = 0; row < adjoint->network->given.size; row++) {
            nodes->F[row * NODES + q] = nodes->F_now[row];
            nodes->v[row * NODES + q] = nodes->v_now[row];
        }
    }
}

void crm_nodes_fill(const Adjoint *adjoint, double right, double length, int cubic) {
    const Piece *piece = &adjoint->network->piece;
    Nodes *nodes = adjoint->nodes;
    double x[NODES];
    nodes->right = right;
    nodes->length = length;
    for (int q = 0; q < NODES; q++) {
        double root = 1 - EIGHT_NODE[q];
        x[q] = cubic ? right * root * root * root : right - length * EIGHT_NODE[q];
        x[q] = x[q] > 0 ? x[q] : 0;
        double pace = piece->kind == PLAIN ? 1 : crm_pace_at(piece, x[q]);
        nodes->time[q] = length * piece->step * pace * (cubic ? 3 * root * root : 1);
        nodes->weight[q] = eight_weight(q) * nodes->time[q];
    }
    if (piece->kind == PLAIN) {
        fill_plain(adjoint, x);
    } else {
        (has_wide() ? fill_wide : fill_narrow)(adjoint, x);
    }
}
