#include "follow/mechanism_check.h"

#include <math.h>
#include <string.h>

/* Relative step of the differences: their error is some 1e-10, truncated and rounded. */
#define STEP 1e-5
#define TOLERANCE 1e-4

static const char *check_gradient(const CaromMechanism *mechanism, const double *q, const double *J,
                                  double *shifted) {
    int n = mechanism->coordinates;
    double worst = 0, scale = 0;
    memcpy(shifted, q, (size_t)n * sizeof *q);
    for (int i = 0; i < n; i++) {
        double h = STEP * (1 + fabs(q[i]));
        shifted[i] = q[i] + h;
        double above = mechanism->gap(mechanism->data, shifted);
        shifted[i] = q[i] - h;
        double slope = (above - mechanism->gap(mechanism->data, shifted)) / (2 * h);
        shifted[i] = q[i];
        worst = fmax(worst, fabs(slope - J[n + i]));
        scale = fmax(scale, fmax(fabs(slope), fabs(J[n + i])));
        if (!isfinite(slope) || !isfinite(J[n + i])) {
            return "gap, jacobian: not finite at the start";
        }
    }
    return worst > TOLERANCE * scale ? "jacobian: its second row is not the gradient of the gap"
                                     : "";
}

/* The drift at unit speeds. */
static const char *check_drift(const CaromMechanism *mechanism, const double *q, double *room) {
    int n = mechanism->coordinates;
    double *u = room, *shifted = room + n, *before = room + 2 * n, *after = room + 4 * n;
    for (int i = 0; i < n; i++) {
        u[i] = 1;
        shifted[i] = q[i] - STEP;
    }
    mechanism->jacobian(mechanism->data, shifted, before);
    for (int i = 0; i < n; i++) {
        shifted[i] = q[i] + STEP;
    }
    mechanism->jacobian(mechanism->data, shifted, after);
    double drift[2];
    mechanism->drift(mechanism->data, q, u, drift);
    for (int row = 0; row < 2; row++) {
        double slope = 0, scale = fabs(drift[row]);
        for (int i = 0; i < n; i++) {
            double part = (after[row * n + i] - before[row * n + i]) / (2 * STEP);
            slope += part;
            scale = fmax(scale, fabs(part) + fabs(after[row * n + i]));
        }
        if (!isfinite(slope) || !isfinite(drift[row])) {
            return "jacobian, drift: not finite at the start";
        }
        if (fabs(slope - drift[row]) > TOLERANCE * scale) {
            return "drift: it is not the derivative of the jacobian times u";
        }
    }
    return "";
}

const char *crm_mechanism_check(const CaromMechanism *mechanism, const double *q, double *room) {
    mechanism->jacobian(mechanism->data, q, room);
    const char *wrong =
        check_gradient(mechanism, q, room, room + 2 * (size_t)mechanism->coordinates);
    return wrong[0] ? wrong : check_drift(mechanism, q, room);
}
