#include "multiple/bounces.h"

#include "multiple/product.h"

/* The spring of a link that keeps bouncing becomes stiffer each time; from this factor on the link
 * is held instead, or with friction from given.followed on. Without friction the error goes like
 * 1/k; with friction like the time that the rest of the bounces takes, 1/sqrt(k) (bounces_error()).
 */
static const double STIFF = 1e9;

/* But up to this factor more not where nothing presses the link, which gives back its energy then,
 * nor where the bounces to come count: where others are as stiff. */
static const double STIFFER = 1e3, SWING_LEFT = 1e-12;

/* Share of the time of the bounces that are left out, as an error of the velocities: of links that
 * have opened in each bounce, and of those that keep their tangential force; measured. */
static const double BOUNCES_ERROR = 0.12, KEPT_ERROR = 0.6;

/* Bounces that may shake off as much tangential force as the last one did. */
static const double MOST_BOUNCES = 10;

/* What is free of a cone at least, as a multiple of what may be added to the force in it. */
static const double GRIP = 10;

/* Error of the velocities in a bounce, which its stiffness turns into one of the force. */
static const double SWING_ERROR = 3e-14;

/* Speed of a swing that need not be followed where otherwise there is no answer: an error. */
static const double LAST_SWING = 1e-9;

/* Compressions end as one if the speeds that are left are this part of those of the bounces: larger
 * than rounding, 1e-14 where the shortest bounces have 3e-9, and far too small for a coincidence.
 */
static const double AS_ONE = 1e-5;

/* The time that infinitely many more bounces take, each e times as long as the one before. */
double crm_bounces_time(const Link *link, const Material *material) {
    double e = material->e;
    return 4 * atan(1) * (1 + e) / (2 * (1 - e) * sqrt(link->k * material->w));
}

/* Speed along the surface of link i. */
static double surface_speed(const Network *network, int i) {
    const double *v = &network->state.v[network->given.materials[i].row];
    return network->given.rows > 2 ? hypot(v[0], v[1]) : fabs(v[0]);
}

/* Does the tangential force of link i last from bounce to bounce? */
static int has_grasp(const Network *network, int i) {
    const Link *link = &network->state.links[i];
    return network->given.materials[i].rough &&
           (link->phase == HELD || (is_sprung(link->phase) && link->restarted));
}

/* The error of its bounces' force, which turns into one of the tangential force: of its speed. */
static double swing_noise(const Network *network, int i) {
    return SWING_ERROR * network->given.materials[i].e * sqrt(network->state.links[i].k);
}

/* Do all tangential forces that last stick now, by more than the bounces of link i that are left
 * can load their springs, and by more than rounding of its speed makes of its force? Its force is
 * at an extreme, and with it those of all held links. */
static int all_grip(const Network *network, int i) {
    const Given *given = &network->given;
    const Link *bounces = &network->state.links[i];
    double time = crm_bounces_time(bounces, &given->materials[i]);
    double rounded = ROUNDED * sqrt(bounces->k / given->materials[i].w);
    for (int j = 0; j < given->count; j++) {
        const Material *material = &given->materials[j];
        const Link *link = &network->state.links[j];
        if (!has_grasp(network, j)) {
            continue;
        }
        double load = material->kt * (surface_speed(network, j) + time) * time;
        double room = material->mu * link->N - hypot(link->f[0], link->f[1]);
        int opened = link->phase == HELD && link->apart > bounces->ended;
        if (is_slipping(link->friction) || opened || room <= GRIP * (load + rounded)) {
            return 0;
        }
    }
    return 1;
}

/* What the spring of link i along the surface takes up in this time, as a speed. */
static double load_of(const Network *network, int i, double time) {
    const Given *given = &network->given;
    return time * surface_speed(network, i) *
           sqrt(given->materials[i].kt * tangential_mobility(given, i));
}

/* The error of the velocities that holding a link instead leaves. If it has opened in each bounce
 * its own tangential spring is loaded too early or too late by a share of the time of the bounces.
 * Of tangential forces that last: what the cones, at their smallest, cut off in this time where
 * links slip, and if its own lasts an error of the force of the bounces. Where all stick inside
 * their cones at both extremes they do so in all bounces to come, and nothing is left. */
static double bounces_error(const Network *network, int i) {
    const Given *given = &network->given;
    const Link *link = &network->state.links[i];
    double time = crm_bounces_time(link, &given->materials[i]), sum = 0;
    double opened = link->restarted ? 0 : BOUNCES_ERROR * load_of(network, i, time);
    if (link->grips && all_grip(network, i)) {
        return opened;
    }
    for (int j = 0; j < given->count; j++) {
        sum += has_grasp(network, j) ? load_of(network, j, time) : 0;
    }
    sum *= KEPT_ERROR;
    return link->restarted ? sum + swing_noise(network, i) / sqrt(given->materials[i].kt)
                           : sum + opened;
}

