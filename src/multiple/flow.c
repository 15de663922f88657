/* The flow of the lengths r, exact in each region where N(r) is linear. */
#include "multiple/flow.h"

#include <string.h>

#include "math/functions.h"
#include "multiple/product.h"
#include "multiple/watch.h"

/* Excess of a friction force that is 0, relative to the largest force. */
static const double AT_REST = 3e-14;

/* Steps in one region after which the reactions are found anew, against rounding. */
enum { LOOK_AGAIN = 16 };

/* Steps of one flow: at most 40,000 where only friction keeps the links closed, and its forces go
 * to 0 in cycles. */
enum { FLOW_STEPS = 60000 };

/* The longest step of a flow is 1/LEAST_PART in units of its fastest rate: more would not be
 * stable. Last terms of its series, relative to the first. */
static const double LEAST_PART = 0.2, FLOW_CUT = 1e-15;

/* Excesses that decay together, up to this, go on to do so. */
static const double EIGENVECTOR = 1e-9;

/* Derivatives that decide where a length on the edge goes. */
enum { TIE_ORDERS = 4 };

/* Accelerations of the held normals by all but their own reaction. */
static void find_pressure(Flow *flow) {
    const Given *given = flow->given;
    Held *held = flow->held;
    memset(flow->forces, 0, (size_t)given->stride * sizeof *flow->forces);
    for (int i = 0; i < given->count; i++) {
        const Link *link = &flow->links[i];
        double *F = &flow->forces[given->materials[i].row], kt = given->materials[i].kt;
        if (!is_active(link->phase)) {
            continue;
        }
        for (int k = 0; k < given->rows - 1; k++) {
            F[k] = flow_holds(flow, i) ? -kt * flow->r[i] * flow->s[2 * i + k] : -link->f[k];
        }
        F[given->rows - 1] = flow_holds(flow, i) ? 0 : link->N;
    }
    crm_multiply(given, flow->forces, flow->rates);
    for (int i = 0; i < given->count; i++) {
        held->kind[i] = flow_holds(flow, i) ? HELD_RESTRICTED : HELD_OUT;
        held->b[i] = flow->rates[normal_row(given, i)];
        held->size[i] = 0;
        const double *W = row_of_W(given, normal_row(given, i));
        for (int j = 0; j < given->size && flow_holds(flow, i); j++) {
            held->size[i] += fabs(W[j] * flow->forces[j]);
        }
    }
}

/* Value of each held link and the excesses of friction. */
static void find_excess(Flow *flow) {
    const Held *held = flow->held;
    for (int i = 0; i < flow->given->count; i++) {
        const Material *material = &flow->given->materials[i];
        flow->value[i] = !flow_holds(flow, i) ? 1
                         : held->pushes[i]    ? held->N[i]
                         : held->depends[i]   ? -held->wish[i]
                                              : held->slack[i];
        flow->y[i] = flow_holds(flow, i) && material->rough
                         ? flow->r[i] - material->mu * fmax(held->N[i], 0) / material->kt
                         : -1;
    }
}

double crm_flow_pull(const Flow *flow, int i, int j) {
    const double *row = row_of_W(flow->given, normal_row(flow->given, i));
    double sum = 0;
    for (int k = 0; k < flow->given->rows - 1; k++) {
        sum -= row[flow->given->materials[j].row + k] * flow->s[2 * j + k];
    }
    return flow->given->materials[j].kt * sum;
}

