/* The power series of all links from here on, order by order.
 *
 * At order g the forces follow from the velocities of order g - 1, and give the velocities of order
 * g + 1. A link that only touches takes part from the order at which something moves it: closer,
 * and it acts from there; away, and it opens. One rule for the first touch, a resting link and one
 * that comes back; the order may be high: the sixth of resting beads starts like t^13. */
#include <math.h>
#include <string.h>

#include "multiple/network.h"
#include "multiple/product.h"
#include "multiple/terms.h"

/* What the series may leave out in a piece, relative to the largest speed; less where links are
 * held, which may magnify it. */
static const double EXPAND_CUT = 1e-11, CUT_HELD = 1e-14;

/* Longest piece with held links, in units of the fastest swing. */
static const double LONGEST = 4;

/* Most sweeps over the series in a piece. */
enum { SWEEPS = 16 };

int crm_is_noise(const Network *network, int row, const double *forces, double value) {
    double sum = 0;
    const double *W = &network->W[(size_t)row * (size_t)network->size];
    for (int i = 0; i < network->size; i++) {
        sum += fabs(W[i] * forces[i]);
    }
    return fabs(value) <= NOISE * sum;
}

/* A term of the velocity of a link that touches: exactly nothing, or what decides. */
static void expand_decide(Network *network, Link *link, int order) {
    int n = normal_row(network, link), first = link->rough ? link->row : n;
    double scale = order / network->unit;
    for (int i = first; i <= n && order > 0; i++) {
        double *term = velocity_term(network, i, order);
        if (*term != 0 &&
            crm_is_noise(network, i, push_term(network, 0, order - 1), *term * scale)) {
            *term = *travel_term(network, i, order) = 0;
        }
    }
    double v = *velocity_term(network, n, order);
    if (order > ORDER - 2) {
        /* its force would be left out: in the next piece */
        v = *velocity_term(network, n, order) = *travel_term(network, n, order) = 0;
    }
    if (v == 0) {
        return;
    }
    link->decided = 1;
    if (v > 0) {
        link->phase = OPEN;
        return;
    }
    link->phase = LINK_COMPRESSION;
    if (link->rough) {
        crm_slide_decide(network, link, v, order);
    }
}

/* Friction of one held link; how much its lowest force has changed, relative to it. */
static double find_held_term(Network *network, Link *link, int g) {
    double before = link->pressure[g];
    crm_slide_low(network, link, g);
    crm_slide_force(network, link, g);
    double change = fabs(link->pressure[g] - before);
    return change > NOISE / 1000 * fabs(link->pressure[g]) ? change : 0;
}

/* Friction of the held links: those with swings first, which do not ask for the others. Without
 * swings each depends on all the others: as often as it takes. */
static void find_held_friction(Network *network, int g) {
    Link *links = network->links, *end = links + network->count;
    int tight = 0;
    for (Link *link = links; link < end; link++) {
        if (link->phase == HELD && link->rough && !link->tight) {
            find_held_term(network, link, g);
        }
        tight += link->phase == HELD && link->rough && link->tight;
    }
    double change = tight > 0;
    for (int i = 0; i < 2 * SWEEPS && change > 0; i++) {
        change = 0;
        for (Link *link = links; link < end; link++) {
            if (link->phase == HELD && link->rough && link->tight) {
                change += find_held_term(network, link, g);
            }
        }
        change = tight > 1 ? change : 0;
    }
}

/* Normal and tangential forces of order g. */
static void find_forces(Network *network, int g) {
    Link *end = network->links + network->count;
    for (Link *link = network->links; link < end; link++) {
        int n = normal_row(network, link);
        if (!is_sprung(link)) {
            continue;
        }
        if (g > 0) {
            double N = -link->k * network->unit * *travel_term(network, n, g - 1) * RECIPROCAL[g];
            *force_term(network, n, g) = link->pressure[g] = N;
        }
        if (link->rough) {
            crm_slide_force(network, link, g);
        }
    }
    if (network->any_held) {
        find_held_friction(network, g);
        crm_hold_decide(network, g);
    }
}

/* Velocities of order g + 1 and the means of the held forces, where links are held. */
static void find_with_held(Network *network, int g) {
    double *F = network->column_in, *rate = network->column_out;
    for (int j = 0; j < network->driver_count; j++) {
        int row = network->drivers[j];
        F[row] = *force_term(network, row, g);
    }
    crm_multiply(network, F, rate);
    double scale = network->unit * RECIPROCAL[g + 1];
    for (int i = 0; i < network->used_count && g < ORDER; i++) {
        int row = network->used[i];
        *velocity_term(network, row, g + 1) = scale * rate[row];
    }
    for (int i = 0; i < network->count; i++) {
        const Link *link = &network->links[i];
        int row = normal_row(network, link);
        if (!link->rigid || (link->phase != HELD && link->phase != TOUCHING)) {
            continue;
        }
        if (link->phase == HELD) {
            *force_term(network, row, g) = link->decided ? rate[row] : 0;
        }
        if (g < ORDER) {
            *velocity_term(network, row, g + 1) = 0;
        }
    }
}

