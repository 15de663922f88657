/* Sweeps over Radau's nodes: P from a, then b, c and gamma from P, then a again. Each sweep gains
 * the square of the step over twice the number of sweeps; gamma, which may be stiff, is solved for
 * by itself.
 *
 * Speed: loops over the nodes are vectors; compiled for processors with AVX2 as well. */
#include "derivative/multiple_sweep.h"

#include <string.h>

#include "derivative/elimination.h"
#include "derivative/multiple_nodes.h"
#include "derivative/multiple_share.h"
#include "math/functions.h"
#include "math/wide.h"

/* Sweeps of a step; the change that counts as none, and that does where the next one is no smaller:
 * rounding. */
enum { SWEEPS_MOST = 60 };
static const double SWEPT = 1e-14, SWEPT_ROUNDING = 1e-12;

/* Pivots of the equations of a direction are above 0.001. */
static const double TURN_PIVOT = 1e-6;

static int any_pushes(const Adjoint *adjoint) {
    int any = 0;
    for (int i = 0; i < adjoint->network->given.count; i++) {
        any |= adjoint->links[i].pushes;
    }
    return any;
}

/* ---- held links ---- */

int crm_adjoint_hold(const Adjoint *adjoint, int node, double *matrix) {
    const Given *given = &adjoint->network->given;
    int n = given->count, count = 0, row = 0;
    for (int i = 0; i < n; i++) {
        count += adjoint->links[i].pushes;
    }
    for (int i = 0; i < n && count > 0; i++) {
        const Material *material = &given->materials[i];
        const Nodes *nodes = adjoint->nodes;
        if (!adjoint->links[i].pushes) {
            continue;
        }
        for (int j = 0, column = 0; j < n; j++) {
            if (!adjoint->links[j].pushes) {
                continue;
            }
            const double *W = row_of_W(given, normal_row(given, j));
            double sum = W[normal_row(given, i)];
            for (int k = 0; k < given->rows - 1 && adjoint->links[i].slips; k++) {
                double s = node < 0 ? nodes->now[i].s[k] : nodes->slip[i].s[k][node];
                sum -= material->mu * s * W[material->row + k];
            }
            matrix[row * count + column] = sum - share_entry(adjoint, row, column);
            column++;
        }
        row++;
    }
    return count == 0 || eliminate_rows(count, matrix, matrix + n * n, adjoint->column);
}

/* The same where lane r of row j is x[(j lanes + r) stride]. */
static void react_at(const Adjoint *adjoint, const double *matrix, int stride, double *x) {
    const Given *given = &adjoint->network->given;
    int n = given->count, lanes = adjoint->lanes;
    for (int r = 0; r < lanes; r++) {
        int count = 0;
        for (int i = 0; i < n; i++) {
            if (adjoint->links[i].pushes) {
                adjoint->column[count++] = -x[(normal_row(given, i) * lanes + r) * stride];
            }
        }
        solve_rows(count, matrix, matrix + n * n, adjoint->column);
        count = 0;
        for (int i = 0; i < n; i++) {
            if (adjoint->links[i].pushes) {
                x[(normal_row(given, i) * lanes + r) * stride] = adjoint->column[count++];
            }
        }
    }
}

void crm_adjoint_react(const Adjoint *adjoint, const double *matrix, double *x) {
    react_at(adjoint, matrix, 1, x);
}

/* ---- P at one moment ---- */

/* P += W a, for the rows of a that are free, or for those of held links that push. */
static void press_by(const Adjoint *adjoint, const double *a, int held, double *P) {
    const Given *given = &adjoint->network->given;
    int skipped = given->caller_rows - given->rows, lanes = adjoint->lanes;
    for (int i = 0, j = 0; i < given->count; i++) {
        int last = j + given->rows - 1, row = i * given->caller_rows + skipped;
        for (; j <= last; j++, row++) {
            if ((j == last && adjoint->links[i].pushes) != held) {
                continue;
            }
            const double *W = row_of_W(given, j), *from = &a[j * lanes];
            for (int k = given->column_first[row]; k < given->column_end[row]; k++) {
                for (int r = 0; r < lanes; r++) {
                    P[k * lanes + r] += W[k] * from[r];
                }
            }
        }
    }
}