void crm_flow_column(Flow *flow, int a) {
    const Given *given = flow->given;
    Held *held = flow->held;
    int j = flow->falling[a], m = held->count;
    double *own = held->room + held->limit;
    for (int p = 0; p < m; p++) {
        own[p] = 0;
        for (int q = 0; q < m; q++) {
            own[p] -= held->G[p * m + q] * crm_flow_pull(flow, held->list[q], j);
        }
    }
    for (int i = 0; i < given->count; i++) {
        double sum = 0;
        if (!flow_holds(flow, i)) {
            continue;
        }
        if (held->pushes[i]) {
            for (int p = 0; p < m; p++) {
                sum += held->list[p] == i ? own[p] : 0;
            }
        } else if (held->depends[i]) {
            sum = -crm_held_wish_of(given, held, i, own);
        } else {
            sum = crm_flow_pull(flow, i, j);
            for (int p = 0; p < m; p++) {
                sum += crm_held_effect(given, held, i, held->list[p]) * own[p];
            }
        }
        flow->gradient[i * given->count + a] = sum;
    }
}

void crm_flow_gradients(Flow *flow) {
    for (int a = 0; a < flow->count; a++) {
        crm_flow_column(flow, a);
    }
    for (int a = 0; a < flow->count; a++) {
        for (int b = 0; b < flow->count; b++) {
            flow->M[a * flow->count + b] = flow_excess_slope(flow, flow->falling[a], b);
        }
    }
}

void crm_flow_evaluate(Flow *flow) {
    find_pressure(flow);
    crm_held_evaluate(flow->given, flow->held);
    find_excess(flow);
}

/* Reactions and values, whatever comes next. 0: no reaction. */
static int flow_look_here(Flow *flow) {
    find_pressure(flow);
    int found = crm_held_react(flow->given, flow->held);
    find_excess(flow);
    return found;
}

/* Which links push from here on, where values are 0: several at once may depend on each other (an
 * edge of a box that closes). Where rounding hides it, as here. 0: no reaction. */
static int flow_go_on(Flow *flow) {
    const Given *given = flow->given;
    Held *held = flow->held;
    int n = given->count, zeros = 0;
    HeldRates rates = {flow->series, flow->series + n, flow->series + 2 * n};
    for (int i = 0; i < n; i++) {
        int holds = flow_holds(flow, i), zero = holds && flow->value[i] == 0;
        held->kind[i] = zero ? HELD_RESTRICTED : holds && held->pushes[i] ? HELD_FREE : HELD_OUT;
        rates.b[i] = rates.size[i] = 0;
        zeros += zero;
        for (int a = 0; a < flow->count && holds; a++) {
            double part = crm_flow_pull(flow, i, flow->falling[a]) * flow->y[flow->falling[a]];
            rates.b[i] -= part;
            rates.size[i] += fabs(part);
        }
    }
    if (zeros == 0) {
        return 1;
    }
    if (!crm_held_react_on(given, held, &rates)) {
        return flow_look_here(flow);
    }
    crm_flow_evaluate(flow);
    for (int i = 0; i < n; i++) {
        flow->value[i] = fmax(flow->value[i], 0);
    }
    return 1;
}

double crm_flow_length(const Flow *flow, int i, double r) {
    return r * flow->given->materials[i].kt > NEGLIGIBLE * flow->scale ? r : 0;
}

static void list_falling(Flow *flow) {
    flow->count = 0;
    for (int i = 0; i < flow->given->count; i++) {
        double kt = flow->given->materials[i].kt;
        if (flow->r[i] > 0 && flow->y[i] * kt > AT_REST * flow->scale) {
            flow->falling[flow->count++] = i;
        }
    }
}

/* The next derivative of the excess of link i by those of the lengths that fall; 0: rounding. */
static double excess_rate(const Flow *flow, int i, int count, const double *derivative) {
    double rate = 0, size = 0;
    for (int a = 0; a < count; a++) {
        rate -= flow_excess_slope(flow, i, a) * derivative[a];
        size += fabs(derivative[a]);
    }
    return fabs(rate) <= NOISE * size ? 0 : rate;
}

/* Lengths on the edge of their cones fall, too, if the others bring them beyond it: by the first
 * derivative of the excess that is not 0. Up to that order they do not move. 1: there are such. */
