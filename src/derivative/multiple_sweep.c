/* Sweeps over Radau's nodes: P from a, then a from P, by integrals of integrals. Each sweep gains
 * the square of the step over twice the number of sweeps; gamma, which may be stiff, is solved for
 * by itself. b and c, which are integrals as well, follow from the last P.
 *
 * Speed: loops over the nodes are vectors; compiled for processors with AVX2 as well. Only rows of
 * links that act are swept. */
#include "derivative/multiple_sweep.h"

#include <string.h>

#include "derivative/elimination.h"
#include "derivative/multiple_nodes.h"
#include "derivative/multiple_share.h"
#include "math/functions.h"
#include "math/wide.h"

/* Sweeps of a step; the next change that counts as none, and the change that does where the next
 * one is no smaller: rounding. */
enum { SWEEPS_MOST = 60 };
static const double SWEPT = 1e-16, SWEPT_ROUNDING = 1e-11;

/* Changes that fall by this fall faster and faster. */
static const double FAST = 0.1;

/* Pivots of the equations of a direction are above 0.001. */
static const double TURN_PIVOT = 1e-6;

static const double ONES[NODES] = {1, 1, 1, 1, 1, 1, 1, 1};

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

/* to += by from, at all nodes. */
INLINE void add_at_nodes(double by, const double *from, double to[NODES]) {
    for (int q = 0; q < NODES; q += 4) {
        four_store(to + q, four_plus(four_load(to + q), four_scale(four_load(from + q), by)));
    }
}

/* P of the first row of a link that acts, lane r, at all nodes; other rows: lanes NODES further. */
INLINE double *press_of(const Adjoint *adjoint, int i, int r) {
    int row = adjoint->network->given.materials[i].row;
    return &adjoint->nodes->P[(row * adjoint->lanes + r) * NODES];
}

/* by psi of link i at all nodes, psi = P_n - mu s.P_t - theta gamma. */
INLINE void psi_at_nodes(const Adjoint *adjoint, int rows, int i, int r, double by,
                         double psi[NODES]) {
    const Nodes *nodes = adjoint->nodes;
    const StepSlip *slip = &nodes->slip[i];
    int lanes = adjoint->lanes, next = lanes * NODES, slips = adjoint->links[i].slips;
    const double *P = press_of(adjoint, i, r), *gamma = &nodes->gamma[(i * lanes + r) * NODES];
    for (int q = 0; q < NODES; q += 4) {
        Four sum = four_load(P + (rows - 1) * next + q);
        for (int k = 0; k < rows - 1 && slips; k++) {
            sum = four_minus(sum,
                             four_times(four_load(slip->drag[k] + q), four_load(P + k * next + q)));
        }
        if (slips) {
            sum = four_minus(sum, four_times(four_load(slip->theta + q), four_load(gamma + q)));
        }
        four_store(psi + q, four_scale(sum, by));
    }
}

static int link_acts(const AdjointLink *link) {
    return is_sprung(link->phase) || link->pushes;
}

/* The rows of a that change by a rate of their own, counted within link i: from *first to before
 * the end that is returned. */
static int varying_rows(const Adjoint *adjoint, int i, int *first) {
    const AdjointLink *link = &adjoint->links[i];
    int normal = adjoint->network->given.rows - 1;
    *first = link->sticks || link->turns ? 0 : normal;
    return is_sprung(link->phase) ? normal + 1 : normal;
}

/* The rows that vary, run by run, and what the others make of P: a of held links is not in it. */
static void begin_press(const Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    Nodes *nodes = adjoint->nodes;
    int lanes = adjoint->lanes, rows = given->rows, skipped = given->caller_rows - rows;
    size_t count = (size_t)(given->size * lanes);
    memcpy(nodes->press, adjoint->weight, count * sizeof *nodes->press);
    nodes->run_count = 0;
    for (int i = 0; i < given->count; i++) {
        int first, end = varying_rows(adjoint, i, &first);
        if (first < end) {
            nodes->runs[nodes->run_count++] = (RowRun){i * rows + first, i * rows + end};
        }
        for (int c = 0; c < rows; c++) {
            int row = i * given->caller_rows + skipped + c, j = i * rows + c;
            if ((c >= first && c < end) || (c == rows - 1 && adjoint->links[i].pushes)) {
                continue;
            }
            const double *W = row_of_W(given, j), *a = &adjoint->a[j * lanes];
            for (int k = given->column_first[row]; k < given->column_end[row]; k++) {
                for (int r = 0; r < lanes; r++) {
                    nodes->press[k * lanes + r] += W[k] * a[r];
                }
            }
        }
    }
}

