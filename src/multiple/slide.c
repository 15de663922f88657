/* Friction at one link, as power series.
 *
 * In slip the direction s turns as rho s' = V - (V.s) s; with s' = omega s_perp this is
 *
 *   rho omega = V.s_perp.
 *
 * Where the link has just begun to act rho = O(t^b) and V = O(t^a), a < b, and the equation is
 * singular: its only bounded solution starts along the leading term of V, and term j of it reads
 *
 *   (|V_a|/j + rho_b [b - a = 1]) omega_(j-1) = terms that are known.
 *
 * A link that is held has its lowest force n instead of N. It follows the mean as if the spring
 * stuck (docs/multiple.md), or is the mean itself once the swings have died out. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "math/vec2.h"
#include "multiple/terms.h"

/* Longest step in units of the time rho/|V| in which s relaxes; beyond it the terms, which are
 * small, hide that the sum does not stay so. */
static const double RELAX = 0.375 * ORDER;

/* Where rho/|V| is shorter than this, in units of the fastest swing, s is taken to follow V; each
 * sweep over the series then gains more than a digit. */
static const double SLAVED = 3e-3;

/* As fast a direction as this may be kept for a piece where nothing else works. */
static const double KEEP = 1e-3;

/* Sweeps that turn s by no more have settled. */
static const double SETTLED = 1e-14;

/* How often a held link may get hold again; each of two may take it away from the other, ever
 * faster.
 */
enum { GRIPS = 8 };

/* What freezing the direction may cost, relative to the largest speed. */
static const double FREEZE = 1e-11;

static int slide_keeps_direction(const Link *link) {
    return link->frozen || link->kept;
}

static int directions(const Network *network) {
    return network->rows - 1;
}

/* V_g, with a second component of 0 in a planar problem. */
static void speed_term(const Network *network, const Link *link, int g, double V[2]) {
    int row = link->row;
    V[0] = *velocity_term(network, row, g);
    V[1] = directions(network) > 1 ? *velocity_term(network, row + 1, g) : 0;
}

static void set_force_term(const Network *network, const Link *link, int g, const double f[2]) {
    int row = link->row;
    *force_term(network, row, g) = -f[0];
    if (directions(network) > 1) {
        *force_term(network, row + 1, g) = -f[1];
    }
}

static void set_s(Link *link, int j, double s0, double s1) {
    link->series_s[0][j] = s0;
    link->series_s[1][j] = s1;
    link->pair_s[j] = (Pair){s0, s1};
}

void crm_slide_begin(Network *network, Link *link) {
    link->order_speed = link->order_force = 0;
    link->gripped = 0;
    memset(link->series_s, 0, offsetof(Link, pair_V) - offsetof(Link, series_s));
    set_s(link, 0, link->s[0], link->s[1]);
    link->pressure[0] = link->rigid ? link->low : link->N;
    if (is_gripping(link) || link->phase == TOUCHING) {
        set_force_term(network, link, 0, link->f);
    }
}

/* The cone opens like t^(order + 1), with minus this rate: stick or slip? */
void crm_slide_decide(Network *network, Link *link, double rate, int order) {
    double V[2] = {0, 0}, limit = -link->mu * link->k / link->kt * rate;
    int first = 0;
    crm_slide_begin(network, link);
    for (; first <= order; first++) {
        speed_term(network, link, first, V);
        if (V[0] != 0 || V[1] != 0) {
            break;
        }
    }
    double speed = norm2(V);
    if (first > order || (first == order && speed <= limit)) {
        link->mode = CAROM_MODE_STICK;
        return;
    }
    link->mode = CAROM_MODE_SLIP;
    link->frozen = 0;
    link->order_speed = first;
    link->order_force = order + 1;
    for (int i = 0; i < 2; i++) {
        link->s[i] = V[i] / speed;
    }
    set_s(link, 0, link->s[0], link->s[1]);
}

/* sum of V_(a + i) . perp(s)_(j - i) for i from 0 to j */
static double cross_term(const Network *network, const Link *link, int j) {
    double sum = 0;
    for (int i = 0; i <= j; i++) {
        const double *V = travel_term(network, link->row, link->order_speed + i);
        sum += V[1] * link->series_s[0][j - i] - V[0] * link->series_s[1][j - i];
    }
    return network->unit * sum;
}

