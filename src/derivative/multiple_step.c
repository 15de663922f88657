/* Sweeps over Radau's nodes: P from a, then b, c and gamma from P, then a again. Each sweep gains
 * the square of the step over twice the number of sweeps; gamma, which may be stiff, is solved for
 * by itself. */
#include "derivative/multiple_step.h"

#include <string.h>

#include "derivative/elimination.h"
#include "derivative/multiple_nodes.h"
#include "derivative/packed.h"
#include "math/functions.h"
#include "multiple/pace.h"

/* Longest step, in units of the fastest oscillation: the nodes' error is below rounding. */
static const double STEP_PHASE = 2;

/* Steps of at most this many relaxation times of a direction... */
static const double STEP_RELAX = 3;

/* ...until as many have passed: what an event has disturbed is then 1e-10 of itself. */
static const double RELAXED_AGE = 24;

/* Where N is 0 at an end of the piece steps grow from there, beginning with this part of it: the
 * impulse goes like its square. */
static const double FIRST_PART = 1e-6;

/* Sweeps of a step; the change that counts as none, and that does where the next one is no smaller:
 * rounding. */
enum { SWEEPS_MOST = 60 };
static const double SWEPT = 1e-14, SWEPT_ROUNDING = 1e-12;

/* ---- held links ---- */

int crm_adjoint_hold(const Adjoint *adjoint, const double *s, int stride, double *matrix) {
    const Given *given = &adjoint->network->given;
    int n = given->count, count = 0, row = 0;
    for (int i = 0; i < n; i++) {
        count += adjoint->links[i].pushes;
    }
    for (int i = 0; i < n; i++) {
        const Material *material = &given->materials[i];
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
                sum -= material->mu * s[i * stride + k] * W[material->row + k];
            }
            matrix[row * count + column++] = sum;
        }
        row++;
    }
    return count == 0 || eliminate_rows(count, matrix, matrix + n * n, adjoint->column);
}

void crm_adjoint_react(const Adjoint *adjoint, const double *matrix, double *x) {
    const Given *given = &adjoint->network->given;
    int n = given->count, lanes = adjoint->lanes, count = 0;
    for (int r = 0; r < lanes; r++) {
        count = 0;
        for (int i = 0; i < n; i++) {
            if (adjoint->links[i].pushes) {
                adjoint->column[count++] = -x[normal_row(given, i) * lanes + r];
            }
        }
        solve_rows(count, matrix, matrix + n * n, adjoint->column);
        count = 0;
        for (int i = 0; i < n; i++) {
            if (adjoint->links[i].pushes) {
                x[normal_row(given, i) * lanes + r] = adjoint->column[count++];
            }
        }
    }
}

/* ---- P ---- */

/* Loops over lanes are written for a number that the compiler knows: one, and all that there are.
 */
#define FOR_LANES(call, ...)                                                                       \
    (adjoint->lanes == 1            ? call(1, __VA_ARGS__)                                         \
     : adjoint->lanes == LANES_MOST ? call(LANES_MOST, __VA_ARGS__)                                \
                                    : call(adjoint->lanes, __VA_ARGS__))

/* P += W a, for the rows of a that are free, or for those of held links. */
static inline void press_lanes(int lanes, const Adjoint *adjoint, const double *a, int held,
                               double *P) {
    const Given *given = &adjoint->network->given;
    int skipped = given->caller_rows - given->rows, stride = given->stride;
    for (int i = 0, j = 0; i < given->count; i++) {
        int last = j + given->rows - 1, row = i * given->caller_rows + skipped;
        for (; j <= last; j++, row++) {
            if ((j == last && adjoint->links[i].pushes) != held) {
                continue;
            }
            const double *W = &given->W[(size_t)j * (size_t)stride], *from = &a[j * lanes];
            for (int k = given->column_first[row]; k < given->column_end[row]; k++) {
                for (int r = 0; r < lanes; r++) {
                    P[k * lanes + r] += W[k] * from[r];
                }
            }
        }
    }
}

static void press_by(const Adjoint *adjoint, const double *a, int held, double *P) {
    FOR_LANES(press_lanes, adjoint, a, held, P);
}