/* Where rows of link i of W are not 0. */
static RowRun columns_of(const Given *given, int i) {
    int end = (i + 1) * given->caller_rows, row = end - given->rows;
    RowRun columns = {given->column_first[row], given->column_end[row]};
    while (++row < end) {
        int first = given->column_first[row], last = given->column_end[row];
        columns.first = first < columns.first ? first : columns.first;
        columns.end = last > columns.end ? last : columns.end;
    }
    return columns;
}

/* P of the links that act, but for the a_n of held links. */
INLINE void press_free(const Adjoint *adjoint, int rows) {
    const Given *given = &adjoint->network->given;
    const Nodes *nodes = adjoint->nodes;
    size_t lanes = (size_t)adjoint->lanes, stride = (size_t)given->stride, next = lanes * NODES;
    for (int i = 0; i < given->count; i++) {
        const RowRun *from = nodes->runs, *end = from + nodes->run_count;
        const double *W = row_of_W(given, i * rows);
        if (!link_acts(&adjoint->links[i])) {
            continue;
        }
        RowRun columns = columns_of(given, i);
        while (from < end && from->end <= columns.first) {
            from++;
        }
        while (end > from && end[-1].first >= columns.end) {
            end--;
        }
        for (size_t r = 0; r < lanes; r++) {
            const double *press = &nodes->press[(size_t)(i * rows) * lanes + r];
            const double *a = &nodes->a[r * NODES];
            double *P = &nodes->P[(size_t)(i * rows) * next + r * NODES];
            Four low[3], high[3];
            for (int k = 0; k < rows; k++) {
                Four start = four_scale(four_load(ONES), press[(size_t)k * lanes]);
                low[k] = start;
                high[k] = start;
            }
            for (const RowRun *run = from; run < end; run++) {
                size_t last = (size_t)run->end;
                for (size_t j = (size_t)run->first; j < last; j++) {
                    Four one = four_load(&a[j * next]), other = four_load(&a[j * next + 4]);
                    for (int k = 0; k < rows; k++) {
                        double by = W[(size_t)k * stride + j];
                        low[k] = four_plus(low[k], four_scale(one, by));
                        high[k] = four_plus(high[k], four_scale(other, by));
                    }
                }
            }
            for (int k = 0; k < rows; k++) {
                four_store(P + (size_t)k * next, low[k]);
                four_store(P + (size_t)k * next + 4, high[k]);
            }
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
            psi_at_nodes(adjoint, given->rows, i, r, 1,
                         &nodes->a[(normal_row(given, i) * lanes + r) * NODES]);
        }
    }
    for (int q = 0; q < NODES; q++) {
        react_at(adjoint, nodes->reaction[q], NODES, &nodes->a[q]);
    }
    for (int i = 0; i < given->count; i++) {
        int n = normal_row(given, i);
        const double *W = row_of_W(given, n);
        for (int k = 0; k < given->size && adjoint->links[i].pushes; k++) {
            int acts = link_acts(&adjoint->links[k / given->rows]);
            for (int r = 0; r < lanes && acts && W[k] != 0; r++) {
                add_at_nodes(W[k], &nodes->a[(n * lanes + r) * NODES],
                             &nodes->P[(k * lanes + r) * NODES]);
            }
        }
    }
}

/* ---- integrals ---- */

/* out = sum of columns (NODES numbers each) times factors, and by start, at all nodes. */
INLINE void combine_nodes(double by, const double *start, const double *columns,
                          const double factors[NODES], double out[NODES]) {
    Four low = four_scale(four_load(start), by), high = four_scale(four_load(start + 4), by);
    for (int p = 0; p < NODES; p++) {
        low = four_plus(low, four_scale(four_load(columns + p * NODES), factors[p]));
        high = four_plus(high, four_scale(four_load(columns + p * NODES + 4), factors[p]));
    }
    four_store(out, low);
    four_store(out + 4, high);
}