/* P_n - mu s.P_t - theta gamma of link i now: what a change of N alone does, one lane. */
static double pressing_now(const Adjoint *adjoint, int i, double gamma, int lane) {
    const Given *given = &adjoint->network->given;
    const Material *material = &given->materials[i];
    const NodeSlip *slip = &adjoint->nodes->now[i];
    const double *P = adjoint->P;
    int lanes = adjoint->lanes;
    double sum = P[normal_row(given, i) * lanes + lane];
    if (adjoint->links[i].slips) {
        for (int k = 0; k < given->rows - 1; k++) {
            sum -= material->mu * slip->s[k] * P[(material->row + k) * lanes + lane];
        }
        sum -= slip->theta * gamma;
    }
    return sum;
}

/* Add W a to P, with the a_n of held links from it. */
static void press_now(Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    int lanes = adjoint->lanes;
    press_by(adjoint, adjoint->a, 0, adjoint->P);
    for (int i = 0; i < given->count; i++) {
        for (int r = 0; r < lanes && adjoint->links[i].pushes; r++) {
            adjoint->a[normal_row(given, i) * lanes + r] =
                pressing_now(adjoint, i, adjoint->gamma[i * lanes + r], r);
        }
    }
    if (any_pushes(adjoint)) {
        crm_adjoint_react(adjoint, adjoint->matrix, adjoint->a);
        press_by(adjoint, adjoint->a, 1, adjoint->P);
    }
}

int crm_adjoint_press(Adjoint *adjoint) {
    if (!crm_adjoint_hold(adjoint, -1, adjoint->matrix)) {
        return 0;
    }
    size_t count = (size_t)(adjoint->network->given.size * adjoint->lanes);
    memcpy(adjoint->P, adjoint->weight, count * sizeof(double));
    press_now(adjoint);
    return 1;
}

/* ---- P at all nodes ---- */

/* psi = P_n - mu s.P_t - theta gamma of link i at all nodes. P: of its first row. */
INLINE void psi_at_nodes(const Adjoint *adjoint, int i, int r, double psi[NODES]) {
    const Given *given = &adjoint->network->given;
    const Nodes *nodes = adjoint->nodes;
    const StepSlip *slip = &nodes->slip[i];
    int lanes = adjoint->lanes, n = normal_row(given, i);
    const double *P = &nodes->P[(n * lanes + r) * NODES];
    const double *gamma = &nodes->gamma[(i * lanes + r) * NODES];
    double sum[NODES], mu = given->materials[i].mu;
    for (int q = 0; q < NODES; q++) {
        sum[q] = P[q];
    }
    for (int k = 0; k < given->rows - 1 && adjoint->links[i].slips; k++) {
        const double *Pt = &nodes->P[((given->materials[i].row + k) * lanes + r) * NODES];
        for (int q = 0; q < NODES; q++) {
            sum[q] -= mu * slip->s[k][q] * Pt[q];
        }
    }
    for (int q = 0; q < NODES; q++) {
        psi[q] = adjoint->links[i].slips ? sum[q] - slip->theta[q] * gamma[q] : sum[q];
    }
}

/* to += by from, at all nodes. */
INLINE void add_at_nodes(double by, const double *from, double to[NODES]) {
    for (int q = 0; q < NODES; q += 4) {
        four_store(to + q, four_plus(four_load(to + q), four_scale(four_load(from + q), by)));
    }
}