double crm_bounces_dependent_error(const Network *network, int i) {
    const Given *given = &network->given;
    const Link *links = network->state.links;
    double time = 0;
    for (int j = 0; j < given->count && given->materials[i].rough; j++) {
        int ends = links[j].phase == HELD && links[j].joint == network->work;
        if (ends && links[i].ended > links[j].ended && given->materials[j].e > 0) {
            time = fmax(time, crm_bounces_time(&links[j], &given->materials[j]));
        }
    }
    return time > 0 ? KEPT_ERROR * load_of(network, i, time) : 0;
}

/* The rate at which other springs, normal and along the surface, change the push on a link within
 * some time, and the square of their highest frequency. */
static double push_rate(const Network *network, int i, double time, double *fastest) {
    const Given *given = &network->given;
    const double *W = row_of_W(given, normal_row(given, i)), *v = network->state.v;
    double rate = 0;
    *fastest = 0;
    for (int j = 0; j < given->count; j++) {
        const Material *material = &given->materials[j];
        const Link *link = &network->state.links[j];
        int n = normal_row(given, j);
        if (j != i && is_sprung(link->phase)) {
            rate += fabs(W[n]) * link->k * (fabs(v[n]) + material->w * link->N * time);
            *fastest = fmax(*fastest, link->k * material->w);
        }
        for (int row = material->row; row < n && material->rough && is_active(link->phase); row++) {
            rate += fabs(W[row]) * material->kt * fabs(v[row]);
            *fastest = fmax(*fastest, material->kt * row_of_W(given, row)[row]);
        }
    }
    return rate;
}

/* The error of the normal velocities that holding a link instead leaves. Under a steady push the
 * bounces to come move nothing in the mean. A push that changes at a rate moves the others by the
 * way rate time^3 in each bounce; if it ends before the bounces do, the speed of the last one is
 * missing. */
static double swing_error(const Network *network, int i) {
    const Material *material = &network->given.materials[i];
    const Link *link = &network->state.links[i];
    double time = 4 * atan(1) / sqrt(link->k * material->w), fastest;
    double rate = push_rate(network, i, time, &fastest);
    return fmin(material->e * sqrt(2 * material->w * spring_energy(link)),
                rate * time * time * time * sqrt(fastest) / (1 - material->e));
}

int crm_bounces_stiff(const Network *network, int i) {
    const Material *material = &network->given.materials[i];
    return network->state.links[i].k >=
           (material->rough ? network->given.followed : STIFF) * material->k;
}

int crm_bounces_rest(const Network *network, int i) {
    const Link *link = &network->state.links[i];
    double v = network->state.v[normal_row(&network->given, i)];
    double least = network->last_try ? LAST_SWING : ROUNDED;
    return is_sprung(link->phase) && link->N > 0 && fabs(v) <= least &&
           crm_bounces_stiff(network, i) &&
           fabs(normal_acceleration(&network->given, &network->state, i)) <=
               least * sqrt(link->k * network->given.materials[i].w);
}

/* Has the spring become so stiff that its bounces may be left out? */
static int bounces_end(const Network *network, int i) {
    const Material *material = &network->given.materials[i];
    const Link *link = &network->state.links[i];
    return link->k >= STIFFER * network->given.followed * material->k ||
           (crm_bounces_stiff(network, i) && link->rate < material->w * link->N &&
            swing_error(network, i) <= SWING_LEFT);
}

/* The tangential forces that last, as speeds. Bounces shake the reactions, however short they are,
 * and with them the cones. */
static double grasp_of(const Network *network) {
    double sum = 0;
    for (int i = 0; i < network->given.count && network->given.rows > 1; i++) {
        const double *weight = network->given.materials[i].weight;
        const double *f = network->state.links[i].f;
        sum += has_grasp(network, i) ? hypot(weight[0] * f[0], weight[1] * f[1]) : 0;
    }
    return sum;
}

/* Has no other link bounced during the last bounce of link i, or opened and been held again? */
static int bounces_alone(const Network *network, int i) {
    const Link *links = network->state.links;
    int others = 0;
    for (int j = 0; j < network->given.count; j++) {
        int last = links[j].phase == HELD ? links[j].apart : links[j].ended;
        others |= j != i && network->given.materials[j].rough && last > links[i].ended;
    }
    return !others;
}