static int add_falling(Flow *flow) {
    int before = flow->count;
    double *derivative = flow->series, *next = derivative + flow->given->count;
    double *tied = next + flow->given->count;
    for (int i = 0; i < flow->given->count; i++) {
        double edge = ON_EDGE * flow->scale / flow->given->materials[i].kt;
        tied[i] = flow->r[i] > 0 && fabs(flow->y[i]) <= edge;
    }
    for (int a = 0; a < before; a++) {
        derivative[a] = flow->y[flow->falling[a]];
        tied[flow->falling[a]] = 0;
    }
    for (int order = 1; order <= TIE_ORDERS; order++) {
        int count = flow->count, undecided = 0;
        for (int i = 0; i < flow->given->count; i++) {
            double rate = tied[i] != 0 ? excess_rate(flow, i, count, derivative) : -1;
            tied[i] = rate == 0;
            undecided += rate == 0;
            if (rate > 0) {
                next[flow->count] = rate;
                flow->falling[flow->count++] = i;
                flow->y[i] = fmax(flow->y[i], 0);
            }
        }
        if (undecided == 0) {
            break;
        }
        for (int a = 0; a < count; a++) {
            next[a] = excess_rate(flow, flow->falling[a], count, derivative);
        }
        for (int a = count; a < flow->count; a++) {
            crm_flow_column(flow, a);
        }
        memcpy(derivative, next, (size_t)flow->count * sizeof *derivative);
    }
    return flow->count > before;
}

/* Lengths on the edge do not move at first, and so do not decide which links push. */
int crm_flow_look(Flow *flow) {
    if (!flow_look_here(flow)) {
        return 0;
    }
    list_falling(flow);
    if (flow->count > 0 && !flow_go_on(flow)) {
        return 0;
    }
    crm_flow_gradients(flow);
    if (flow->count > 0 && add_falling(flow)) {
        crm_flow_gradients(flow);
    }
    return 1;
}

/* Lengths at rest if the region does not change: r - M^-1 y, as the decrements. 0: there is none.
 */
static int find_rest(const Flow *flow, double *fall) {
    double *M = flow->held->room;
    int n = flow->count;
    memcpy(M, flow->M, (size_t)(n * n) * sizeof *M);
    for (int a = 0; a < n; a++) {
        fall[a] = flow->y[flow->falling[a]];
    }
    return crm_held_linear(n, M, fall) != 0;
}

/* Has M no positive entries off its diagonal? Then all excesses stay positive. */
static int excess_stays(const Flow *flow) {
    for (int a = 0; a < flow->count; a++) {
        for (int b = 0; b < flow->count; b++) {
            if (a != b && flow->M[a * flow->count + b] > 0) {
                return 0;
            }
        }
    }
    return 1;
}

/* Have the excesses become an eigenvector of M? Then the path to rest is straight. */
static int path_is_straight(const Flow *flow) {
    int n = flow->count, straight = 1;
    double *rate = flow->held->room, along = 0, square = 0;
    for (int a = 0; a < n; a++) {
        double y = flow->y[flow->falling[a]];
        rate[a] = 0;
        for (int b = 0; b < n; b++) {
            rate[a] += flow->M[a * n + b] * flow->y[flow->falling[b]];
        }
        along += rate[a] * y;
        square += y * y;
    }
    for (int a = 0; a < n; a++) {
        double y = flow->y[flow->falling[a]];
        straight &= along > 0 && fabs(rate[a] - y * along / square) <= EIGENVECTOR * y;
    }
    return straight;
}

/* A value of link i that a force as large as those before makes by itself. */
static double value_scale(const Flow *flow, int i) {
    const Material *material = &flow->given->materials[i];
    return flow->held->pushes[i]    ? flow->scale
           : flow->held->depends[i] ? flow->scale / material->k
                                    : flow->scale * material->w;
}

/* Does the value or the excess of link i not pass 0 on the path to rest? Both depend linearly on
 * lengths that only fall: bound them by the ends of a straight path, else by each length alone. */
