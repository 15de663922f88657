/* A piece of a network without friction where no link is held: the same series as expand.c's, but
 * as derivatives. With time in units of the fastest swing, P = unit N, and x the way that v = x'
 * has gone since P was 0,
 *
 *   v' = W P,   P = rate x,   rate = -k unit^2,   I' = P:
 *
 * each derivative follows from the last but one, x from the state, v from the state, then
 * W rate x ... The term of order g is the derivative times t^g/g!.
 *
 * An elastic link (e = 1) takes no notice of the ends and restarts of its compression: they are
 * told, but they do not end the piece. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/jet.h"
#include "math/lanes.h"
#include "multiple/product.h"
#include "multiple/terms.h"

/* What the series may leave out in a piece, relative to the largest speed. */
static const double PLAIN_CUT = 6e-14;

typedef int64_t Mask __attribute__((vector_size(16)));

static Pair *pairs(double *numbers) {
    return (Pair *)numbers;
}

static Pair larger(Pair x, Pair y) {
    Mask first = x > y;
    return (Pair)(((Mask)x & first) | ((Mask)y & ~first));
}

int crm_plain_applies(const Network *network) {
    if (network->rows != 1) {
        return 0;
    }
    for (const Link *link = network->links; link < network->links + network->count; link++) {
        if (link->phase == HELD || (link->phase == TOUCHING && link->rigid)) {
            return 0;
        }
    }
    return 1;
}

void crm_plain_begin(Network *network) {
    int n = network->size;
    network->is_row = network->rows == 1;
    for (int i = 0; i < n && network->is_row; i++) {
        for (int j = i + 2; j < n; j++) {
            network->is_row &= network->W[i * n + j] == 0;
        }
    }
    for (int i = 0; i < network->stride && network->is_row; i++) {
        double *W = &network->beside[6 * (i / 2) + i % 2];
        for (int j = -1; j <= 1; j++) {
            int inside = i < n && i + j >= 0 && i + j < n;
            W[2 * (j + 1)] = inside ? network->W[i * n + i + j] : 0;
        }
    }
}

static int is_elastic(const Network *network, const Link *link) {
    return link->e == 1 && !network->mono && is_sprung(link);
}

/* Of a link that acts. */
static double rate_of(const Network *network, const Link *link) {
    return -link->k * network->unit * network->unit;
}

/* The derivatives of this order: of v from 0 on, and x is that of order -1. */
static double *order_of(const Network *network, int order) {
    return &network->terms_v[(order + 1) * network->stride];
}

/* State to the first two orders. The number of links that touch. */
static int plain_load(Network *network) {
    double *x = order_of(network, -1), *v = order_of(network, 0), *rate = network->rate;
    int touching = 0;
    for (int i = 0; i < network->stride + 2; i++) {
        rate[i] = 0;
    }
    x[network->stride - 1] = v[network->stride - 1] = 0;
    for (int i = 0; i < network->count; i++) {
        Link *link = &network->links[i];
        link->decided = link->phase != TOUCHING;
        touching += !link->decided;
        v[i] = network->v[i];
        x[i] = 0;
        if (is_sprung(link)) {
            rate[i] = rate_of(network, link);
            x[i] = link->N * network->unit / rate[i];
        }
    }
    return touching;
}

/* Links that touch: what moves them at this order decides. The number of those left. */
static int plain_decide(Network *network, int g) {
    double *v = order_of(network, g), *P = network->column_in;
    int left = 0;
    for (int i = 0; i < network->count && g > 0; i++) {
        P[i] = network->rate[i] * order_of(network, g - 2)[i];
    }
    for (int i = 0; i < network->count; i++) {
        Link *link = &network->links[i];
        if (link->decided) {
            continue;
        }
        /* where its force would be left out: in the next piece */
        if (g > ORDER - 2 || (g > 0 && crm_is_noise(network, i, P, v[i]))) {
            v[i] = 0;
        }
        link->decided = v[i] != 0;
        left += v[i] == 0;
        if (v[i] > 0) {
            link->phase = OPEN;
        } else if (v[i] < 0) {
            link->phase = LINK_COMPRESSION;
            network->rate[i] = rate_of(network, link);
        }
    }
    return left;
}

