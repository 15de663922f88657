/* Going to an event, and what it changes: always the state of one link alone, so that what happens
 * at the same moment may be done in any order. */
#include <math.h>

#include "multiple/terms.h"

/* The spring of a link that keeps bouncing grows stiffer each time; from here on it is held
 * instead. The error goes like 1/k, but like k^-1/2 if the swings touch the cone. */
static const double STIFF = 1e9, STIFF_ROUGH = 1e7, STIFF_SLIPPING = 1e12;

/* Impulse of a held link that its friction may be cut short by. */
static const double REST = 1e-13;

/* Work done along the surface, f.V, over the piece up to x; by Gauss's eight points, which are
 * exact for fifteen terms of the product and almost so for the rest. */
static double tangential_work(const Network *network, const Link *link, double x) {
    static const double node[] = {0.019855071751231884, 0.10166676129318663, 0.23723379504183550,
                                  0.40828267875217510,  0.59171732124782490, 0.76276620495816450,
                                  0.89833323870681337,  0.98014492824876812};
    static const double weight[] = {0.050614268145188130, 0.11119051722668724, 0.15685332293894364,
                                    0.18134189168918099,  0.18134189168918099, 0.15685332293894364,
                                    0.11119051722668724,  0.050614268145188130};
    int m = network->stride, row = link->row;
    double sum = 0, reach = network->scale[1] * x;
    double second = network->rows > 2; /* in a plane there is one direction */
    /* four points at once: they do not wait for each other */
    for (int i = 0; i < 8; i += 4) {
        Pair force[4] = {{0, 0}}, speed[4] = {{0, 0}};
        const double *f = push_term(network, row, ORDER), *V = velocity_term(network, row, ORDER);
        for (int g = ORDER; g >= 0; g--, f -= m, V -= m) {
            Pair fg = {f[0], f[1]}, Vg = {V[0], V[1]};
            for (int k = 0; k < 4; k++) {
                double y = reach * node[i + k];
                force[k] = force[k] * both(y) + fg;
                speed[k] = speed[k] * both(y) + Vg;
            }
        }
        for (int k = 0; k < 4; k++) {
            Pair power = force[k] * speed[k];
            sum -= weight[i + k] * (power[0] + second * power[1]);
        }
    }
    return network->step * x * sum;
}

/* Friction ends with what the spring along the surface still holds. */
void crm_let_go(Network *network, Link *link) {
    network->energy.friction_loss += link_tangential_energy(link);
    link->f[0] = link->f[1] = 0;
}

void crm_go_bare(Network *network, Link *link) {
    link->grips += !link->bare;
    link->low = 0;
    link->tight = 0;
    link->bare = link->first_bare = 1;
    crm_let_go(network, link);
}

static void advance_friction(Network *network, Link *link, const double *F, double x) {
    int row = link->row, slips = link->mode == CAROM_MODE_SLIP;
    double before = link_tangential_energy(link);
    double work = slips ? tangential_work(network, link, x) : 0;
    for (int i = 0; i < network->rows - 1; i++) {
        link->f[i] = -F[row + i];
    }
    if (slips) {
        double s0 = crm_series_at(link->series_s[0], x), s1 = crm_series_at(link->series_s[1], x);
        double length = link->frozen ? 1 : hypot(s0, s1);
        link->s[0] = s0 / length;
        link->s[1] = s1 / length;
        link->slipped = 1;
        network->energy.friction_loss += work - (link_tangential_energy(link) - before);
    }
    if (link->phase == HELD) {
        double fall = -crm_series_slope(link->pressure, x) / network->step;
        link->low = crm_series_at(link->pressure, x);
        /* the little that is left of its impulse is not worth the steps */
        if (fall > 0 && link->low * link->low < 2 * REST * fall) {
            crm_go_bare(network, link);
        }
    }
    link->fresh = 0;
}

void crm_advance(Network *network) {
    double x = network->moment, clock = 0;
    if (x == 0) {
        return;
    }
    if (network->kind != GENERAL) {
        (network->kind == SINGLE ? crm_single_advance : crm_plain_advance)(network);
        return;
    }
    double *at = network->column_in, *gain = network->column_out;
    terms_integral(network, network->terms_push, x, gain);
    terms_at(network, network->terms_v, x, at);
    for (int i = 0; i < network->used_count; i++) {
        int row = network->used[i];
        network->v[row] = at[row];
        network->I[row] += network->step * gain[row];
        clock += row % network->rows == network->rows - 1 ? network->step * gain[row] : 0;
    }
    network->clock += clock;
    terms_at(network, network->terms_f, x, at);
    for (Link *link = network->links; link < network->links + network->count; link++) {
        link->torn = 0;
        if (is_sprung(link)) {
            link->N = at[normal_row(network, link)];
            link->N = link->N > 0 ? link->N : 0;
        }
        if (link->phase == HELD) {
            network->v[normal_row(network, link)] = 0;
        }
        if (is_gripping(link)) {
            advance_friction(network, link, at, x);
        }
    }
}

