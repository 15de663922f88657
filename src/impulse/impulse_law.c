#include "impulse/impulse_law.h"

#include <math.h>

double crm_strike_tangential(const Strike *strike, const double *x, int contact) {
    const double *t = x + contact * strike->rows;
    return strike->rows == 2 ? fabs(t[0]) : sqrt(t[0] * t[0] + t[1] * t[1]);
}

void crm_strike_velocity(const Strike *strike, const double *I, double *v, double *gap) {
    for (int i = 0; i < strike->size; i++) {
        const double *row = strike->W + i * strike->size;
        int contact = i / strike->rows, normal = i == strike_normal(strike, contact);
        long double before = strike->v_before[i], sum = before;
        for (int j = 0; j < strike->size; j++) {
            sum += (long double)row[j] * I[j];
        }
        v[i] = (double)sum;
        if (gap) {
            gap[i] = (double)(normal && before < 0 ? sum + strike->e[contact] * before : sum);
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