/* Integrals over time, once and twice. */
INLINE void begin_integrals(Nodes *nodes) {
    for (int p = 0; p < NODES; p++) {
        for (int q = 0; q < NODES; q++) {
            nodes->integral[p][q] = nodes->time[p] * EIGHT_INTEGRAL[p][q];
        }
    }
    for (int p = 0; p < NODES; p++) {
        combine_nodes(0, ONES, nodes->integral[0], nodes->integral[p], nodes->twice[p]);
    }
    combine_nodes(0, ONES, nodes->integral[0], ONES, nodes->elapsed);
}

/* The equations of gamma of a link, gamma_i + int_0^i (sigma/rho) gamma = end - int_0^i P.s_perp.
 * With gamma = u y, u = rho/(rho + sigma h), nothing is infinite where rho or sigma is 0. Radau's
 * matrix of integrals is definite up to positive scales of its rows, so that no pivots are needed.
 * 0: they are singular. */
INLINE int invert_turn(const Adjoint *adjoint, int i) {
    const Nodes *nodes = adjoint->nodes;
    StepSlip *slip = &nodes->slip[i];
    double kt = adjoint->network->given.materials[i].kt;
    double inverse[NODES][NODES], scale[NODES]; /* column by column */
    for (int q = 0; q < NODES; q++) {
        double sigma = slip->sigma[q] > 0 ? slip->sigma[q] * nodes->time[q] : 0;
        double all = slip->rho[q] + sigma, part = all > 0 ? sigma / all : 0;
        scale[q] = all > 0 ? slip->rho[q] / all : 1;
        for (int p = 0; p < NODES; p++) {
            inverse[q][p] = EIGHT_INTEGRAL[q][p] * part;
        }
        inverse[q][q] += scale[q];
    }
    for (int k = 0; k < NODES; k++) {
        double *row = inverse[k], pivot = row[k];
        if (!(pivot > TURN_PIVOT)) {
            return 0;
        }
        row[k] = 1;
        for (int q = 0; q < NODES; q++) {
            row[q] *= 1 / pivot;
        }
        for (int p = 0; p < NODES; p++) {
            double *other = inverse[p], by = other[k];
            if (p != k) {
                other[k] = 0;
                add_at_nodes(-by, row, other);
            }
        }
    }
    /* gamma by its end, and by the rates -P.s_perp */
    combine_nodes(0, ONES, inverse[0], ONES, slip->decay);
    for (int p = 0; p < NODES; p++) {
        combine_nodes(0, ONES, inverse[0], nodes->integral[p], slip->turn[p]);
        for (int q = 0; q < NODES; q++) {
            slip->turn[p][q] *= scale[q];
        }
    }
    for (int q = 0; q < NODES; q++) {
        slip->decay[q] *= scale[q];
        slip->lift[0][q] = -kt * slip->s[1][q];
        slip->lift[1][q] = kt * slip->s[0][q];
    }
    return 1;
}

/* ---- a from P ---- */

/* Sums of the magnitudes of all changes and of all numbers, four by four. */
typedef struct SweepSizes {
    double change[4], size[4];
} SweepSizes;

/* A row of a: its start plus an integral (columns) of factors. */
INLINE void sweep_row(const Adjoint *adjoint, int at, const double *columns,
                      const double factors[NODES], SweepSizes *sizes) {
    const Nodes *nodes = adjoint->nodes;
    const double *start = &nodes->start[at * NODES];
    double *a = &nodes->a[at * NODES];
    Four low = four_load(start), high = four_load(start + 4);
    for (int p = 0; p < NODES; p++) {
        low = four_plus(low, four_scale(four_load(columns + p * NODES), factors[p]));
        high = four_plus(high, four_scale(four_load(columns + p * NODES + 4), factors[p]));
    }
    Four change = four_plus(four_magnitude(four_minus(low, four_load(a))),
                            four_magnitude(four_minus(high, four_load(a + 4))));
    Four size = four_plus(four_magnitude(low), four_magnitude(high));
    four_store(sizes->change, four_plus(four_load(sizes->change), change));
    four_store(sizes->size, four_plus(four_load(sizes->size), size));
    four_store(a, low);
    four_store(a + 4, high);
}

