/* Several rigid contacts by one two-body impact after another.
 *
 * The struck contact i sees its own block of W and its present velocity; its impulse I_i then
 * changes the velocities of all contacts, v += W_i I_i. The sum of the impacts is the whole: I, the
 * energies and the events add up. Each impact dissipates under the energetic law, so the sequence
 * does. Source: Jia and Wang, section 7; Jia, Mason and Erdmann, section 10. */
#include <carom/sequence.h>

#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <carom/planar.h>
#include <carom/rigid.h>
#include <carom/solve.h>

#include "contact/check.h"
#include "contact/record.h"
#include "contact/result.h"
#include "math/functions.h"

/* A speed of approach below this fraction of the first counts as none. */
static const double SEQUENCE_REST = 1e-13;

/* Speeds that agree to this fraction count as equal. */
static const double SEQUENCE_TIE = 1e-12;

/* Numbers per contact: velocity, impulse, speed of approach, index (in the place of a double). */
enum { SEQUENCE_NUMBERS = 8 };

/* Memory of CAROM_STACK_CONTACTS contacts, with a copy of W. */
enum { SEQUENCE_STACK = (SEQUENCE_NUMBERS + 9 * CAROM_STACK_CONTACTS) * CAROM_STACK_CONTACTS };

typedef struct Sequence {
    const CaromProblem *problem;
    int count, rows;     /* contacts; rows of each */
    double *v, *impulse; /* now */
    double *speeds;      /* of the contacts that approach */
    int *approaching;    /* their indices, ascending */
    int approach_count;
    double first;   /* fastest approach before */
    double largest; /* normal impulse of one impact */
    int gained;     /* an impact has created energy */
    int tied;       /* the fastest contact was not the only one */
    CaromResult *result;
} Sequence;

/* List the contacts that approach. Returns the largest speed of approach, listed or not. */
static double find_approaching(Sequence *sequence) {
    double fastest = 0;
    sequence->approach_count = 0;
    for (int i = 0; i < sequence->count; i++) {
        double speed = -sequence->v[(i + 1) * sequence->rows - 1];
        if (speed > SEQUENCE_REST * sequence->first) {
            sequence->approaching[sequence->approach_count] = i;
            sequence->speeds[sequence->approach_count++] = speed;
        }
        fastest = speed > fastest ? speed : fastest;
    }
    return fastest;
}

/* The default choice. */
static int choose_fastest(Sequence *sequence) {
    int best = 0, first = 0, equal = 0;
    for (int i = 1; i < sequence->approach_count; i++) {
        best = sequence->speeds[i] > sequence->speeds[best] ? i : best;
    }
    for (int i = sequence->approach_count - 1; i >= 0; i--) {
        if (sequence->speeds[i] >= (1 - SEQUENCE_TIE) * sequence->speeds[best]) {
            first = i;
            equal++;
        }
    }
    sequence->tied |= equal > 1;
    return first;
}

/* The row of W with component j of a contact. */
static const double *matrix_row(const Sequence *sequence, int contact, int j) {
    int rows = sequence->rows, size = rows * sequence->count;
    return &sequence->problem->inverse_inertia[(size_t)(contact * rows + j) * (size_t)size];
}

/* Velocities of all contacts once one of them has had a further impulse. */
static void add_response(const Sequence *sequence, int contact, const double *impulse, double *v) {
    for (int j = 0; j < sequence->rows; j++) {
        const double *row = matrix_row(sequence, contact, j);
        for (int i = 0; i < sequence->rows * sequence->count; i++) {
            v[i] += row[i] * impulse[j];
        }
    }
}

/* All contacts at stored event number `at`. */
static void fill_sequence_snapshots(const Sequence *sequence, const CaromEvent *event, int at) {
    const CaromSnapshots *snapshots = sequence->result->snapshots;
    size_t n = (size_t)sequence->count, rows = (size_t)sequence->rows, size = n * rows;
    size_t own = (size_t)event->contact, place = (size_t)at * n;
    double gain[3];
    crm_record_write_rows(gain, sequence->rows, event->impulse);
    if (snapshots->impulse) {
        double *impulse = &snapshots->impulse[(size_t)at * size];
        memcpy(impulse, sequence->impulse, size * sizeof *impulse);
        crm_record_write_rows(&impulse[own * rows], sequence->rows, event->impulse);
    }
    for (size_t j = 0; j < rows; j++) {
        gain[j] -= sequence->impulse[own * rows + j];
    }
    if (snapshots->velocity) {
        double *v = &snapshots->velocity[(size_t)at * size];
        memcpy(v, sequence->v, size * sizeof *v);
        add_response(sequence, event->contact, gain, v);
        crm_record_write_rows(&v[own * rows], sequence->rows, event->velocity);
    }
    int ended = event->kind == CAROM_EVENT_RESTITUTION_END;
    if (snapshots->stored) {
        double e = sequence->problem->contacts[own].e;
        int lost = event->kind == CAROM_EVENT_COMPRESSION_END &&
                   sequence->problem->law == CAROM_LAW_ENERGETIC;
        memset(&snapshots->stored[place], 0, n * sizeof *snapshots->stored);
        snapshots->stored[place + own] = (ended ? 0 : lost ? e * e : 1) * event->stored;
    }
    if (snapshots->active) {
        memset(&snapshots->active[place], 0, n);
        snapshots->active[place + own] = !ended;
    }
}

