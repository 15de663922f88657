#include "impulse/impulse_law.h"

#include <math.h>

double crm_strike_tangential(const Strike *strike, const double *x, int contact) {
    const double *t = x + contact * strike->rows;
    return strike->rows == 2 ? fabs(t[0]) : sqrt(t[0] * t[0] + t[1] * t[1]);
}

/* Rows that are summed together, so that the compiler takes several at once. */
enum { LANES = 8 };

/* sum + rest += a b, in twice the precision without a wider type: Veltkamp's split of both makes
 * the rounding error of the product exact. */
static inline void add_products(int count, const double *restrict a, double b, double *restrict sum,
                                double *restrict rest) {
    const double split = 134217729; /* 2^27 + 1 */
    double cb = split * b, high_b = cb - (cb - b), low_b = b - high_b;
    for (int i = 0; i < count; i++) {
        double p = a[i] * b, ca = split * a[i], high_a = ca - (ca - a[i]), low_a = a[i] - high_a;
        double next = sum[i] + p, part = next - sum[i];
        rest[i] += ((high_a * high_b - p) + high_a * low_b + low_a * high_b) + low_a * low_b;
        rest[i] += (sum[i] - (next - part)) + (p - part);
        sum[i] = next;
    }
}

/* LANES rows or fewer from row first on; W is symmetric. */
static void sum_rows(const Strike *strike, const double *I, int first, double *sum, double *rest) {
    int left = strike->size - first;
    for (int j = 0; j < strike->size; j++) {
        const double *column = strike->W + j * strike->size + first;
        if (I[j] == 0) {
            continue;
        }
        if (left >= LANES) {
            add_products(LANES, column, I[j], sum, rest);
        } else {
            add_products(left, column, I[j], sum, rest);
        }
    }
}

void crm_strike_velocity(const Strike *strike, const double *I, double *v, double *gap) {
    for (int first = 0; first < strike->size; first += LANES) {
        double sum[LANES] = {0}, rest[LANES] = {0};
        for (int i = first; i < first + LANES && i < strike->size; i++) {
            sum[i - first] = strike->v_before[i];
        }
        sum_rows(strike, I, first, sum, rest);
        for (int i = first; i < first + LANES && i < strike->size; i++) {
            int k = i - first, contact = i / strike->rows;
            double before = strike->v_before[i];
            v[i] = sum[k] + rest[k];
            if (gap && i == strike_normal(strike, contact) && before < 0) {
                add_products(1, &before, strike->e[contact], sum + k, rest + k);
            }
            if (gap) {
                gap[i] = sum[k] + rest[k];
            }
        }
    }
}

double crm_strike_scale(const Strike *strike, const double *I) {
    double most = 0;
    for (int i = 0; i < strike->size; i++) {
        const double *row = strike->W + i * strike->size;
        double sum = fabs(strike->v_before[i]);
        for (int j = 0; j < strike->size; j++) {
            sum += fabs(row[j] * I[j]);
        }
        most = sum > most ? sum : most;
    }
    return most;
}

static double residual_along(const Strike *strike, const double *I, const double *v, int contact) {
    int at = contact * strike->rows, n = at + strike->rows - 1;
    double w = strike->w_t[contact] > 0 ? strike->w_t[contact] : strike->w_n[contact];
    double radius = strike->mu[contact] * (I[n] > 0 ? I[n] : 0), trial[2] = {0, 0}, gap[2] = {0, 0};
    for (int k = 0; k < strike->rows - 1; k++) {
        trial[k] = I[at + k] - v[at + k] / w;
    }
    double length = sqrt(trial[0] * trial[0] + trial[1] * trial[1]);
    double part = length > radius ? radius / length : 1;
    for (int k = 0; k < strike->rows - 1; k++) {
        gap[k] = I[at + k] - part * trial[k];
    }
    return w * sqrt(gap[0] * gap[0] + gap[1] * gap[1]);
}

double crm_strike_residual(const Strike *strike, const double *I, const double *v) {
    double most = 0;
    for (int i = 0; i < strike->count; i++) {
        int n = strike_normal(strike, i);
        double w = strike->w_n[i], gap = v[n] - strike->b[i], push = w * I[n];
        double across = push < gap ? push : gap; /* 0 <= push perp gap >= 0 */
        double along = w > 0 || strike->w_t[i] > 0 ? residual_along(strike, I, v, i) : 0;
        if (!(fabs(across) + along <= most)) {
            most = fabs(across) + along; /* or NaN, which stays */
        }
    }
    return most;
}

double crm_strike_energy(const Strike *strike, const double *I, const double *v) {
    double sum = 0;
    for (int i = 0; i < strike->size; i++) {
        sum += I[i] * (strike->v_before[i] + v[i]);
    }
    return sum / 2;
}
