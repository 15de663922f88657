/* Stick, slip, its start and its end. */
#include "multiple/friction.h"

#include <float.h>
#include <string.h>

#include "math/functions.h"
#include "math/vec2.h"
#include "multiple/follow.h"
#include "multiple/pace.h"
#include "multiple/slip_turn.h"
#include "multiple/terms.h"
#include "multiple/watch.h"

/* Longest step in units of the time rho/|V| in which s relaxes; beyond it the terms, which are
 * small, hide that the sum does not stay so. */
static const double RELAX = 0.4 * ORDER;

/* The same where the direction is kept constant: s has relaxed by then. */
static const double RELAX_KEPT = 20;

/* Error of a constant direction, relative to the largest speed. */
static const double STRAIGHT_ERROR = 1e-14;

/* A rest of the impulse, as a speed, that is too large for it, whatever the rates are. */
static const double STRAIGHT_LATEST = 1e-4;

/* The same of the force, as a speed, while held links slip: their friction follows it at once, and
 * sticks with what it has when they stop. */
static const double STRAIGHT_FORCE = 1e-12;

/* A force larger by this factor does not come to 0 at the same time. */
static const double LASTING = 10;

/* A change of force that is more than this part of a reaction may decide whether it lasts; if, as a
 * speed, it is more than this, and not lost in rounding soon. */
static const double UPSETS = 0.1, UPSET_FORCE = 1e-8;

/* From this angle between s and V on its turn needs more points. */
static const double LARGE_ANGLE = 0.3;

static int friction_turns(const Given *given, const LinkPiece *link) {
    return given->rows > 2 && link->friction == LINK_SLIP && link->follow != FOLLOW_KEPT;
}

/* V_g, with a second component of 0 in a planar problem. */
static void speed_term(const Given *given, const Piece *piece, int i, int g, double V[2]) {
    const double *v = &order_terms(given, piece->terms_v, g)[given->materials[i].row];
    V[0] = v[0];
    V[1] = given->rows > 2 ? v[1] : 0;
}

static void set_force(const Given *given, const Piece *piece, int i, int g, Pair f) {
    double *F = &order_terms(given, piece->terms_f, g)[given->materials[i].row];
    F[0] = -LANE(f, 0);
    if (given->rows > 2) {
        F[1] = -LANE(f, 1);
    }
}

/* Nothing of the direction of slip is known beyond its start. */
static void clear_direction(LinkPiece *own) {
    memset(&own->s[1], 0, sizeof own->s - sizeof *own->s);
    memset(own->omega, 0, sizeof own->omega);
}

void crm_friction_begin(const Given *given, Piece *piece, int i, const Link *link) {
    LinkPiece *own = &piece->links[i];
    own->order_speed = own->order_force = 0;
    own->push = both(0);
    own->tangent = -given->materials[i].kt * piece->unit;
    own->friction = link->friction;
    own->s[0] = pair_make(link->s[0], link->s[1]);
    memcpy(own->first_s, link->s, sizeof own->first_s);
    memcpy(own->f, link->f, sizeof own->f);
    if (is_slipping(own->friction) && !(friction_turns(given, own) && link->N > 0)) {
        clear_direction(own);
    }
    if (is_active(own->phase)) {
        set_force(given, piece, i, 0, pair_load(own->f));
    }
}

void crm_friction_start(const Given *given, Piece *piece, int i, double N, int b) {
    const Material *material = &given->materials[i];
    LinkPiece *own = &piece->links[i];
    double V[2] = {0, 0};
    int first = 0;
    for (; first < b; first++) {
        speed_term(given, piece, i, first, V);
        if (V[0] != 0 || V[1] != 0) {
            break;
        }
    }
    /* stuck, f would begin like kt V t^(first + 1)/(first + 1) */
    double speed = norm2(V), stuck = material->kt * piece->unit * speed * RECIPROCAL[first + 1];
    double left = material->mu * N - stuck;
    /* on the edge up to rounding, higher orders decide: it goes on as the last piece ended */
    int edge = fabs(left) <= NOISE * stuck, within = edge ? !own->slipped : left >= 0;
    own->order_speed = own->order_force = 0;
    if (first + 1 > b || (first + 1 == b && within)) {
        own->friction = LINK_STICK;
        return;
    }
    own->friction = LINK_SLIP;
    own->order_speed = first;
    own->order_force = b;
    clear_direction(own);
    own->s[0] = pair_make(V[0] / speed, V[1] / speed);
}