static int stays_in_region(const Flow *flow, int i, const double *fall, int straight) {
    double lowest = flow->value[i], highest = flow->y[i], size = lowest;
    int falls = 0;
    for (int a = 0; a < flow->count; a++) {
        double part = flow->gradient[i * flow->given->count + a] * fall[a];
        double slope = flow_excess_slope(flow, i, a) * fall[a];
        lowest -= straight ? part : fmax(0, part);
        highest -= straight ? slope : fmin(0, slope);
        size += fabs(part);
        falls |= flow->falling[a] == i;
    }
    double edge = AT_REST * flow->scale / flow->given->materials[i].kt;
    double least = NOISE * size + AT_REST * value_scale(flow, i);
    return lowest >= -least && (falls || flow->r[i] == 0 || highest <= edge);
}

/* Is the path to rest certain not to leave the region? */
static int rest_is_certain(const Flow *flow, double *fall) {
    int straight = path_is_straight(flow);
    if (!straight && !excess_stays(flow)) {
        return 0;
    }
    for (int a = 0; a < flow->count; a++) {
        double r = flow->r[flow->falling[a]];
        if (!(fall[a] >= 0) || fall[a] > r * (1 + EIGENVECTOR)) {
            return 0;
        }
        fall[a] = fmin(fall[a], r);
    }
    for (int i = 0; i < flow->given->count; i++) {
        if (flow_holds(flow, i) && !stays_in_region(flow, i, fall, straight)) {
            return 0;
        }
    }
    return 1;
}

/* Taylor series of the falling lengths over a step h. */
static void find_series(Flow *flow, double h) {
    int n = flow->count;
    double *y = flow->held->room, *next = y + n;
    for (int a = 0; a < n; a++) {
        y[a] = flow->y[flow->falling[a]];
        flow->series[a * TERMS] = flow->r[flow->falling[a]];
    }
    for (int g = 1; g < TERMS; g++) {
        for (int a = 0; a < n; a++) {
            flow->series[a * TERMS + g] = -h * y[a] * RECIPROCAL[g];
        }
        for (int a = 0; a < n; a++) {
            next[a] = 0;
            for (int b = 0; b < n; b++) {
                next[a] += flow->M[a * n + b] * flow->series[b * TERMS + g];
            }
        }
        memcpy(y, next, (size_t)n * sizeof *y);
    }
}

/* First zero of value + sum of slope[a] times (r_a - its start), up to limit; of one that begins at
 * 0, the first one after that, if it rises. */
static double flow_zero(const Flow *flow, double value, const double *slope, double limit) {
    double series[TERMS] = {value};
    int at_zero = value == 0;
    for (int g = 1; g < TERMS; g++) {
        double size = 0;
        for (int a = 0; a < flow->count; a++) {
            double part = slope[a] * flow->series[a * TERMS + g];
            series[g] += part;
            size += fabs(part);
        }
        if (at_zero && fabs(series[g]) <= NOISE * size) {
            series[g] = 0;
        } else if (at_zero && series[g] < 0) {
            return INFINITY;
        }
        at_zero &= series[g] == 0;
    }
    return at_zero ? INFINITY : crm_series_zero(series, TERMS, limit);
}

/* The end of the step: where a value or an excess passes 0, in [0, 1]. */
static double find_event(const Flow *flow) {
    const Given *given = flow->given;
    double moment = 1, *slope = flow->held->room + 2 * flow->held->limit;
    for (int i = 0; i < given->count; i++) {
        if (!flow_holds(flow, i)) {
            continue;
        }
        double value = fmax(flow->value[i], 0);
        moment = fmin(moment, flow_zero(flow, value, &flow->gradient[i * given->count], moment));
        double sign = -1;
        for (int a = 0; a < flow->count; a++) {
            sign = flow->falling[a] == i ? 1 : sign;
        }
        for (int a = 0; a < flow->count; a++) {
            slope[a] = sign * flow_excess_slope(flow, i, a);
        }
        double distance = sign * flow->y[i], edge = AT_REST * flow->scale / given->materials[i].kt;
        if (flow->r[i] > 0) {
            distance = distance > (sign > 0 ? 0 : edge) ? distance : 0;
            moment = fmin(moment, flow_zero(flow, distance, slope, moment));
        }
    }
    return moment;
}

