#include "impulse/impulse_law.h"

#include <math.h>

double crm_strike_tangential(const Strike *strike, const double *x, int contact) {
    const double *t = x + contact * strike->rows;
    return strike->rows == 2 ? fabs(t[0]) : sqrt(t[0] * t[0] + t[1] * t[1]);
}

/* A sum and what rounding took from it: twice the precision, without a wider type. */
typedef struct TwoSum {
    double sum, rest;
} TwoSum;

static inline void two_add(TwoSum *to, double x) {
    double sum = to->sum + x, part = sum - to->sum;
    to->rest += (to->sum - (sum - part)) + (x - part);
    to->sum = sum;
}

/* Add a b: Veltkamp's split of both makes the rounding error of the product exact. */
static inline void two_add_product(TwoSum *to, double a, double b) {
    const double split = 134217729; /* 2^27 + 1 */
    double p = a * b, ca = split * a, cb = split * b;
    double high_a = ca - (ca - a), high_b = cb - (cb - b), low_a = a - high_a, low_b = b - high_b;
    to->rest += ((high_a * high_b - p) + high_a * low_b + low_a * high_b) + low_a * low_b;
    two_add(to, p);
}

void crm_strike_velocity(const Strike *strike, const double *I, double *v, double *gap) {
    for (int i = 0; i < strike->size; i++) {
        const double *row = strike->W + i * strike->size, before = strike->v_before[i];
        int contact = i / strike->rows, normal = i == strike_normal(strike, contact);
        TwoSum sum = {before, 0};
        for (int j = 0; j < strike->size; j++) {
            two_add_product(&sum, row[j], I[j]);
        }
        v[i] = sum.sum + sum.rest;
        if (gap && normal && before < 0) {
            two_add_product(&sum, strike->e[contact], before);
        }
        if (gap) {
            gap[i] = sum.sum + sum.rest;
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
