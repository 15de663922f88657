#include "derivative/multiple_path.h"

#include <string.h>

#include "derivative/multiple_nodes.h"
#include "derivative/multiple_share.h"
#include "math/functions.h"
#include "multiple/jump.h"

/* Steps of a path: they end where regions do, few paths have more than ten. */
enum { PATH_STEPS_MOST = 64 };

void crm_path_lay_out(FrictionPath *path, Block *block, int links) {
    size_t n = (size_t)links, all = PATH_STEPS_MOST * n;
    *path = (FrictionPath){.links = links};
    path->length = block_take(block, PATH_STEPS_MOST, sizeof(double));
    path->r = block_take(block, all, sizeof(double));
    path->y = block_take(block, all, sizeof(double));
    path->q = block_take(block, n * LANES_MOST, sizeof(double));
    path->turn = block_take(block, n * LANES_MOST, sizeof(double));
    path->falls = block_take(block, all, sizeof(int));
    path->pushes = block_take(block, all, sizeof(int));
}

static void note_path_step(void *context, const Flow *flow, double length) {
    FrictionPath *path = context;
    int n = path->links, at = path->steps * n;
    if (path->steps == PATH_STEPS_MOST) {
        path->too_long = 1;
        return;
    }
    memcpy(path->r + at, flow->r, (size_t)n * sizeof(double));
    memcpy(path->y + at, flow->y, (size_t)n * sizeof(double));
    memcpy(path->pushes + at, flow->held->pushes, (size_t)n * sizeof(int));
    memset(path->falls + at, 0, (size_t)n * sizeof(int));
    for (int a = 0; a < flow->count; a++) {
        path->falls[at + flow->falling[a]] = 1;
    }
    path->length[path->steps++] = length;
}

/* ---- one step ---- */

/* The flow at the start of a step, with its factors and M. */
static void take_path_step(const FrictionPath *path, int step, Flow *flow) {
    int n = path->links, at = step * n;
    memcpy(flow->r, path->r + at, (size_t)n * sizeof(double));
    memcpy(flow->held->pushes, path->pushes + at, (size_t)n * sizeof(int));
    flow->count = 0;
    for (int i = 0; i < n; i++) {
        if (path->falls[at + i]) {
            flow->falling[flow->count++] = i;
        }
    }
    crm_flow_evaluate(flow);
    memcpy(flow->y, path->y + at, (size_t)n * sizeof(double));
    crm_flow_gradients(flow);
}

static double flow_norm(const Flow *flow) {
    double norm = 0;
    for (int a = 0; a < flow->count; a++) {
        double sum = 0, other = 0;
        for (int b = 0; b < flow->count; b++) {
            sum += fabs(flow->M[a * flow->count + b]);
            other += fabs(flow->M[b * flow->count + a]);
        }
        norm = fmax(norm, fmax(sum, other));
    }
    return norm;
}

/* x becomes e^(-M h) x, or with its transpose; room: 2 flow->count numbers. */
static void decay_along(const Flow *flow, double h, int transposed, double *x, double *room) {
    int n = flow->count;
    double *term = room, *next = room + n;
    memcpy(term, x, (size_t)n * sizeof *x);
    for (int g = 1; g < TERMS; g++) {
        for (int a = 0; a < n; a++) {
            next[a] = 0;
            for (int b = 0; b < n; b++) {
                next[a] -= flow->M[transposed ? b * n + a : a * n + b] * term[b];
            }
        }
        for (int a = 0; a < n; a++) {
            term[a] = next[a] * h / g;
            x[a] += term[a];
        }
    }
}

/* r, y and N at sigma behind the start of the step; y decays, and r = its start - int y. */
static void flow_at(const FrictionPath *path, int step, double sigma, Flow *flow, double *room) {
    int n = flow->count, parts = 1 + (int)(flow_norm(flow) * sigma);
    double *y = room, *rate = y + n, h = sigma / parts;
    for (int a = 0; a < n; a++) {
        flow->r[flow->falling[a]] = path->r[step * path->links + flow->falling[a]];
        y[a] = path->y[step * path->links + flow->falling[a]];
    }
    for (int part = 0; part < parts; part++) {
        for (int q = 0; q < NODES; q++) {
            memcpy(rate, y, (size_t)n * sizeof *y);
            decay_along(flow, h * EIGHT_NODE[q], 0, rate, rate + n);
            for (int a = 0; a < n; a++) {
                flow->r[flow->falling[a]] -= h * eight_weight(q) * rate[a];
            }
        }
        decay_along(flow, h, 0, y, rate);
    }
    crm_flow_evaluate(flow);
    for (int i = 0; i < path->links; i++) {
        if (flow_holds(flow, i) && flow->held->pushes[i]) {
            flow->forces[normal_row(flow->given, i)] = flow->held->N[i];
        }
    }
}

