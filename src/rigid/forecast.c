/* Where on a stretch compression and restitution will end, from what is known at its ends.
 *
 * v_n and x are taken for the quintics of p with the right values and first two derivatives at both
 * ends, and p for that of v_n; E is the integral of v_n. */
#include "rigid/curve.h"

#include <math.h>

#include "math/quintic.h"

int curve_forecast(const Impact *impact, const Curve *curve, const Point *near, const Point *far,
                   double x[2]) {
    const Rates *n = &near->rates, *f = &far->rates;
    double e = impact->e;
    if (e < CURVE_SMALL_E) {
        return 0;
    }
    /* t: p from 0 to 1; w: v_n from 0 to 1 */
    double h = far->p - near->p, over = 1 / h, hh = h * h / 2;
    double s0 = n->a * h, c0 = n->da * hh, s1 = f->a * h, c1 = f->da * hh;
    double change = far->vn - near->vn, inverse = 1 / change;
    double r0 = 1 / s0, r1 = 1 / s1, i0 = change * r0, i1 = change * r1;
    const Quintic v = quintic_between(near->vn, s0, c0, far->vn, s1, c1);
    const Quintic way =
        quintic_between(near->x, near->x1 * h, near->x2 * hh, far->x, far->x1 * h, far->x2 * hh);
    const Quintic t = quintic_between(0, i0, -i0 * i0 * (c0 * r0), 1, i1, -i1 * i1 * (c1 * r1));
    double w = -near->vn * inverse, first = quintic_value(&t, w), second;
    if (impact->law == CAROM_NEWTON) {
        second = quintic_value(&t, (e - near->vn) * inverse);
    } else if (impact->law == CAROM_POISSON) {
        second = first + e * (first + (curve->start.p + near->p) * over);
    } else {
        /* E over h; its way down to that at the far end goes like w^2 */
        double stored = quintic_integral(&v, first), all = (near->A - far->A) * over - stored;
        double until = e * e * (impact->E * over - stored);
        double turn = quintic_slope(&t, w) * inverse, square = 2 * all * turn;
        double fast = 1 / far->vn, b1 = 2 * all * fast;
        const Quintic later = quintic_between(
            first, sqrt(square), -square * (quintic_half_bend(&v, first) * turn * (1.0 / 3)), 1, b1,
            b1 * (1 - b1 * (s1 * fast)) / 2);
        second = quintic_value(&later, sqrt(until / all));
    }
    x[0] = quintic_value(&way, first);
    x[1] = quintic_value(&way, second);
    return (x[0] - near->x) * (x[0] - far->x) < 0 && (x[1] - x[0]) * (x[1] - far->x) < 0;
}
