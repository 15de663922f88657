#include "core/check.h"

#include <math.h>
#include <stddef.h>

CaromStatus check_contact(const CaromContact *contact, const char **message) {
    *message = "";
    if (!(contact->mu >= 0 && contact->mu < INFINITY)) {
        *message = "mu must be a finite number >= 0";
    } else if (!(contact->mu_static < 0 ||
                 (contact->mu_static >= contact->mu && contact->mu_static < INFINITY))) {
        *message = "mu_static must be a finite number >= mu";
    } else if (!(contact->e >= 0 && contact->e <= 1)) {
        *message = "e must be in [0, 1]";
    } else if (!(contact->stiffness > 0 && contact->stiffness < INFINITY)) {
        *message = "stiffness must be a finite number > 0";
    } else if (!(contact->stiffness_ratio > 0 && contact->stiffness_ratio < INFINITY)) {
        *message = "stiffness_ratio must be a finite number > 0";
    }
    return **message ? CAROM_INVALID_INPUT : CAROM_OK;
}

CaromStatus check_matrix(const double *W, int rows, const char **message) {
    *message = "";
    for (int i = 0; i < rows && !**message; i++) {
        double diagonal = W[i * rows + i];
        if (!isfinite(diagonal)) {
            *message = "inverse_inertia has an entry that is not finite";
        } else if (diagonal < 0) {
            *message = "inverse_inertia is not positive definite";
        } else if (diagonal == 0 && rows <= 3 && i == rows - 1) {
            *message = "inverse_inertia is not positive along n: the mechanism cannot move along "
                       "the normal";
        }
        for (int j = 0; j < i && !**message; j++) {
            double a = W[i * rows + j], b = W[j * rows + i];
            if (!isfinite(a) || !isfinite(b)) {
                *message = "inverse_inertia has an entry that is not finite";
            } else if (a != b && fabs(a - b) > 1e-9 * sqrt(diagonal) * sqrt(W[j * rows + j])) {
                *message = "inverse_inertia is not symmetric";
            }
        }
    }
    return **message ? CAROM_INVALID_INPUT : CAROM_OK;
}

CaromStatus check_velocity(const double *v, int contact_count, int rows, const char **message) {
    int approaching = 0;
    for (int i = 0; i < rows * contact_count; i++) {
        if (!isfinite(v[i])) {
            *message = "contact_velocity has an entry that is not finite";
            return CAROM_INVALID_INPUT;
        }
        approaching |= i % rows == rows - 1 && v[i] < 0;
    }
    *message = approaching ? "" : "contact_velocity: no contact is approaching (v_n >= 0)";
    return approaching ? CAROM_OK : CAROM_NOT_APPROACHING;
}

void result_begin(CaromResult *result) {
    result->event_count = 0;
    result->status = CAROM_OK;
    result->message = "";
    result->sequence[0] = '\0';
    result->work = 0;
}

CaromStatus result_fail(CaromResult *result, int contact_count, CaromStatus status,
                        const char *message) {
    return result_fail_rows(result, 3 * contact_count, status, message);
}

CaromStatus result_fail_rows(CaromResult *result, int entries, CaromStatus status,
                             const char *message) {
    result_begin(result);
    for (int i = 0; i < entries; i++) {
        if (result->impulse) {
            result->impulse[i] = NAN;
        }
        if (result->velocity) {
            result->velocity[i] = NAN;
        }
    }
    result->energy = (CaromEnergy){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    result->error = NAN;
    result->status = status;
    result->message = message;
    return status;
}
