/* The general call for several contacts: check, run from event to event, report. */
#include "multiple/multiple.h"

#include <float.h>
#include <math.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>

#include "contact/check.h"
#include "contact/result.h"
#include "multiple/events.h"
#include "multiple/expand.h"
#include "multiple/graze.h"
#include "multiple/held.h"
#include "multiple/jam.h"
#include "multiple/jump.h"
#include "multiple/multiple_visit.h"
#include "multiple/network.h"
#include "multiple/report.h"
#include "multiple/row.h"
#include "multiple/watch.h"

/* crm_network_bytes() of CAROM_STACK_CONTACTS contacts is no more. */
enum { STACK_BYTES = 59000 };

/* What the account may be open by, relative to the energies that went through. */
static const double MULTIPLE_SOUND = 1e-10;

/* Growth of k up to which bounces with friction are followed, and whether slip may go straight
 * where that might make a small reaction vanish: first, and if that fails. */
typedef struct Try {
    double followed;
    int careful;
} Try;
static const Try TRIES[] = {{1e12, 1}, {1e12, 0}, {1e9, 0}, {1e7, 0}};
enum { TRY_COUNT = sizeof TRIES / sizeof *TRIES };

size_t crm_multiple_workspace_size(int contact_count) {
    return crm_network_bytes(contact_count);
}

/* A contact that is rigid to others has no friction: its spring along the surface would have no
 * length either. */
static CaromStatus check_levels(const CaromProblem *problem, const char **message) {
    int lowest = LEVEL_RIGID;
    for (int i = 0; i < problem->contact_count; i++) {
        int level = crm_stiffness_level(contact_stiffness(&problem->contacts[i]));
        lowest = level < lowest ? level : lowest;
    }
    for (int i = 0; i < problem->contact_count; i++) {
        const CaromContact *contact = &problem->contacts[i];
        if (contact->mu > 0 && crm_stiffness_level(contact_stiffness(contact)) > lowest) {
            *message = "mu must be 0 where stiffness is infinitely larger than elsewhere";
            return CAROM_INVALID_INPUT;
        }
    }
    return CAROM_OK;
}

static CaromStatus multiple_check(const CaromProblem *problem, const char **message) {
    int rows = problem->planar ? 2 : 3, n = problem->contact_count;
    CaromStatus status = CAROM_OK;
    for (int i = 0; i < n && !status; i++) {
        CaromContact contact = problem->contacts[i];
        if (contact.stiffness == CAROM_STIFFNESS_ZERO || contact.stiffness == INFINITY) {
            contact.stiffness = 1;
        }
        status = crm_check_contact(&contact, message);
        status = status ? status : crm_check_one_friction(&contact, message);
    }
    if (!status) {
        status = check_levels(problem, message);
    }
    if (!status) {
        status = crm_check_matrix(problem->inverse_inertia, rows * n, message);
    }
    return status ? status : crm_check_velocity(problem->velocity, n, rows, message);
}

/* What tangential springs can still do to a speed, relative to the largest, is negligible here:
 * with nothing else, held links are pressed by them alone. Where all that have a force slip, it is
 * 0 but for what the series have left out. */
static const double SPENT = 2e-15, SPENT_SLIPPING = 1e-9;

/* Does a link act by its spring, or will it? */
static int spring_matters(const Network *network, int i) {
    const Link *link = &network->state.links[i];
    double v = network->state.v[normal_row(&network->given, i)];
    return (is_sprung(link->phase) && link->N > NEGLIGIBLE) ||
           ((link->phase == LINK_COMPRESSION || link->phase == TOUCHING) && v < -NEGLIGIBLE);
}

/* Does nothing act any more in a way that shows? */
static int is_over(const Network *network) {
    const Given *given = &network->given;
    for (int i = 0; i < given->count; i++) {
        const Link *link = &network->state.links[i];
        double spent = is_slipping(link->friction) ? SPENT_SLIPPING : SPENT;
        int tight = link->phase == HELD && link->N > NEGLIGIBLE && given->materials[i].rough;
        if (spring_matters(network, i) || (tight && tangential_energy(&given->materials[i], link) *
                                                            tangential_mobility(given, i) >
                                                        spent * spent)) {
            return 0;
        }
    }
    return 1;
}

/* Slip of held links whose equations are as close to singular as this is about to lock them when
 * the last spring opens: rounding of what is left of the forces decides whether it does. */
static const double LOCKING = 1e-3;

/* Is it over, as far as slip of held links is known? */
static int ends_here(Network *network) {
    if (!is_over(network)) {
        return 0;
    }
    int slips = 0;
    for (int i = 0; i < network->given.count; i++) {
        const Link *link = &network->state.links[i];
        slips |= link->phase == HELD && link->N > NEGLIGIBLE && is_slipping(link->friction);
    }
    network->ambiguous |= slips && network->held->coupled && network->held->pivot < LOCKING;
    return 1;
}

/* The piece in hand is over. */
static void tell_passed(const Network *network) {
    const MultipleVisitor *follower = network_follower(network);
    if (follower) {
        const Piece *piece = &network->piece;
        follower->passed(follower->context, network,
                         piece->moment * (piece->kind == SINGLE ? 1 : piece->step));
    }
}

/* Reactions that have come to 0 up to rounding. */
static void lose_reactions(Network *network) {
    int jumps = 0;
    for (int i = 0; i < network->given.count; i++) {
        const LinkPiece *own = &network->piece.links[i];
        if (own->role == HOLD_PUSHES && network->state.links[i].N > 0 && own->N[0] <= 0) {
            crm_events_at(network, i, 0, 1, &jumps);
        }
    }
    network->differs = network_visitor(network) ? -1 : network->differs;
}