/* out = W rate x for a row of balls, where only neighbours meet. */
static void push_row(const Network *network, const Pair *x, Pair *out) {
    const Pair *W = pairs(network->beside), *rate = pairs(network->rate);
    Pair now = rate[0] * x[0], left = {0, now[0]};
    for (int i = 0; i < network->stride / 2; i++) {
        /* after the last one there is no force, whatever x */
        Pair next = rate[i + 1] * x[i + 1], right = {now[1], next[0]};
        out[i] = W[0] * left + W[1] * now + W[2] * right;
        W += 3;
        left = right;
        now = next;
    }
}

static void push_any(const Network *network, const Pair *x, Pair *out) {
    int half = network->stride / 2;
    const Pair *rate = pairs(network->rate);
    Pair *P = pairs(network->column_in);
    for (int i = 0; i < half; i++) {
        P[i] = rate[i] * x[i];
    }
    multiply_band(network, network->column_in, (double *)out, half, network->width);
}

/* Even and odd orders do not wait for each other. */
static void fill_terms(Network *network, int touching) {
    int half = network->stride / 2;
    Pair *x = pairs(network->terms_v);
    for (int g = 0; g < ORDER; g++) {
        if (touching) {
            touching = plain_decide(network, g);
        }
        (network->is_row ? push_row : push_any)(network, x, x + 2 * half);
        x += half;
    }
    if (touching) {
        plain_decide(network, ORDER);
    }
}

/* The same for two links. */
static void fill_two(Network *network, int touching) {
    Pair *x = pairs(network->terms_v), W0 = pairs(network->wide)[0], W1 = pairs(network->wide)[1];
    Pair rate = *pairs(network->rate);
    for (int g = 0; g < ORDER; g++) {
        if (touching) {
            touching = plain_decide(network, g);
            rate = *pairs(network->rate);
        }
        Pair P = rate * x[g];
        x[g + 2] = W0 * both(P[0]) + W1 * both(P[1]);
    }
    if (touching) {
        plain_decide(network, ORDER);
    }
}

/* How far the series hold. The last two derivatives of the speeds tell the size of the terms that
 * are left out; as speeds the forces, an order behind, are no larger. */
static double find_reach(const Network *network) {
    const double factorial = 20922789888000;
    const Pair *v = pairs(order_of(network, ORDER - 1));
    Pair size = both(0);
    for (int i = 0; i < network->stride; i++) {
        size = larger(magnitude(v[i]), size);
    }
    double last = size[0] > size[1] ? size[0] : size[1];
    return last > 0 ? sqrt(sqrt(sqrt(sqrt(PLAIN_CUT * factorial / last)))) : INFINITY;
}

/* t^g/g! for all orders, and one more for integrals. */
static void find_powers(double t, Pair power[TERMS + 1]) {
    double odd = t, even = 1;
    for (int g = 0; g < TERMS; g += 2) {
        power[g] = both(even);
        power[g + 1] = both(odd);
        even *= t * t * (RECIPROCAL[g + 1] * RECIPROCAL[g + 2]);
        odd *= t * t * (RECIPROCAL[g + 2] * RECIPROCAL[g + 3]);
    }
}

/* The series of one link over the piece, from this order on, times factor. */
static void gather(const Network *network, int order, int link, double factor,
                   double series[TERMS]) {
    const double *terms = order_of(network, order) + link;
    for (int g = 0; g < TERMS; g++) {
        series[g] = factor * network->power[g][0] * terms[g * network->stride];
    }
}