/* sum of V_(a + i) . perp(s)_(j - i) for i from 0 to j */
static double cross_term(const Given *given, const Piece *piece, int link, int j) {
    const LinkPiece *own = &piece->links[link];
    double sum = 0;
    for (int i = 0; i <= j; i++) {
        const double *V = &order_terms(given, piece->terms_travel,
                                       own->order_speed + i)[given->materials[link].row];
        sum += V[1] * LANE(own->s[j - i], 0) - V[0] * LANE(own->s[j - i], 1);
    }
    return piece->unit * sum;
}

/* sum of N_(b + i) omega_(j - i), i from first to j */
static double turn_term(const LinkPiece *own, int first, int j) {
    double sum = 0;
    for (int i = first; i <= j; i++) {
        sum += own->N[own->order_force + i] * LANE(own->omega[j - i], 0);
    }
    return sum;
}

/* omega_q and s_(q + 1) where V or N begin with 0. */
static void turn_from_rest(const Given *given, Piece *piece, int i, int q, double slack) {
    LinkPiece *own = &piece->links[i];
    int gap = own->order_force - own->order_speed, j = q + 1;
    Pair sum = pair_make(0, 0);
    for (int k = 0; k < q; k++) {
        sum = pair_join(own->omega[k], own->s[q - k], sum);
    }
    double V[2], part = RECIPROCAL[j], rho = slack * own->N[own->order_force];
    /* with s_j as far as it is known */
    own->s[j] = pair_make(-LANE(sum, 1) * part, LANE(sum, 0) * part);
    speed_term(given, piece, i, own->order_speed, V);
    double known = cross_term(given, piece, i, j);
    known -= slack * (gap == 1 ? turn_term(own, 1, q) : turn_term(own, 0, j - gap));
    double omega = known / (piece->unit * norm2(V) * part + (gap == 1 ? rho : 0));
    own->omega[q] = both(omega);
    own->s[j] = pair_make((-LANE(sum, 1) - omega * LANE(own->s[0], 1)) * part,
                          (LANE(sum, 0) + omega * LANE(own->s[0], 0)) * part);
}

/* Speed: the same where the processor has AVX2, with fewer copies of registers. */
WIDE void turn_on_wide(LinkPiece *own, const Material *material, double unit, int g,
                       const double V[2], double F[2]) {
    turn_on(own, material, unit, g, V, F);
}

NARROW void turn_on_narrow(LinkPiece *own, const Material *material, double unit, int g,
                           const double V[2], double F[2]) {
    turn_on(own, material, unit, g, V, F);
}

void crm_friction_turn(LinkPiece *own, const Material *material, double unit, int g,
                       const double V[2], double F[2]) {
    (has_wide() ? turn_on_wide : turn_on_narrow)(own, material, unit, g, V, F);
}

/* s_g and push for f_g where V or N begin with 0, or s follows V. */
static void find_direction(const Given *given, Piece *piece, int i, int g) {
    LinkPiece *own = &piece->links[i];
    if (own->follow == FOLLOW_V) {
        crm_follow_series(given, piece, i, g);
    } else {
        double slack = given->materials[i].mu / given->materials[i].kt;
        turn_from_rest(given, piece, i, g - 1 - own->order_force, slack);
    }
    for (int k = own->order_force; k < g; k++) {
        own->push = pair_join(both(own->N[k]), own->s[g - k], own->push);
    }
}

void crm_friction_push(const Given *given, Piece *piece, int i, int g) {
    const LinkPiece *own = &piece->links[i];
    Pair f =
        pair_times(both(given->materials[i].mu), pair_join(both(own->N[g]), own->s[0], own->push));
    set_force(given, piece, i, g, f);
}

void crm_friction_slip(const Given *given, Piece *piece, int i, int g) {
    LinkPiece *own = &piece->links[i];
    own->push = both(0);
    if (friction_turns(given, own) && g > own->order_force) {
        find_direction(given, piece, i, g);
    }
    crm_friction_push(given, piece, i, g);
}

double crm_friction_reach(const Given *given, const Piece *piece, int i, double step) {
    const LinkPiece *own = &piece->links[i];
    int kept = own->follow == FOLLOW_KEPT;
    if (own->order_force > 0 || own->follow == FOLLOW_V || (!kept && !friction_turns(given, own))) {
        return step;
    }
    double V[2], rho = given->materials[i].mu / given->materials[i].kt * own->N[0];
    double reach = (kept ? RELAX_KEPT : RELAX) * rho / piece->unit;
    speed_term(given, piece, i, 0, V);
    return step * step * dot2(V, V) > reach * reach ? reach / norm2(V) : step;
}

