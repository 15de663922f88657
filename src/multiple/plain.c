/* Derivatives of a frictionless piece, their bounds and zeros. */
#include "multiple/plain.h"

#include <string.h>

#include "math/jet.h"
#include "math/lanes.h"
#include "multiple/events.h"
#include "multiple/multiple_visit.h"
#include "multiple/product.h"
#include "multiple/terms.h"
#include "multiple/watch.h"

/* What the series may leave out in a piece, relative to the largest speed. */
static const double PLAIN_CUT = 6e-14;

static Pair *pairs(double *numbers) {
    return (Pair *)numbers;
}

int crm_plain_applies(const Network *network) {
    if (network->given.rows != 1) {
        return 0;
    }
    for (int i = 0; i < network->given.count; i++) {
        if (network->state.links[i].phase == HELD) {
            return 0;
        }
    }
    return 1;
}

static int is_elastic(const Network *network, int i) {
    return network->given.materials[i].e == 1 && !network->given.mono &&
           !network_observer(network) && is_sprung(network->piece.links[i].phase);
}

/* Of a link that acts. */
static double rate_of(const Network *network, int i) {
    return -network->state.links[i].k * network->piece.unit * network->piece.unit;
}

/* The derivatives of this order: of v from 0 on, and x is that of order -1. */
static double *order_of(const Network *network, int order) {
    return &network->piece.terms_v[(order + 1) * network->given.stride];
}

/* NetworkState to the first two orders. The number of links that touch. */
static int plain_load(Network *network) {
    double *x = order_of(network, -1), *v = order_of(network, 0), *rate = network->piece.rate;
    int touching = 0;
    for (int i = 0; i < network->given.stride + 2; i++) {
        rate[i] = 0;
    }
    x[network->given.stride - 1] = v[network->given.stride - 1] = 0;
    for (int i = 0; i < network->given.count; i++) {
        const Link *link = &network->state.links[i];
        LinkPiece *own = &network->piece.links[i];
        own->phase = link->phase;
        own->decided = link->phase != TOUCHING;
        touching += !own->decided;
        v[i] = network->state.v[i];
        x[i] = 0;
        if (is_sprung(link->phase)) {
            rate[i] = rate_of(network, i);
            x[i] = link->N * network->piece.unit / rate[i];
        }
    }
    return touching;
}

/* Is a term of this row rounding, if these are the forces? */
static int plain_is_noise(const Network *network, int row, const double *P, double value) {
    const double *W = row_of_W(&network->given, row);
    double sum = 0;
    for (int i = 0; i < network->given.count; i++) {
        sum += fabs(W[i] * P[i]);
    }
    return fabs(value) <= NOISE * sum;
}

/* Links that touch: the first order that moves them decides. The number of those left. */
static int plain_decide(Network *network, int g) {
    double *v = order_of(network, g), *P = network->piece.column_in;
    int left = 0;
    for (int i = 0; i < network->given.count && g > 0; i++) {
        P[i] = network->piece.rate[i] * order_of(network, g - 2)[i];
    }
    for (int i = 0; i < network->given.count; i++) {
        LinkPiece *own = &network->piece.links[i];
        if (own->decided) {
            continue;
        }
        /* where its force would be left out: in the next piece */
        if (g > ORDER - 2 || (g > 0 && plain_is_noise(network, i, P, v[i]))) {
            v[i] = 0;
        }
        own->decided = v[i] != 0;
        left += v[i] == 0;
        if (v[i] > 0) {
            own->phase = OPEN;
        } else if (v[i] < 0) {
            own->phase = LINK_COMPRESSION;
            network->piece.rate[i] = rate_of(network, i);
        }
    }
    return left;
}

static void plain_push(const Network *network, const Pair *x, Pair *out) {
    int half = network->given.stride / 2;
    const Pair *rate = pairs(network->piece.rate);
    Pair *P = pairs(network->piece.column_in);
    for (int i = 0; i < half; i++) {
        P[i] = pair_times(rate[i], x[i]);
    }
    multiply_band(&network->given, network->piece.column_in, (double *)out, half,
                  network->given.width);
}

/* Even and odd orders do not wait for each other. */
static void fill_terms(Network *network, int touching) {
    int half = network->given.stride / 2;
    Pair *x = pairs(network->piece.terms_v);
    for (int g = 0; g < ORDER; g++) {
        if (touching) {
            touching = plain_decide(network, g);
        }
        plain_push(network, x, x + 2 * half);
        x += half;
    }
    if (touching) {
        plain_decide(network, ORDER);
    }
}

/* The same for two links. */
static void fill_two(Network *network, int touching) {
    Pair *x = pairs(network->piece.terms_v), W0 = pairs(network->given.wide)[0],
         W1 = pairs(network->given.wide)[1];
    Pair rate = *pairs(network->piece.rate);
    for (int g = 0; g < ORDER; g++) {
        if (touching) {
            touching = plain_decide(network, g);
            rate = *pairs(network->piece.rate);
        }
        Pair P = pair_times(rate, x[g]);
        x[g + 2] = pair_join(W1, both(LANE(P, 1)), pair_times(W0, both(LANE(P, 0))));
    }
    if (touching) {
        plain_decide(network, ORDER);
    }
}

