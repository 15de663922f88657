#include "contact/check.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Is it a number > 0, or 0 for the default? */
static int is_positive_or_default(double x) {
    return x >= 0 && x < INFINITY;
}

const char *crm_check_arrays(const CaromProblem *problem) {
    return !problem ? "problem must not be NULL"
           : !problem->inverse_inertia || !problem->velocity || !problem->contacts
               ? "inverse_inertia, velocity and contacts must not be NULL"
           : problem->contact_count < 1 ? "contacts: there must be at least one"
           : problem->contact_count > CAROM_CONTACTS_MAX
               ? "contacts: there must be at most CAROM_CONTACTS_MAX"
               : "";
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

CaromStatus crm_check_problem(const CaromProblem *problem, const char **message) {
    int rows = problem->planar ? 2 : 3, n = problem->contact_count;
    CaromStatus status = CAROM_OK;
    for (int i = 0; i < n && !status; i++) {
        status = crm_check_contact(&problem->contacts[i], message);
    }
    status = status ? status : crm_check_matrix(problem->inverse_inertia, rows * n, message);
    return status ? status : crm_check_velocity(problem->velocity, n, rows, message);
}

/* W is symmetric to 1e-9 of its diagonal only; pivots below that are 0. */
static const double PIVOT_ZERO = 1e-9;

/* W with a diagonal of ones, or zeros where a row is zero. False: W_ii = 0 in a row that is not. */
static int scale_matrix(const double *W, int rows, double *L) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            double unit = sqrt(W[i * rows + i]) * sqrt(W[j * rows + j]);
            if (unit == 0 && W[i * rows + j] != 0) {
                return 0;
            }
            L[i * rows + j] = unit > 0 ? W[i * rows + j] / unit : 0;
        }
    }
    return 1;
}

/* Exchange two rows and the same two columns. */
static void exchange(double *L, int rows, int a, int b) {
    for (int i = 0; i < rows && a != b; i++) {
        double x = L[a * rows + i];
        L[a * rows + i] = L[b * rows + i];
        L[b * rows + i] = x;
    }
    for (int i = 0; i < rows && a != b; i++) {
        double x = L[i * rows + a];
        L[i * rows + a] = L[i * rows + b];
        L[i * rows + b] = x;
    }
}

/* Are all entries from row and column k on next to 0? */
static int is_rest_zero(const double *L, int rows, int k) {
    for (int i = k; i < rows; i++) {
        for (int j = k; j < rows; j++) {
            if (!(fabs(L[i * rows + j]) <= 4 * PIVOT_ZERO)) {
                return 0;
            }
        }
    }
    return 1;
}

/* Elimination with the largest pivot first. */
static int is_semidefinite(double *L, int rows) {
    for (int k = 0; k < rows; k++) {
        int best = k;
        for (int i = k; i < rows; i++) {
            best = L[i * rows + i] > L[best * rows + best] ? i : best;
        }
        if (L[best * rows + best] <= PIVOT_ZERO) {
            return is_rest_zero(L, rows, k);
        }
        exchange(L, rows, k, best);
        for (int i = k + 1; i < rows; i++) {
            double a = L[i * rows + k] / L[k * rows + k];
            for (int j = k + 1; j < rows && a != 0; j++) {
                L[i * rows + j] -= a * L[k * rows + j];
            }
        }
    }
    return 1;
}

CaromStatus crm_check_semidefinite(const double *W, int rows, double *L, const char **message) {
    int good = scale_matrix(W, rows, L) && is_semidefinite(L, rows);
    *message = good ? "" : "inverse_inertia is not positive semidefinite";
    return good ? CAROM_OK : CAROM_INVALID_INPUT;
}
