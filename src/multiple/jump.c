/* Jumps begin a flow, and write what it leaves into the state. */
#include "multiple/jump.h"

#include "multiple/edge.h"
#include "multiple/multiple_visit.h"

/* A length is inside its cone from here on, in a way that shows. */
static const double WELL_INSIDE = 1e-6;

/* Slip on the edge counts as so many steps of a flow, because it may come back there with each
 * piece, and so many of its own steps as one. */
enum { RUN_AWAY_STEPS = 2, CHEAP_STEPS = 32 };

/* Modes that are found and turn out to be none, one after the other in no time: slip runs away. */
enum { MOST_EDGES = 16 };

/* Direction in which the lengths run away: the eigenvector of M with the least eigenvalue, by
 * iteration with norm - M. */
static void find_run_away(Flow *flow, double *d) {
    int n = flow->count;
    double *next = flow->held->room, norm = 0;
    for (int a = 0; a < n; a++) {
        double sum = 0;
        for (int b = 0; b < n; b++) {
            sum += fabs(flow->M[a * n + b]);
        }
        norm = fmax(norm, sum);
    }
    for (int i = 0; i < 400; i++) {
        double size = 0;
        for (int a = 0; a < n; a++) {
            next[a] = norm * d[a];
            for (int b = 0; b < n; b++) {
                next[a] -= flow->M[a * n + b] * d[b];
            }
            size = fmax(size, fabs(next[a]));
        }
        for (int a = 0; a < n && size > 0; a++) {
            d[a] = next[a] / size;
        }
    }
}

/* How far along d the region reaches. Links that begin to push stay on the side where they are. */
static double region_length(const Flow *flow, const double *d) {
    const Given *given = flow->given;
    double length = INFINITY;
    for (int a = 0; a < flow->count; a++) {
        length = d[a] > 0 ? fmin(length, flow->r[flow->falling[a]] / d[a]) : length;
    }
    for (int i = 0; i < given->count; i++) {
        double fall = 0, rise = 0, edge = 1e3 * ON_EDGE * flow->scale / given->materials[i].kt;
        for (int a = 0; a < flow->count && flow_holds(flow, i); a++) {
            fall += flow->gradient[i * given->count + a] * d[a];
            rise -= flow_excess_slope(flow, i, a) * d[a];
        }
        if (fall > 0 && flow->value[i] > 0) {
            length = fmin(length, flow->value[i] / fall);
        }
        if (rise > 0 && flow->r[i] > 0 && flow->y[i] < -edge) {
            length = fmin(length, -flow->y[i] / rise);
        }
    }
    return length;
}

/* Along the direction of these speeds to the end of the region. */
static void run_away(Flow *flow, const double *speed) {
    double *d = flow->held->room + 3 * flow->held->limit * flow->held->limit;
    int count = 0;
    for (int a = 0; a < flow->count; a++) {
        if (speed[a] > 0 && flow->r[flow->falling[a]] > 0) {
            d[count] = speed[a];
            flow->falling[count++] = flow->falling[a];
        }
    }
    flow->count = count;
    crm_flow_evaluate(flow);
    crm_flow_gradients(flow);
    find_run_away(flow, d);
    for (int a = 0; a < count; a++) {
        d[a] = fmax(d[a], 0);
    }
    double length = region_length(flow, d);
    for (int a = 0; a < count && length < INFINITY; a++) {
        double *r = &flow->r[flow->falling[a]];
        *r = crm_flow_length(flow, flow->falling[a], *r - length * d[a]);
    }
}

Flow crm_jump_flow(Network *network, const Link *links) {
    const Given *given = &network->given;
    Held *held = network->held;
    size_t n = (size_t)given->count;
    double *numbers = held->flow;
    Flow flow = {.given = given,
                 .held = held,
                 .forces = network->piece.column_in,
                 .rates = network->piece.column_out,
                 .links = links,
                 .falling = held->falling};
    double **arrays[] = {&flow.r, &flow.y, &flow.value};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++, numbers += n) {
        *arrays[i] = numbers;
    }
    flow.s = numbers;
    flow.gradient = numbers + 2 * n;
    flow.M = flow.gradient + n * n;
    flow.series = flow.M + n * n;
    for (int i = 0; i < given->count; i++) {
        const Link *link = &flow.links[i];
        double force = hypot(link->f[0], link->f[1]);
        flow.r[i] = flow_holds(&flow, i) && force > 0 ? force / given->materials[i].kt : 0;
        flow.s[2 * i] = force > 0 ? link->f[0] / force : 0;
        flow.s[2 * i + 1] = force > 0 ? link->f[1] / force : 0;
        flow.scale = fmax(flow.scale, is_active(link->phase) ? fmax(force, link->N) : 0);
        held->pushes[i] = flow_holds(&flow, i);
        held->drag[2 * i] = held->drag[2 * i + 1] = 0;
    }
    return flow;
}

