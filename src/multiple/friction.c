/* Stick, slip, its start and its end. */
#include "multiple/friction.h"

#include <string.h>

#include "math/vec2.h"
#include "multiple/follow.h"
#include "multiple/pace.h"
#include "multiple/terms.h"
#include "multiple/watch.h"

/* Longest step in units of the time rho/|V| in which s relaxes; beyond it the terms, which are
 * small, hide that the sum does not stay so. */
static const double RELAX = 0.375 * ORDER;

/* The same where the direction is kept constant: s has relaxed by then. */
static const double RELAX_KEPT = 20;

/* Error of a constant direction, relative to the largest speed. */
static const double STRAIGHT_ERROR = 1e-12;

static int friction_turns(const Given *given, const LinkPiece *link) {
    return given->rows > 2 && link->friction == LINK_SLIP && link->follow != FOLLOW_KEPT;
}

/* V_g, with a second component of 0 in a planar problem. */
static void speed_term(const Given *given, const Piece *piece, int i, int g, double V[2]) {
    const double *v = &order_terms(given, piece->terms_v, g)[given->materials[i].row];
    V[0] = v[0];
    V[1] = given->rows > 2 ? v[1] : 0;
}

static void set_force(const Given *given, const Piece *piece, int i, int g, const double f[2]) {
    double *F = &order_terms(given, piece->terms_f, g)[given->materials[i].row];
    for (int k = 0; k < given->rows - 1; k++) {
        F[k] = -f[k];
    }
}

