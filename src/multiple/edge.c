/* Explicit steps of the fast motion, which decides on regions and modes, and a linear system for
 * each pair of those, which decides whether it has come to rest. */
#include "multiple/edge.h"

#include <string.h>

#include "math/functions.h"
#include "multiple/product.h"

/* Steps of the fast motion, in units of its fastest rate; how often it is asked whether it has come
 * to rest; and the largest number of steps. */
static const double EDGE_STEP = 0.5;
enum { EDGE_LOOK = 4, EDGE_STEPS = 2000 };

/* Speeds that have grown by this factor run away. */
static const double GROWN = 1e6;

/* Speeds and rates of this size, relative to the largest, are 0. */
static const double EDGE_ZERO = 1e-9;

/* A link that has just come to rest would go on to become slower: its speed is less by this,
 * relative to the largest. */
static const double NUDGE = 1e-6;

typedef struct Edge {
    Flow *flow;
    double *speed, *a, *along; /* per link in the list */
    double *b, *size;          /* per link: rate of the acceleration by all other forces */
    double scale;              /* largest speed */
} Edge;

/* Rates of the forces but for the lengths in the list. */
static void find_force_rates(Edge *edge, const NetworkState *state) {
    Flow *flow = edge->flow;
    const Given *given = flow->given;
    const Held *held = flow->held;
    memset(flow->forces, 0, (size_t)given->stride * sizeof *flow->forces);
    for (int i = 0; i < given->count; i++) {
        const Material *material = &given->materials[i];
        const Link *link = &state->links[i];
        const double *V = &state->v[material->row], *s = &flow->s[2 * i];
        double *F = &flow->forces[material->row], rate = 0, along = 0;
        int listed = 0;
        for (int a = 0; a < flow->count; a++) {
            listed |= flow->falling[a] == i;
        }
        if (!is_active(link->phase) || (link->phase == HELD && !listed && !held->pushes[i])) {
            continue;
        }
        if (is_sprung(link->phase)) {
            rate = -link->k * V[given->rows - 1];
            F[given->rows - 1] = rate;
        }
        for (int k = 0; k < given->rows - 1; k++) {
            along += V[k] * (listed ? s[k] : link->s[k]);
        }
        for (int k = 0; k < given->rows - 1 && material->rough; k++) {
            int slips = !listed && is_slipping(link->friction);
            double across = V[k] - along * (listed ? s[k] : link->s[k]);
            F[k] = listed  ? -material->kt * across
                   : slips ? -material->kt * across - material->mu * rate * link->s[k]
                           : -material->kt * V[k];
        }
    }
    crm_multiply(given, flow->forces, flow->rates);
    for (int i = 0; i < given->count; i++) {
        const double *W = row_of_W(given, normal_row(given, i));
        edge->b[i] = flow->rates[normal_row(given, i)];
        edge->size[i] = 0;
        for (int j = 0; j < given->size; j++) {
            edge->size[i] += fabs(W[j] * flow->forces[j]);
        }
    }
}

/* The links on the edge: those that push with all the friction that they can have, and those that
 * begin to push. */
static void list_edge(Edge *edge, const NetworkState *state) {
    Flow *flow = edge->flow;
    const Given *given = flow->given;
    Held *held = flow->held;
    flow->count = 0;
    for (int i = 0; i < given->count; i++) {
        const Material *material = &given->materials[i];
        const double *V = &state->v[material->row];
        double near = ON_EDGE * flow->scale / material->kt, speed = 0;
        int zero = flow_holds(flow, i) && flow->value[i] == 0;
        held->kind[i] = !flow_holds(flow, i)                    ? HELD_OUT
                        : zero                                  ? HELD_RESTRICTED
                        : held->pushes[i] && flow->value[i] > 0 ? HELD_FREE
                                                                : HELD_OUT;
        if (held->kind[i] == HELD_OUT || !material->rough) {
            continue;
        }
        for (int k = 0; k < given->rows - 1; k++) {
            speed += V[k] * V[k];
        }
        near *= is_slipping(flow->links[i].friction) ? 1e5 : 1;
        if (zero && speed > 0) {
            flow->s[2 * i] = V[0] / sqrt(speed);
            flow->s[2 * i + 1] = given->rows > 2 ? V[1] / sqrt(speed) : 0;
        }
        if (zero ? speed > 0 : flow->r[i] > 0 && fabs(flow->y[i]) <= near) {
            int a = flow->count++;
            flow->falling[a] = i;
            edge->along[a] = 0;
            for (int k = 0; k < given->rows - 1; k++) {
                edge->along[a] += V[k] * flow->s[2 * i + k];
            }
        }
    }
}

