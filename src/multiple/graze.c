/* Extremes of the normal speeds. */
#include "multiple/graze.h"

#include "multiple/plain.h"
#include "multiple/product.h"
#include "multiple/terms.h"
#include "multiple/watch.h"

static double find_extreme(const double series[TERMS], double end) {
    double low = 0, high = end, sign = series[1] > 0 ? 1 : -1, x = end / 2;
    for (int i = 0; i < 30 && high - low > 1e-9 * end; i++) {
        *(sign * crm_series_slope(series, x) > 0 ? &low : &high) = x;
        x = (low + high) / 2;
    }
    return crm_series_at(series, x);
}

void crm_graze_at(Network *network, int i, const double series[TERMS], double x, double E) {
    Link *link = &network->state.links[i];
    double e = network->given.materials[i].e, speed = fabs(find_extreme(series, x));
    link->fastest = fmax(link->fastest, speed);
    double distance = speed / link->fastest;
    if (distance < 2 * (1 - e) * (1 + e) * E && distance < network->jump.distance) {
        network->jump = (CaromJump){distance, i, "compression nearly ends or restarts once more"};
    }
}

void crm_graze(Network *network) {
    const Given *given = &network->given;
    const Piece *piece = &network->piece;
    if (given->mono || piece->kind == SINGLE || piece->moment == 0) {
        return;
    }
    for (int i = 0; i < given->count; i++) {
        const Material *material = &given->materials[i];
        Link *link = &network->state.links[i];
        double series[TERMS], E = fmax(spring_energy(link), link->booked);
        int n = normal_row(given, i);
        if (material->e == 1 || !is_sprung(link->phase)) {
            continue;
        }
        const double *terms = &piece->terms_v[piece->kind == PLAIN ? given->stride : 0];
        GrazeSpeed speed = {terms[n], network->state.v[n], terms[given->stride + n] / piece->unit,
                            normal_acceleration(given, &network->state, i),
                            piece->moment * piece->step};
        if (may_graze(material, link, E, &speed)) {
            if (piece->kind == PLAIN) {
                crm_plain_speed(network, i, series);
            } else {
                terms_series(given, piece, piece->terms_v, n, 1, series);
            }
            crm_graze_at(network, i, series, piece->moment, E);
        }
    }
}
