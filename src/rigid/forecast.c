/* Where on a stretch compression and restitution will end, from what is known at its ends.
 *
 * v_n and x are taken for the quintics of p with the right values and first two derivatives at both
 * ends, and p for that of v_n; E is the integral of v_n. This is good to some 1e-5 of the stretch.
 */
#include "rigid/curve.h"

#include <math.h>

/* Coefficients of a polynomial on [0, 1]. */
typedef struct Quintic {
    double a[6];
} Quintic;

/* From value, slope and half the second derivative at both ends. */
static inline Quintic quintic(double v0, double s0, double c0, double v1, double s1, double c1) {
    double D = v1 - v0 - (s0 + c0), E = s1 - (s0 + 2 * c0), F = c1 - c0;
    return (Quintic){
        {v0, s0, c0, 10 * D - (4 * E - F), 7 * E - (15 * D + 2 * F), 6 * D - (3 * E - F)}};
}

static inline double value(const Quintic *q, double t) {
    const double *a = q->a, tt = t * t;
    return (a[0] + t * a[1]) + tt * ((a[2] + t * a[3]) + tt * (a[4] + t * a[5]));
}

static inline double slope(const Quintic *q, double t) {
    const double *a = q->a, tt = t * t;
    return (a[1] + t * (2 * a[2])) + tt * ((3 * a[3] + t * (4 * a[4])) + tt * (5 * a[5]));
}

static inline double half_bend(const Quintic *q, double t) {
    const double *a = q->a;
    return (a[2] + t * (3 * a[3])) + t * t * (6 * a[4] + t * (10 * a[5]));
}

/* The integral from 0 on. */
static inline double integral(const Quintic *q, double t) {
    const double *a = q->a, tt = t * t;
    return t * ((a[0] + t * (a[1] * (1.0 / 2))) +
                tt * ((a[2] * (1.0 / 3) + t * (a[3] * (1.0 / 4))) +
                      tt * (a[4] * (1.0 / 5) + t * (a[5] * (1.0 / 6)))));
}

int curve_forecast(const Impact *impact, const Curve *curve, const Point *near, const Point *far,
                   double x[2]) {
    const Rates *n = &near->rates, *f = &far->rates;
    double e = impact->e;
    if (e < CURVE_SMALL_E) {
        return 0;
    }
    /* t = p/h; v(t), x(t), and t(w) with w = 0 ... 1 for v_n on its way */
    double h = far->p - near->p, over = 1 / h, hh = h * h / 2;
    double s0 = n->a * h, c0 = n->da * hh, s1 = f->a * h, c1 = f->da * hh;
    double change = far->vn - near->vn, inverse = 1 / change;
    double r0 = 1 / s0, r1 = 1 / s1, i0 = change * r0, i1 = change * r1;
    const Quintic v = quintic(near->vn, s0, c0, far->vn, s1, c1);
    const Quintic way =
        quintic(near->x, near->x1 * h, near->x2 * hh, far->x, far->x1 * h, far->x2 * hh);
    const Quintic t = quintic(0, i0, -i0 * i0 * (c0 * r0), 1, i1, -i1 * i1 * (c1 * r1));
    double w = -near->vn * inverse, first = value(&t, w), second;
    if (impact->law == CAROM_NEWTON) {
        second = value(&t, (e - near->vn) * inverse);
    } else if (impact->law == CAROM_POISSON) {
        second = first + e * (first + (curve->start.p + near->p) * over);
    } else {
        /* E over h; its way down to that at the far end goes like w^2 */
        double stored = integral(&v, first), all = (near->A - far->A) * over - stored;
        double until = e * e * (impact->E * over - stored);
        double turn = slope(&t, w) * inverse, square = 2 * all * turn;
        double fast = 1 / far->vn, b1 = 2 * all * fast;
        const Quintic later =
            quintic(first, sqrt(square), -square * (half_bend(&v, first) * turn * (1.0 / 3)), 1, b1,
                    b1 * (1 - b1 * (s1 * fast)) / 2);
        second = value(&later, sqrt(until / all));
    }
    x[0] = value(&way, first);
    x[1] = value(&way, second);
    return (x[0] - near->x) * (x[0] - far->x) < 0 && (x[1] - x[0]) * (x[1] - far->x) < 0;
}