/* Accelerations of the held normals at a time, for changes a of the lengths. */
static void edge_press(Edge *edge, double time, const double *lengths) {
    const Flow *flow = edge->flow;
    Held *held = flow->held;
    for (int i = 0; i < flow->given->count; i++) {
        held->b[i] = held->size[i] = 0;
        if (held->kind[i] == HELD_OUT) {
            continue;
        }
        held->b[i] = time * edge->b[i];
        held->size[i] = fabs(time) * edge->size[i];
        for (int a = 0; a < flow->count; a++) {
            double part = crm_flow_pull(flow, i, flow->falling[a]) * lengths[a];
            held->b[i] += part;
            held->size[i] += fabs(part);
        }
    }
}

static double edge_speed(const Edge *edge, int a, double length) {
    int i = edge->flow->falling[a];
    const Material *material = &edge->flow->given->materials[i];
    return length - material->mu * edge->flow->held->N[i] / material->kt;
}

/* Rates of the values, N or slack, if nothing slips, in the region in hand; of the speeds, too. */
static void find_drift(Edge *edge, double *speed) {
    Flow *flow = edge->flow;
    const Held *held = flow->held;
    edge_press(edge, 1, edge->along);
    crm_held_evaluate(flow->given, flow->held);
    for (int i = 0; i < flow->given->count; i++) {
        flow->value[i] = held->pushes[i]    ? held->N[i]
                         : held->depends[i] ? -held->wish[i]
                                            : held->slack[i];
    }
    for (int a = 0; a < flow->count; a++) {
        speed[a] = edge_speed(edge, a, edge->along[a]);
    }
}

/* Speeds at rest of those that slip now, in the region in hand. 0: these are not the modes. */
static int edge_is_at_rest(Edge *edge) {
    Flow *flow = edge->flow;
    int n = flow->count, m = 0, limit = flow->given->count;
    double *drift = edge->a + limit, *rest = drift + limit, *A = flow->held->room;
    int which[MOST_LINEAR];
    find_drift(edge, drift);
    for (int a = 0; a < n; a++) {
        if (edge->speed[a] > 0) {
            if (m == MOST_LINEAR) {
                return 0;
            }
            which[m++] = a;
        }
    }
    for (int p = 0; p < m; p++) {
        rest[p] = drift[which[p]];
        for (int q = 0; q < m; q++) {
            A[p * m + q] = flow->M[which[p] * n + which[q]];
        }
    }
    if (m > 0 && !(crm_held_linear(m, A, rest) >= STABLE_PIVOT)) {
        return 0;
    }
    double largest = edge->scale;
    for (int p = 0; p < m; p++) {
        largest = fmax(largest, fabs(rest[p]));
    }
    for (int a = 0, p = 0; a < n; a++) {
        int slips = p < m && which[p] == a;
        double rate = drift[a];
        for (int q = 0; q < m; q++) {
            rate -= flow->M[a * n + which[q]] * rest[q];
        }
        if (slips ? !(rest[p] > 0) : rate > EDGE_ZERO * largest) {
            return 0;
        }
        p += slips;
    }
    for (int i = 0; i < limit; i++) {
        double rate = flow->value[i], size = fabs(rate);
        for (int q = 0; q < m; q++) {
            double part = flow->gradient[i * limit + which[q]] * rest[q];
            rate -= part;
            size += fabs(part);
        }
        if (flow->held->kind[i] == HELD_RESTRICTED && rate < -EDGE_ZERO * size) {
            return 0;
        }
    }
    for (int a = 0, p = 0; a < n; a++) {
        edge->speed[a] = p < m && which[p] == a ? rest[p++] : 0;
    }
    return 1;
}

/* A step of the fast motion that is stable. */
static double edge_step(const Flow *flow) {
    double norm = 1;
    for (int a = 0; a < flow->count; a++) {
        double sum = 0;
        for (int b = 0; b < flow->count; b++) {
            sum += fabs(flow->M[a * flow->count + b]);
        }
        norm = fmax(norm, sum);
    }
    return EDGE_STEP / norm;
}

/* The largest speed without slip, to compare with. */
static double edge_scale(const Edge *edge, const double *drift) {
    double largest = 0;
    for (int a = 0; a < edge->flow->count; a++) {
        largest = fmax(largest, fmax(fabs(edge->along[a]), fabs(drift[a])));
    }
    return largest;
}