/* The part of the step at whose end the last terms are negligible, relative to the first ones: it
 * may be long where what falls fast has fallen, and LEAST_PART suffices for all. */
static double step_part(const Flow *flow) {
    double first = 0, last = 0;
    for (int a = 0; a < flow->count; a++) {
        first = fmax(first, fabs(flow->series[a * TERMS + 1]));
        last = fmax(last, fabs(flow->series[a * TERMS + ORDER]));
    }
    double part = last > 0 ? exp(log(FLOW_CUT * first / last) / ORDER) : 1;
    return fmin(1, fmax(LEAST_PART, part));
}

/* The series of the falling lengths over the next step; its length. */
static double expand_flow(Flow *flow) {
    double norm = 0, power = 1;
    for (int a = 0; a < flow->count; a++) {
        double sum = 0;
        for (int b = 0; b < flow->count; b++) {
            sum += fabs(flow->M[a * flow->count + b]);
        }
        norm = fmax(norm, sum);
    }
    find_series(flow, 1 / (LEAST_PART * norm));
    double part = step_part(flow);
    for (int g = 1; g < TERMS && part < 1; g++) {
        power *= part;
        for (int a = 0; a < flow->count; a++) {
            flow->series[a * TERMS + g] *= power;
        }
    }
    return part / (LEAST_PART * norm);
}

/* One step of the flow; 1: it ends where the region does. */
static int flow_step(Flow *flow) {
    double length = expand_flow(flow), x = find_event(flow), *change = flow->held->room;
    if (flow->visitor) {
        flow->visitor->step(flow->visitor->context, flow, x * length);
    }
    for (int a = 0; a < flow->count; a++) {
        double *r = &flow->r[flow->falling[a]];
        double next =
            crm_flow_length(flow, flow->falling[a], crm_series_at(&flow->series[a * TERMS], x));
        change[a] = next - *r;
        *r = next;
    }
    if (x < 1) {
        return 1;
    }
    int outside = 0;
    for (int i = 0; i < flow->given->count; i++) {
        for (int a = 0; a < flow->count && flow_holds(flow, i); a++) {
            flow->value[i] += flow->gradient[i * flow->given->count + a] * change[a];
            flow->y[i] += flow_excess_slope(flow, i, a) * change[a];
        }
        outside |= flow->value[i] < 0;
    }
    return outside;
}

/* Only rounding is left of all lengths and reactions: they have come to 0 together. */
static int is_spent(const Flow *flow) {
    int spent = 1;
    for (int i = 0; i < flow->given->count; i++) {
        double force = fmax(flow->r[i] * flow->given->materials[i].kt, flow->held->N[i]);
        spent &= !flow_holds(flow, i) || force <= VANISHED * flow->scale;
    }
    return spent;
}

int crm_flow_run(Flow *flow, int *all) {
    double *fall = flow->held->room + 3 * flow->held->limit * flow->held->limit;
    int event = 1;
    for (int steps = 0; steps < FLOW_STEPS && *all < ALL_FLOW_STEPS; steps++, ++*all) {
        if (event && !crm_flow_look(flow)) {
            return 0;
        }
        if (flow->count == 0) {
            return 1;
        }
        if (event && is_spent(flow)) {
            memset(flow->r, 0, (size_t)flow->given->count * sizeof *flow->r);
            return flow_look_here(flow);
        }
        int slow = steps % LOOK_AGAIN == LOOK_AGAIN - 1;
        if (find_rest(flow, fall) && rest_is_certain(flow, fall)) {
            for (int a = 0; a < flow->count; a++) {
                flow->r[flow->falling[a]] -= fall[a];
            }
            return flow_look_here(flow);
        }
        event = flow_step(flow) || slow;
    }
    return 0;
}