/* What the spring has taken up or given back since this phase began. */
static void book(Network *network, Link *link) {
    double E = spring_energy(link);
    if (link->phase == LINK_COMPRESSION) {
        network->energy.stored += E - link->booked;
    } else {
        network->energy.released += link->booked - E;
    }
    link->booked = E;
}

/* How low the first swing goes, from the peak N about the mean. Once it meets the cone it slips: f
 * falls with N, and the mean with it. */
static double swing_down(const Network *network, const Link *link, double mean, double edge) {
    double a = link->N - mean, c = edge - mean, low = mean - a;
    if (low >= edge) {
        return low;
    }
    double pivot = crm_hold_pivot(network, link), root = c * c + pivot * (a * a - c * c);
    if (root < 0 || (c > 0 && pivot <= 0)) {
        return 0;
    }
    /* the way past the edge, without cancellation */
    return edge - (c > 0 ? (c + sqrt(root)) / pivot : (a * a - c * c) / (sqrt(root) - c));
}

/* Where the swings begin: from the last peak of N, or from none at all. */
void crm_begin_to_hold(Network *network, Link *link, double mean) {
    double taken = hypot(link->f[0], link->f[1]), edge = link->rough ? taken / link->mu : 0;
    link->holding = 1;
    link->grips = 0;
    link->bare = link->first_bare = link->tight = link->frozen = 0;
    if (!link->rough) {
        return;
    }
    if (taken > 0) {
        link->s[0] = link->f[0] / taken;
        link->s[1] = link->f[1] / taken;
    }
    link->low = link->acting ? swing_down(network, link, mean, edge) : 0;
    if (link->low <= 0) {
        network->again |= taken > 0;
        crm_go_bare(network, link);
    } else if (link->low <= edge * (1 + 1e-6)) {
        link->mode = CAROM_MODE_SLIP;
        network->again |= link->low < edge * (1 - 1e-12);
        crm_set_direction(network, link, (const double[2]){link->s[0], link->s[1]}, link->low);
    } else {
        link->mode = CAROM_MODE_STICK;
    }
    crm_slide_begin(network, link);
}

/* A rigid link parts. */
static void part(Network *network, Link *link) {
    crm_report_event(network, link,
                     link->latched ? CAROM_EVENT_RELEASE : CAROM_EVENT_RESTITUTION_END);
    link->N = link->booked = 0;
    link->latched = link->holding = link->acting = 0;
}

/* How well the impulses are known once links are held with friction: one is a limit that is taken
 * early; of several, how they share what presses them is a definition, and the result moves by so
 * much if contacts or tangents are named otherwise (docs/multiple.md). */
static double doubt(const Network *network) {
    int held = 0;
    for (const Link *link = network->links; link < network->links + network->count; link++) {
        held += link->phase == HELD && link->rough;
    }
    return held > 1 ? 1e-2 : held > 0 ? 1e-6 : 0;
}

void crm_commit(Network *network) {
    for (Link *link = network->links; link < network->links + network->count; link++) {
        if (link->phase == HELD && !link->latched) {
            link->latched = link->acting = 1;
            network->doubt = fmax(network->doubt, doubt(network));
            crm_report_event(network, link, CAROM_EVENT_LATCH);
        } else if (link->phase == LINK_COMPRESSION && !link->acting) {
            link->N = link->booked = link->peak = 0;
            link->acting = 1;
            link->slipped = 0;
            crm_report_event(network, link, CAROM_EVENT_ACTIVATION);
        } else if (link->phase == OPEN && link->acting) {
            part(network, link);
        }
    }
}

void crm_finish(Network *network) {
    for (Link *link = network->links; link < network->links + network->count; link++) {
        if (link->acting) {
            if (link->phase == LINK_COMPRESSION) {
                crm_report_event(network, link, CAROM_EVENT_COMPRESSION_END);
            }
            crm_let_go(network, link);
            part(network, link);
        }
    }
}

static void end_compression(Network *network, Link *link) {
    network->v[normal_row(network, link)] = 0;
    crm_report_event(network, link, CAROM_EVENT_COMPRESSION_END);
    book(network, link);
    network->energy.tangential += link_tangential_energy(link);
    link->peak = link->N > link->peak ? link->N : link->peak;
    link->phase = LINK_RESTITUTION;
    if (network->mono || link->e == 1) {
        return;
    }
    double limit = !link->rough ? STIFF : link->slipped ? STIFF_SLIPPING : STIFF_ROUGH;
    double e = link->e;
    if (e > 0 && link->k / link->k_first < limit) {
        network->energy.normal_loss += (1 - e) * (1 + e) * spring_energy(link);
        set_stiffness(network, link, link->k / (e * e));
        link->booked = spring_energy(link);
        link->slipped = 0;
        return;
    }
    network->energy.normal_loss += spring_energy(link);
    link->rigid = 1;
    link->phase = TOUCHING;
}