/* sum of rho_(b + i) omega_(j - i), i from first to j */
static double turn_term(const Link *link, int first, int j) {
    double sum = 0;
    for (int i = first; i <= j; i++) {
        sum += link->pressure[link->order_force + i] * link->pair_omega[j - i][0];
    }
    return link->mu / link->kt * sum;
}

/* omega_q and s_(q + 1). */
static void slide_turn(Network *network, Link *link, int q) {
    double omega, V[2], part = RECIPROCAL[q + 1];
    const double *s = (const double *)link->pair_s;
    double rho = link->mu / link->kt * link->pressure[link->order_force];
    int gap = link->order_force - link->order_speed, j = q + 1;
    Pair sum = {0, 0};
    for (int i = 0; i < q; i++) {
        sum += link->pair_omega[i] * link->pair_s[q - i];
    }
    if (link->slaved || gap > 0) {
        /* with s_j as far as it is known */
        set_s(link, j, -sum[1] * part, sum[0] * part);
        double known = cross_term(network, link, j);
        speed_term(network, link, link->order_speed, V);
        if (link->slaved) {
            /* rho_0 omega_j is small: take it from the sweep before */
            double growth = link->mu / link->kt * link->pressure[1];
            known -= turn_term(link, 2, j) + rho * link->last_omega[j];
            omega = known / (network->unit * (V[0] * s[0] + V[1] * s[1]) * part + growth);
        } else {
            known -= gap == 1 ? turn_term(link, 1, q) : turn_term(link, 0, j - gap);
            double speed = sqrt(V[0] * V[0] + V[1] * V[1]);
            omega = known / (network->unit * speed * part + (gap == 1 ? rho : 0));
        }
    } else {
        omega = (cross_term(network, link, q) - turn_term(link, 1, q)) / rho;
    }
    link->pair_omega[q] = both(omega);
    set_s(link, j, (-sum[1] - omega * s[1]) * part, (sum[0] + omega * s[0]) * part);
}

/* The same where N and V do not begin with 0, which is nearly always: all sums at once, s_g and
 * f_g.
 */
static void turn_and_push(Network *network, Link *link, int g) {
    int q = g - 1, row = link->row;
    const double *V = travel_term(network, row, q), *pressure = link->pressure;
    /* the quotient first: it takes long, and nothing waits for it here */
    double *F = force_term(network, row, g), rho = link->mu / link->kt;
    double inverse = 1 / (rho * pressure[0]);
    Pair *s = link->pair_s, *omega = link->pair_omega, *P = link->pair_pressure;
    Pair cross = {0, 0}, bend = {0, 0}, lag = {0, 0}, push = {0, 0};
    link->pair_V[q] = (Pair){V[1], -V[0]};
    P[0] = both(pressure[0]);
    P[g] = both(pressure[g]);
    omega[q] = both(0); /* not known yet */
    for (int i = 0; i <= q; i++) {
        Pair turned = s[q - i];
        cross += link->pair_V[i] * turned;
        bend += omega[i] * turned;
        push += P[i + 1] * turned;
        lag += P[i] * omega[q - i];
    }
    double rate = (network->unit * (cross[0] + cross[1]) - rho * lag[0]) * inverse;
    omega[q] = both(rate);
    bend = (bend + omega[q] * s[0]) * both(RECIPROCAL[g]);
    set_s(link, g, -bend[1], bend[0]);
    push = (push + P[0] * s[g]) * both(link->mu);
    F[0] = -push[0];
    F[1] = -push[1];
}