void crm_friction_set(const Given *given, NetworkState *state, int i, const double s[2]) {
    const Material *material = &given->materials[i];
    Link *link = &state->links[i];
    double before = tangential_energy(material, link);
    for (int k = 0; k < 2; k++) {
        link->s[k] = s[k];
        link->f[k] = material->mu * link->N * s[k];
    }
    state->energy.friction_loss += before - tangential_energy(material, link);
}

/* The rest of slip to N = 0, in x = the remaining time: N is proportional to x, V keeps its size
 * and turns evenly, so that with q = |V|/|rho'| the angle of s is
 *
 *   A - C x + 2 atan(tan(D/2) x^q).
 *
 * Its mean, weighted with N, is all that matters. */
typedef struct SlipRest {
    double A, C, D, q;
} SlipRest;

/* The mean by six points in each of some panels of y = sqrt(x); the mean of x^q in *power. */
static void mean_by_panels(const SlipRest *rest, int panels, double mean[2], double *power) {
    double slope = tan(rest->D / 2);
    mean[0] = mean[1] = *power = 0;
    for (int i = 0; i < 6 * panels; i++) {
        double y = (i / 6 + GAUSS_NODE[i % 6]) / panels, x = y * y;
        double weight = 4 * GAUSS_WEIGHT[i % 6] * y * x / panels, xq = pow(x, rest->q);
        /* the angle 2 atan(u) by its cosine and sine */
        double u = slope * xq, part = 1 / (1 + u * u), cosine = (1 - u * u) * part,
               sine = 2 * u * part, turn = rest->A - rest->C * x, c = cos(turn), s = sin(turn);
        *power += weight * xq;
        mean[0] += weight * (c * cosine - s * sine);
        mean[1] += weight * (s * cosine + c * sine);
    }
}

/* Returns the error of the mean: what six points leave of a large power and, where the angle is
 * large, of its turn. An error below least will do. */
static double mean_direction(const SlipRest *rest, double least, double mean[2]) {
    enum { MOST_PANELS = 4 };
    double power, coarse[2], miss = 0;
    mean_by_panels(rest, 1, mean, &power);
    if (fabs(rest->D) < LARGE_ANGLE) {
        return fabs(rest->D) * fabs(power - 2 / (2 + rest->q));
    }
    for (int panels = 2; panels <= MOST_PANELS; panels *= 2) {
        coarse[0] = mean[0];
        coarse[1] = mean[1];
        mean_by_panels(rest, panels, mean, &power);
        miss = hypot(mean[0] - coarse[0], mean[1] - coarse[1]);
        if (miss < least) {
            break;
        }
    }
    return miss;
}

/* May another link bounce within this time, so that no rate stays what it is? */
static int others_bounce(const Given *given, const NetworkState *state, int i, double time) {
    int bounce = 0;
    for (int j = 0; j < given->count; j++) {
        const Link *link = &state->links[j];
        double w = given->materials[j].w;
        bounce |= j != i &&
                  (is_sprung(link->phase) || link->phase == TOUCHING ||
                   (link->phase == OPEN && !link->rigid)) &&
                  link->k * w * time * time > 1;
    }
    return bounce;
}

/* Does a held link slip, whose force does not come to 0 with that of link i? */
static int held_slips(const Given *given, const NetworkState *state, int i) {
    double least = LASTING * state->links[i].N;
    int any = 0;
    for (int j = 0; j < given->count; j++) {
        const Link *link = &state->links[j];
        any |= link->phase == HELD && is_slipping(link->friction) && link->N > least;
    }
    return any;
}

/* Is a held reaction so small beside this change of a friction force that it might vanish by it? */
static int upsets_held(const Given *given, const NetworkState *state, double change) {
    int any = 0;
    for (int j = 0; j < given->count; j++) {
        const Link *link = &state->links[j];
        any |= link->phase == HELD && link->N > 0 && change > UPSETS * link->N;
    }
    return any;
}

/* Rates of N and of V, and of the rate of N, at the end of the piece. */
typedef struct SlipRates {
    double N, N2, V[2];
} SlipRates;

static double rate_at(const Piece *piece, const double series[TERMS], double x) {
    return crm_series_slope(series, x) / (piece->step * crm_pace_at(piece, x));
}