/* psi = P_n - mu s.P_t - theta gamma: what a change of N alone does, one lane. */
static double pressing(const Adjoint *adjoint, int i, const double *P, const NodeSlip *slip,
                       double gamma, int r) {
    const Given *given = &adjoint->network->given;
    const Material *material = &given->materials[i];
    int lanes = adjoint->lanes;
    double sum = P[normal_row(given, i) * lanes + r];
    if (adjoint->links[i].slips) {
        for (int k = 0; k < given->rows - 1; k++) {
            sum -= material->mu * slip->s[k] * P[(material->row + k) * lanes + r];
        }
        sum -= slip->theta * gamma;
    }
    return sum;
}

static void take_weights(const Adjoint *adjoint, double *P) {
    size_t count = (size_t)(adjoint->network->given.size * adjoint->lanes);
    memcpy(P, adjoint->weight, count * sizeof *P);
}

/* P of all rows, which has the weights, from a; a_n of held links. */
static void press(const Adjoint *adjoint, double *a, const NodeSlip *slip, const double *gamma,
                  const double *matrix, double *P) {
    const Given *given = &adjoint->network->given;
    int lanes = adjoint->lanes, any = 0;
    press_by(adjoint, a, 0, P);
    for (int i = 0; i < given->count; i++) {
        for (int r = 0; r < lanes && adjoint->links[i].pushes; r++) {
            a[normal_row(given, i) * lanes + r] =
                pressing(adjoint, i, P, &slip[i], gamma[i * lanes + r], r);
        }
        any |= adjoint->links[i].pushes;
    }
    if (any) {
        crm_adjoint_react(adjoint, matrix, a);
        press_by(adjoint, a, 1, P);
    }
}

int crm_adjoint_press(Adjoint *adjoint) {
    NodeSlip *slip = adjoint->nodes->slip[0];
    if (!crm_adjoint_hold(adjoint, slip->s, sizeof *slip / sizeof(double), adjoint->matrix)) {
        return 0;
    }
    take_weights(adjoint, adjoint->P);
    press(adjoint, adjoint->a, slip, adjoint->gamma, adjoint->matrix, adjoint->P);
    return 1;
}

/* ---- integrals over the step ---- */

typedef double Lanes[LANES_MOST];

/* value_i = end + int_0^i rate, lane by lane; returns the largest change, in *size the largest
 * value. */
static inline double integrate_lanes(int lanes, const double *end, Lanes rate[STAGES],
                                     double *const to[STAGES], int at, double *size) {
    double change = 0, most = *size;
    for (int i = 0; i < STAGES; i++) {
        double sum[LANES_MOST], *value = &to[i][at * lanes];
        for (int r = 0; r < lanes; r++) {
            sum[r] = end[r];
        }
        for (int j = 0; j < STAGES; j++) {
            for (int r = 0; r < lanes; r++) {
                sum[r] += INTEGRAL[i][j] * rate[j][r];
            }
        }
        for (int r = 0; r < lanes; r++) {
            double off = fabs(sum[r] - value[r]), now = fabs(sum[r]);
            change = !(off <= change) ? off : change; /* NaN as well */
            most = now > most ? now : most;
            value[r] = sum[r];
        }
    }
    *size = most;
    return change;
}

static double integrate(const Adjoint *adjoint, const double *end, Lanes rate[STAGES],
                        double *const to[STAGES], int at, double *size) {
    return FOR_LANES(integrate_lanes, end, rate, to, at, size);
}

/* The equations of gamma of a link, gamma_i + int_0^i (sigma/rho) gamma = end - int_0^i P.s_perp.
 * With gamma = u y, u = rho/(rho + sigma h), nothing is infinite where rho or sigma is 0. 0: they
 * are singular. */
static int eliminate_turn(const Adjoint *adjoint, int i) {
    const Nodes *nodes = adjoint->nodes;
    double *A = nodes->turn + i * TURN_SIZE, *pivots = A + STAGES * STAGES, *u = pivots + STAGES;
    double sizes[STAGES];
    for (int q = 0; q < STAGES; q++) {
        const NodeSlip *slip = &nodes->slip[q][i];
        double sigma = fmax(slip->sigma, 0) * nodes->time[q], all = slip->rho + sigma;
        u[q] = all > 0 ? slip->rho / all : 1;
        for (int p = 0; p < STAGES; p++) {
            A[p * STAGES + q] = (p == q ? u[q] : 0) + (all > 0 ? INTEGRAL[p][q] * sigma / all : 0);
        }
    }
    return eliminate_rows(STAGES, A, pivots, sizes);
}