/* Forces, modes and losses after the flow. */
static void flow_apply(Network *network, const Flow *flow) {
    const Given *given = &network->given;
    for (int i = 0; i < given->count; i++) {
        const Material *material = &given->materials[i];
        Link *link = &network->state.links[i];
        if (!flow_holds(flow, i)) {
            continue;
        }
        double before = tangential_energy(material, link);
        double N = flow->held->N[i];
        link->N = N > VANISHED * flow->scale ? N : 0;
        double r = link->N > 0 ? flow->r[i] : 0, edge = ON_EDGE * flow->scale / material->kt;
        int same = fabs(r * material->kt - hypot(link->f[0], link->f[1])) <= ON_EDGE * flow->scale;
        link->friction = !(r > 0 && flow->y[i] >= -edge)             ? LINK_STICK
                         : same && link->friction == LINK_STICK_EDGE ? LINK_STICK_EDGE
                                                                     : LINK_SLIP;
        link->loose = same ? link->loose : network->work;
        for (int k = 0; k < 2; k++) {
            link->f[k] = material->kt * r * flow->s[2 * i + k];
            link->s[k] = flow->s[2 * i + k];
        }
        network->state.energy.friction_loss += before - tangential_energy(material, link);
    }
}

/* The links on the edge that slip, and those that do not. */
static void apply_modes(Network *network, const Flow *flow, const double *speed) {
    for (int a = 0; a < flow->count; a++) {
        Link *link = &network->state.links[flow->falling[a]];
        if (link->N > 0) {
            link->friction = speed[a] > 0 ? LINK_SLIP : LINK_STICK_EDGE;
        } else if (flow->held->pushes[flow->falling[a]]) {
            link->begins = speed[a] > 0 ? BEGINS_SLIP : BEGINS_STICK;
        }
    }
}

/* Are these modes other than those that were found to be inconsistent? */
static int modes_differ(const Network *network, const Flow *flow, const double *speed) {
    int differ = 0;
    for (int a = 0; a < flow->count; a++) {
        const Link *link = &network->state.links[flow->falling[a]];
        differ |= link->N > 0 ? is_slipping(link->friction) != (speed[a] > 0)
                              : link->begins != (speed[a] > 0 ? BEGINS_SLIP : BEGINS_STICK);
    }
    return differ;
}

/* Does a friction force press its own link so much that the link could slip as well as stick? */
static int presses_itself(Flow *flow) {
    int any = 0;
    for (int i = 0; i < flow->given->count; i++) {
        if (flow_holds(flow, i) && flow->held->pushes[i] && flow->r[i] > 0) {
            flow->count = 1;
            flow->falling[0] = i;
            crm_flow_column(flow, 0);
            any |= flow_excess_slope(flow, i, 0) <= 0;
        }
    }
    return any;
}

/* Has a length fallen, and stopped inside its cone, by more than this? A rule that asks only for
 * the end (each length as it was, or on the edge of its cone) has another one then. */
static int stops_inside(const Flow *flow, double part) {
    int any = 0;
    for (int i = 0; i < flow->given->count; i++) {
        double kt = flow->given->materials[i].kt, least = part * flow->scale;
        double before = hypot(flow->links[i].f[0], flow->links[i].f[1]);
        any |= flow_holds(flow, i) && flow->held->N[i] > 0 && before - kt * flow->r[i] > least &&
               kt * flow->y[i] < -least;
    }
    return any;
}

/* No mode of the links on the edge is known to be consistent. 1: there is one; else they run away.
 */
static int leave_edge(Network *network, Flow *flow) {
    double *speed;
    int steps = 0;
    for (int i = 0; i < network->given.count; i++) {
        network->state.links[i].changes = 0;
    }
    int settles = crm_edge_settle(flow, &network->state, &speed, &steps);
    network->jump_steps += RUN_AWAY_STEPS + steps / CHEAP_STEPS;
    settles = settles && modes_differ(network, flow, speed) && network->edges++ < MOST_EDGES;
    if (settles) {
        crm_flow_evaluate(flow);
        flow_apply(network, flow);
        apply_modes(network, flow, speed);
    } else {
        run_away(flow, speed);
    }
    return settles && network->jump_steps < ALL_FLOW_STEPS;
}

void crm_jump(Network *network, int runs_away) {
    Flow flow = crm_jump_flow(network, network->state.links);
    const MultipleVisitor *observer = network_observer(network);
    if (runs_away && observer) {
        observer->run_away(observer->context, network);
    }
    if (runs_away && crm_flow_look(&flow) && leave_edge(network, &flow)) {
        return;
    }
    if (!crm_flow_run(&flow, &network->jump_steps)) {
        network->message = "the friction forces do not come to rest";
        return;
    }
    network->rests_on_rule |= stops_inside(&flow, WELL_INSIDE);
    if (observer && stops_inside(&flow, ON_EDGE)) {
        observer->jump(observer->context, network);
    }
    network->ambiguous |= presses_itself(&flow);
    flow_apply(network, &flow);
}
