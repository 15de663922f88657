/* Slip that keeps its direction: with q = w - mu d, the same under every law,
 *
 *   p = -(1 + e) v_n-/q,   J = -mu p,   gamma+ = gamma- + B J + d p,   v_n+ = v_n- + w p + d J
 *
 * A change gamma_2 across the slip turns friction: J_2 = -mu int gamma_2/gamma dp. */
#include "derivative/singular_slope.h"

#include <math.h>

#include "derivative/frame_turn.h"

static const char SINGULAR_INPUTS[] =
    "inverse_inertia is singular: no derivatives by what is along directions that cannot move";

/* A direction counts as along an axis to this: rounding. */
static const double ALONG_AXIS = 1e-14;

/* Derivatives that do not exist. */
static void spoil_input(OneSlope *out, int input) {
    for (int i = 0; i < (out->weights ? 1 : 6); i++) {
        out->outcome[i][input] = NAN;
    }
    out->smoothness = CAROM_NOT_SMOOTH;
    out->message = SINGULAR_INPUTS;
}

void crm_slide_slope(const Units *units, double B, double d, double speed,
                     const CaromContact *contact, OneSlope *out) {
    double mu = speed > 0 ? contact->mu : 0, q = 1 - mu * d, p = (1 + contact->e) / q, J = -mu * p;
    double rows[6][CAROM_INPUTS_ONE] = {{0}};
    double *tangent = rows[0], *across = rows[1], *normal = rows[2];
    normal[ONE_V + 2] = -p;
    normal[ONE_W33] = -p / q;
    normal[ONE_W13] = mu * p / q;
    normal[ONE_E] = 1 / q;
    normal[ONE_MU] = d * p / q;
    for (int j = 0; j < CAROM_INPUTS_ONE; j++) {
        tangent[j] = -mu * normal[j];
        tangent[j] -= j == ONE_MU && speed > 0 ? p : 0;
        rows[3][j] = B * tangent[j] + d * normal[j];
        rows[5][j] = normal[j] + d * tangent[j];
    }
    across[ONE_V + 1] = speed > 0 ? -mu * p / speed : 0;
    across[ONE_W23] = speed > 0 ? -mu * p * p / (2 * speed) : 0;
    across[ONE_W12] = -mu * across[ONE_W23];
    for (int i = 0; i < 3; i++) {
        rows[3 + i][ONE_V + i] += 1;
    }
    rows[3][ONE_W11] += J;
    rows[3][ONE_W13] += p;
    rows[4][ONE_W12] += J;
    rows[4][ONE_W23] += p;
    rows[5][ONE_W13] += J;
    rows[5][ONE_W33] += p;
    turn_outcome(units, rows, out);
    out->smoothness = CAROM_ONE_SIDED;
    if (speed == 0 && (contact->mu > 0 || contact->mu_static > 0)) {
        /* any slip has all friction against it */
        static const int inputs[] = {ONE_V, ONE_V + 1, ONE_W13, ONE_W23};
        for (int i = 0; i < 4; i++) {
            spoil_input(out, inputs[i]);
        }
    }
}

void crm_locked_spoil(const double t[2], OneSlope *out) {
    int first = fabs(t[0]) > ALONG_AXIS, second = fabs(t[1]) > ALONG_AXIS;
    spoil_input(out, ONE_W12);
    if (first) {
        spoil_input(out, ONE_V);
        spoil_input(out, ONE_W13);
    }
    if (second) {
        spoil_input(out, ONE_V + 1);
        spoil_input(out, ONE_W23);
    }
    if (first && second) {
        spoil_input(out, ONE_W11);
        spoil_input(out, ONE_W22);
    }
}