static void solve_turn(const Adjoint *adjoint, int i) {
    const Nodes *nodes = adjoint->nodes;
    int lanes = adjoint->lanes, row = adjoint->network->given.materials[i].row;
    const double *A = nodes->turn + i * TURN_SIZE, *pivots = A + STAGES * STAGES,
                 *u = pivots + STAGES;
    for (int r = 0; r < lanes; r++) {
        double pull[STAGES], x[STAGES];
        for (int q = 0; q < STAGES; q++) {
            const double *P = &nodes->P[q][row * lanes + r], *s = nodes->slip[q][i].s;
            pull[q] = nodes->time[q] * (s[0] * P[lanes] - s[1] * P[0]);
        }
        for (int p = 0; p < STAGES; p++) {
            x[p] = adjoint->gamma[i * lanes + r];
            for (int q = 0; q < STAGES; q++) {
                x[p] -= INTEGRAL[p][q] * pull[q];
            }
        }
        solve_rows(STAGES, A, pivots, x);
        for (int q = 0; q < STAGES; q++) {
            double gamma = u[q] * x[q], *c = &nodes->c[q][2 * i * lanes + r];
            nodes->gamma[q][i * lanes + r] = gamma;
            c[0] = -gamma * nodes->slip[q][i].s[1];
            c[lanes] = gamma * nodes->slip[q][i].s[0];
        }
    }
}

/* b, c and gamma of link i. */
static void sweep_forces(const Adjoint *adjoint, int i) {
    const Given *given = &adjoint->network->given;
    const Nodes *nodes = adjoint->nodes;
    const AdjointLink *link = &adjoint->links[i];
    int lanes = adjoint->lanes;
    Lanes rate[STAGES];
    double size = 0;
    if (link->turns) {
        solve_turn(adjoint, i);
    }
    for (int k = 0; k < given->rows - 1 && link->sticks; k++) {
        for (int q = 0; q < STAGES; q++) {
            const double *P = &nodes->P[q][(given->materials[i].row + k) * lanes];
            for (int r = 0; r < lanes; r++) {
                rate[q][r] = -nodes->time[q] * P[r];
            }
        }
        integrate(adjoint, &adjoint->c[(2 * i + k) * lanes], rate, nodes->c, 2 * i + k, &size);
    }
    if (is_sprung(link->phase)) {
        for (int q = 0; q < STAGES; q++) {
            for (int r = 0; r < lanes; r++) {
                rate[q][r] = nodes->time[q] * pressing(adjoint, i, nodes->P[q], &nodes->slip[q][i],
                                                       nodes->gamma[q][i * lanes + r], r);
            }
        }
        integrate(adjoint, &adjoint->b[i * lanes], rate, nodes->b, i, &size);
    }
}

/* a of link i; returns the largest change. */
static double sweep_speeds(const Adjoint *adjoint, int i, double *size) {
    const Given *given = &adjoint->network->given;
    const Nodes *nodes = adjoint->nodes;
    const AdjointLink *link = &adjoint->links[i];
    int lanes = adjoint->lanes, n = normal_row(given, i), t = given->materials[i].row;
    double kt = given->materials[i].kt, change = 0;
    Lanes rate[STAGES];
    for (int k = 0; k < given->rows - 1 && (link->sticks || link->turns); k++) {
        for (int q = 0; q < STAGES; q++) {
            for (int r = 0; r < lanes; r++) {
                rate[q][r] = nodes->time[q] * kt * nodes->c[q][(2 * i + k) * lanes + r];
            }
        }
        change = fmax(
            change, integrate(adjoint, &adjoint->a[(t + k) * lanes], rate, nodes->a, t + k, size));
    }
    if (is_sprung(link->phase)) {
        for (int q = 0; q < STAGES; q++) {
            for (int r = 0; r < lanes; r++) {
                rate[q][r] = -nodes->time[q] * link->k * nodes->b[q][i * lanes + r];
            }
        }
        change = fmax(change, integrate(adjoint, &adjoint->a[n * lanes], rate, nodes->a, n, size));
    }
    return change;
}