/* W a of all rows with their weights, but for the a_n of held links, which are 0 here. */
INLINE void press_free(const Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    const Nodes *nodes = adjoint->nodes;
    int lanes = adjoint->lanes, skipped = given->caller_rows - given->rows;
    for (int k = 0; k < given->size; k++) {
        int row = k / given->rows * given->caller_rows + skipped + k % given->rows;
        int first = given->column_first[row], end = given->column_end[row];
        const double *W = row_of_W(given, k);
        for (int r = 0; r < lanes; r++) {
            double weight = adjoint->weight[k * lanes + r];
            double *P = &nodes->P[(k * lanes + r) * NODES];
            Four low = four_make(weight, weight, weight, weight), high = low;
            for (int j = first; j < end; j++) {
                const double *a = &nodes->a[(j * lanes + r) * NODES];
                low = four_plus(low, four_scale(four_load(a), W[j]));
                high = four_plus(high, four_scale(four_load(a + 4), W[j]));
            }
            four_store(P, low);
            four_store(P + 4, high);
        }
    }
}

/* The a_n of held links, and what they add to P. */
INLINE void press_held(const Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    const Nodes *nodes = adjoint->nodes;
    int lanes = adjoint->lanes;
    for (int i = 0; i < given->count; i++) {
        for (int r = 0; r < lanes && adjoint->links[i].pushes; r++) {
            psi_at_nodes(adjoint, i, r, &nodes->a[(normal_row(given, i) * lanes + r) * NODES]);
        }
    }
    for (int q = 0; q < NODES; q++) {
        react_at(adjoint, nodes->reaction[q], NODES, &nodes->a[q]);
    }
    for (int i = 0; i < given->count; i++) {
        int n = normal_row(given, i);
        const double *W = row_of_W(given, n);
        for (int k = 0; k < given->size && adjoint->links[i].pushes; k++) {
            for (int r = 0; r < lanes && W[k] != 0; r++) {
                add_at_nodes(W[k], &nodes->a[(n * lanes + r) * NODES],
                             &nodes->P[(k * lanes + r) * NODES]);
            }
        }
    }
}

INLINE void press_nodes(const Adjoint *adjoint, int held) {
    const Given *given = &adjoint->network->given;
    for (int i = 0; i < given->count && held; i++) {
        size_t count = (size_t)adjoint->lanes * NODES;
        if (adjoint->links[i].pushes) {
            memset(&adjoint->nodes->a[(size_t)normal_row(given, i) * count], 0,
                   count * sizeof(double));
        }
    }
    press_free(adjoint);
    if (held) {
        press_held(adjoint);
    }
}

/* ---- b, c and gamma from P, a from them ---- */

/* out = start + sum of columns (NODES numbers each) times factors, at all nodes. */
INLINE void combine_nodes(double start, const double *columns, const double factors[NODES],
                          double out[NODES]) {
    Four low = four_make(start, start, start, start), high = low;
    for (int p = 0; p < NODES; p++) {
        low = four_plus(low, four_scale(four_load(columns + p * NODES), factors[p]));
        high = four_plus(high, four_scale(four_load(columns + p * NODES + 4), factors[p]));
    }
    four_store(out, low);
    four_store(out + 4, high);
}

/* out = end + int rate. */
INLINE void integrate_nodes(double end, const double rate[NODES], double out[NODES]) {
    combine_nodes(end, EIGHT_INTEGRAL[0], rate, out);
}

/* The equations of gamma of a link, gamma_i + int_0^i (sigma/rho) gamma = end - int_0^i P.s_perp.
 * With gamma = u y, u = rho/(rho + sigma h), nothing is infinite where rho or sigma is 0. Radau's
 * matrix of integrals is definite up to positive scales of its rows, so that no pivots are needed.
 * 0: they are singular. */