/* What the bounces still to come shake off: the sum of a series that goes on as from the last but
 * one to the last one of link i. Mostly its terms fall like the times of the bounces, with e. If
 * nothing else bounces, it falls more slowly only if the forces fall in both halves of a bounce:
 * after a half in which they do not, the next extreme is the one before the last again, which they
 * have stood. */
static double shaken_error(const Network *network, int i) {
    const Link *link = &network->state.links[i];
    double now = grasp_of(network), fall = link->grasp - now, e = network->given.materials[i].e;
    double last = fabs(link->fell), q = last > fall ? fmax(fall / last, e) : 1;
    double rest = fall * fmin(q / (1 - q), MOST_BOUNCES);
    if (link->ended == 0 || fall <= 0) {
        return 0;
    }
    return bounces_alone(network, i)
               ? fmin(rest, fmax((link->low - now) * MOST_BOUNCES, fall * e / (1 - e)))
               : rest;
}

/* Does the compression of link j end with that of another, which ends now? Exactly at once only up
 * to rounding, of W as well. */
static int ends_with(const Network *network, int j) {
    const Link *link = &network->state.links[j];
    double v = network->state.v[normal_row(&network->given, j)], e = network->given.materials[j].e;
    return link->phase == LINK_COMPRESSION && link->joint == 0 && e > 0 && e < 1 && link->N > 0 &&
           fabs(v) <= AS_ONE * link->N * link->weight &&
           normal_acceleration(&network->given, &network->state, j) > 0;
}

/* The common share of the links that end with this one now, and did so the last time, too. */
static double common_share(const Network *network, int i) {
    const Link *links = network->state.links;
    double e = network->given.materials[i].e, sum = 0, kept = 0;
    int differ = 0;
    for (int j = 0; j < network->given.count; j++) {
        double other = network->given.materials[j].e, energy = spring_energy(&links[j]);
        if (links[j].joint == links[i].joint && links[j].ended == links[i].ended) {
            sum += energy;
            kept += other * other * energy;
            differ |= other != e;
        }
    }
    return links[i].ended > 0 && differ && sum > 0 ? kept / sum : e * e;
}

/* Compressions end at link i, and with it at others. Without friction their loads do not matter. */
static void join_ends(Network *network, int i) {
    const Given *given = &network->given;
    Link *links = network->state.links;
    double e = given->materials[i].e;
    int joint = network->work, count = given->rows > 1 && e > 0 && e < 1 ? given->count : 0;
    links[i].joint = joint;
    links[i].keeps = e * e;
    for (int j = 0; j < count; j++) {
        links[j].joint = ends_with(network, j) ? joint : links[j].joint;
    }
    for (int j = 0; j < count; j++) {
        links[j].keeps = links[j].joint == joint ? common_share(network, j) : links[j].keeps;
    }
}

/* Do the bounces of link i end? Those of links that bounce as one do together. */
static int latches_now(const Network *network, int i) {
    const Link *links = network->state.links;
    int any = bounces_end(network, i);
    for (int j = 0; j < network->given.count && links[i].ended > 0; j++) {
        any |= links[j].joint == links[i].joint && links[j].ended == links[i].ended &&
               bounces_end(network, j);
    }
    return any;
}

void crm_bounces_turn(Network *network, int i) {
    Link *link = &network->state.links[i];
    if (network->given.materials[i].rough) {
        link->low = grasp_of(network);
        link->grips = all_grip(network, i);
    }
}

void crm_bounces_foresee(Network *network, int i) {
    const Material *material = &network->given.materials[i];
    Link *link = &network->state.links[i];
    int bounces = material->e > 0;
    if (link->phase != LINK_COMPRESSION) {
        return;
    }
    if (link->joint == 0) {
        join_ends(network, i);
    }
    link->latches = !bounces || latches_now(network, i);
    link->left[NORMAL] = bounces && link->latches ? swing_error(network, i) : 0;
    link->left[ALONG] = bounces && link->latches && material->rough ? bounces_error(network, i) : 0;
    int grips = link->restarted && link->grips && all_grip(network, i);
    link->left[ALONG] += bounces && link->latches && !grips ? shaken_error(network, i) : 0;
}

void crm_bounces_go_on(Network *network, int i) {
    Link *link = &network->state.links[i];
    double grasp = grasp_of(network);
    network->state.energy.normal_loss += (1 - link->keeps) * spring_energy(link);
    set_stiffness(link, &network->given.materials[i], link->k / link->keeps);
    link->fell = link->ended > 0 ? link->grasp - grasp : 0;
    link->grasp = grasp;
    link->ended = link->joint;
    link->joint = 0;
}