/* The adjoint at all nodes. 0: it does not settle. */
static int sweep_nodes(Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    Nodes *nodes = adjoint->nodes;
    int lanes = adjoint->lanes;
    for (int q = 0; q < STAGES; q++) {
        memcpy(nodes->a[q], adjoint->a, (size_t)(given->size * lanes) * sizeof(double));
        memcpy(nodes->b[q], adjoint->b, (size_t)(given->count * lanes) * sizeof(double));
        memcpy(nodes->c[q], adjoint->c, (size_t)(2 * given->count * lanes) * sizeof(double));
        memcpy(nodes->gamma[q], adjoint->gamma, (size_t)(given->count * lanes) * sizeof(double));
        NodeSlip *slip = nodes->slip[q];
        if (!crm_adjoint_hold(adjoint, slip->s, sizeof *slip / sizeof(double),
                              nodes->reaction[q])) {
            adjoint->message =
                "held contacts share their load in many ways: there is no derivative";
            return 0;
        }
    }
    for (int i = 0; i < given->count; i++) {
        if (adjoint->links[i].turns && !eliminate_turn(adjoint, i)) {
            return 0;
        }
    }
    double before = INFINITY;
    for (int sweep = 0; sweep < SWEEPS_MOST; sweep++) {
        double size = 0, change = 0;
        for (int q = 0; q < STAGES; q++) {
            take_weights(adjoint, nodes->P[q]);
            press(adjoint, nodes->a[q], nodes->slip[q], nodes->gamma[q], nodes->reaction[q],
                  nodes->P[q]);
        }
        for (int i = 0; i < given->count; i++) {
            sweep_forces(adjoint, i);
        }
        for (int i = 0; i < given->count; i++) {
            change = fmax(change, sweep_speeds(adjoint, i, &size));
        }
        if (change <= SWEPT * size || (change >= before && change <= SWEPT_ROUNDING * size)) {
            return 1;
        }
        before = change;
    }
    adjoint->message = "the derivatives do not settle";
    return 0;
}

/* ---- constant coefficients ---- */

/* Orders of the series: 2^26/26! is rounding. */
enum { ADJOINT_ORDER = 26 };

/* Terms of this size are left out. */
static const double NEGLIGIBLE_TERM = 1e-18;

/* Are the equations of the piece linear with constant coefficients? */
static int is_constant(const Adjoint *adjoint) {
    int constant = !adjoint->network->piece.closing || adjoint->network->piece.kind == PLAIN;
    for (int i = 0; i < adjoint->network->given.count; i++) {
        constant &= !adjoint->links[i].turns;
    }
    return constant;
}

/* Add a term to all nodes. */
static void add_term(double *const nodes[STAGES], const double *term, int count,
                     const double power[STAGES]) {
    for (int q = 0; q < STAGES && count > 0; q++) {
        double *to = nodes[q], by = power[q];
        for (int k = 0; k < count; k++) {
            to[k] += by * term[k];
        }
    }
}

/* Set so many numbers at all nodes to 0. */
static void clear_nodes(double *const nodes[STAGES], int count) {
    for (int q = 0; q < STAGES; q++) {
        memset(nodes[q], 0, (size_t)count * sizeof(double));
    }
}

/* The next terms of b and c from P, then of a from those of b and c before; one order of time. */
static void next_terms(Adjoint *adjoint, const double *P, double factor) {
    const Given *given = &adjoint->network->given;
    const NodeSlip *slip = adjoint->nodes->slip[0];
    int lanes = adjoint->lanes;
    for (int i = 0; i < given->count; i++) {
        const AdjointLink *link = &adjoint->links[i];
        int n = normal_row(given, i), t = given->materials[i].row;
        int sprung = is_sprung(link->phase);
        for (int r = 0; r < lanes; r++) {
            double *a = &adjoint->a[n * lanes + r], *b = &adjoint->b[i * lanes + r];
            *a = sprung ? -factor * link->k * *b : 0;
            *b = sprung ? factor * pressing(adjoint, i, P, &slip[i], 0, r) : 0;
            for (int k = 0; k < given->rows - 1; k++) {
                double *c = &adjoint->c[(2 * i + k) * lanes + r];
                adjoint->a[(t + k) * lanes + r] =
                    link->sticks ? factor * given->materials[i].kt * *c : 0;
                *c = link->sticks ? -factor * P[(t + k) * lanes + r] : 0;
            }
        }
    }
}

