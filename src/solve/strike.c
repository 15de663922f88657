/* All stages for a mechanism in one call: responses, contact space, impulses, speeds. */
#include <carom/strike.h>

#include <stdbool.h>
#include <stdlib.h>

#include <carom/solve.h>
#include <carom/system.h>

#include "contact/result.h"
#include "impulse/impulse.h"

static int is_count(int count, int most) {
    return count >= 1 && count <= most;
}

/* Workspace as numbers; m is taken for three rows. */
size_t carom_strike_workspace(int speed_count, int contact_count) {
    if (!is_count(speed_count, 3 * CAROM_CONTACTS_MAX) ||
        !is_count(contact_count, CAROM_CONTACTS_MAX)) {
        return 0;
    }
    size_t n = (size_t)speed_count, m = 3 * (size_t)contact_count;
    size_t own = n * n + m * n + m * m + 2 * m;
    return own + own % 2 + crm_impulse_workspace_size(contact_count) / sizeof(double) + 1;
}

/* The pointers that make no sense, or "". */
static const char *strike_problem(const CaromStrike *strike, const double *u) {
    return !strike ? "strike must not be NULL"
           : !is_count(strike->speed_count, 3 * CAROM_CONTACTS_MAX)
               ? "speed_count must be 1 to 3 CAROM_CONTACTS_MAX"
           : !is_count(strike->contact_count, CAROM_CONTACTS_MAX)
               ? "contact_count must be 1 to CAROM_CONTACTS_MAX"
           : !strike->J || !strike->contacts ? "J and contacts must not be NULL"
           : !strike->M == !strike->R        ? "exactly one of M and R must be given"
           : !u                              ? "u must not be NULL"
                                             : "";
}

static CaromStatus strike_in(const CaromStrike *strike, double *u, double *workspace,
                             CaromResult *result) {
    int n = strike->speed_count, m = (strike->planar ? 2 : 3) * strike->contact_count;
    size_t columns = (size_t)n, rows = (size_t)m;
    double *factor = workspace, *R = factor + columns * columns, *W = R + rows * columns;
    double *v = W + rows * rows, *impulse = v + rows, *rest = impulse + rows;
    const char *message = "";
    CaromStatus status = CAROM_OK;
    if (strike->M) {
        status = carom_system_responses(n, strike->M, m, strike->J, factor, R, &message);
    }
    const double *responses = strike->M ? R : strike->R;
    if (!status) {
        status = carom_system_contact_space(n, m, strike->J, responses, u, W, v, &message);
    }
    if (status) {
        return crm_result_fail(result, m, status, message);
    }
    const CaromProblem problem = {.model = CAROM_MODEL_RIGID,
                                  .law = CAROM_LAW_NEWTON,
                                  .contact_count = strike->contact_count,
                                  .inverse_inertia = W,
                                  .velocity = v,
                                  .contacts = strike->contacts,
                                  .planar = strike->planar};
    /* the impulses are needed here, whether the caller wants them or not */
    double *wanted = result->impulse;
    result->impulse = impulse;
    rest += (size_t)(rest - workspace) % 2; /* aligned as the workspace is */
    status = crm_impulse_solve(&problem, rest, result);
    result->impulse = wanted;
    for (int i = 0; wanted && i < m; i++) {
        wanted[i] = impulse[i];
    }
    if (status >= 0) {
        carom_system_apply(n, m, responses, impulse, u);
    }
    return status;
}

CaromStatus carom_strike_solve(const CaromStrike *strike, double *u, double *workspace,
                               CaromResult *result) {
    CaromResult none = {0};
    double *own = NULL;
    result = result ? result : &none;
    const char *problem = strike_problem(strike, u);
    bool counted = strike && is_count(strike->contact_count, CAROM_CONTACTS_MAX);
    int entries = counted ? (strike->planar ? 2 : 3) * strike->contact_count : 0;
    if (*problem) {
        return crm_result_fail(result, entries, CAROM_INVALID_INPUT, problem);
    }
    if (!workspace) {
        size_t size = carom_strike_workspace(strike->speed_count, strike->contact_count);
        workspace = own = malloc(size * sizeof *own);
        if (!own) {
            return crm_result_fail(result, entries, CAROM_NOT_CONVERGED, "out of memory");
        }
    }
    CaromStatus status = strike_in(strike, u, workspace, result);
    free(own);
    return status;
}