void crm_friction_begin(const Given *given, Piece *piece, int i, const Link *link) {
    LinkPiece *own = &piece->links[i];
    own->order_speed = own->order_force = 0;
    memset(own->s, 0, sizeof own->s);
    memset(own->omega, 0, sizeof own->omega);
    own->friction = link->friction;
    own->s[0] = (Pair){link->s[0], link->s[1]};
    memcpy(own->first_s, link->s, sizeof own->first_s);
    memcpy(own->f, link->f, sizeof own->f);
    if (is_active(own->phase)) {
        set_force(given, piece, i, 0, own->f);
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
    own->order_speed = own->order_force = 0;
    if (first + 1 > b || (first + 1 == b && stuck <= material->mu * N)) {
        own->friction = LINK_STICK;
        return;
    }
    own->friction = LINK_SLIP;
    own->order_speed = first;
    own->order_force = b;
    own->s[0] = (Pair){V[0] / speed, V[1] / speed};
}

/* sum of V_(a + i) . perp(s)_(j - i) for i from 0 to j */
static double cross_term(const Given *given, const Piece *piece, int link, int j) {
    const LinkPiece *own = &piece->links[link];
    double sum = 0;
    for (int i = 0; i <= j; i++) {
        const double *V = &order_terms(given, piece->terms_travel,
                                       own->order_speed + i)[given->materials[link].row];
        sum += V[1] * own->s[j - i][0] - V[0] * own->s[j - i][1];
    }
    return piece->unit * sum;
}

/* sum of N_(b + i) omega_(j - i), i from first to j */
static double turn_term(const LinkPiece *own, int first, int j) {
    double sum = 0;
    for (int i = first; i <= j; i++) {
        sum += own->N[own->order_force + i] * own->omega[j - i][0];
    }
    return sum;
}

/* omega_q and s_(q + 1) where V or N begin with 0. */
static void turn_from_rest(const Given *given, Piece *piece, int i, int q, double slack) {
    LinkPiece *own = &piece->links[i];
    int gap = own->order_force - own->order_speed, j = q + 1;
    Pair sum = {0, 0};
    for (int k = 0; k < q; k++) {
        sum += own->omega[k] * own->s[q - k];
    }
    double V[2], part = RECIPROCAL[j], rho = slack * own->N[own->order_force];
    /* with s_j as far as it is known */
    own->s[j] = (Pair){-sum[1] * part, sum[0] * part};
    speed_term(given, piece, i, own->order_speed, V);
    double known = cross_term(given, piece, i, j);
    known -= slack * (gap == 1 ? turn_term(own, 1, q) : turn_term(own, 0, j - gap));
    double omega = known / (piece->unit * norm2(V) * part + (gap == 1 ? rho : 0));
    own->omega[q] = both(omega);
    own->s[j] =
        (Pair){(-sum[1] - omega * own->s[0][1]) * part, (sum[0] + omega * own->s[0][0]) * part};
}

void crm_friction_turn(const Given *given, Piece *piece, int i, int g) {
    LinkPiece *own = &piece->links[i];
    int q = g - 1 - own->order_force;
    if (q < 0 || !friction_turns(given, own)) {
        return;
    }
    if (own->follow == FOLLOW_V) {
        crm_follow_series(given, piece, i, g);
        return;
    }
    double slack = given->materials[i].mu / given->materials[i].kt;
    if (own->order_force > 0) {
        turn_from_rest(given, piece, i, q, slack);
        return;
    }
    const double *V = &order_terms(given, piece->terms_travel, q)[given->materials[i].row];
    Pair cross = {0, 0}, bend = {0, 0}, lag = {0, 0};
    own->cross_V[q] = (Pair){V[1], -V[0]};
    own->twice_N[q] = both(own->N[q]);
    own->omega[q] = both(0); /* not known yet */
    for (int k = 0; k <= q; k++) {
        cross += own->cross_V[k] * own->s[q - k];
        bend += own->omega[k] * own->s[q - k];
        lag += own->twice_N[k] * own->omega[q - k];
    }
    double rate = (piece->unit * (cross[0] + cross[1]) / slack - lag[0]) / own->N[0];
    own->omega[q] = both(rate);
    bend = (bend + own->omega[q] * own->s[0]) * both(RECIPROCAL[g]);
    own->s[g] = (Pair){-bend[1], bend[0]};
}

void crm_friction_force(const Given *given, Piece *piece, int i, int g) {
    const Material *material = &given->materials[i];
    LinkPiece *own = &piece->links[i];
    if (!is_slipping(own->friction)) {
        for (int k = 0; k < given->rows - 1 && g > 0; k++) {
            order_terms(given, piece->terms_f, g)[material->row + k] =
                -material->kt * piece->unit * RECIPROCAL[g] *
                order_terms(given, piece->terms_travel, g - 1)[material->row + k];
        }
        return;
    }
    Pair sum = {0, 0};
    int last = friction_turns(given, own) ? 0 : g;
    for (int k = g; k >= last && k >= own->order_force; k--) {
        sum += both(own->N[k]) * own->s[g - k];
    }
    set_force(given, piece, i, g, (const double[2]){material->mu * sum[0], material->mu * sum[1]});
}

double crm_friction_reach(const Given *given, const Piece *piece, int i) {
    const LinkPiece *own = &piece->links[i];
    int kept = own->follow == FOLLOW_KEPT;
    if (own->order_force > 0 || own->follow == FOLLOW_V || (!kept && !friction_turns(given, own))) {
        return INFINITY;
    }
    double V[2], rho = given->materials[i].mu / given->materials[i].kt * own->N[0];
    speed_term(given, piece, i, 0, V);
    return (kept ? RELAX_KEPT : RELAX) * rho / norm2(V);
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
 * Its mean, weighted with N, is all that matters. Returns the spread of the angle. */
static double mean_direction(double drift, double angle, double q, double mean[2]) {
    /* Gauss nodes in y, x = y^2 */
    static const double node[] = {0.033765242898423986, 0.16939530676686774, 0.38069040695840155,
                                  0.61930959304159845,  0.83060469323313226, 0.96623475710157601};
    static const double weight[] = {0.085662246189585173, 0.18038078652406930,
                                    0.23395696728634552,  0.23395696728634552,
                                    0.18038078652406930,  0.085662246189585173};
    double resonant = fabs(q - 1) < 1e-3 ? 1e-3 : q - 1;
    double C = q * drift / resonant, D = angle - drift + C;
    mean[0] = mean[1] = 0;
    for (int i = 0; i < 6; i++) {
        double y = node[i], x = y * y;
        double phi = drift - C * x + 2 * atan(tan(D / 2) * pow(x, q));
        mean[0] += 4 * weight[i] * y * x * cos(phi);
        mean[1] += 4 * weight[i] * y * x * sin(phi);
    }
    return fabs(C) + fabs(D);
}

/* Rates of N and of V, and of the rate of N, at the end of the piece. */
typedef struct SlipRates {
    double N, N2, V[2];
} SlipRates;

static double rate_at(const Piece *piece, const double series[TERMS], double x) {
    return crm_series_slope(series, x) / (piece->step * crm_pace_at(piece, x));
}

static SlipRates find_rates(const Given *given, const NetworkState *state, const Piece *piece,
                            int i) {
    SlipRates rates = {0};
    double series[TERMS], x = piece->moment;
    int t = given->materials[i].row, n = normal_row(given, i);
    for (int k = 0; k < given->rows - 1; k++) {
        terms_series(given, piece, piece->terms_v, t + k, 1, series);
        rates.V[k] = rate_at(piece, series, x);
    }
    if (state->links[i].phase == HELD) {
        terms_series(given, piece, piece->terms_f, n, 1, series);
        rates.N = rate_at(piece, series, x);
        for (int g = 0; g < ORDER; g++) {
            series[g] = (g + 1) * series[g + 1];
        }
        series[ORDER] = 0;
        rates.N2 = rate_at(piece, series, x) / piece->step;
    } else {
        terms_series(given, piece, piece->terms_v, n, 1, series);
        rates.N = -state->links[i].k * state->v[n];
        rates.N2 = -state->links[i].k * rate_at(piece, series, x);
    }
    return rates;
}

void crm_friction_straighten(const Given *given, NetworkState *state, const Piece *piece, int i) {
    const Material *material = &given->materials[i];
    Link *link = &state->links[i];
    int row = material->row;
    if (given->rows < 3 || link->friction != LINK_SLIP || link->N <= 0 ||
        opening_force(given, i, link) > 0 ||
        (link->phase != LINK_RESTITUTION && link->phase != HELD)) {
        return;
    }
    SlipRates rates = find_rates(given, state, piece, i);
    if (rates.N >= 0) {
        return;
    }
    double V[2] = {state->v[row], state->v[row + 1]}, speed = norm2(V);
    double left = -link->N / rates.N, w = row_of_W(given, row)[row];
    double rest = material->mu * link->N * left / 2 * w;
    double bend = left * (norm2(rates.V) / speed + fabs(rates.N2 / rates.N));
    if (!(bend < 0.1) || rest * bend * bend > STRAIGHT_ERROR) {
        return;
    }
    double drift = left * (V[0] * rates.V[1] - V[1] * rates.V[0]) / (speed * speed), mean[2];
    double q = -speed * material->kt / (material->mu * rates.N);
    double angle =
        atan2(V[0] * link->s[1] - V[1] * link->s[0], V[0] * link->s[0] + V[1] * link->s[1]);
    if (rest * mean_direction(drift, angle, q, mean) * bend > STRAIGHT_ERROR) {
        return;
    }
    double s[2] = {(mean[0] * V[0] - mean[1] * V[1]) / speed,
                   (mean[0] * V[1] + mean[1] * V[0]) / speed};
    link->friction = LINK_STRAIGHT;
    crm_friction_set(given, state, i, s);
}