/* From event to event until nothing acts. */
static void run_level(Network *network) {
    const MultipleVisitor *observer = network_observer(network);
    while (!network->message) {
        /* where nothing is left to act there are no series */
        if (crm_row_run(network) || ends_here(network)) {
            return;
        }
        network_work(network);
        if (observer) {
            observer->begin(observer->context, network);
        }
        crm_expand(network);
        if (network->piece.runs_away) {
            crm_jump(network, 1);
            if (ends_here(network)) {
                return;
            }
            continue;
        }
        if (network->piece.loses) {
            lose_reactions(network);
            continue;
        }
        crm_events_commit(network);
        if (ends_here(network) || crm_jam(network)) {
            return;
        }
        crm_watch(network);
        crm_graze(network);
        if (observer) {
            observer->piece(observer->context, network);
        }
        if (network->sampler) {
            crm_report_samples(network);
        }
        crm_events_advance(network);
        tell_passed(network);
        if (observer) {
            observer->events(observer->context, network);
        }
        crm_events_happen(network);
    }
}

/* All levels from this one on. */
static void run_levels(Network *network, int first) {
    for (int level = first; level >= LEVEL_SOFT && !network->message; level--) {
        network->level = level;
        if (crm_network_begin_level(network, level)) {
            crm_graze_begin(network);
            run_level(network);
            crm_events_finish(network);
        }
    }
    crm_graze_finish(network);
}

/* What rounding may leave of the account: with an almost singular W impulses may be large that move
 * next to nothing. */
static double rounding(const Network *network) {
    double push = 0;
    for (int i = 0; i < network->given.size; i++) {
        push += fabs(network->state.I[i]);
    }
    return 64 * DBL_EPSILON * push * (1 + push) * network->given.unit_velocity *
           network->given.unit_impulse;
}

/* The process is over: report it. */
static CaromStatus report_outcome(Network *network) {
    CaromResult *result = network->result;
    const CaromProblem *problem = network->given.problem;
    int entries = (problem->planar ? 2 : 3) * problem->contact_count;
    if (network->message) {
        return crm_result_fail(result, entries, CAROM_NOT_CONVERGED, network->message);
    }
    crm_report_last_samples(network);
    crm_report_finish(network);
    const CaromEnergy *energy = &result->energy;
    if (!(fabs(energy->residual) <=
          MULTIPLE_SOUND * (energy->stored + energy->friction_loss) + rounding(network))) {
        return crm_result_fail(result, entries, CAROM_NOT_CONVERGED,
                               "the energy account does not close");
    }
    const MultipleVisitor *visitor = network_visitor(network);
    if (visitor) {
        visitor->end(visitor->context, network);
    }
    return result->status;
}

static CaromStatus solve_in(const CaromProblem *problem, const Try *how, void *workspace,
                            Sampler *sampler, CaromResult *result) {
    Network network;
    const char *message = "";
    int entries = (problem->planar ? 2 : 3) * problem->contact_count;
    crm_result_begin(result);
    if (!crm_network_begin(&network, problem, workspace, &message)) {
        return crm_result_fail(result, entries, CAROM_INVALID_INPUT, message);
    }
    network.given.followed = how->followed;
    network.given.careful = how->careful;
    network.last_try = how == &TRIES[TRY_COUNT - 1];
    network.result = result;
    network.sampler = sampler;
    run_levels(&network, LEVEL_RIGID);
    return report_outcome(&network);
}

CaromStatus crm_multiple_resume(Network *network) {
    network->sampler = NULL;
    crm_events_happen(network);
    run_level(network);
    crm_events_finish(network);
    run_levels(network, network->level - 1);
    return report_outcome(network);
}

/* Has it failed in a way that other bounces may avoid? Visitors have seen the process already. */
static int may_try_again(const CaromProblem *problem, const Sampler *sampler,
                         const CaromResult *result) {
    int bounces = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        const CaromContact *contact = &problem->contacts[i];
        bounces |= contact->mu > 0 && contact->e > 0 && contact->e < 1;
    }
    return result->status == CAROM_NOT_CONVERGED && bounces && !(sampler && sampler->multiple);
}

/* Where series or jumps fail slip goes straight more readily, and bounces are followed less far;
 * the error says so. */
static CaromStatus solve_by_tries(const CaromProblem *problem, void *workspace, Sampler *sampler,
                                  CaromResult *result) {
    CaromStatus status = solve_in(problem, &TRIES[0], workspace, sampler, result);
    for (int i = 1; i < TRY_COUNT && may_try_again(problem, sampler, result); i++) {
        if (sampler) {
            sampler->next = 0;
        }
        status = solve_in(problem, &TRIES[i], workspace, sampler, result);
    }
    return status;
}

CaromStatus crm_multiple_solve(const CaromProblem *problem, void *workspace, Sampler *sampler,
                               CaromResult *result) {
    alignas(max_align_t) char stack[STACK_BYTES];
    int n = problem->contact_count, entries = (problem->planar ? 2 : 3) * n;
    const char *message = "";
    void *own = NULL;
    CaromStatus status = multiple_check(problem, &message);
    if (status) {
        return crm_result_fail(result, entries, status, message);
    }
    if (!workspace && crm_network_bytes(n) > sizeof stack) {
        workspace = own = malloc(crm_network_bytes(n));
        if (!own) {
            return crm_result_fail(result, entries, CAROM_NOT_CONVERGED, "out of memory");
        }
    }
    status = solve_by_tries(problem, workspace ? workspace : stack, sampler, result);
    free(own);
    return status;
}