/* Velocities of order g + 1. */
static void find_velocities(Network *network, int g) {
    if (network->any_held) {
        find_with_held(network, g);
        return;
    }
    if (network->closing) {
        crm_pace_apply(network, network->terms_f, g, network->terms_push);
    }
    if (g == ORDER) {
        return;
    }
    double *v = velocity_term(network, 0, g + 1), scale = network->unit * RECIPROCAL[g + 1];
    crm_multiply(network, push_term(network, 0, g), v);
    for (int i = 0; i < network->stride / 2; i++) {
        ((Pair *)v)[i] *= both(scale);
    }
    if (network->closing) {
        crm_pace_apply(network, network->terms_v, g + 1, network->terms_travel);
    }
}

/* Time of the fastest swing, to keep the terms in the range of numbers. */
static double find_unit(const Network *network) {
    double fastest = 0;
    for (const Link *link = network->links; link < network->links + network->count; link++) {
        double rate = link->k * normal_W(network, link);
        if (link->phase > OPEN && !link->rigid && rate > fastest) {
            fastest = rate;
        }
    }
    return fastest > 0 ? 1 / sqrt(fastest) : 1;
}

/* State to terms of order 0. */
static void expand_load(Network *network) {
    size_t bytes = (size_t)network->stride * TERMS * sizeof(double);
    memset(network->terms_f, 0, bytes);
    for (int i = 0; i < network->size; i++) {
        *velocity_term(network, i, 0) = *travel_term(network, i, 0) = network->v[i];
    }
    network->any_touching = 0;
    for (Link *link = network->links; link < network->links + network->count; link++) {
        link->phase = link->first_phase;
        link->bare = link->first_bare;
        if (link->rough && link->phase == LINK_COMPRESSION && link->N == 0) {
            /* how friction begins is still to be decided */
            link->phase = TOUCHING;
        }
        link->decided = link->phase != TOUCHING;
        network->any_touching |= !link->decided;
        if (!is_active(link) && link->phase != TOUCHING) {
            continue;
        }
        if (is_sprung(link)) {
            *force_term(network, normal_row(network, link), 0) = link->N;
        }
        if (link->rough) {
            crm_slide_begin(network, link);
        }
    }
}

/* Sizes of the last two orders; not finite where a term is out of range. */
typedef struct Sizes {
    double last, before;
} Sizes;

static void grow(Sizes *sizes, const double *last, int stride, double weight) {
    double a = weight * fabs(*last), b = weight * fabs(*(last - stride));
    sizes->last = !(a <= sizes->last) ? a : sizes->last;
    sizes->before = !(b <= sizes->before) ? b : sizes->before;
}

/* What a wrong force along the surface does, as a speed. */
static double slide_weight(const Network *network, const Link *link, int row) {
    double w = network->W[row * network->size + row], weight = sqrt(w / link->kt);
    double vn = network->v[normal_row(network, link)];
    if (link->mode == CAROM_MODE_SLIP && link->phase == LINK_RESTITUTION && vn > 0) {
        /* a wrong direction can only spoil what is left of the impulse */
        double rest = w * link->N / (2 * link->k * vn);
        weight = rest < weight ? rest : weight;
    }
    return weight;
}

static Sizes last_sizes(const Network *network) {
    Sizes sizes = {0, 0};
    int m = network->stride;
    for (const Link *link = network->links; link < network->links + network->count; link++) {
        int t = link->row, n = normal_row(network, link);
        grow(&sizes, velocity_term(network, n, ORDER), m, 1);
        if (is_sprung(link)) {
            grow(&sizes, force_term(network, n, ORDER), m, link->weight);
        }
        for (int i = t; i < n && is_gripping(link); i++) {
            double weight = slide_weight(network, link, i);
            grow(&sizes, velocity_term(network, i, ORDER), m, 1);
            grow(&sizes, force_term(network, i, ORDER), m, weight);
            if (link->mode == CAROM_MODE_SLIP && network->rows > 2) {
                /* the product mu N s hides that s turns fast where N is small */
                grow(&sizes, &link->series_s[i - t][ORDER], 1,
                     link->mu * link->pressure[0] * weight);
            }
        }
    }
    return sizes;
}

static double step_from(double last, double before, double cut) {
    if (last == 0 && before == 0) {
        return INFINITY;
    }
    /* in logarithms, to take one root */
    double a = log(cut / last) / ORDER, b = log(cut / before) / (ORDER - 1);
    return exp(b < a ? b : a);
}

/* The last two terms tell how far the series hold; 0: they are out of range. */
static double find_step(const Network *network) {
    double cut = network->any_held ? CUT_HELD : EXPAND_CUT;
    Sizes sizes = last_sizes(network);
    if (!isfinite(sizes.last + sizes.before)) {
        return 0;
    }
    double step = step_from(sizes.last, sizes.before, cut);
    step = step < crm_pace_reach(network) ? step : crm_pace_reach(network);
    if (network->any_held) {
        /* held links that only hold each other may do so with next to no force, but not for long */
        step = step < LONGEST ? step : LONGEST;
    }
    for (const Link *link = network->links; link < network->links + network->count; link++) {
        if (is_gripping(link) && link->mode == CAROM_MODE_SLIP) {
            double reach = crm_slide_reach(network, link) / network->unit;
            step = reach < step ? reach : step;
        }
    }
    return step;
}