static void gather_force(const Network *network, int i, double series[TERMS]) {
    gather(network, -1, i, network->rate[i] / network->unit, series);
}

/* For the samples: the forces as they are elsewhere. */
static void show_forces(Network *network) {
    for (int i = 0; i < network->count; i++) {
        double series[TERMS];
        gather_force(network, i, series);
        for (int g = 0; g < TERMS; g++) {
            *force_term(network, i, g) = series[g];
        }
    }
}

void crm_plain_expand(Network *network) {
    (network->stride == 2 ? fill_two : fill_terms)(network, plain_load(network));
    double h = find_reach(network);
    network->step = h * network->unit;
    find_powers(h < INFINITY ? h : 1, network->power);
    if (network->sampler) {
        show_forces(network);
    }
}

/* How low the series of two links may fall over the piece, at most: by all of what is below 0,
 * which is half of what their sum is short of the sum of their magnitudes. */
static Pair find_bound(const Network *network, int order, int pair, Pair factor) {
    int half = network->stride / 2;
    const Pair *term = pairs(order_of(network, order)) + pair;
    Pair sum = both(0), size = both(0);
    for (int g = ORDER; g > 0; g--) {
        Pair part = term[g * half] * network->power[g];
        sum += part;
        size += magnitude(part);
    }
    return factor * *term + (factor * sum - magnitude(factor) * size) * both(0.5);
}

static double wait_for_speed(const Network *network, int i, double sign, double limit) {
    double series[TERMS];
    gather(network, 0, i, sign, series);
    return crm_series_zero(series, TERMS, limit);
}

static double wait_for_force(const Network *network, int i, double limit) {
    const Link *link = &network->links[i];
    double series[TERMS];
    gather_force(network, i, series);
    series[0] -= opening_force(network, link);
    series[0] = series[0] < 0 ? 0 : series[0];
    return crm_series_zero(series, TERMS, limit);
}

/* Speeds, forces and what these have pushed, at t from the start of the piece. */
static void plain_evaluate(const Network *network, double t, Pair *v, Pair *P, Pair *gain) {
    int half = network->stride / 2;
    Pair power[TERMS + 1];
    find_powers(t, power);
    for (int i = 0; i < half; i++) {
        const Pair *term = pairs(network->terms_v) + i, rate = pairs(network->rate)[i];
        Pair speed = term[TERMS * half] * power[ORDER], way = both(0), area = way;
        for (int g = ORDER; g > 0; g--) {
            speed += term[g * half] * power[g - 1];
            way += term[g * half] * power[g];
            area += term[g * half] * power[g + 1];
        }
        v[i] = speed;
        P[i] = rate * (way + *term);
        gain[i] = rate * (area + *term * power[1]);
    }
}

/* The forces and impulses of all links as they are at x, or as they were before. */
static void visit(Network *network, double x) {
    memcpy(network->I_then, network->I, (size_t)network->size * sizeof *network->I);
    plain_evaluate(network, x * network->power[1][0], pairs(network->bound_force),
                   pairs(network->column_in), pairs(network->column_out));
    for (int i = 0; i < network->count; i++) {
        network->I[i] += network->column_out[i];
        network->bound_force[i] = network->links[i].N;
        network->links[i].N = network->column_in[i] / network->unit;
    }
}

static void leave(Network *network) {
    memcpy(network->I, network->I_then, (size_t)network->size * sizeof *network->I);
    for (int i = 0; i < network->count; i++) {
        network->links[i].N = network->bound_force[i];
    }
}

/* An elastic link turns back at x: tell, and go on. */
static void plain_turn_back(Network *network, int i, double x) {
    Link *link = &network->links[i];
    if (network->result->event_count < network->result->event_capacity) {
        visit(network, x);
        crm_elastic_turn(network, link);
        leave(network);
        return;
    }
    double series[TERMS], N = link->N;
    gather_force(network, i, series);
    link->N = crm_series_at(series, x);
    crm_elastic_turn(network, link);
    link->N = N;
}

