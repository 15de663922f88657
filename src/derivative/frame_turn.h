/* Derivatives found in an impact's own units and axes, in the caller's.
 *
 * The outcome is equivariant: with fixed units and a fixed rotation R about n, I = unit R I^(W^,
 * v^), W^ = R^T W R/w, v^ = R^T v/speed. */
#ifndef CAROM_DERIVATIVE_FRAME_TURN_H
#define CAROM_DERIVATIVE_FRAME_TURN_H

#include <string.h>

#include "contact/units.h"
#include "derivative/one.h"

/* The gradient of a number that is the same in both units, by the caller's inputs. */
static inline void turn_gradient(const Units *units, double *row) {
    double c = units->axis[0], s = units->axis[1], by_v = 1 / units->velocity;
    double by_W = units->impulse * by_v; /* 1/w */
    double a = row[ONE_W11], h = row[ONE_W12] / 2, b = row[ONE_W22], x = row[ONE_W13],
           y = row[ONE_W23], vx = row[ONE_V], vy = row[ONE_V + 1];
    row[ONE_W11] = by_W * (c * c * a - 2 * c * s * h + s * s * b);
    row[ONE_W12] = 2 * by_W * (c * s * (a - b) + (c * c - s * s) * h);
    row[ONE_W22] = by_W * (s * s * a + 2 * c * s * h + c * c * b);
    row[ONE_W13] = by_W * (c * x - s * y);
    row[ONE_W23] = by_W * (s * x + c * y);
    row[ONE_W33] *= by_W;
    row[ONE_V] = by_v * (c * vx - s * vy);
    row[ONE_V + 1] = by_v * (s * vx + c * vy);
    row[ONE_V + 2] *= by_v;
}

/* The gradients of a vector (t1, t2, n) with the given unit, three rows. */
static inline void turn_vector(const Units *units, double unit, double (*rows)[CAROM_INPUTS_ONE]) {
    double c = unit * units->axis[0], s = unit * units->axis[1];
    for (int j = 0; j < CAROM_INPUTS_ONE; j++) {
        double x = rows[0][j], y = rows[1][j];
        rows[0][j] = c * x - s * y;
        rows[1][j] = s * x + c * y;
        rows[2][j] *= unit;
    }
    for (int i = 0; i < 3; i++) {
        turn_gradient(units, rows[i]);
    }
}

/* Weights of I and v+ in the impact's own units. */
static inline void turn_weights(const Units *units, const double weights[6], double own[6]) {
    double c = units->axis[0], s = units->axis[1];
    for (int i = 0; i < 6; i += 3) {
        double unit = i < 3 ? units->impulse : units->velocity;
        own[i] = unit * (c * weights[i] + s * weights[i + 1]);
        own[i + 1] = unit * (c * weights[i + 1] - s * weights[i]);
        own[i + 2] = unit * weights[i + 2];
    }
}

/* The outcome from its rows in the impact's own units: all of them, or their weighted sum. */
static inline void turn_outcome(const Units *units, double (*rows)[CAROM_INPUTS_ONE],
                                OneSlope *out) {
    if (!out->weights) {
        memcpy(out->outcome, rows, sizeof out->outcome);
        turn_vector(units, units->impulse, out->outcome);
        turn_vector(units, units->velocity, out->outcome + 3);
        return;
    }
    double own[6], *sum = out->outcome[0];
    turn_weights(units, out->weights, own);
    for (int j = 0; j < CAROM_INPUTS_ONE; j++) {
        sum[j] = 0;
        for (int i = 0; i < 6; i++) {
            sum[j] += own[i] * rows[i][j];
        }
    }
    turn_gradient(units, sum);
}

#endif