/* How far the series hold for all links together. The last two derivatives of the speeds tell the
 * size of the terms that are left out; as speeds the forces, an order behind, are no larger. */
static double common_reach(const Network *network) {
    const double factorial = 20922789888000;
    const Pair *v = pairs(order_of(network, ORDER - 1));
    Pair size = both(0);
    for (int i = 0; i < network->given.stride; i++) {
        size = pair_larger(magnitude(v[i]), size);
    }
    double last = LANE(size, 0) > LANE(size, 1) ? LANE(size, 0) : LANE(size, 1);
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
        series[g] = factor * LANE(network->piece.power[g], 0) * terms[g * network->given.stride];
    }
}

static void gather_force(const Network *network, int i, double series[TERMS]) {
    gather(network, -1, i, network->piece.rate[i] / network->piece.unit, series);
}

void crm_plain_series(const Network *network, int link, double speed[TERMS], double force[TERMS]) {
    gather(network, 0, link, 1, speed);
    gather_force(network, link, force);
}

/* For the samples: the forces as they are elsewhere. */
static void show_forces(Network *network) {
    for (int i = 0; i < network->given.count; i++) {
        double series[TERMS];
        gather_force(network, i, series);
        for (int g = 0; g < TERMS; g++) {
            order_terms(&network->given, network->piece.terms_f, g)[i] = series[g];
            network->piece.links[i].written = 1;
        }
    }
}

void crm_plain_expand(Network *network) {
    network->piece.any_held = network->piece.closing = 0;
    network->piece.terms_push = network->piece.terms_f;
    (network->given.stride == 2 ? fill_two : fill_terms)(network, plain_load(network));
    double common = common_reach(network), h = crm_terms_own_reach(network, common, 1);
    network->piece.common = common;
    network->piece.step = h * network->piece.unit;
    find_powers(h < INFINITY ? h : 1, network->piece.power);
    if (network_needs_series(network)) {
        for (int g = 0; g < TERMS; g++) {
            network->piece.scale[g] = 1;
        }
        show_forces(network);
    }
}

/* How low the series of two links may fall over the piece, at most: by all of what is below 0,
 * which is half of what their sum is short of the sum of their magnitudes. */
static Pair find_bound(const Network *network, int order, int pair, Pair factor) {
    int half = network->given.stride / 2;
    const Pair *term = pairs(order_of(network, order)) + pair;
    Pair sum = both(0), size = both(0);
    for (int g = ORDER; g > 0; g--) {
        Pair part = pair_times(term[g * half], network->piece.power[g]);
        sum = pair_plus(sum, part);
        size = pair_plus(size, magnitude(part));
    }
    return pair_join(pair_minus(pair_times(factor, sum), pair_times(magnitude(factor), size)),
                     both(0.5), pair_times(factor, *term));
}

static double wait_for_speed(const Network *network, int i, double sign, double limit) {
    double series[TERMS];
    gather(network, 0, i, sign, series);
    return crm_series_zero(series, TERMS, limit);
}

static double wait_for_force(const Network *network, int i, double limit) {
    double series[TERMS];
    gather_force(network, i, series);
    series[0] -= opening_force(&network->given, i, &network->state.links[i]);
    series[0] = series[0] < 0 ? 0 : series[0];
    return crm_series_zero(series, TERMS, limit);
}

/* Speeds, forces and what these have pushed, at t from the start of the piece. */
static void plain_evaluate(const Network *network, double t, Pair *v, Pair *P, Pair *gain) {
    int half = network->given.stride / 2;
    Pair power[TERMS + 1];
    find_powers(t, power);
    for (int i = 0; i < half; i++) {
        const Pair *term = pairs(network->piece.terms_v) + i, rate = pairs(network->piece.rate)[i];
        Pair speed = pair_times(term[TERMS * half], power[ORDER]), way = both(0), area = way;
        for (int g = ORDER; g > 0; g--) {
            speed = pair_join(term[g * half], power[g - 1], speed);
            way = pair_join(term[g * half], power[g], way);
            area = pair_join(term[g * half], power[g + 1], area);
        }
        v[i] = speed;
        P[i] = pair_times(rate, pair_plus(way, *term));
        gain[i] = pair_times(rate, pair_join(*term, power[1], area));
    }
}

/* The forces and impulses of all links as they are at x, or as they were before. */
static void visit(Network *network, double x) {
    memcpy(network->piece.I_then, network->state.I,
           (size_t)network->given.size * sizeof *network->state.I);
    plain_evaluate(network, x * LANE(network->piece.power[1], 0), pairs(network->piece.bound_force),
                   pairs(network->piece.column_in), pairs(network->piece.column_out));
    for (int i = 0; i < network->given.count; i++) {
        network->state.I[i] += network->piece.column_out[i];
        network->piece.bound_force[i] = network->state.links[i].N;
        network->state.links[i].N = network->piece.column_in[i] / network->piece.unit;
    }
}