INLINE int invert_turn(const Adjoint *adjoint, int i) {
    const Nodes *nodes = adjoint->nodes;
    StepSlip *slip = &nodes->slip[i];
    for (int q = 0; q < NODES; q++) {
        double sigma = slip->sigma[q] > 0 ? slip->sigma[q] * nodes->time[q] : 0;
        double all = slip->rho[q] + sigma, part = all > 0 ? sigma / all : 0;
        slip->scale[q] = all > 0 ? slip->rho[q] / all : 1;
        for (int p = 0; p < NODES; p++) {
            slip->inverse[q][p] = EIGHT_INTEGRAL[q][p] * part;
        }
        slip->inverse[q][q] += slip->scale[q];
    }
    for (int k = 0; k < NODES; k++) {
        double *row = slip->inverse[k], pivot = row[k];
        if (!(pivot > TURN_PIVOT)) {
            return 0;
        }
        row[k] = 1;
        for (int q = 0; q < NODES; q++) {
            row[q] *= 1 / pivot;
        }
        for (int p = 0; p < NODES; p++) {
            double *other = slip->inverse[p], by = other[k];
            if (p != k) {
                other[k] = 0;
                add_at_nodes(-by, row, other);
            }
        }
    }
    return 1;
}

/* gamma of link i and, from it, c. */
INLINE void sweep_turn(const Adjoint *adjoint, int i, int r) {
    const Nodes *nodes = adjoint->nodes;
    StepSlip *slip = &nodes->slip[i];
    int lanes = adjoint->lanes, row = adjoint->network->given.materials[i].row;
    const double *P0 = &nodes->P[(row * lanes + r) * NODES], *P1 = P0 + lanes * NODES;
    double *gamma = &nodes->gamma[(i * lanes + r) * NODES];
    double *c0 = &nodes->c[(2 * i * lanes + r) * NODES], *c1 = c0 + lanes * NODES;
    double pull[NODES], right[NODES], sum[NODES];
    for (int q = 0; q < NODES; q++) {
        pull[q] = -nodes->time[q] * (slip->s[0][q] * P1[q] - slip->s[1][q] * P0[q]);
    }
    integrate_nodes(adjoint->gamma[i * lanes + r], pull, right);
    combine_nodes(0, slip->inverse[0], right, sum);
    for (int q = 0; q < NODES; q++) {
        gamma[q] = slip->scale[q] * sum[q];
        c0[q] = -gamma[q] * slip->s[1][q];
        c1[q] = gamma[q] * slip->s[0][q];
    }
}

/* b, c and gamma of link i. */
INLINE void sweep_forces(const Adjoint *adjoint, int i, int r) {
    const Given *given = &adjoint->network->given;
    const Nodes *nodes = adjoint->nodes;
    const AdjointLink *link = &adjoint->links[i];
    int lanes = adjoint->lanes;
    double rate[NODES];
    if (link->turns) {
        sweep_turn(adjoint, i, r);
    }
    for (int k = 0; k < given->rows - 1 && link->sticks; k++) {
        const double *P = &nodes->P[((given->materials[i].row + k) * lanes + r) * NODES];
        int at = (2 * i + k) * lanes + r;
        for (int q = 0; q < NODES; q++) {
            rate[q] = -nodes->time[q] * P[q];
        }
        integrate_nodes(adjoint->c[at], rate, &nodes->c[at * NODES]);
    }
    if (is_sprung(link->phase)) {
        psi_at_nodes(adjoint, i, r, rate);
        for (int q = 0; q < NODES; q++) {
            rate[q] *= nodes->time[q];
        }
        integrate_nodes(adjoint->b[i * lanes + r], rate, &nodes->b[(i * lanes + r) * NODES]);
    }
}

/* Sums of the magnitudes of all changes and of all numbers, four by four. */
typedef struct SweepSizes {
    double change[4], size[4];
} SweepSizes;

/* A row of a from its rate. */
INLINE void sweep_speed(const Adjoint *adjoint, int at, const double rate[NODES],
                        SweepSizes *sizes) {
    double next[NODES], *a = &adjoint->nodes->a[at * NODES];
    Four change = four_load(sizes->change), size = four_load(sizes->size);
    integrate_nodes(adjoint->a[at], rate, next);
    for (int q = 0; q < NODES; q += 4) {
        Four now = four_load(next + q);
        change = four_plus(change, four_magnitude(four_minus(now, four_load(a + q))));
        size = four_plus(size, four_magnitude(now));
        four_store(a + q, now);
    }
    four_store(sizes->change, change);
    four_store(sizes->size, size);
}

