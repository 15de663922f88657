/* Where on a stretch compression and restitution will end, from what is known at its ends.
 *
 * The clock here is v_n, as w from 0 to 1: p and x are taken for the quintics of w with the right
 * values and first two derivatives at both ends. What is stored until compression ends is then an
 * integral of p; from there on v_n is taken for a quintic of the root of what is released. */
#include "rigid/points.h"

#include <math.h>

#include "math/quintic.h"

/* w at which p is e times as far again as at the end of compression, w = c; from `p`, that of w. */
static double poisson_way(const Quintic *p, double before, double e, double c) {
    double first = quintic_value(p, c), target = first + e * (before + first), w = c;
    for (int i = 0; i < 3; i++) {
        w += (target - quintic_value(p, w)) / quintic_slope(p, w);
    }
    return w;
}

/* w at which E vanishes, if compression ends at w = c; m is dp/dv_n at the far end. */
static double energetic_way(const Impact *impact, const Points *ends, const Quintic *p, double m,
                            double c) {
    double v0 = ends->vn[0], v1 = ends->vn[1], change = v1 - v0, rest = 1 - c, e = impact->e;
    double stored = change * quintic_integral(p, c);
    double all = (ends->A[0] - ends->A[1]) + stored;
    double part = sqrt(e * e * (impact->E + stored) / all);
    /* v_n/v_1 as a function of the root of the part released, which it is proportional to at first
     */
    double run = v1 * rest, by = 1 / (run * quintic_slope(p, c)), square = 2 * all * by;
    double bend = -2.0 / 3 * square * rest * (quintic_half_bend(p, c) * run * by);
    double a = ends->rates.a[1], da = ends->rates.da[1], fast = 1 / v1;
    double last = 2 * all * a * (fast * fast),
           last_bend = last * (1 - last * (1 - v1 * da * m * m)) / 2;
    const Quintic v = quintic_between(0, sqrt(square), bend, 1, last, last_bend);
    return c + rest * quintic_value(&v, part);
}

int curve_forecast(const Impact *impact, const Curve *curve, const Points *ends, Pair *x) {
    const Rates *rates = &ends->rates;
    double e = impact->e;
    if (e < CURVE_SMALL_E) {
        return 0;
    }
    double change = ends->vn[1] - ends->vn[0], c = -ends->vn[0] / change, r;
    /* dp/dw, half of d2p/dw2, and the same of x */
    Pair m = 1 / rates->a, p1 = change * m, p2 = -0.5 * p1 * p1 * (rates->da * m);
    Pair x1 = ends->x1 * p1, x2 = 0.5 * ends->x2 * p1 * p1 + ends->x1 * p2;
    const Quintic p = quintic_between(0, p1[0], p2[0], ends->p[1] - ends->p[0], p1[1], p2[1]);
    const Quintic way = quintic_between(ends->x[0], x1[0], x2[0], ends->x[1], x1[1], x2[1]);
    if (impact->law == CAROM_LAW_ENERGETIC) {
        r = energetic_way(impact, ends, &p, m[1], c);
    } else if (impact->law == CAROM_LAW_POISSON) {
        r = poisson_way(&p, curve->start.p + ends->p[0], e, c);
    } else {
        r = c + e / change;
    }
    *x = (Pair){quintic_value(&way, c), quintic_value(&way, r)};
    return 1;
}
