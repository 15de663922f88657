/* The normal work A = -int v_n dp of a regular stretch by a series of its own.
 *
 * v_n and dp/dx follow from the terms of U; their product takes as many multiplications as there
 * are pairs of terms, but nothing cancels, however fast the slip. */
#include "rigid/curve.h"

#include "math/reciprocal.h"

/* The terms of dp/dx are read from up to three before the first one on. */
enum { BEFORE = 4 };

/* Terms n to n + 3 of v_n dp/dx. */
static inline Quad product_terms(const double *v, const double *p, int n) {
    Quad even = quad_all(0), odd = even;
    for (int i = 0; i < n + 4; i += 2) {
        even = quad_join(quad_all(v[i]), quad_load(p + n - i), even);
        odd = quad_join(quad_all(v[i + 1]), quad_load(p + n - i - 1), odd);
    }
    return quad_plus(even, odd);
}

double curve_own_work(const Slip *slip, double end, Curve *curve) {
    const double *origin = curve->origin, *d = slip->d;
    double v[CURVE_TERMS + 1], before[BEFORE + CURVE_TERMS], *p = before + BEFORE;
    Quad P[3], V[3], last = quad_all(0), sum = last;
    for (int i = 0; i < 3; i++) {
        const double *map = curve->map[i];
        P[i] = quad_all(map[0]);
        V[i] = quad_all(map[0] + (d[0] * map[1] + d[1] * map[2]));
    }
    /* v_n at x = 0 is kept apart */
    curve->vn = curve->start.vn - (origin[0] + (d[0] * origin[1] + d[1] * origin[2]));
    v[0] = 0;
    quad_store(before, quad_all(0));
    for (int n = 0; n < curve->terms; n += 4) {
        Quad u = quad_load(curve->u + n), u2 = quad_two_back(last, u), u1 = quad_one_back(u2, u);
        Quad speed = quad_join(V[0], u, quad_join(V[1], u1, quad_times(V[2], u2)));
        quad_store(v + n + 1, quad_times(speed, quad_load(RECIPROCAL + n + 1)));
        quad_store(p + n, quad_join(P[0], u, quad_join(P[1], u1, quad_times(P[2], u2))));
        last = u;
    }
    for (int n = 0; n < curve->terms; n += 4) {
        Quad c = quad_times(product_terms(v, p, n), quad_load(RECIPROCAL + n + 1));
        quad_store(curve->c[3] + n, c);
        sum = quad_plus(sum, c);
    }
    Pair half = quad_halves(sum);
    curve->a = half[1] - half[0];
    return -2 * half[0] - curve->vn * end;
}
