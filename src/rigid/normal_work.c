/* The normal work A = -int v_n dp of a regular stretch by a series of its own.
 *
 * v_n and dp/dx follow from the terms of U; their product takes as many multiplications as there
 * are pairs of terms, but nothing cancels, however fast the slip. */
#include "rigid/curve.h"

#include "math/reciprocal.h"

/* Terms of v_n (each twice) and of dp/dx (0 and 1, 2 and 3, ...; -1 and 0, 1 and 2, ...). */
typedef struct Product {
    Pair v[CURVE_TERMS + 2];
    Pair p[CURVE_TERMS / 2], between[CURVE_TERMS / 2];
} Product;

/* Terms 2m and 2m + 1 of v_n dp/dx. */
static inline Pair product_terms(const Product *product, int m) {
    const Pair *v = product->v;
    Pair even = {0, 0}, odd = {0, 0};
    for (int i = m; i >= 0; i--, v += 2) {
        even += v[0] * product->p[i];
        odd += v[1] * product->between[i];
    }
    return even + odd;
}

void curve_own_work(const Slip *slip, Curve *curve) {
    const double *origin = curve->origin, *d = slip->d;
    Product product;
    Pair P[3], V[3], last_u = {0, 0}, last_p = {0, 0}, sum = {0, 0};
    for (int i = 0; i < 3; i++) {
        P[i] = both(curve->map[0][i]);
        V[i] = both(curve->map[0][i] + (d[0] * curve->map[1][i] + d[1] * curve->map[2][i]));
    }
    /* v_n at x = 0 is kept apart */
    curve->vn = curve->start.vn - (origin[0] + (d[0] * origin[1] + d[1] * origin[2]));
    product.v[0] = (Pair){0, 0};
    for (int m = 0; m < curve->pairs; m++) {
        Pair u = curve->u[m], by = pair_load(RECIPROCAL + 2 * m + 1);
        Pair shifted = {last_u[1], u[0]};
        Pair p = P[0] * u + P[1] * shifted + P[2] * last_u;
        Pair v = (V[0] * u + V[1] * shifted + V[2] * last_u) * by;
        product.v[2 * m + 1] = both(v[0]);
        product.v[2 * m + 2] = both(v[1]);
        product.p[m] = p;
        product.between[m] = (Pair){last_p[1], p[0]};
        curve->c[3][m] = product_terms(&product, m) * by;
        sum += curve->c[3][m];
        last_u = u;
        last_p = p;
    }
    curve->a = sum[1] - sum[0];
    curve->last.A = -2 * sum[0] - curve->vn * curve->last.p;
}