void crm_elastic_turn(Network *network, Link *link) {
    int ends = link->phase == LINK_COMPRESSION;
    crm_report_event(network, link,
                     ends ? CAROM_EVENT_COMPRESSION_END : CAROM_EVENT_COMPRESSION_RESTART);
    book(network, link);
    link->phase = ends ? LINK_RESTITUTION : LINK_COMPRESSION;
}

static void open_up(Network *network, Link *link) {
    int row = normal_row(network, link);
    if (!network->mono) {
        link->N = 0;
    }
    crm_report_event(network, link, CAROM_EVENT_RESTITUTION_END);
    book(network, link);
    network->energy.normal_loss += spring_energy(link);
    crm_let_go(network, link);
    link->N = 0;
    link->acting = 0;
    link->phase = OPEN;
    network->v[row] = network->v[row] > 0 ? network->v[row] : 0;
}

/* Slip that was thought to end goes on. */
static void thaw(Network *network, Link *link) {
    double size = hypot(link->s[0], link->s[1]);
    if (link->frozen && size > 0) {
        link->frozen = 0;
        crm_set_direction(network, link, (const double[2]){link->s[0] / size, link->s[1] / size},
                          link->N);
    }
}

/* The speed along the surface is not followed while the link is open. */
static void refresh(Network *network, Link *link) {
    int n = normal_row(network, link);
    for (int i = link->row; i < n; i++) {
        network->v[i] = network->v_before[i];
        for (int j = 0; j < network->size; j++) {
            network->v[i] += network->W[i * network->size + j] * network->I[j];
        }
    }
    network->v[n] = 0;
    link->phase = TOUCHING;
}

static void pass_zero_speed(Network *network, Link *link) {
    if (link->phase == LINK_COMPRESSION) {
        end_compression(network, link);
        return;
    }
    network->v[normal_row(network, link)] = 0;
    if (link->phase == LINK_RESTITUTION) {
        crm_report_event(network, link, CAROM_EVENT_COMPRESSION_RESTART);
        book(network, link);
        thaw(network, link);
        link->phase = LINK_COMPRESSION;
    } else {
        refresh(network, link);
    }
}

/* A held link that can neither stick nor slip, because of what others do, loses its hold. */
enum { TORN = 4 };

static void change_mode(Network *network, Link *link) {
    double pressure = link->phase == HELD ? link->low : link->N, s[2] = {link->s[0], link->s[1]};
    if (++link->torn > TORN && link->phase == HELD) {
        crm_go_bare(network, link);
        return;
    }
    if (link->mode == CAROM_MODE_SLIP) {
        link->mode = CAROM_MODE_STICK;
        link->fresh = 1;
        crm_set_direction(network, link, s, pressure);
        crm_report_event(network, link, CAROM_EVENT_STICK);
        return;
    }
    double size = hypot(link->f[0], link->f[1]);
    link->mode = CAROM_MODE_SLIP;
    link->frozen = 0;
    s[0] = size > 0 ? link->f[0] / size : 1;
    s[1] = size > 0 ? link->f[1] / size : 0;
    crm_set_direction(network, link, s, pressure);
    crm_report_event(network, link, CAROM_EVENT_SLIP);
}

static void change_swings(Network *network, Link *link, int at_low) {
    if (!at_low) {
        link->tight = 1;
        return;
    }
    crm_go_bare(network, link);
}

void crm_happen(Network *network) {
    double now = network->moment * (1 + AT_ONCE);
    for (Link *link = network->links; link < network->links + network->count; link++) {
        const double *wait = link->wait;
        if (is_sprung(link) && wait[WATCH_FORCE] <= now) {
            open_up(network, link);
        } else {
            if (link->phase != TOUCHING && wait[WATCH_SPEED] <= now) {
                pass_zero_speed(network, link);
            }
            if (is_gripping(link) && wait[WATCH_CONE] <= now) {
                change_mode(network, link);
            }
            if (link->phase == HELD && (wait[WATCH_LOW] <= now || wait[WATCH_SLACK] <= now)) {
                change_swings(network, link, wait[WATCH_LOW] <= now);
            }
        }
        if (link->phase == OPEN && network->v[normal_row(network, link)] <= 0) {
            refresh(network, link);
        }
        if (link->rough) {
            crm_slide_freeze(network, link);
        }
    }
}