static void add_sequence_event(const Sequence *sequence, CaromEventKind kind, int contact,
                               const ContactState *state) {
    CaromEvent *event = record_event(sequence->result);
    if (event) {
        crm_record_write_event(event, kind, contact, state);
        if (sequence->result->snapshots) {
            fill_sequence_snapshots(sequence, event, sequence->result->event_count - 1);
        }
    }
}

/* The events of one impact, before it changes v and the impulses. */
static void add_impact_events(const Sequence *sequence, int contact, const CaromResult *impact) {
    int rows = sequence->rows;
    const double *impulse = &sequence->impulse[contact * rows], *v = &sequence->v[contact * rows];
    ContactState before = {.impulse = {impulse[0], rows == 3 ? impulse[1] : 0, impulse[rows - 1]},
                           .velocity = {v[0], rows == 3 ? v[1] : 0, v[rows - 1]}};
    add_sequence_event(sequence, CAROM_EVENT_ACTIVATION, contact, &before);
    for (int i = 0; i < impact->event_count; i++) {
        const CaromEvent *event = &impact->events[i];
        ContactState state = {.stored = event->stored};
        for (int j = 0; j < 3; j++) {
            state.impulse[j] = before.impulse[j] + event->impulse[j];
            state.velocity[j] = event->velocity[j];
        }
        add_sequence_event(sequence, event->kind, contact, &state);
    }
}

static void add_sequence_energy(const CaromEnergy *impact, CaromEnergy *energy) {
    energy->change += impact->change;
    energy->stored += impact->stored;
    energy->released += impact->released;
    energy->normal_loss += impact->normal_loss;
    energy->friction_loss += impact->friction_loss;
    energy->residual += impact->residual;
}

/* Errors of impulses add up, each relative to the largest impulse so far. */
static void add_sequence_error(Sequence *sequence, double normal, double error) {
    double largest = fmax(sequence->largest, normal);
    sequence->result->error *= sequence->largest / largest;
    sequence->result->error += (error + 4 * DBL_EPSILON) * normal / largest;
    sequence->largest = largest;
}

/* One impact at a contact. */
static CaromStatus strike(Sequence *sequence, int contact) {
    const CaromProblem *problem = sequence->problem;
    int rows = sequence->rows, first = contact * rows;
    double W[9], impulse[3], v[3];
    CaromEvent events[CAROM_RIGID_EVENTS];
    CaromResult impact = {
        .impulse = impulse, .velocity = v, .events = events, .event_capacity = CAROM_RIGID_EVENTS};
    for (int j = 0; j < rows; j++) {
        memcpy(&W[j * rows], matrix_row(sequence, contact, j) + first, (size_t)rows * sizeof *W);
    }
    CaromStatus status = (rows == 2 ? carom_planar_solve : carom_rigid_solve)(
        W, &sequence->v[first], &problem->contacts[contact], problem->law, &impact);
    if (status < 0) {
        sequence->result->message = impact.message;
        return status;
    }
    sequence->gained |= status == CAROM_ENERGY_GAIN;
    add_impact_events(sequence, contact, &impact);
    add_sequence_energy(&impact.energy, &sequence->result->energy);
    add_sequence_error(sequence, impulse[rows - 1], impact.error);
    add_response(sequence, contact, impulse, sequence->v);
    memcpy(&sequence->v[first], v, (size_t)rows * sizeof *v); /* exactly 0 where it sticks */
    for (int j = 0; j < rows; j++) {
        sequence->impulse[first + j] += impulse[j];
    }
    return CAROM_OK;
}

/* Is there no overflow? */
static int is_sequence_finite(const Sequence *sequence) {
    double sum = 0;
    for (int i = 0; i < sequence->rows * sequence->count; i++) {
        sum += fabs(sequence->v[i]) + fabs(sequence->impulse[i]);
    }
    return sum < INFINITY;
}

