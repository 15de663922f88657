/* A piece of a network without friction where no link is held: the same series as expand.c's, but
 * kept order by order, so that two links are worked on at once.
 *
 * An elastic link (e = 1) takes no notice of the ends and restarts of its compression: they are
 * told, but they do not end the piece. */
#include <math.h>
#include <string.h>

#include "math/lanes.h"
#include "multiple/network.h"
#include "multiple/product.h"

/* What the series may leave out in a piece, relative to the largest speed. */
static const double CUT = 1e-12;

typedef long long Mask __attribute__((vector_size(16)));

static Pair *pairs(double *numbers) {
    return (Pair *)numbers;
}

static Pair both(double x) {
    return (Pair){x, x};
}

/* What is below 0. */
static Pair negative_part(Pair x) {
    return (Pair)((Mask)x & (x < both(0)));
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

/* State to terms of order 0; rate is -k of what acts. The number of links that touch. */
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
            rate[i] = -link->k * network->unit;
            F[i] = link->N;
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
            (g > 0 && is_noise(network, i, &network->terms_f[(g - 1) * network->stride],
                               v[i] * g / network->unit))) {
            v[i] = 0;
        }
        link->decided = v[i] != 0;
        left += v[i] == 0;
        if (v[i] > 0) {
            link->phase = OPEN;
        } else if (v[i] < 0) {
            link->phase = COMPRESSION;
            network->rate[i] = -link->k * network->unit;
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
        if (g > 0) {
            Pair part = both(RECIPROCAL[g]);
            for (int i = 0; i < half; i++) {
                F[i] = rate[i] * part * v[i - half];
            }
        }
        multiply_band(network, (const double *)F, (double *)(v + half),
                      network->unit * RECIPROCAL[g + 1], half, width);
    }
}

/* The same for two links. With F_g = rate v_(g-1)/g put in, v_(g+1) follows from v_(g-1): even and
 * odd orders do not wait for each other. */