static void leave(Network *network) {
    memcpy(network->state.I, network->piece.I_then,
           (size_t)network->given.size * sizeof *network->state.I);
    for (int i = 0; i < network->given.count; i++) {
        network->state.links[i].N = network->piece.bound_force[i];
    }
}

/* An elastic link turns back at x: tell, and go on. */
static void plain_turn_back(Network *network, int i, double x) {
    Link *link = &network->state.links[i];
    const MultipleVisitor *follower = network_follower(network);
    if (network->result->event_count < network->result->event_capacity) {
        visit(network, x);
        crm_events_turn(network, i);
        leave(network);
    } else {
        double series[TERMS], N = link->N;
        gather_force(network, i, series);
        link->N = crm_series_at(series, x);
        crm_events_turn(network, i);
        link->N = N;
    }
    if (follower) {
        follower->turned(follower->context, network, i, x * network->piece.step);
    }
}

/* The next time after x that the speed of an elastic link changes its sign; x < 0: the first. */
static double next_turn(const Network *network, int i, double x, double limit) {
    double series[TERMS], sign = network->piece.links[i].phase == LINK_COMPRESSION ? -1 : 1;
    gather(network, 0, i, sign, series);
    if (x < 0) {
        return crm_series_zero(series, TERMS, limit);
    }
    double zero = crm_jet_polynomial_zero_after(series, ORDER, x, limit);
    return isnan(zero) ? INFINITY : zero;
}

/* The elastic link that turns first, if before the moment; -1: none does. */
static int plain_find_turn(const Network *network) {
    int first = -1;
    double moment = network->piece.moment;
    for (int i = 0; i < network->given.count; i++) {
        if (network->piece.links[i].wait[WATCH_TURN] < moment) {
            moment = network->piece.links[i].wait[WATCH_TURN];
            first = i;
        }
    }
    return first;
}

/* All turns of elastic links up to the moment, in their order. */
static void report_turns(Network *network) {
    const Piece *piece = &network->piece;
    int any = 0;
    for (int i = 0; i < network->given.count; i++) {
        LinkPiece *own = &piece->links[i];
        if (piece->bound_speed[i] <= 0 && is_elastic(network, i)) {
            own->wait[WATCH_TURN] = next_turn(network, i, -1, piece->moment);
            any |= own->wait[WATCH_TURN] < piece->moment;
        }
    }
    /* a series has no more zeros than terms */
    int i = any ? plain_find_turn(network) : -1;
    for (int left = network->given.count * ORDER; i >= 0 && left > 0; left--) {
        double x = piece->links[i].wait[WATCH_TURN];
        plain_turn_back(network, i, x);
        piece->links[i].wait[WATCH_TURN] = next_turn(network, i, x, piece->moment);
        i = plain_find_turn(network);
    }
}

/* May the force fall to where the link opens? Not while it is being compressed. */
static int may_open(const Network *network, int i) {
    const Piece *piece = &network->piece;
    if (piece->links[i].phase != LINK_RESTITUTION &&
        !(is_elastic(network, i) && piece->bound_speed[i] <= 0)) {
        return 0;
    }
    return network->given.mono ||
           LANE(find_bound(network, -1, i / 2, pairs(piece->rate)[i / 2]), i % 2) <= 0;
}

void crm_plain_watch(Network *network) {
    const Given *given = &network->given;
    Piece *piece = &network->piece;
    double *sign = piece->bound_sign;
    for (int i = 0; i < given->stride; i++) {
        sign[i] = i < given->count && piece->links[i].phase == LINK_COMPRESSION ? -1 : 1;
    }
    for (int i = 0; i < given->stride / 2; i++) {
        pairs(piece->bound_speed)[i] = find_bound(network, 0, i, pairs(sign)[i]);
    }
    piece->moment = 1;
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        crm_watch_clear(own);
        if (own->phase >= OPEN && own->phase != TOUCHING && piece->bound_speed[i] <= 0 &&
            !is_elastic(network, i)) {
            crm_watch_for(piece, i, WATCH_SPEED,
                          wait_for_speed(network, i, sign[i], crm_watch_limit(piece)));
        }
        if (may_open(network, i)) {
            crm_watch_for(piece, i, WATCH_FORCE,
                          wait_for_force(network, i, crm_watch_limit(piece)));
        }
    }
    report_turns(network);
}

void crm_plain_advance(Network *network) {
    NetworkState *state = &network->state;
    Piece *piece = &network->piece;
    double *v = piece->bound_speed, *P = piece->column_in, *gain = piece->column_out;
    double length = LANE(piece->power[1], 0);
    plain_evaluate(network, piece->moment * length, pairs(v), pairs(P), pairs(gain));
    state->omitted +=
        terms_plain_omitted(PLAIN_CUT, piece->common, piece->moment * length / piece->common);
    for (int i = 0; i < network->given.count; i++) {
        Link *link = &state->links[i];
        state->v[i] = v[i];
        state->I[i] += gain[i];
        state->clock += gain[i];
        if (is_sprung(link->phase)) {
            link->N = P[i] > 0 ? P[i] / piece->unit : 0;
        }
    }
}