/* From t/unit to t/step. */
static void rescale(Network *network) {
    double h = network->step < INFINITY ? network->step : 1, *scale = network->scale;
    network->step *= network->unit;
    scale[0] = 1;
    for (int g = 1; g < TERMS; g++) {
        scale[g] = h * scale[g - 1];
    }
    for (Link *link = network->links; link < network->links + network->count; link++) {
        for (int g = 1; g < TERMS && link->rough && is_active(link); g++) {
            link->series_s[0][g] *= scale[g];
            link->series_s[1][g] *= scale[g];
            link->pressure[g] *= scale[g];
        }
    }
}

/* All orders, from the state that is loaded. */
static void fill_series(Network *network) {
    for (int g = 0; g < TERMS; g++) {
        Link *end = network->links + (network->any_touching ? network->count : 0);
        for (Link *link = network->links; link < end; link++) {
            if (link->phase == TOUCHING && !link->decided && !link->rigid) {
                expand_decide(network, link, g);
            }
        }
        find_forces(network, g);
        find_velocities(network, g);
    }
}

/* Mark the links whose direction follows V at once. */
static int find_slaves(Network *network) {
    int any = 0;
    for (Link *link = network->links; link < network->links + network->count; link++) {
        link->slaved = is_gripping(link) && link->mode == CAROM_MODE_SLIP &&
                       crm_slide_is_slaved(network, link);
        if (link->slaved) {
            memset(link->last_omega, 0, sizeof link->last_omega);
            memset(link->pair_omega, 0, sizeof link->pair_omega);
            memcpy(link->own_s, link->s, sizeof link->s);
            any = 1;
        }
    }
    return any;
}

static void expand_prepare(Network *network) {
    expand_load(network);
    crm_hold_begin(network);
}

/* Repeat until the directions settle. */
static void sweep(Network *network) {
    int settled = 0;
    network->sweeping = 1;
    for (int i = 0; i < SWEEPS && !settled; i++) {
        double step = find_step(network);
        settled = i > 0;
        for (Link *link = network->links; link < network->links + network->count; link++) {
            if (link->slaved) {
                settled &= crm_slide_remember(network, link, step);
            }
        }
        expand_prepare(network);
        for (Link *link = network->links; link < network->links + network->count; link++) {
            if (link->slaved) {
                crm_slide_follow(network, link);
            }
        }
        fill_series(network);
    }
    network->sweeping = 0;
}

/* Slaved links that cannot be are set free, and the rest is done again. */
static int set_free(Network *network) {
    int any = 0;
    for (Link *link = network->links; link < network->links + network->count; link++) {
        if (link->slaved && crm_slide_is_free(network, link)) {
            link->slaved = 0;
            link->free = any = 1;
        }
    }
    return any;
}

/* Once, with as many links slaved as can be. */
static void expand_once(Network *network) {
    network->again = 0;
    expand_prepare(network);
    fill_series(network);
    while (find_slaves(network)) {
        sweep(network);
        if (!set_free(network)) {
            return;
        }
        for (Link *link = network->links; link < network->links + network->count; link++) {
            if (link->slaved) {
                memcpy(link->s, link->own_s, sizeof link->s);
                link->slaved = 0;
            }
        }
        expand_prepare(network);
        fill_series(network);
    }
}

/* Where terms are out of range: keep directions that turn too fast or, if that is not it, let go of
 * held links. 0: nothing can be done. */
static int recover(Network *network) {
    int any = 0;
    for (Link *link = network->links; link < network->links + network->count; link++) {
        any |= is_gripping(link) && crm_slide_keep(network, link);
    }
    for (Link *link = network->links; link < network->links + network->count && !any; link++) {
        if (link->phase == HELD && is_gripping(link)) {
            crm_go_bare(network, link);
            any = 1;
        }
    }
    return any;
}

void crm_expand(Network *network) {
    for (Link *link = network->links; link < network->links + network->count; link++) {
        link->slaved = link->free = link->kept = 0;
        link->first_phase = link->phase;
        link->first_bare = link->bare;
    }
    crm_pace_even(network);
    network->kind = crm_single_applies(network)  ? SINGLE
                    : crm_plain_applies(network) ? PLAIN
                                                 : GENERAL;
    if (network->kind == SINGLE) {
        return;
    }
    network->unit = find_unit(network);
    if (network->kind == PLAIN) {
        network->any_held = 0;
        crm_use_right_matrix(network);
        crm_plain_expand(network);
        crm_commit(network);
        return;
    }
    crm_pace_choose(network);
    int tries = 0;
    do {
        expand_once(network);
        network->step = find_step(network);
    } while ((network->again && tries++ < 4 * network->count) ||
             (network->step == 0 && recover(network)));
    if (network->step == 0) {
        network->message = "the series are out of range";
        return;
    }
    rescale(network);
    crm_commit(network);
}