/* What psi, the effect of the reactions that push, does for this time, one lane: to all that they
 * come from. psi counts them as held->list does; room: as many, and one number for each row. */
static void add_path_reaction(Adjoint *adjoint, const Flow *flow, const double *psi, int lane,
                              double time, double *room) {
    const Given *given = &adjoint->network->given;
    const Held *held = flow->held;
    const FrictionPath *path = &adjoint->path;
    int m = held->count, lanes = adjoint->lanes;
    double *u = room, *push = room + m;
    memset(push, 0, (size_t)given->size * sizeof *push);
    for (int p = 0; p < m; p++) {
        int n = normal_row(given, held->list[p]);
        u[p] = 0;
        for (int c = 0; c < m; c++) {
            u[p] -= held->G[p * m + c] * psi[c];
        }
        for (int k = 0; k < given->size; k++) {
            push[k] += time * u[p] * row_of_W(given, n)[k];
            adjoint->out[lane][adjoint_index(given, n, k)] += time * u[p] * flow->forces[k];
        }
    }
    crm_share_split(adjoint, psi, u, flow->forces, lane, time);
    for (int k = 0; k < given->size; k++) {
        adjoint->P[k * lanes + lane] += push[k];
    }
    for (int j = 0; j < given->count; j++) {
        const Material *material = &given->materials[j];
        const double *s = &flow->s[2 * j], *Pt = &push[material->row];
        if (!flow_holds(flow, j) || flow->r[j] == 0) {
            continue;
        }
        double first = given->rows > 1 ? Pt[0] : 0, second = given->rows > 2 ? Pt[1] : 0;
        int falls = 0;
        for (int a = 0; a < flow->count; a++) {
            falls |= flow->falling[a] == j;
        }
        path->q[j * lanes + lane] -= falls ? 0 : s[0] * first + s[1] * second;
        path->turn[j * lanes + lane] -= material->kt * flow->r[j] * (s[0] * second - s[1] * first);
    }
}

/* The part of a step from sigma to sigma + h, backwards. */
static void path_part_back(Adjoint *adjoint, int step, double sigma, double h, Flow *flow) {
    const Given *given = &adjoint->network->given;
    FrictionPath *path = &adjoint->path;
    Held *held = flow->held;
    int n = flow->count, lanes = adjoint->lanes;
    double *now = adjoint->nodes->a, *room = now + n, *psi = adjoint->nodes->P;
    for (int node = 0; node <= NODES; node++) { /* the last one is the start */
        double x = node < NODES ? EIGHT_NODE[node] : 0;
        if (node < NODES) {
            flow_at(path, step, sigma + h * x, flow, room);
        }
        for (int r = 0; r < lanes; r++) {
            for (int a = 0; a < n; a++) { /* of the lengths */
                int i = flow->falling[a];
                now[a] = path->q[i * lanes + r] * given->materials[i].kt;
            }
            decay_along(flow, h * (1 - x), 1, now, room);
            if (node == NODES) {
                for (int a = 0; a < n; a++) {
                    int i = flow->falling[a];
                    path->q[i * lanes + r] = now[a] / given->materials[i].kt;
                }
                continue;
            }
            memset(psi, 0, (size_t)held->count * sizeof *psi);
            for (int a = 0; a < n; a++) {
                int i = flow->falling[a];
                const Material *material = &given->materials[i];
                for (int p = 0; p < held->count; p++) {
                    if (held->list[p] == i) {
                        double time = h * eight_weight(node), q = now[a] / material->kt;
                        psi[p] = material->mu * q;
                        adjoint->by_mu[i * lanes + r] += time * q * held->N[i];
                    }
                }
            }
            add_path_reaction(adjoint, flow, psi, r, h * eight_weight(node), psi + held->count);
        }
    }
}

int crm_path_back(Adjoint *adjoint, const Link *links) {
    Network *network = adjoint->network;
    FrictionPath *path = &adjoint->path;
    Flow flow = crm_jump_flow(network, links);
    FlowVisitor visitor = {.context = path, .step = note_path_step};
    int steps = 0;
    flow.visitor = &visitor;
    path->steps = path->too_long = 0;
    memset(adjoint->P, 0, (size_t)(network->given.size * adjoint->lanes) * sizeof(double));
    memset(path->turn, 0, (size_t)(network->given.count * adjoint->lanes) * sizeof(double));
    if (!crm_flow_run(&flow, &steps) || path->too_long) {
        return 0;
    }
    for (int step = path->steps - 1; step >= 0; step--) {
        take_path_step(path, step, &flow);
        double length = path->length[step];
        int parts = 1 + (int)(flow_norm(&flow) * length);
        for (int part = parts - 1; part >= 0; part--) {
            path_part_back(adjoint, step, length * part / parts, length / parts, &flow);
        }
    }
    return 1;
}