/* Both rows of a of a link that turns, from gamma. */
INLINE void sweep_turned(const Adjoint *adjoint, int i, int r, SweepSizes *sizes) {
    const Nodes *nodes = adjoint->nodes;
    const StepSlip *slip = &nodes->slip[i];
    const double *gamma = &nodes->gamma[(i * adjoint->lanes + r) * NODES];
    int at = adjoint->network->given.materials[i].row * adjoint->lanes + r;
    double rate[NODES];
    for (int k = 0; k < 2; k++) {
        for (int q = 0; q < NODES; q += 4) {
            four_store(rate + q, four_times(four_load(gamma + q), four_load(slip->lift[k] + q)));
        }
        sweep_row(adjoint, at + k * adjoint->lanes, nodes->integral[0], rate, sizes);
    }
}

/* gamma of link i. */
INLINE void sweep_gamma(const Adjoint *adjoint, int i, int r) {
    const Nodes *nodes = adjoint->nodes;
    const StepSlip *slip = &nodes->slip[i];
    int lanes = adjoint->lanes;
    const double *P0 = press_of(adjoint, i, r), *P1 = P0 + lanes * NODES;
    double pull[NODES];
    for (int q = 0; q < NODES; q += 4) {
        Four one = four_times(four_load(slip->s[1] + q), four_load(P0 + q));
        Four other = four_times(four_load(slip->s[0] + q), four_load(P1 + q));
        four_store(pull + q, four_minus(one, other));
    }
    combine_nodes(adjoint->gamma[i * lanes + r], slip->decay, slip->turn[0], pull,
                  &nodes->gamma[(i * lanes + r) * NODES]);
}

/* gamma and a of link i. */
INLINE void sweep_link(const Adjoint *adjoint, int rows, int i, int r, SweepSizes *sizes) {
    const Nodes *nodes = adjoint->nodes;
    const AdjointLink *link = &adjoint->links[i];
    const Material *material = &adjoint->network->given.materials[i];
    int lanes = adjoint->lanes, at = material->row * lanes + r;
    double rate[NODES];
    if (link->turns) {
        sweep_gamma(adjoint, i, r);
        sweep_turned(adjoint, i, r, sizes);
    }
    for (int k = 0; k < rows - 1 && link->sticks; k++) {
        const double *P = &nodes->P[(at + k * lanes) * NODES];
        for (int q = 0; q < NODES; q += 4) {
            four_store(rate + q, four_scale(four_load(P + q), -material->kt));
        }
        sweep_row(adjoint, at + k * lanes, nodes->twice[0], rate, sizes);
    }
    if (is_sprung(link->phase)) {
        psi_at_nodes(adjoint, rows, i, r, -link->k, rate);
        sweep_row(adjoint, at + (rows - 1) * lanes, nodes->twice[0], rate, sizes);
    }
}

/* One sweep; returns the sum of all changes, and that of all numbers. */
INLINE double sweep_once(const Adjoint *adjoint, int rows, int held, double *size) {
    SweepSizes sizes = {{0}, {0}};
    press_free(adjoint, rows);
    if (held) {
        press_held(adjoint);
    }
    for (int i = 0; i < adjoint->network->given.count; i++) {
        for (int r = 0; r < adjoint->lanes; r++) {
            sweep_link(adjoint, rows, i, r, &sizes);
        }
    }
    *size = sizes.size[0] + sizes.size[1] + sizes.size[2] + sizes.size[3];
    return sizes.change[0] + sizes.change[1] + sizes.change[2] + sizes.change[3];
}

/* ---- before and after the sweeps ---- */

/* A row of a where its rate is constant. */
INLINE void start_row(const Adjoint *adjoint, int at, double rate) {
    const Nodes *nodes = adjoint->nodes;
    double end = adjoint->a[at];
    for (int q = 0; q < NODES; q += 4) {
        Four start = four_plus(four_make(end, end, end, end),
                               four_scale(four_load(nodes->elapsed + q), rate));
        four_store(&nodes->start[at * NODES + q], start);
        four_store(&nodes->a[at * NODES + q], start);
    }
}

