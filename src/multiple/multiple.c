/* The general call for several contacts: check, run from event to event, report. */
#include "multiple/multiple.h"

#include <float.h>
#include <math.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>

#include "core/check.h"
#include "multiple/network.h"

/* Pieces of one impact, all links together. */
enum { MAX_PIECES = 20000 };

/* network_bytes() of CAROM_STACK_CONTACTS contacts is no more. */
enum { STACK_BYTES = 52000 };

/* Forces and speeds of this size, in units of the largest that may be, leave nothing to be seen. */
static const double NEGLIGIBLE = 1e-16;

/* What the account may be open by, relative to the energies that went through. */
static const double SOUND = 1e-10;

size_t carom_workspace_size(int contact_count) {
    return contact_count < 1 ? 0 : network_bytes(contact_count);
}

/* A contact that is rigid to others has no friction: its spring along the surface would have no
 * length either. */
static CaromStatus check_levels(const CaromProblem *problem, const char **message) {
    int lowest = LEVEL_RIGID;
    for (int i = 0; i < problem->contact_count; i++) {
        int level = stiffness_level(problem->contacts[i].stiffness);
        lowest = level < lowest ? level : lowest;
    }
    for (int i = 0; i < problem->contact_count; i++) {
        const CaromContact *contact = &problem->contacts[i];
        if (contact->mu > 0 && stiffness_level(contact->stiffness) > lowest) {
            *message = "mu must be 0 where stiffness is infinitely larger than elsewhere";
            return CAROM_INVALID_INPUT;
        }
    }
    return CAROM_OK;
}

static CaromStatus check(const CaromProblem *problem, const char **message) {
    int rows = problem->planar ? 2 : 3, n = problem->contact_count;
    CaromStatus status = CAROM_OK;
    for (int i = 0; i < n && !status; i++) {
        CaromContact contact = problem->contacts[i];
        if (contact.stiffness == 0 || contact.stiffness == INFINITY) {
            contact.stiffness = 1;
        }
        status = check_contact(&contact, message);
        if (!status && contact.mu_static >= 0 && contact.mu_static != contact.mu) {
            *message =
                "mu_static must equal mu: the compliant model has one coefficient of friction";
            status = CAROM_INVALID_INPUT;
        }
    }
    if (!status) {
        status = check_levels(problem, message);
    }
    if (!status) {
        status = check_matrix(problem->inverse_inertia, rows * n, message);
    }
    return status ? status : check_velocity(problem->velocity, n, rows, message);
}

/* Does it still act in a way that shows? */
static int matters(const Network *network, const Link *link) {
    if (is_sprung(link)) {
        return link->N > NEGLIGIBLE || fabs(network->v[normal_row(network, link)]) > NEGLIGIBLE;
    }
    return link->phase == HELD && is_gripping(link) && link->low > NEGLIGIBLE;
}

static int is_over(const Network *network) {
    for (int i = 0; i < network->count; i++) {
        if (matters(network, &network->links[i])) {
            return 0;
        }
    }
    return 1;
}

/* From event to event until nothing acts. */
static void run_level(Network *network) {
    while (!network->message) {
        if (network->work++ > MAX_PIECES) {
            network->message = "no end within the bounded work";
            return;
        }
        expand(network);
        if (is_over(network)) {
            return;
        }
        watch(network);
        record_samples(network);
        advance(network);
        happen(network);
    }
}

static void run(Network *network) {
    for (int level = LEVEL_RIGID; level >= LEVEL_SOFT && !network->message; level--) {
        if (network_begin_level(network, level)) {
            run_level(network);
            finish(network);
        }
    }
}

/* What rounding may leave of the account: with an almost singular W impulses may be large that move
 * next to nothing. */
static double rounding(const Network *network) {
    double push = 0;
    for (int i = 0; i < network->size; i++) {
        push += fabs(network->I[i]);
    }
    return 64 * DBL_EPSILON * push * (1 + push) * network->unit_velocity * network->unit_impulse;
}

/* One run; sample_step is not used without a trace. */
static CaromStatus solve_in(const CaromProblem *problem, void *workspace, CaromTrace *trace,
                            double sample_step, double *clock, CaromResult *result) {
    Network network;
    const char *message = "";
    int entries = (problem->planar ? 2 : 3) * problem->contact_count;
    result_begin(result);
    if (!network_begin(&network, problem, workspace, &message)) {
        return result_fail_rows(result, entries, CAROM_INVALID_INPUT, message);
    }
    network.result = result;
    network.trace = trace;
    network.sample_step = sample_step;
    run(&network);
    *clock = network.clock;
    if (network.message) {
        return result_fail_rows(result, entries, CAROM_NOT_CONVERGED, network.message);
    }
    record_last_samples(&network);
    record_finish(&network);
    const CaromEnergy *energy = &result->energy;
    if (!(fabs(energy->residual) <=
          SOUND * (energy->stored + energy->friction_loss) + rounding(&network))) {
        return result_fail_rows(result, entries, CAROM_NOT_CONVERGED,
                                "the energy account does not close");
    }
    return result->status;
}

static CaromStatus solve_and_trace(const CaromProblem *problem, void *workspace, CaromTrace *trace,
                                   CaromResult *result) {
    CaromResult first = {0};
    double clock;
    CaromStatus status = solve_in(problem, workspace, NULL, 0, &clock, trace ? &first : result);
    if (!trace) {
        return status;
    }
    if (status >= 0) {
        double step = clock / (trace->capacity - 1);
        status = solve_in(problem, workspace, trace, step, &clock, result);
    } else {
        int entries = (problem->planar ? 2 : 3) * problem->contact_count;
        result_fail_rows(result, entries, status, first.message);
    }
    trace->count = status < 0 ? 0 : trace->capacity;
    return status;
}

CaromStatus multiple_solve(const CaromProblem *problem, void *workspace, CaromTrace *trace,
                           CaromResult *result) {
    alignas(max_align_t) char stack[STACK_BYTES];
    int n = problem->contact_count, entries = (problem->planar ? 2 : 3) * n;
    const char *message = "";
    void *own = NULL;
    CaromStatus status = check(problem, &message);
    if (status) {
        return result_fail_rows(result, entries, status, message);
    }
    if (!workspace && network_bytes(n) > sizeof stack) {
        workspace = own = malloc(network_bytes(n));
        if (!own) {
            return result_fail_rows(result, entries, CAROM_NOT_CONVERGED, "out of memory");
        }
    }
    status = solve_and_trace(problem, workspace ? workspace : stack, trace, result);
    free(own);
    return status;
}