/* Slopes of two rows next to each other at x, as rates in time. */
static Pair row_rates(const Given *given, const Piece *piece, int row, double x) {
    const double *term = &order_terms(given, piece->terms_v, ORDER)[row];
    Pair sum = pair_make(0, 0), y = both(piece->scale[1] * x);
    for (int g = ORDER; g > 0; g--, term -= given->stride) {
        sum = pair_join(both(g), pair_load(term), pair_times(sum, y));
    }
    return pair_times(sum, both(piece->scale[1] / (piece->step * crm_pace_at(piece, x))));
}

static SlipRates find_rates(const Given *given, const NetworkState *state, const Piece *piece,
                            int i) {
    double x = piece->moment;
    int t = given->materials[i].row, n = normal_row(given, i);
    Pair V = row_rates(given, piece, t, x);
    SlipRates rates = {.V = {LANE(V, 0), LANE(V, 1)}};
    if (state->links[i].phase == HELD) {
        double series[TERMS];
        terms_series(given, piece, piece->terms_f, n, 1, series);
        rates.N = rate_at(piece, series, x);
        for (int g = 0; g < ORDER; g++) {
            series[g] = (g + 1) * series[g + 1];
        }
        series[ORDER] = 0;
        rates.N2 = rate_at(piece, series, x) / piece->step;
    } else {
        double k = state->links[i].k;
        rates.N = -k * state->v[n];
        rates.N2 = -k * LANE(row_rates(given, piece, n - 1, x), 1);
    }
    return rates;
}

int crm_friction_is_late(const Given *given, const NetworkState *state, int i) {
    const Material *material = &given->materials[i];
    const Link *link = &state->links[i];
    if (given->rows < 3 || link->friction != LINK_SLIP || link->N <= 0 ||
        opening_force(given, i, link) > 0 ||
        (link->phase != LINK_RESTITUTION && link->phase != HELD)) {
        return 0;
    }
    double w = tangential_mobility(given, i), fall = link->k * state->v[normal_row(given, i)];
    return link->phase == HELD ||
           material->mu * link->N * link->N * w <= 2 * fall * STRAIGHT_LATEST;
}

double crm_friction_straighten(const Given *given, NetworkState *state, const Piece *piece, int i) {
    const Material *material = &given->materials[i];
    Link *link = &state->links[i];
    int row = material->row;
    if (!crm_friction_is_late(given, state, i)) {
        return 0;
    }
    double w = tangential_mobility(given, i);
    SlipRates rates = find_rates(given, state, piece, i);
    if (rates.N >= 0) {
        return 0;
    }
    double V[2] = {state->v[row], state->v[row + 1]}, speed = norm2(V);
    double left = -link->N / rates.N;
    double rest = material->mu * link->N * left / 2 * w;
    double bend = left * (norm2(rates.V) / speed + fabs(rates.N2 / rates.N));
    if (!(bend < 0.1) || rest * bend * bend > STRAIGHT_ERROR) {
        return 0;
    }
    double drift = left * (V[0] * rates.V[1] - V[1] * rates.V[0]) / (speed * speed);
    double q = -speed * material->kt / (material->mu * rates.N);
    double angle =
        atan2(V[0] * link->s[1] - V[1] * link->s[0], V[0] * link->s[0] + V[1] * link->s[1]);
    double resonant = fabs(q - 1) < 1e-3 ? 1e-3 : q - 1, C = q * drift / resonant;
    double D = angle - drift + C, spread = fabs(C) + fabs(D), mean[2];
    bend = others_bounce(given, state, i, left) ? 1 : bend;
    double change = piece->any_held ? material->mu * link->N * spread : 0;
    double effect = change * sqrt(w / material->kt);
    double jolt = effect > 0 && held_slips(given, state, i) ? effect : 0;
    int upsets = effect > UPSET_FORCE && upsets_held(given, state, change);
    if (rest * spread * bend > STRAIGHT_ERROR || jolt > STRAIGHT_FORCE ||
        (upsets && given->careful)) {
        return 0;
    }
    double miss = mean_direction(&(SlipRest){drift, C, D, q}, DBL_EPSILON / (8 * rest), mean);
    double s[2] = {(mean[0] * V[0] - mean[1] * V[1]) / speed,
                   (mean[0] * V[1] + mean[1] * V[0]) / speed};
    link->friction = LINK_STRAIGHT;
    crm_friction_set(given, state, i, s);
    /* V turns less and less where it is this force that turns it; where links are held, V and N may
     * go another way, at the held links themselves most of all: shares as measured */
    double turn = link->phase == HELD ? spread / 10 : fabs(drift) / 4;
    turn += piece->any_held ? 3e-4 * spread : 0;
    return rest * (turn + miss + bend * spread) + (upsets ? effect : jolt);
}