/* The next time after x that the speed of an elastic link changes its sign; x < 0: the first. */
static double next_turn(const Network *network, int i, double x, double limit) {
    double series[TERMS], sign = network->links[i].phase == LINK_COMPRESSION ? -1 : 1;
    gather(network, 0, i, sign, series);
    if (x < 0) {
        return crm_series_zero(series, TERMS, limit);
    }
    double zero = crm_jet_polynomial_zero_after(series, ORDER, x, limit);
    return isnan(zero) ? INFINITY : zero;
}

/* The elastic link that turns first, if before the moment; NULL: none does. */
static Link *plain_find_turn(const Network *network) {
    Link *first = NULL;
    double moment = network->moment;
    for (Link *link = network->links; link < network->links + network->count; link++) {
        if (link->wait[WATCH_TURN] < moment) {
            moment = link->wait[WATCH_TURN];
            first = link;
        }
    }
    return first;
}

/* All turns of elastic links up to the moment, in their order. */
static void tell_turns(Network *network) {
    int any = 0;
    for (int i = 0; i < network->count; i++) {
        Link *link = &network->links[i];
        if (network->bound_speed[i] <= 0 && is_elastic(network, link)) {
            link->wait[WATCH_TURN] = next_turn(network, i, -1, network->moment);
            any |= link->wait[WATCH_TURN] < network->moment;
        }
    }
    /* a series has no more zeros than terms */
    Link *link = any ? plain_find_turn(network) : NULL;
    for (int left = network->count * ORDER; link && left > 0; left--) {
        int i = (int)(link - network->links);
        double x = link->wait[WATCH_TURN];
        plain_turn_back(network, i, x);
        link->wait[WATCH_TURN] = next_turn(network, i, x, network->moment);
        link = plain_find_turn(network);
    }
}

/* May the force fall to where the link opens? Not while it is being compressed. */
static int may_open(const Network *network, const Link *link, int i) {
    if (link->phase != LINK_RESTITUTION &&
        !(is_elastic(network, link) && network->bound_speed[i] <= 0)) {
        return 0;
    }
    return network->mono || find_bound(network, -1, i / 2, pairs(network->rate)[i / 2])[i % 2] <= 0;
}

void crm_plain_watch(Network *network) {
    double *sign = network->bound_sign;
    for (int i = 0; i < network->stride; i++) {
        sign[i] = i < network->count && network->links[i].phase == LINK_COMPRESSION ? -1 : 1;
    }
    for (int i = 0; i < network->stride / 2; i++) {
        pairs(network->bound_speed)[i] = find_bound(network, 0, i, pairs(sign)[i]);
    }
    network->moment = 1;
    for (int i = 0; i < network->count; i++) {
        Link *link = &network->links[i];
        wait_for_nothing(link);
        if (link->phase >= OPEN && link->phase != TOUCHING && network->bound_speed[i] <= 0 &&
            !is_elastic(network, link)) {
            crm_watch_for(network, link, WATCH_SPEED,
                          wait_for_speed(network, i, sign[i], crm_watch_limit(network)));
        }
        if (may_open(network, link, i)) {
            crm_watch_for(network, link, WATCH_FORCE,
                          wait_for_force(network, i, crm_watch_limit(network)));
        }
    }
    tell_turns(network);
}

void crm_plain_advance(Network *network) {
    double *v = network->bound_speed, *P = network->column_in, *gain = network->column_out;
    plain_evaluate(network, network->moment * network->power[1][0], pairs(v), pairs(P),
                   pairs(gain));
    for (int i = 0; i < network->count; i++) {
        Link *link = &network->links[i];
        network->v[i] = v[i];
        network->I[i] += gain[i];
        network->clock += gain[i];
        if (is_sprung(link)) {
            link->N = P[i] > 0 ? P[i] / network->unit : 0;
        }
    }
}
