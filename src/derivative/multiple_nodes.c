/* Series of the piece in hand, evaluated. */
#include "derivative/multiple_nodes.h"

#include "multiple/pace.h"
#include "multiple/terms.h"
#include "multiple/watch.h"

void crm_nodes_lay_out(Nodes *nodes, Block *block, int links, int rows) {
    size_t n = (size_t)links, m = (size_t)rows + (size_t)rows % 2, lanes = LANES_MOST;
    double *turn = block_take(block, n * TURN_SIZE, sizeof *turn);
    if (block->start) {
        nodes->turn = turn;
    }
    for (int i = 0; i < STAGES; i++) {
        double *F = block_take(block, m, sizeof *F), *v = block_take(block, m, sizeof *v);
        NodeSlip *slip = block_take(block, n, sizeof *slip);
        double *a = block_take(block, m * lanes, sizeof *a);
        double *P = block_take(block, m * lanes, sizeof *P);
        double *b = block_take(block, n * lanes, sizeof *b);
        double *c = block_take(block, 2 * n * lanes, sizeof *c);
        double *gamma = block_take(block, n * lanes, sizeof *gamma);
        double *reaction = block_take(block, n * (n + 1), sizeof *reaction);
        if (block->start) {
            nodes->F[i] = F;
            nodes->v[i] = v;
            nodes->slip[i] = slip;
            nodes->a[i] = a;
            nodes->P[i] = P;
            nodes->b[i] = b;
            nodes->c[i] = c;
            nodes->gamma[i] = gamma;
            nodes->reaction[i] = reaction;
        }
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
    terms_at(given, piece, piece->terms_f, x, F);
    if (piece->kind == PLAIN) {
        plain_speeds(given, piece, x, v);
    } else {
        terms_at(given, piece, piece->terms_v, x, v);
    }
    for (int i = 0; i < given->count && slip; i++) {
        if (adjoint->links[i].slips) {
            look_at_slip(adjoint, i, x, F, v, &slip[i]);
        }
    }
}

void crm_nodes_fill(const Adjoint *adjoint, double right, double length) {
    const Piece *piece = &adjoint->network->piece;
    Nodes *nodes = adjoint->nodes;
    nodes->right = right;
    nodes->length = length;
    for (int i = 0; i < STAGES; i++) {
        double x = i == STAGES - 1 ? right - length : right - length * NODE[i];
        x = x > 0 ? x : 0;
        double pace = piece->kind == PLAIN ? 1 : crm_pace_at(piece, x);
        nodes->time[i] = length * piece->step * pace;
        crm_nodes_look(adjoint, x, nodes->F[i], nodes->v[i], nodes->slip[i]);
    }
}