static CaromStatus run_sequence(Sequence *sequence, CaromChoice choose, void *context) {
    CaromResult *result = sequence->result;
    int n = sequence->count;
    int most = n < INT_MAX / CAROM_SEQUENCE_IMPACTS ? CAROM_SEQUENCE_IMPACTS * n : INT_MAX;
    double left = find_approaching(sequence);
    while (sequence->approach_count > 0) {
        if (result->work++ == most) {
            result->message = "the sequence of impacts does not end within its bounded number";
            return CAROM_NOT_CONVERGED;
        }
        int count = sequence->approach_count;
        int at = count == 1 ? 0
                 : choose   ? choose(context, count, sequence->approaching, sequence->speeds)
                            : choose_fastest(sequence);
        if (at < 0 || at >= count) {
            result->message = "choose: returned an index that is out of range";
            return CAROM_INVALID_INPUT;
        }
        CaromStatus status = strike(sequence, sequence->approaching[at]);
        if (status) {
            return status;
        }
        left = find_approaching(sequence);
    }
    if (!is_sequence_finite(sequence)) {
        result->message = "the sequence of impacts diverges: the law creates energy";
        return CAROM_NOT_CONVERGED;
    }
    /* the impacts left out: speeds have fallen by the same factor in each, on average */
    result->error += left / sequence->first * (1 + result->work / 30.0);
    return sequence->gained ? CAROM_ENERGY_GAIN : CAROM_OK;
}

static CaromStatus solve_sequence(const CaromProblem *problem, double *memory, CaromChoice choose,
                                  void *context, CaromResult *result) {
    size_t n = (size_t)problem->contact_count, rows = problem->planar ? 2 : 3;
    Sequence sequence = {.problem = problem, .count = (int)n, .rows = (int)rows, .result = result};
    sequence.v = memory;
    sequence.impulse = memory + 3 * n;
    sequence.speeds = memory + 6 * n;
    sequence.approaching = (int *)(void *)(memory + 7 * n);
    memcpy(sequence.v, problem->velocity, n * rows * sizeof *sequence.v);
    memset(sequence.impulse, 0, n * rows * sizeof *sequence.impulse);
    for (size_t i = 0; i < n; i++) {
        sequence.first = fmax(sequence.first, -sequence.v[(i + 1) * rows - 1]);
    }
    result->energy = (CaromEnergy){0};
    result->error = 0;
    result->status = run_sequence(&sequence, choose, context);
    if (result->status < 0) {
        return crm_result_fail(result, (int)(n * rows), result->status, result->message);
    }
    if (sequence.tied) {
        result->message = "contacts approach equally fast: the outcome may depend on their order";
    }
    if (result->impulse) {
        memcpy(result->impulse, sequence.impulse, n * rows * sizeof *result->impulse);
    }
    if (result->velocity) {
        memcpy(result->velocity, sequence.v, n * rows * sizeof *result->velocity);
    }
    return result->status;
}

static const char *check_sequence(const CaromProblem *problem) {
    const char *message = crm_check_arrays(problem);
    return *message ? message
           : problem->model != CAROM_MODEL_RIGID
               ? "model: a sequence of impacts takes the rigid model"
           : problem->law == CAROM_LAW_MONO_STIFFNESS
               ? "restitution: mono_stiffness belongs to the compliant model"
           : (unsigned)problem->law > CAROM_LAW_NEWTON ? "restitution is not a known law"
                                                       : "";
}

CaromStatus carom_sequence_solve(const CaromProblem *problem, CaromChoice choose, void *context,
                                 CaromResult *result) {
    double stack[SEQUENCE_STACK], *memory = stack;
    int size = problem_entries(problem);
    const char *message = check_sequence(problem);
    if (*message || !result) {
        return crm_result_fail(result, size, CAROM_INVALID_INPUT, message);
    }
    int n = problem->contact_count;
    crm_result_begin(result);
    if (n == 1) {
        return (problem->planar ? carom_planar_solve : carom_rigid_solve)(
            problem->inverse_inertia, problem->velocity, problem->contacts, problem->law, result);
    }
    CaromStatus status = crm_check_problem(problem, &message);
    if (status) {
        return crm_result_fail(result, size, status, message);
    }
    if (n > CAROM_STACK_CONTACTS) {
        size_t copy = (size_t)size * (size_t)size;
        memory = malloc(((size_t)n * SEQUENCE_NUMBERS + copy) * sizeof *memory);
        if (!memory) {
            return crm_result_fail(result, size, CAROM_NOT_CONVERGED, "out of memory");
        }
    }
    status = crm_check_semidefinite(problem->inverse_inertia, size,
                                    memory + (size_t)n * SEQUENCE_NUMBERS, &message);
    status = status ? crm_result_fail(result, size, status, message)
                    : solve_sequence(problem, memory, choose, context, result);
    if (memory != stack) {
        free(memory);
    }
    return status;
}