static void slow_down(Edge *edge) {
    for (int a = 0; a < edge->flow->count; a++) {
        if (edge->flow->links[edge->flow->falling[a]].friction == LINK_STICK_EDGE) {
            edge->along[a] -= NUDGE * edge->scale;
        }
    }
}

/* Has the set of links that push changed? */
static int region_changes(const Flow *flow, double *region) {
    int changed = 0;
    for (int i = 0; i < flow->given->count; i++) {
        changed |= region[i] != flow->held->pushes[i];
        region[i] = flow->held->pushes[i];
    }
    return changed;
}

/* Begin with the motion before: all on the edge slip, and links whose reaction has just come to 0
 * still push a little. The time; 0: it was another. */
static double edge_begin(Edge *edge) {
    Flow *flow = edge->flow;
    Held *held = flow->held;
    int n = flow->count, limit = flow->given->count;
    double *drift = edge->a + limit, *start = edge->a, time = 0;
    for (int i = 0; i < limit; i++) {
        held->pushes[i] = held->kind[i] == HELD_FREE ||
                          (held->kind[i] == HELD_RESTRICTED && flow->links[i].vanished);
    }
    crm_held_factor(flow->given, held);
    crm_flow_gradients(flow);
    find_drift(edge, drift);
    edge->scale = edge_scale(edge, drift);
    slow_down(edge);
    memcpy(held->room, flow->M, (size_t)(n * n) * sizeof *held->room);
    int sound = n <= MOST_LINEAR && crm_held_linear(n, held->room, drift) >= STABLE_PIVOT;
    for (int a = 0; a < n; a++) {
        sound = sound && drift[a] >= -EDGE_ZERO * edge->scale;
        start[a] = drift[a];
    }
    memcpy(held->room, flow->M, (size_t)(n * n) * sizeof *held->room);
    if (!sound || crm_held_linear(n, held->room, start) == 0) {
        memset(edge->a, 0, (size_t)limit * sizeof *edge->a);
        return 0;
    }
    for (int i = 0; i < limit; i++) {
        double rate = flow->value[i], now = 0;
        for (int a = 0; a < n; a++) {
            rate -= flow->gradient[i * limit + a] * drift[a];
            now += flow->gradient[i * limit + a] * start[a];
        }
        if (held->kind[i] == HELD_RESTRICTED && held->pushes[i] && rate < 0) {
            time = fmin(time, -now / rate - EDGE_STEP);
        }
    }
    for (int a = 0; a < n; a++) {
        start[a] += time * (edge->along[a] - drift[a]);
    }
    return time;
}

/* The fast motion, with its steps; 1: it comes to rest. */
static int edge_run(Edge *edge, double *region, int *steps) {
    Flow *flow = edge->flow;
    double time = edge_begin(edge), step = 0, largest = 0;
    for (; *steps < EDGE_STEPS && largest <= GROWN * edge->scale; ++*steps) {
        edge_press(edge, time, edge->a);
        if (!crm_held_react(flow->given, flow->held)) {
            return 0;
        }
        for (int a = 0; a < flow->count; a++) {
            edge->speed[a] = edge_speed(edge, a, edge->a[a]);
        }
        if (region_changes(flow, region)) {
            crm_flow_gradients(flow);
            step = edge_step(flow);
        }
        if (*steps % EDGE_LOOK == EDGE_LOOK - 1 && edge_is_at_rest(edge)) {
            return 1;
        }
        time += step;
        largest = 0;
        for (int a = 0; a < flow->count; a++) {
            double speed = fmax(edge->speed[a], 0);
            largest = fmax(largest, speed);
            edge->a[a] += step * (edge->along[a] - speed);
        }
    }
    return 0;
}

int crm_edge_settle(Flow *flow, const NetworkState *state, double **speed, int *steps) {
    size_t n = (size_t)flow->given->count;
    Edge edge = {.flow = flow,
                 .along = flow->series,
                 .speed = flow->series + n,
                 .b = flow->series + 2 * n,
                 .size = flow->series + 3 * n,
                 .a = flow->series + 4 * n}; /* and room for two more behind it */
    double *region = flow->series + 7 * n;
    *speed = edge.speed;
    list_edge(&edge, state);
    find_force_rates(&edge, state);
    memset(edge.a, 0, n * sizeof *edge.a);
    for (size_t i = 0; i < n; i++) {
        region[i] = -1;
    }
    return edge_run(&edge, region, steps);
}