/* a of link i. */
INLINE void sweep_speeds(const Adjoint *adjoint, int i, int r, SweepSizes *sizes) {
    const Given *given = &adjoint->network->given;
    const Nodes *nodes = adjoint->nodes;
    const AdjointLink *link = &adjoint->links[i];
    int lanes = adjoint->lanes;
    double rate[NODES], kt = given->materials[i].kt;
    for (int k = 0; k < given->rows - 1 && (link->sticks || link->turns); k++) {
        const double *c = &nodes->c[((2 * i + k) * lanes + r) * NODES];
        for (int q = 0; q < NODES; q++) {
            rate[q] = nodes->time[q] * kt * c[q];
        }
        sweep_speed(adjoint, (given->materials[i].row + k) * lanes + r, rate, sizes);
    }
    if (is_sprung(link->phase)) {
        const double *b = &nodes->b[(i * lanes + r) * NODES];
        for (int q = 0; q < NODES; q++) {
            rate[q] = -nodes->time[q] * link->k * b[q];
        }
        sweep_speed(adjoint, normal_row(given, i) * lanes + r, rate, sizes);
    }
}

/* One sweep; returns the sum of all changes, and that of all numbers. */
INLINE double sweep_once(const Adjoint *adjoint, int held, double *size) {
    SweepSizes sizes = {{0}, {0}};
    press_nodes(adjoint, held);
    for (int i = 0; i < adjoint->network->given.count; i++) {
        for (int r = 0; r < adjoint->lanes; r++) {
            sweep_forces(adjoint, i, r);
            sweep_speeds(adjoint, i, r, &sizes);
        }
    }
    *size = sizes.size[0] + sizes.size[1] + sizes.size[2] + sizes.size[3];
    return sizes.change[0] + sizes.change[1] + sizes.change[2] + sizes.change[3];
}

/* Numbers at the end of the step to all nodes. */
INLINE void spread(const double *from, int count, double *to) {
    for (int k = 0; k < count; k++) {
        for (int q = 0; q < NODES; q++) {
            to[k * NODES + q] = from[k];
        }
    }
}

INLINE int sweep_all_nodes(const Adjoint *adjoint, int held) {
    const Given *given = &adjoint->network->given;
    Nodes *nodes = adjoint->nodes;
    int rows = given->size * adjoint->lanes, links = given->count * adjoint->lanes;
    spread(adjoint->a, rows, nodes->a);
    spread(adjoint->b, links, nodes->b);
    spread(adjoint->c, 2 * links, nodes->c);
    spread(adjoint->gamma, links, nodes->gamma);
    for (int i = 0; i < given->count; i++) {
        if (adjoint->links[i].turns && !invert_turn(adjoint, i)) {
            return 0;
        }
    }
    double before = INFINITY;
    for (int sweep = 0; sweep < SWEEPS_MOST; sweep++) {
        double size, change = sweep_once(adjoint, held, &size);
        if (change <= SWEPT * size || (change >= before && change <= SWEPT_ROUNDING * size)) {
            return 1;
        }
        if (!isfinite(change)) {
            return 0;
        }
        before = change;
    }
    return 0;
}

WIDE int sweep_wide(const Adjoint *adjoint, int held) {
    return sweep_all_nodes(adjoint, held);
}

NARROW int sweep_narrow(const Adjoint *adjoint, int held) {
    return sweep_all_nodes(adjoint, held);
}

int crm_adjoint_sweep(Adjoint *adjoint) {
    int held = any_pushes(adjoint);
    for (int q = 0; q < NODES && held; q++) {
        if (!crm_adjoint_hold(adjoint, q, adjoint->nodes->reaction[q])) {
            adjoint->message =
                "held contacts share their load in many ways: there is no derivative";
            return 0;
        }
    }
    return (has_wide() ? sweep_wide : sweep_narrow)(adjoint, held);
}