/* The adjoint at all nodes by its Taylor series. 0: held links share their load. */
static int expand_nodes(Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    Nodes *nodes = adjoint->nodes;
    const NodeSlip *slip = nodes->slip[0];
    int rows = given->size * adjoint->lanes, links = given->count * adjoint->lanes;
    double power[STAGES], *P = adjoint->P, size = 1;
    if (!crm_adjoint_hold(adjoint, slip->s, sizeof *slip / sizeof(double), adjoint->matrix)) {
        adjoint->message = "held contacts share their load in many ways: there is no derivative";
        return 0;
    }
    /* P counts where links slip, c where they stick */
    int slips = 0, sticks = 0;
    for (int i = 0; i < given->count; i++) {
        slips |= adjoint->links[i].slips;
        sticks |= adjoint->links[i].sticks;
    }
    clear_nodes(nodes->a, rows);
    clear_nodes(nodes->P, slips ? rows : 0);
    clear_nodes(nodes->b, links);
    clear_nodes(nodes->c, 2 * links);
    clear_nodes(nodes->gamma, links);
    for (int q = 0; q < STAGES; q++) {
        power[q] = 1;
    }
    memset(adjoint->gamma, 0, (size_t)links * sizeof(double));
    take_weights(adjoint, P);
    for (int g = 0; g <= ADJOINT_ORDER && size > NEGLIGIBLE_TERM; g++) {
        press(adjoint, adjoint->a, slip, adjoint->gamma, adjoint->matrix, P);
        add_term(nodes->a, adjoint->a, rows, power);
        add_term(nodes->P, P, slips ? rows : 0, power);
        add_term(nodes->b, adjoint->b, links, power);
        add_term(nodes->c, adjoint->c, sticks ? 2 * links : 0, power);
        next_terms(adjoint, P, nodes->time[0] / (g + 1));
        memset(P, 0, (size_t)rows * sizeof *P);
        size *= g > 0 ? nodes->phase / g : 1; /* a needs two orders to grow by the square */
        for (int q = 0; q < STAGES; q++) {
            power[q] *= NODE[q];
        }
    }
    return 1;
}

/* ---- gradients ---- */

/* Adds the part of the step to the gradient by W. */
static inline void add_by_W_lanes(int lanes, const Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    const Nodes *nodes = adjoint->nodes;
    int m = given->size, rows = given->count * given->caller_rows;
    for (int j = 0; j < m; j++) {
        double own[STAGES];
        int row = caller_row(given, j);
        for (int q = 0; q < STAGES; q++) {
            own[q] = INTEGRAL[STAGES - 1][q] * nodes->time[q] * nodes->F[q][j];
        }
        for (int k = 0; k < m; k++) {
            int column = given->rows == given->caller_rows ? k : caller_row(given, k);
            int index = packed_index(rows, row, column);
            double sum[LANES_MOST] = {0};
            for (int q = 0; q < STAGES; q++) {
                for (int r = 0; r < lanes; r++) {
                    sum[r] += own[q] * nodes->a[q][k * lanes + r];
                }
            }
            for (int r = 0; r < lanes; r++) {
                adjoint->out[r][index] += sum[r];
            }
        }
    }
}

static void add_by_W(const Adjoint *adjoint) {
    FOR_LANES(add_by_W_lanes, adjoint);
}

