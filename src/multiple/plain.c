/* A piece of a network without friction where no link is held: the same series as expand.c's, but
 * kept order by order, so that two links are worked on at once, and as derivatives: with time in
 * units of the fastest swing and P = unit N,
 *
 *   v' = W P,   P' = rate v,   rate = -k unit^2
 *
 * has no factors in it, and I' = P. The term of order g is the derivative times t^g/g!.
 *
 * An elastic link (e = 1) takes no notice of the ends and restarts of its compression: they are
 * told, but they do not end the piece. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/jet.h"
#include "math/lanes.h"
#include "multiple/network.h"
#include "multiple/product.h"

/* What the series may leave out in a piece, relative to the largest speed. */
static const double CUT = 5e-14;

typedef int64_t Mask __attribute__((vector_size(16)));

static Pair *pairs(double *numbers) {
    return (Pair *)numbers;
}

static Pair both(double x) {
    return (Pair){x, x};
}

static Pair magnitude(Pair x) {
    return (Pair)((Mask)x & (Mask){INT64_MAX, INT64_MAX});
}

static Pair larger(Pair x, Pair y) {
    Mask first = x > y;
    return (Pair)(((Mask)x & first) | ((Mask)y & ~first));
}

int plain_applies(const Network *network) {
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

static int is_elastic(const Network *network, const Link *link) {
    return link->e == 1 && !network->mono && is_sprung(link);
}

/* Of a link that acts. */
static double rate_of(const Network *network, const Link *link) {
    return -link->k * network->unit * network->unit;
}

/* State to terms of order 0. The number of links that touch. */
static int load(Network *network) {
    double *v = network->terms_v, *F = network->terms_f, *rate = network->rate;
    int touching = 0;
    for (int i = 0; i < network->stride; i++) {
        rate[i] = v[i] = F[i] = 0;
    }
    for (int i = 0; i < network->count; i++) {
        Link *link = &network->links[i];
        int acts = is_sprung(link);
        link->decided = link->phase != TOUCHING;
        touching += !link->decided;
        v[i] = network->v[i];
        if (acts) {
            rate[i] = rate_of(network, link);
            F[i] = link->N * network->unit;
        }
    }
    return touching;
}

/* Links that touch: what moves them at this order decides. The number of those left. */
static int decide(Network *network, int g) {
    double *v = &network->terms_v[g * network->stride];
    int left = 0;
    for (int i = 0; i < network->count; i++) {
        Link *link = &network->links[i];
        if (link->decided) {
            continue;
        }
        /* where its force would be left out: in the next piece */
        if (g > ORDER - 2 ||
            (g > 0 && is_noise(network, i, &network->terms_f[(g - 1) * network->stride], 1, v[i]))) {
            v[i] = 0;
        }
        link->decided = v[i] != 0;
        left += v[i] == 0;
        if (v[i] > 0) {
            link->phase = OPEN;
        } else if (v[i] < 0) {
            link->phase = COMPRESSION;
            network->rate[i] = rate_of(network, link);
        }
    }
    return left;
}

static inline void fill_band(Network *network, int touching, int half, int width) {
    const Pair *rate = pairs(network->rate);
    for (int g = 0; g < TERMS; g++) {
        Pair *F = pairs(network->terms_f) + g * half, *v = pairs(network->terms_v) + g * half;
        if (touching) {
            touching = decide(network, g);
        }
        for (int i = 0; i < half && g > 0; i++) {
            F[i] = rate[i] * v[i - half];
        }
        if (g < ORDER) {
            multiply_band(network, (const double *)F, (double *)(v + half), 1, half, width);
        }
    }
}

/* The same for two links: v_(g+1) follows from v_(g-1), even and odd orders do not wait for each
 * other. */
static void fill_two(Network *network, int touching) {
    Pair *F = pairs(network->terms_f), *v = pairs(network->terms_v);
    Pair W0 = pairs(network->wide)[0], W1 = pairs(network->wide)[1], rate;
    if (touching) {
        touching = decide(network, 0);
    }
    rate = *pairs(network->rate);
    v[1] = W0 * both(F[0][0]) + W1 * both(F[0][1]);
    for (int g = 1; g < TERMS; g++) {
        if (touching) {
            touching = decide(network, g);
            rate = *pairs(network->rate);
        }
        F[g] = rate * v[g - 1];
        v[g + 1] = W0 * both(F[g][0]) + W1 * both(F[g][1]);
    }
}

/* A ball on a table, a row of balls, and the rest. */
static void fill_terms(Network *network, int touching) {
    int half = network->stride / 2, width = network->width;
    if (half == 1) {
        fill_two(network, touching);
    } else if (width == 4) {
        fill_band(network, touching, half, 4);
    } else {
        fill_band(network, touching, half, width);
    }
}

/* How far the series hold. The last two derivatives of the speeds tell the size of the terms that
 * are left out; as speeds the forces, an order behind, are no larger. */
static double find_reach(const Network *network) {
    const double factorial = 20922789888000;
    const Pair *v = pairs(network->terms_v) + (ORDER - 1) * (network->stride / 2);
    Pair size = both(0);
    for (int i = 0; i < network->stride; i++) {
        size = larger(magnitude(v[i]), size);
    }
    double last = size[0] > size[1] ? size[0] : size[1];
    return last > 0 ? sqrt(sqrt(sqrt(sqrt(CUT * factorial / last)))) : INFINITY;
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

/* The terms of one link over the piece, times factor. */
static void gather(const Network *network, const double *terms, int link, double factor,
                   double series[TERMS]) {
    for (int g = 0; g < TERMS; g++) {
        series[g] = factor * network->power[g][0] * terms[g * network->stride + link];
    }
}

static void gather_force(const Network *network, int link, double series[TERMS]) {
    gather(network, network->terms_f, link, 1 / network->unit, series);
}

/* For the samples. */
static void show_terms(Network *network) {
    for (int i = 0; i < network->count; i++) {
        gather(network, network->terms_v, i, 1, velocity_of(network, i));
        gather_force(network, i, force_of(network, i));
    }
}

void plain_expand(Network *network) {
    fill_terms(network, load(network));
    double h = find_reach(network);
    network->step = h * network->unit;
    find_powers(h < INFINITY ? h : 1, network->power);
    if (network->trace) {
        show_terms(network);
    }
}

/* How far terms may fall at most over the piece: all of what is below 0, half of what their sum is
 * short of the sum of their magnitudes. sign: what is asked of them. */
static Pair find_bound(const Network *network, const Pair *terms, Pair sign) {
    int half = network->stride / 2;
    Pair sum = both(0), size = both(0);
    for (int g = ORDER; g > 0; g--) {
        Pair term = terms[g * half] * network->power[g];
        sum += term;
        size += magnitude(term);
    }
    return sign * *terms + (sign * sum - size) * both(0.5);
}

static double wait_for_speed(const Network *network, int i, double sign, double limit) {
    double series[TERMS];
    gather(network, network->terms_v, i, sign, series);
    return series_zero(series, TERMS, limit);
}

static double wait_for_force(const Network *network, int i, double limit) {
    const Link *link = &network->links[i];
    double series[TERMS];
    gather_force(network, i, series);
    series[0] -= opening_force(network, link);
    series[0] = series[0] < 0 ? 0 : series[0];
    return series_zero(series, TERMS, limit);
}

/* The sum of the terms, with these powers. */
static void add_up(const Network *network, const double *terms, const Pair *power, double *out) {
    int half = network->stride / 2;
    const Pair *first = (const Pair *)terms;
    for (int i = 0; i < half; i++) {
        Pair sum = both(0);
        for (int g = ORDER; g >= 0; g--) {
            sum += first[g * half + i] * power[g];
        }
        pairs(out)[i] = sum;
    }
}

/* Forces and what they have pushed, at x of the piece. */
static void evaluate(const Network *network, const Pair *power, double *P, double *gain) {
    add_up(network, network->terms_f, power, P);
    add_up(network, network->terms_f, power + 1, gain);
}

/* The forces and impulses of all links as they are at x, or as they were before. */
static void visit(Network *network, double x) {
    Pair power[TERMS + 1];
    memcpy(network->I_then, network->I, (size_t)network->size * sizeof *network->I);
    find_powers(x * network->power[1][0], power);
    evaluate(network, power, network->column_in, network->column_out);
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
static void turn_back(Network *network, int i, double x) {
    Link *link = &network->links[i];
    if (network->result->event_count < network->result->event_capacity) {
        visit(network, x);
        elastic_turn(network, link);
        leave(network);
        return;
    }
    double series[TERMS], N = link->N;
    gather_force(network, i, series);
    link->N = series_at(series, x);
    elastic_turn(network, link);
    link->N = N;
}

/* The next time after x that the speed of an elastic link changes its sign; x < 0: the first. */
static double next_turn(const Network *network, int i, double x, double limit) {
    double series[TERMS], sign = network->links[i].phase == COMPRESSION ? -1 : 1;
    gather(network, network->terms_v, i, sign, series);
    if (x < 0) {
        return series_zero(series, TERMS, limit);
    }
    double zero = jet_polynomial_zero_after(series, ORDER, x, limit);
    return isnan(zero) ? INFINITY : zero;
}

/* The elastic link that turns first, if before the moment; NULL: none does. */
static Link *find_turn(const Network *network) {
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
    Link *link = any ? find_turn(network) : NULL;
    for (int left = network->count * ORDER; link && left > 0; left--) {
        int i = (int)(link - network->links);
        double x = link->wait[WATCH_TURN];
        turn_back(network, i, x);
        link->wait[WATCH_TURN] = next_turn(network, i, x, network->moment);
        link = find_turn(network);
    }
}

void plain_watch(Network *network) {
    double *sign = network->bound_sign;
    for (int i = 0; i < network->stride; i++) {
        sign[i] = i < network->count && network->links[i].phase == COMPRESSION ? -1 : 1;
    }
    for (int i = 0; i < network->stride / 2; i++) {
        pairs(network->bound_speed)[i] =
            find_bound(network, pairs(network->terms_v) + i, pairs(sign)[i]);
        pairs(network->bound_force)[i] =
            find_bound(network, pairs(network->terms_f) + i, both(1));
    }
    network->moment = 1;
    for (int i = 0; i < network->count; i++) {
        Link *link = &network->links[i];
        int elastic = is_elastic(network, link);
        wait_for_nothing(link);
        if (link->phase >= OPEN && link->phase != TOUCHING && !elastic &&
            network->bound_speed[i] <= 0) {
            watch_for(network, link, WATCH_SPEED,
                      wait_for_speed(network, i, sign[i], watch_limit(network)));
        }
        if (link->phase == RESTITUTION || elastic) {
            if (network->bound_force[i] <= 0 || network->mono) {
                watch_for(network, link, WATCH_FORCE,
                          wait_for_force(network, i, watch_limit(network)));
            }
        }
    }
    tell_turns(network);
}

void plain_advance(Network *network) {
    double x = network->moment, *P = network->column_in, *gain = network->column_out;
    Pair part[TERMS + 1];
    const Pair *power = network->power;
    if (x < 1) {
        find_powers(x * power[1][0], part);
        power = part;
    }
    evaluate(network, power, P, gain);
    add_up(network, network->terms_v, power, network->bound_speed);
    for (int i = 0; i < network->count; i++) {
        Link *link = &network->links[i];
        network->v[i] = network->bound_speed[i];
        network->I[i] += gain[i];
        network->clock += gain[i];
        if (is_sprung(link)) {
            link->N = P[i] > 0 ? P[i] / network->unit : 0;
        }
    }
}