static void fill_two(Network *network, int touching) {
    Pair *F = pairs(network->terms_f), *v = pairs(network->terms_v), unit = both(network->unit);
    Pair W0 = unit * pairs(network->wide)[0], W1 = unit * pairs(network->wide)[1];
    if (touching) {
        touching = decide(network, 0);
    }
    v[1] = W0 * both(F[0][0]) + W1 * both(F[0][1]);
    Pair rate = *pairs(network->rate);
    for (int g = 1; g < TERMS; g++) {
        if (touching) {
            touching = decide(network, g);
            rate = *pairs(network->rate);
        }
        Pair force = rate * v[g - 1];
        F[g] = force * both(RECIPROCAL[g]);
        v[g + 1] =
            (W0 * both(force[0]) + W1 * both(force[1])) * both(RECIPROCAL[g] * RECIPROCAL[g + 1]);
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

/* Largest term of this order, as a speed. */
static double size_of_order(const Network *network, int g) {
    const double *v = &network->terms_v[g * network->stride];
    const double *F = &network->terms_f[g * network->stride];
    double size = 0;
    for (int i = 0; i < network->count; i++) {
        double a = fabs(v[i]), b = fabs(F[i]) * network->links[i].weight;
        size = a > size ? a : size;
        size = b > size ? b : size;
    }
    return size;
}

/* To terms in t/step. */
static void rescale(Network *network, double h) {
    int half = network->stride / 2;
    Pair *F = pairs(network->terms_f) + half, *v = pairs(network->terms_v) + half;
    double power = h;
    for (int g = 1; g < TERMS; g++) {
        for (int i = 0; i < half; i++) {
            *F++ *= both(power);
            *v++ *= both(power);
        }
        power *= h;
    }
}

/* The terms of one link, times factor. */
static void gather(const Network *network, const double *terms, int link, double factor,
                   double series[TERMS]) {
    for (int g = 0; g < TERMS; g++) {
        series[g] = factor * terms[g * network->stride + link];
    }
}

void plain_expand(Network *network) {
    fill_terms(network, load(network));
    double h = step_from(size_of_order(network, ORDER), size_of_order(network, ORDER - 1), CUT);
    network->step = h * network->unit;
    rescale(network, h < INFINITY ? h : 1);
}

/* How low the speeds (towards what they are watched for) and the forces may fall at most. */
static void find_bounds(const Network *network, Pair *speed, Pair *force, const Pair *sign) {
    int half = network->stride / 2;
    const Pair *v = pairs(network->terms_v), *F = pairs(network->terms_f);
    for (int i = 0; i < half; i++) {
        Pair low_v = sign[i] * v[i], low_F = F[i];
        for (int g = 1; g < TERMS; g++) {
            low_v += negative_part(sign[i] * v[g * half + i]);
            low_F += negative_part(F[g * half + i]);
        }
        speed[i] = low_v;
        force[i] = low_F;
    }
}

static double wait_for_speed(const Network *network, int i, double sign, double limit) {
    double series[TERMS];
    gather(network, network->terms_v, i, sign, series);
    return series_zero(series, TERMS, limit);
}

static double wait_for_force(const Network *network, int i, double limit) {
    const Link *link = &network->links[i];
    double series[TERMS];
    gather(network, network->terms_f, i, 1, series);
    series[0] -= opening_force(network, link);
    series[0] = series[0] < 0 ? 0 : series[0];
    return series_zero(series, TERMS, limit);
}

/* Forces and what they have pushed, per step, at x of the piece. */
static void evaluate(const Network *network, double x, Pair *N, Pair *gain) {
    int half = network->stride / 2;
    const Pair *terms = pairs(network->terms_f);
    for (int i = 0; i < half; i++) {
        Pair sum = both(0), integral = sum;
        for (int g = ORDER; g >= 0; g--) {
            Pair F = terms[g * half + i];
            sum = sum * both(x) + F;
            integral = integral * both(x) + F * both(RECIPROCAL[g + 1]);
        }
        N[i] = sum;
        gain[i] = integral * both(x);
    }
}

/* The forces and impulses of all links as they are at x, or as they were before. */
static void visit(Network *network, double x) {
    memcpy(network->I_then, network->I, (size_t)network->size * sizeof *network->I);
    evaluate(network, x, pairs(network->column_in), pairs(network->column_out));
    for (int i = 0; i < network->count; i++) {
        network->I[i] += network->step * network->column_out[i];
        network->bound_force[i] = network->links[i].N;
        network->links[i].N = network->column_in[i];
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
    gather(network, network->terms_f, i, 1, series);
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
    /* as seen from x */
    for (int g = 0; g < ORDER; g++) {
        for (int j = ORDER - 1; j >= g; j--) {
            series[j] += x * series[j + 1];
        }
    }
    series[0] = 0;
    return x + series_zero(series, TERMS, limit - x);
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
    for (Link *link; any && (link = find_turn(network));) {
        int i = (int)(link - network->links);
        double x = link->wait[WATCH_TURN];
        turn_back(network, i, x);
        link->wait[WATCH_TURN] = next_turn(network, i, x, network->moment);
    }
}

void plain_watch(Network *network) {
    double *sign = network->bound_sign;
    for (int i = 0; i < network->stride; i++) {
        sign[i] = i < network->count && network->links[i].phase == COMPRESSION ? -1 : 1;
    }
    find_bounds(network, pairs(network->bound_speed), pairs(network->bound_force), pairs(sign));
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
    int half = network->stride / 2;
    double x = network->moment, *N = network->column_in, *gain = network->column_out;
    const Pair *terms = pairs(network->terms_v);
    evaluate(network, x, pairs(N), pairs(gain));
    for (int i = 0; i < half; i++) {
        Pair v = both(0);
        for (int g = ORDER; g >= 0; g--) {
            v = v * both(x) + terms[g * half + i];
        }
        pairs(network->bound_speed)[i] = v;
    }
    for (int i = 0; i < network->count; i++) {
        Link *link = &network->links[i];
        network->v[i] = network->bound_speed[i];
        network->I[i] += network->step * gain[i];
        network->clock += network->step * gain[i];
        if (is_sprung(link)) {
            link->N = N[i] > 0 ? N[i] : 0;
        }
    }
}