static void add_by_coefficients(const Adjoint *adjoint, int i, int q) {
    const Given *given = &adjoint->network->given;
    const Nodes *nodes = adjoint->nodes;
    const AdjointLink *link = &adjoint->links[i];
    const Material *material = &given->materials[i];
    const NodeSlip *slip = &nodes->slip[q][i];
    int lanes = adjoint->lanes, n = normal_row(given, i), t = material->row;
    double weight = INTEGRAL[STAGES - 1][q] * nodes->time[q];
    for (int r = 0; r < lanes; r++) {
        if (is_sprung(link->phase)) {
            adjoint->by_k[i * lanes + r] -= weight * nodes->b[q][i * lanes + r] * nodes->v[q][n];
        }
        for (int k = 0; k < given->rows - 1 && (link->sticks || link->turns); k++) {
            adjoint->by_kt[i * lanes + r] +=
                weight * nodes->c[q][(2 * i + k) * lanes + r] * nodes->v[q][t + k];
        }
        for (int k = 0; k < given->rows - 1 && link->slips; k++) {
            adjoint->by_mu[i * lanes + r] -=
                weight * nodes->F[q][n] * slip->s[k] * nodes->P[q][(t + k) * lanes + r];
        }
        if (link->turns) {
            adjoint->by_mu[i * lanes + r] -= weight * material->kt / material->mu * slip->across *
                                             nodes->gamma[q][i * lanes + r];
        }
    }
}

/* One step backwards. */
static void adjoint_step(Adjoint *adjoint, double right, double length, double rate) {
    const Given *given = &adjoint->network->given;
    Nodes *nodes = adjoint->nodes;
    size_t lanes = (size_t)adjoint->lanes, n = (size_t)given->count, last = STAGES - 1;
    crm_nodes_fill(adjoint, right, length);
    nodes->phase = rate * length;
    if (!(is_constant(adjoint) ? expand_nodes : sweep_nodes)(adjoint)) {
        adjoint->message = adjoint->message ? adjoint->message : "the derivatives do not settle";
        return;
    }
    add_by_W(adjoint);
    for (int i = 0; i < given->count; i++) {
        for (int q = 0; q < STAGES; q++) {
            add_by_coefficients(adjoint, i, q);
        }
    }
    memcpy(adjoint->a, nodes->a[last], (size_t)given->size * lanes * sizeof(double));
    memcpy(adjoint->b, nodes->b[last], n * lanes * sizeof(double));
    memcpy(adjoint->c, nodes->c[last], 2 * n * lanes * sizeof(double));
    memcpy(adjoint->gamma, nodes->gamma[last], n * lanes * sizeof(double));
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

/* How far the next step may go because of the links that turn. age: relaxation times since the end
 * of the piece. */
static double turning_limit(const Adjoint *adjoint, double right, double end, double age,
                            double *relaxation) {
    const Given *given = &adjoint->network->given;
    const Piece *piece = &adjoint->network->piece;
    double limit = right, *F = adjoint->nodes->F[0], *v = adjoint->nodes->v[0];
    NodeSlip *slip = adjoint->nodes->slip[0];
    *relaxation = INFINITY;
    crm_nodes_look(adjoint, right, F, v, slip);
    for (int i = 0; i < given->count; i++) {
        if (!adjoint->links[i].turns) {
            continue;
        }
        double pace = piece->step * crm_pace_at(piece, right), first = FIRST_PART * end;
        double time = slip[i].sigma > 0 ? slip[i].rho / slip[i].sigma / pace : INFINITY;
        if (age < RELAXED_AGE) {
            limit = fmin(limit, fmax(STEP_RELAX * time, first));
            *relaxation = fmin(*relaxation, fmax(time, first / STEP_RELAX));
        }
        if (adjoint->links[i].N == 0) {
            limit = fmin(limit, fmax(end - right, first));
        }
        if (piece->links[i].N[0] <= 0 && right > first) {
            limit = fmin(limit, right / 2);
        }
    }
    return limit;
}

void crm_adjoint_piece(Adjoint *adjoint, double from, double to, int after_event) {
    const Piece *piece = &adjoint->network->piece;
    double right = from, end = piece->moment, rate = fastest_rate(adjoint) * piece->step;
    double age = after_event ? 0 : INFINITY;
    if (!isfinite(rate)) {
        return;
    }
    while (right > to && !adjoint->message) {
        double relaxation, limit = turning_limit(adjoint, right, end, age, &relaxation);
        /* equal steps where only the oscillation limits them */
        double rest = right - to, length = rate > 0 ? rest / ceil(rest * rate / STEP_PHASE) : rest;
        length = limit < length ? limit : length;
        length = length > rest * (1 - 1e-12) ? rest : length;
        adjoint_step(adjoint, right, length, rate);
        age += length / relaxation;
        right = length == rest ? to : right - length;
    }
}