void crm_slide_force(Network *network, Link *link, int g) {
    int row = link->row, b = link->order_force;
    if (link->phase == HELD && link->bare) {
        return;
    }
    if (link->mode == CAROM_MODE_STICK) {
        for (int i = 0; i < directions(network) && g > 0; i++) {
            *force_term(network, row + i, g) =
                -link->kt * network->unit * *travel_term(network, row + i, g - 1) * RECIPROCAL[g];
        }
        return;
    }
    int turns = directions(network) > 1 && !slide_keeps_direction(link);
    if (turns && b == 0 && link->order_speed == 0 && !link->slaved) {
        if (g > 0) {
            turn_and_push(network, link, g);
        }
        return;
    }
    if (g > b && turns) {
        slide_turn(network, link, g - b - 1);
    }
    if (g > 0 || b > 0) {
        Pair sum = {0, 0};
        for (int i = b; i <= g; i++) {
            sum += both(link->pressure[i]) * link->pair_s[g - i];
        }
        set_force_term(network, link, g, (const double[2]){link->mu * sum[0], link->mu * sum[1]});
    }
}

void crm_set_direction(Network *network, Link *link, const double s[2], double pressure) {
    double before = link_tangential_energy(link);
    for (int i = 0; i < 2; i++) {
        link->s[i] = s[i];
        link->f[i] = link->mu * pressure * s[i];
    }
    network->energy.friction_loss += before - link_tangential_energy(link);
}

int crm_slide_is_slaved(const Network *network, const Link *link) {
    double V[2], pressure = link->pressure[0], time = network->unit;
    if (link->free || link->order_force > 0 || slide_keeps_direction(link) ||
        directions(network) < 2) {
        return 0;
    }
    if (is_sprung(link)) {
        /* where N grows or falls as fast, so does rho */
        double rate = link->k * fabs(network->v[normal_row(network, link)]);
        time = pressure < rate * time ? pressure / rate : time;
    }
    speed_term(network, link, 0, V);
    return link->mu / link->kt * pressure < SLAVED * time * norm2(V);
}

int crm_slide_remember(const Network *network, Link *link, double step) {
    double V[2], change = 0, power = 1;
    speed_term(network, link, 0, V);
    double lag = link->mu / link->kt * link->pressure[0] / (network->unit * norm2(V));
    for (int g = 0; g < TERMS; g++) {
        double omega = link->pair_omega[g][0],
               turn = lag * fabs(omega - link->last_omega[g]) * power;
        change = turn > change ? turn : change;
        link->last_omega[g] = omega;
        power *= step;
    }
    link->unsettled = change;
    return change <= SETTLED;
}

void crm_slide_follow(Network *network, Link *link) {
    double V[2], pressure = link->pressure[0];
    speed_term(network, link, 0, V);
    double speed = norm2(V);
    double lag = link->mu / link->kt * pressure * link->last_omega[0] / (network->unit * speed);
    lag = fabs(lag) < 1 ? lag : 0;
    double along = sqrt(1 - lag * lag);
    double s[2] = {(along * V[0] + lag * V[1]) / speed, (along * V[1] - lag * V[0]) / speed};
    crm_set_direction(network, link, s, pressure);
    crm_slide_begin(network, link);
}

int crm_slide_is_free(Network *network, Link *link) {
    int row = link->row;
    double V[2], pressure = link->pressure[0], *s = link->s, *own = link->own_s;
    speed_term(network, link, 0, V);
    double last = link->mu / link->kt * pressure / norm2(V);
    double effect = link->mu * pressure * last * network->W[row * network->size + row];
    if (link->unsettled <= SETTLED && effect * hypot(s[0] - own[0], s[1] - own[1]) <= FREEZE) {
        return 0;
    }
    crm_set_direction(network, link, own, pressure);
    return 1;
}

int crm_slide_keep(const Network *network, Link *link) {
    double V[2], rho = link->mu / link->kt * link->pressure[0];
    speed_term(network, link, 0, V);
    if (link->mode != CAROM_MODE_SLIP || slide_keeps_direction(link) || link->order_force > 0 ||
        rho > KEEP * network->unit * norm2(V)) {
        return 0;
    }
    link->kept = 1;
    return 1;
}

double crm_slide_reach(const Network *network, const Link *link) {
    double rho = link->mu / link->kt * link->pressure[0], V[2];
    if (link->order_force > 0 || slide_keeps_direction(link) || link->slaved ||
        directions(network) < 2) {
        return INFINITY;
    }
    speed_term(network, link, 0, V);
    return RELAX * rho / norm2(V);
}