/* a and gamma as they are without P. */
INLINE void start_link(const Adjoint *adjoint, int rows, int i, int r) {
    const Nodes *nodes = adjoint->nodes;
    const AdjointLink *link = &adjoint->links[i];
    const Material *material = &adjoint->network->given.materials[i];
    int lanes = adjoint->lanes, at = material->row * lanes + r, own = i * lanes + r;
    double gamma = adjoint->gamma[own];
    SweepSizes sizes = {{0}, {0}};
    for (int k = 0; k < rows - 1; k++) {
        double c = link->sticks ? adjoint->c[(2 * i + k) * lanes + r] : 0;
        start_row(adjoint, at + k * lanes, material->kt * c);
    }
    double b = is_sprung(link->phase) ? adjoint->b[own] : 0;
    start_row(adjoint, at + (rows - 1) * lanes, -link->k * b);
    for (int q = 0; q < NODES; q++) {
        nodes->gamma[own * NODES + q] = gamma * (link->turns ? nodes->slip[i].decay[q] : 1);
    }
    if (link->turns && gamma != 0) {
        sweep_turned(adjoint, i, r, &sizes);
    }
}

/* b and c of link i, which acts, from P and gamma. */
INLINE void finish_link(const Adjoint *adjoint, int rows, int i, int r) {
    const Nodes *nodes = adjoint->nodes;
    const AdjointLink *link = &adjoint->links[i];
    int lanes = adjoint->lanes, own = i * lanes + r;
    const double *P = press_of(adjoint, i, r), *gamma = &nodes->gamma[own * NODES];
    double rate[NODES];
    for (int k = 0; k < rows - 1; k++) {
        int at = (2 * i + k) * lanes + r;
        double *c = &nodes->c[at * NODES], sign = k == 0 ? -1 : 1;
        if (link->sticks) {
            for (int q = 0; q < NODES; q += 4) {
                four_store(rate + q, four_scale(four_load(P + k * lanes * NODES + q), -1));
            }
            combine_nodes(adjoint->c[at], ONES, nodes->integral[0], rate, c);
        }
        for (int q = 0; q < NODES && link->turns; q++) {
            c[q] = sign * gamma[q] * nodes->slip[i].s[1 - k][q];
        }
    }
    if (is_sprung(link->phase)) {
        psi_at_nodes(adjoint, rows, i, r, 1, rate);
        combine_nodes(adjoint->b[own], ONES, nodes->integral[0], rate, &nodes->b[own * NODES]);
    }
}

/* Sweeps until nothing changes. 0: that does not happen. Where errors are magnified, small numbers
 * beside large ones have to settle, too: until changes do not fall any more. */
INLINE int sweep_until_settled(const Adjoint *adjoint, int rows, int held) {
    double before = INFINITY;
    int rises = 0, settled = 0;
    for (int sweep = 0; sweep < SWEEPS_MOST; sweep++) {
        double size, change = sweep_once(adjoint, rows, held, &size);
        /* where changes fall fast the next one is smaller by more than this one was */
        double next = change < FAST * before && sweep > 0 ? change * (change / before) : change;
        rises += change >= before && change <= SWEPT_ROUNDING * size;
        settled |= next <= SWEPT * size || rises > 0;
        if (adjoint->magnifies ? change == 0 || rises > 1 : settled) {
            return 1;
        }
        if (!isfinite(change)) {
            return 0;
        }
        before = change;
    }
    return settled;
}

INLINE int sweep_all_nodes(const Adjoint *adjoint, int rows, int held) {
    int count = adjoint->network->given.count, lanes = adjoint->lanes;
    begin_integrals(adjoint->nodes);
    for (int i = 0; i < count; i++) {
        if (adjoint->links[i].turns && !invert_turn(adjoint, i)) {
            return 0;
        }
    }
    for (int i = 0; i < count; i++) {
        for (int r = 0; r < lanes; r++) {
            start_link(adjoint, rows, i, r);
        }
    }
    if (!sweep_until_settled(adjoint, rows, held)) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        for (int r = 0; r < lanes && link_acts(&adjoint->links[i]); r++) {
            finish_link(adjoint, rows, i, r);
        }
    }
    return 1;
}

INLINE int sweep_by_rows(const Adjoint *adjoint, int held) {
    int rows = adjoint->network->given.rows;
    return rows == 3   ? sweep_all_nodes(adjoint, 3, held)
           : rows == 2 ? sweep_all_nodes(adjoint, 2, held)
                       : sweep_all_nodes(adjoint, 1, held);
}

WIDE int sweep_wide(const Adjoint *adjoint, int held) {
    return sweep_by_rows(adjoint, held);
}

NARROW int sweep_narrow(const Adjoint *adjoint, int held) {
    return sweep_by_rows(adjoint, held);
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
    begin_press(adjoint);
    return (has_wide() ? sweep_wide : sweep_narrow)(adjoint, held);
}
