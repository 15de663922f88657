#include "contact/check.h"

#include <math.h>
#include <stddef.h>

/* Is it a number > 0, or 0 for the default? */
static int is_positive_or_default(double x) {
    return x >= 0 && x < INFINITY;
}

CaromStatus crm_check_contact(const CaromContact *contact, const char **message) {
    *message = "";
    if (!(contact->mu >= 0 && contact->mu < INFINITY)) {
        *message = "mu must be a finite number >= 0";
    } else if (!(contact->mu_static == 0 ||
                 (contact->mu_static >= contact->mu && contact->mu_static < INFINITY))) {
        *message = "mu_static must be a finite number >= mu, or 0";
    } else if (!(contact->e >= 0 && contact->e <= 1)) {
        *message = "e must be in [0, 1]";
    } else if (!is_positive_or_default(contact->stiffness)) {
        *message = "stiffness must be a finite number > 0";
    } else if (!is_positive_or_default(contact->stiffness_ratio)) {
        *message = "stiffness_ratio must be a finite number > 0";
    }
    return **message ? CAROM_INVALID_INPUT : CAROM_OK;
}

CaromStatus crm_check_one_friction(const CaromContact *contact, const char **message) {
    if (contact_mu_static(contact) == contact->mu) {
        return CAROM_OK;
    }
    *message = "mu_static must equal mu: the compliant model has one coefficient of friction";
    return CAROM_INVALID_INPUT;
}

CaromStatus crm_check_matrix(const double *W, int rows, const char **message) {
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

CaromStatus crm_check_velocity(const double *v, int contact_count, int rows, const char **message) {
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