/* The rest of slip to N = 0, in x = what is left of its time: N is proportional to x, V keeps its
 * size and turns evenly, so that with q = |V|/rho_1 the angle of s is
 *
 *   A - C x + 2 atan(tan(D/2) x^q).
 *
 * Its mean, weighted with N, is all that matters. Returns the spread of the angle. */
static double mean_direction(double psi, double drift, double angle, double q, double mean[2]) {
    /* Gauss nodes in y, x = y^2 */
    static const double node[] = {0.033765242898423986, 0.16939530676686774, 0.38069040695840155,
                                  0.61930959304159845,  0.83060469323313226, 0.96623475710157601};
    static const double weight[] = {0.085662246189585173, 0.18038078652406930,
                                    0.23395696728634552,  0.23395696728634552,
                                    0.18038078652406930,  0.085662246189585173};
    double resonant = fabs(q - 1) < 1e-3 ? 1e-3 : q - 1;
    double C = q * drift / resonant, A = psi + drift, D = angle - A + C;
    mean[0] = mean[1] = 0;
    for (int i = 0; i < 6; i++) {
        double y = node[i], x = y * y;
        double phi = A - C * x + 2 * atan(tan(D / 2) * pow(x, q));
        mean[0] += 4 * weight[i] * y * x * cos(phi);
        mean[1] += 4 * weight[i] * y * x * sin(phi);
    }
    return fabs(C) + fabs(D);
}

/* v' of a row at x of the piece. */
static double acceleration(const Network *network, int row, double x) {
    double series[TERMS];
    terms_series(network, network->terms_v, row, 1, series);
    return crm_series_slope(series, x) / (network->step * crm_pace_at(network, x));
}

void crm_slide_freeze(Network *network, Link *link) {
    int row = link->row, n = normal_row(network, link);
    double V[2] = {network->v[row], 0}, turn[2] = {0, 0}, vn = network->v[n], x = network->moment;
    if (link->phase != LINK_RESTITUTION || link->mode != CAROM_MODE_SLIP ||
        slide_keeps_direction(link) || vn <= 0 || network->mono || directions(network) < 2) {
        return;
    }
    V[1] = network->v[row + 1];
    for (int i = 0; i < 2; i++) {
        turn[i] = acceleration(network, row + i, x);
    }
    double left = link->N / (link->k * vn), speed2 = V[0] * V[0] + V[1] * V[1];
    double rest = link->mu * link->N * left / 2 * network->W[row * network->size + row];
    double bend = left * (norm2(turn) / sqrt(speed2) + fabs(acceleration(network, n, x)) / vn);
    if (!(bend < 0.1) || rest * bend * bend > FREEZE) {
        return;
    }
    double drift = left * (V[0] * turn[1] - V[1] * turn[0]) / speed2, mean[2];
    double q = sqrt(speed2) * link->kt / (link->mu * link->k * vn);
    double angle =
        atan2(V[0] * link->s[1] - V[1] * link->s[0], V[0] * link->s[0] + V[1] * link->s[1]);
    double spread = mean_direction(0, drift, angle, q, mean);
    if (rest * spread * bend > FREEZE) {
        return;
    }
    double speed = sqrt(speed2);
    double s[2] = {(mean[0] * V[0] - mean[1] * V[1]) / speed,
                   (mean[0] * V[1] + mean[1] * V[0]) / speed};
    link->frozen = 1;
    crm_set_direction(network, link, s, link->N);
}

/* Row of a held link: what its mean is made of. *size is that of what was added. */
static double mean_term(const Network *network, const Link *link, int g, int as_stuck,
                        double *size) {
    const double *row = held_row(network, normal_row(network, link));
    double sum = 0;
    *size = 0;
    for (const Link *other = network->links; other < network->links + network->count; other++) {
        int n = normal_row(network, other), t = other->row;
        if (is_sprung(other)) {
            sum += row[n] * *force_term(network, n, g);
            *size += fabs(row[n] * *force_term(network, n, g));
        }
        for (int i = t; i < n && (is_gripping(other) || other == link); i++) {
            double term = other->phase != HELD ? *force_term(network, i, g)
                          : as_stuck
                              ? -other->kt * network->unit * *velocity_term(network, i, g - 1) / g
                          : other != link ? *force_term(network, i, g)
                                          : 0;
            sum += row[i] * term;
            *size += fabs(row[i] * term);
        }
    }
    return sum;
}

