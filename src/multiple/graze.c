/* Extremes of the normal speeds. */
#include "multiple/graze.h"

#include <float.h>

#include "math/functions.h"
#include "multiple/plain.h"
#include "multiple/terms.h"
#include "multiple/watch.h"

/* Where in [0, end] the slope, which changes its sign, is 0: Newton's steps, and the middle of what
 * is left where these lead out of it. */
static double find_extreme(const double series[TERMS], double end) {
    double low = 0, high = end, sign = series[1] > 0 ? 1 : -1, x = end / 2;
    for (int i = 0; i < 30 && high - low > 1e-9 * end; i++) {
        double slope = ORDER * series[ORDER], bend = 0;
        for (int g = ORDER - 1; g > 0; g--) {
            bend = bend * x + slope;
            slope = slope * x + g * series[g];
        }
        *(sign * slope > 0 ? &low : &high) = x;
        double next = x - slope / bend;
        if (fabs(next - x) <= 1e-9 * end) {
            break;
        }
        x = next > low && next < high ? next : (low + high) / 2;
    }
    return x;
}

int crm_graze_may(Network *network, int i, const double speed[TERMS], double x) {
    Link *link = &network->state.links[i];
    link->fastest = fmax(link->fastest, fmax(fabs(speed[0]), fabs(crm_series_at(speed, x))));
    return speed[1] * crm_series_slope(speed, x) < 0;
}

void crm_graze_at(Network *network, int i, const double speed[TERMS], const double force[TERMS],
                  double x) {
    Link *link = &network->state.links[i];
    double e = network->given.materials[i].e;
    double at = find_extreme(speed, x), v = fabs(crm_series_at(speed, at));
    double N = crm_series_at(force, at);
    link->fastest = fmax(link->fastest, v);
    double distance = v / link->fastest, size = (1 - e) * (1 + e) * N * N / link->k;
    if (distance < 10 * size && size > GRAZE_LEAST && distance < network->jump.distance) {
        network->jump = (CaromJump){distance, i, "compression nearly ends or restarts once more"};
    }
}

/* ---- impacts of their own before the load ---- */

/* Beyond this order what reaches a link in the time of an impact of its own is rounding. */
enum { MOST_ORDER = 24 };

/* What a link does in the first orders of the time. */
enum { UNREACHED, PUSHES, OPENS };

static int first_reach(const Network *network, int i) {
    const Link *link = &network->state.links[i];
    double v = network->state.v[normal_row(&network->given, i)];
    return link->phase != TOUCHING ? OPENS : v < 0 ? PUSHES : UNREACHED;
}

/* Rate of v_n of link i by the springs, whose lengths are those of speed; 0 where it is rounding.
 */
static double pushed(const Given *given, const int *reached, const double *speed, int i) {
    const double *row = row_of_W(given, normal_row(given, i));
    double sum = 0, size = 0;
    for (int j = 0; j < given->count; j++) {
        double term =
            reached[j] == PUSHES ? given->materials[j].k * row[normal_row(given, j)] * speed[j] : 0;
        sum -= term;
        size += fabs(term);
    }
    return fabs(sum) > NOISE * size ? sum : 0;
}

/* A link that is reached by v_n = rise t^order: how fast is it when an impact of its own, however
 * weak, would end its compression? */
static void note_reached(Network *network, int i, double rise, int order) {
    const Material *material = &network->given.materials[i];
    double speed = fabs(rise) * pow(acos(0) / sqrt(material->k * material->w), order);
    if (rise < 0 && speed < GRAZE_NEAR) {
        network->state.links[i].alone = fmax(speed, DBL_MIN);
    }
}

void crm_graze_begin(Network *network) {
    const Given *given = &network->given;
    int *reached = network->piece.list, any = 0, found = 1;
    double *speed = network->piece.column_in, *next = network->piece.column_out;
    for (int i = 0; i < given->count; i++) {
        reached[i] = first_reach(network, i);
        speed[i] = network->state.v[normal_row(given, i)];
        any |= reached[i] == UNREACHED && given->materials[i].e < 1;
    }
    any &= !given->mono;
    for (int order = 2; any && found && order <= MOST_ORDER; order += 2) {
        found = 0;
        for (int i = 0; i < given->count; i++) {
            next[i] = pushed(given, reached, speed, i) / (order * (order - 1));
        }
        for (int i = 0; i < given->count; i++) {
            if (reached[i] == UNREACHED && next[i] != 0) {
                note_reached(network, i, next[i], order);
                reached[i] = next[i] < 0 ? PUSHES : OPENS;
                found = 1;
            }
            speed[i] = next[i];
        }
    }
    for (int i = 0; any && i < given->count; i++) {
        if (reached[i] == UNREACHED) {
            network->state.links[i].alone = DBL_MIN;
        }
    }
}

void crm_graze_ends(Network *network, int i) {
    Link *link = &network->state.links[i];
    double speed = link->N * link->weight;
    if (link->k == network->given.materials[i].k && link->alone == 0 && speed < GRAZE_NEAR) {
        link->alone = speed;
    }
}

void crm_graze_left(Network *network, int i) {
    Link *link = &network->state.links[i];
    if (network->state.I[normal_row(&network->given, i)] == 0) {
        link->alone = DBL_MIN;
    }
}

void crm_graze_finish(Network *network) {
    const Given *given = &network->given;
    for (int i = 0; i < given->count && !given->mono; i++) {
        const Link *link = &network->state.links[i];
        double e = given->materials[i].e, w = given->materials[i].w;
        double I = network->state.I[normal_row(given, i)], size = (1 - e) * (1 + e) * w * I * I;
        double distance = link->alone > DBL_MIN ? link->alone : 0;
        if (link->alone > 0 && size > GRAZE_LEAST && distance < 10 * size &&
            distance < network->jump.distance) {
            network->jump = (CaromJump){
                distance, i, "an impact of its own before the load comes would change its spring"};
        }
    }
}

/* How near to 0 may the speed of a link that acts come in the piece, or beyond it? */
static double nearest_speed(const Network *network, int i) {
    const Piece *piece = &network->piece;
    int n = normal_row(&network->given, i);
    double sign = piece->links[i].phase == LINK_COMPRESSION ? -1 : 1;
    return piece->kind == PLAIN ? piece->bound_speed[i]
                                : terms_lowest(&piece->speeds, n, piece->terms_v[n], sign);
}

void crm_graze(Network *network) {
    const Given *given = &network->given;
    const Piece *piece = &network->piece;
    if (given->mono || piece->kind == SINGLE) {
        return;
    }
    for (int i = 0; i < given->count; i++) {
        const Link *link = &network->state.links[i];
        double speed[TERMS], force[TERMS];
        int n = normal_row(given, i);
        if (!is_sprung(piece->links[i].phase) ||
            !(link->N * link->N > link->k * graze_least(&given->materials[i])) ||
            nearest_speed(network, i) > GRAZE_NEAR) {
            continue;
        }
        if (piece->kind == PLAIN) {
            crm_plain_series(network, i, speed, force);
        } else {
            terms_series(given, piece, piece->terms_v, n, 1, speed);
            terms_series(given, piece, piece->terms_f, n, 1, force);
        }
        if (crm_graze_may(network, i, speed, piece->moment)) {
            crm_graze_at(network, i, speed, force, piece->moment);
        }
    }
}