/* What a held link's own friction leaves of its mean: N (1 - mu G.s) is what the others press. Not
 * positive: slip drags it down faster than it is pressed. */
double crm_hold_pivot(const Network *network, const Link *link) {
    const double *row = held_row(network, normal_row(network, link));
    int t = link->row;
    double pivot = 1;
    for (int i = 0; i < directions(network); i++) {
        pivot += link->mu * row[t + i] * link->s[i];
    }
    return pivot;
}

/* Without swings: n is the mean, of which the link's own friction is a part. */
static double tight_term(const Network *network, const Link *link, int g) {
    const double *row = held_row(network, normal_row(network, link));
    int t = link->row;
    double size, sum = mean_term(network, link, g, 0, &size);
    for (int i = 0; i < directions(network); i++) {
        const double *s = link->series_s[i];
        double own = 0;
        for (int l = 0; l < g; l++) {
            own += link->pressure[l] * s[g - l];
        }
        sum -= link->mu * row[t + i] * own;
    }
    return sum / crm_hold_pivot(network, link);
}

/* A bare link: does its lowest force rise from 0, and with what mode, or not? */
static void grip_again(Network *network, Link *link, int g, double term, double size) {
    if (fabs(term) <= NOISE * size) {
        link->pressure[g] = 0;
        return;
    }
    link->gripped = 1;
    if (term > 0) {
        link->bare = 0;
        crm_slide_decide(network, link, -term * g / (link->k * network->unit), g - 1);
        link->gripped = 1;
        link->pressure[g] = term;
    }
}

void crm_slide_low(Network *network, Link *link, int g) {
    double size;
    if (g == 0) {
        return;
    }
    if (link->tight && !link->bare && link->mode == CAROM_MODE_STICK) {
        const double *row = held_row(network, normal_row(network, link));
        int t = link->row;
        link->pressure[g] = mean_term(network, link, g, 0, &size);
        for (int i = t; i < t + directions(network); i++) {
            link->pressure[g] -=
                row[i] * link->kt * network->unit * *velocity_term(network, i, g - 1) / g;
        }
        return;
    }
    if (link->tight && !link->bare) {
        /* s_g first: the sum needs it */
        if (directions(network) > 1 && !slide_keeps_direction(link)) {
            slide_turn(network, link, g - 1);
        }
        link->pressure[g] = tight_term(network, link, g);
        return;
    }
    link->pressure[g] = mean_term(network, link, g, 1, &size);
    if (link->bare && !link->gripped && link->grips <= GRIPS) {
        grip_again(network, link, g, link->pressure[g], size);
    }
}

/* Without swings, the lowest force is the mean, of which friction has its part. */
static int fit_tight(Network *network, Link *link, double mean) {
    double pivot = crm_hold_pivot(network, link);
    double low = (mean + link->low * (pivot - 1)) / pivot;
    if (pivot > 0 && fabs(low - link->low) <= 100 * NOISE * link->low) {
        return 1;
    }
    if (pivot <= 0 || low <= 0) {
        crm_go_bare(network, link);
        return 0;
    }
    link->low = low;
    crm_set_direction(network, link, (const double[2]){link->s[0], link->s[1]}, low);
    return 0;
}

int crm_slide_fits(Network *network, Link *link, double mean) {
    double taken = hypot(link->f[0], link->f[1]);
    if (link->tight && link->mode == CAROM_MODE_SLIP && !link->bare) {
        return fit_tight(network, link, mean);
    }
    if (link->bare || link->low <= mean * (1 + 1e3 * NOISE)) {
        return 1;
    }
    link->low = mean;
    link->tight = 1;
    if (taken > link->mu * mean * (1 + 1e3 * NOISE)) {
        link->mode = CAROM_MODE_SLIP;
        crm_set_direction(network, link, (const double[2]){link->f[0] / taken, link->f[1] / taken},
                          mean);
    }
    return 0;
}
