#include "support/multiple/problems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int multiple_rows(const MultipleProblem *problem) {
    return (problem->planar ? 2 : 3) * problem->count;
}

CaromProblem multiple_as_problem(const MultipleProblem *problem) {
    return (CaromProblem){.model = CAROM_MODEL_COMPLIANT,
                          .law = problem->law,
                          .contact_count = problem->count,
                          .inverse_inertia = problem->W,
                          .velocity = problem->v,
                          .contacts = problem->contacts,
                          .planar = problem->planar};
}

/* ---- the library ---- */

/* Outputs of a solve besides the answer itself. */
typedef struct Room {
    CaromEvent events[MULTIPLE_EVENTS];
    double impulse[MULTIPLE_EVENTS * MULTIPLE_ROWS], velocity[MULTIPLE_EVENTS * MULTIPLE_ROWS];
    double stored[MULTIPLE_EVENTS * MULTIPLE_CONTACTS];
} Room;

static void take_events(const MultipleProblem *problem, const Room *room, MultipleAnswer *answer) {
    int rows = multiple_rows(problem), kept = answer->event_count;
    kept = kept < MULTIPLE_EVENTS ? kept : MULTIPLE_EVENTS;
    for (int i = 0; i < kept; i++) {
        MultipleEvent *event = &answer->events[i];
        event->kind = room->events[i].kind;
        event->contact = room->events[i].contact;
        answer->latched += event->kind == CAROM_EVENT_LATCH;
        memcpy(event->impulse, room->impulse + i * rows, (size_t)rows * sizeof(double));
        memcpy(event->velocity, room->velocity + i * rows, (size_t)rows * sizeof(double));
        memcpy(event->stored, room->stored + i * problem->count,
               (size_t)problem->count * sizeof(double));
    }
}

void multiple_frictionless(MultipleProblem *problem, int count, const double *A, const double *v) {
    memset(problem, 0, sizeof *problem);
    problem->tag = "frictionless";
    problem->count = count;
    int rows = 3 * count;
    for (int i = 0; i < rows; i++) {
        problem->W[i * (rows + 1)] = 1;
    }
    for (int i = 0; i < count; i++) {
        problem->contacts[i] = carom_contact_default();
        problem->v[3 * i + 2] = v[i];
        for (int j = 0; j < count; j++) {
            problem->W[(3 * i + 2) * rows + 3 * j + 2] = A[i * count + j];
        }
    }
}

void multiple_ordinary(MultipleProblem *problem) {
    static const double W[36] = {3,   0.2,  0.5, 0.3, 0,   0.1,  0.2, 2,   -0.3, 0,   0.4, 0.2,
                                 0.5, -0.3, 1.5, 0.1, 0.2, -0.6, 0.3, 0,   0.1,  2.5, 0.1, 0.3,
                                 0,   0.4,  0.2, 0.1, 3,   0.2,  0.1, 0.2, -0.6, 0.3, 0.2, 1.8};
    static const double v[6] = {0.7, -0.4, -1, 0.1, 0.2, 0};
    memset(problem, 0, sizeof *problem);
    problem->count = 2;
    memcpy(problem->W, W, sizeof W);
    memcpy(problem->v, v, sizeof v);
    for (int i = 0; i < 2; i++) {
        problem->contacts[i] = carom_contact_default();
        problem->contacts[i].mu = 0.4;
        problem->contacts[i].e = 0.6;
    }
}

void multiple_library(const MultipleProblem *problem, MultipleAnswer *answer) {
    CaromProblem as_problem = multiple_as_problem(problem);
    Room *room = malloc(sizeof *room);
    answer->ok = answer->latched = answer->ambiguous = answer->capped = answer->event_count = 0;
    answer->message = "out of memory";
    if (room == NULL) {
        return;
    }
    CaromSnapshots snapshots = {
        .impulse = room->impulse, .velocity = room->velocity, .stored = room->stored};
    CaromResult result = {.impulse = answer->impulse,
                          .velocity = answer->velocity,
                          .events = room->events,
                          .event_capacity = MULTIPLE_EVENTS,
                          .snapshots = &snapshots};
    answer->ok = carom_solve(&as_problem, NULL, &result) >= 0;
    answer->message = result.message;
    answer->energy = result.energy;
    answer->error = result.error;
    answer->work = result.work;
    answer->event_count = result.event_count;
    take_events(problem, room, answer);
    free(room);
}

/* ---- comparing ---- */

double multiple_velocity_error(const MultipleProblem *problem, const MultipleAnswer *answer,
                               const MultipleAnswer *truth) {
    int rows = multiple_rows(problem);
    double off = 0, size = 0;
    for (int i = 0; i < rows; i++) {
        double terms = fabs(problem->v[i]);
        for (int j = 0; j < rows; j++) {
            terms += fabs(problem->W[i * rows + j] * truth->impulse[j]);
        }
        off = larger(off, fabs(answer->velocity[i] - truth->velocity[i]));
        size = fmax(size, terms);
    }
    return answer->ok && !isnan(off) ? off / size : INFINITY;
}

double multiple_error(const MultipleProblem *problem, const MultipleAnswer *answer,
                      const MultipleAnswer *truth) {
    double off = 0, size = 0;
    for (int i = 0; i < multiple_rows(problem); i++) {
        off = larger(off, fabs(answer->impulse[i] - truth->impulse[i]));
        size = fmax(size, fabs(truth->impulse[i]));
    }
    double velocity = multiple_velocity_error(problem, answer, truth);
    return answer->ok && !isnan(off) ? fmax(off / size, velocity) : INFINITY;
}

/* The next event of a contact after the given one, or NULL. */
static const MultipleEvent *next_of(const MultipleAnswer *answer, int contact, int *at) {
    int kept = answer->event_count < MULTIPLE_EVENTS ? answer->event_count : MULTIPLE_EVENTS;
    while (++*at < kept) {
        if (answer->events[*at].contact == contact) {
            return &answer->events[*at];
        }
    }
    return NULL;
}

int multiple_same_events(const MultipleProblem *problem, const MultipleAnswer *answer,
                         const MultipleAnswer *truth, double *error) {
    int per = problem->planar ? 2 : 3;
    double off = 0, size = 0;
    for (int i = 0; i < problem->count; i++) {
        int normal = per * i + per - 1, at_a = -1, at_b = -1;
        const MultipleEvent *a, *b;
        size = fmax(size, fabs(truth->impulse[normal]));
        do {
            a = next_of(answer, i, &at_a);
            b = next_of(truth, i, &at_b);
            if ((a == NULL) != (b == NULL) || (a != NULL && a->kind != b->kind)) {
                return 0;
            }
            if (a != NULL && a->kind != CAROM_EVENT_ACTIVATION) {
                off = larger(off, fabs(a->impulse[normal] - b->impulse[normal]));
            }
        } while (a != NULL);
    }
    if (error != NULL) {
        *error = off / size;
    }
    return 1;
}

/* ---- printing ---- */

static void print_list(const double *numbers, int count) {
    for (int i = 0; i < count; i++) {
        fprintf(stderr, "%s%.17g", i > 0 ? ", " : "[", numbers[i]);
    }
    fprintf(stderr, "]");
}

void multiple_print(const MultipleProblem *problem) {
    int rows = multiple_rows(problem);
    fprintf(stderr, "%s: {\"carom\": 1, \"model\": \"compliant\", \"restitution\": \"%s\",%s\n",
            problem->tag, problem->law == CAROM_LAW_MONO_STIFFNESS ? "mono_stiffness" : "energetic",
            problem->planar ? " (planar)" : "");
    fprintf(stderr, " \"inverse_inertia\": [");
    for (int i = 0; i < rows; i++) {
        fprintf(stderr, "%s", i > 0 ? ",\n  " : "");
        print_list(problem->W + i * rows, rows);
    }
    fprintf(stderr, "],\n \"contact_velocity\": ");
    print_list(problem->v, rows);
    fprintf(stderr, ",\n \"contacts\": [");
    for (int i = 0; i < problem->count; i++) {
        const CaromContact *c = &problem->contacts[i];
        fprintf(stderr,
                "%s{\"mu\": %.17g, \"e\": %.17g, \"stiffness\": %.17g, \"stiffness_ratio\": "
                "%.17g}",
                i > 0 ? ",\n  " : "", c->mu, c->e, c->stiffness, c->stiffness_ratio);
    }
    fprintf(stderr, "]}\n");
}

void multiple_print_events(const char *who, const MultipleProblem *problem,
                           const MultipleAnswer *answer) {
    int per = problem->planar ? 2 : 3;
    fprintf(stderr, "  %s: %s, I ", who, answer->message);
    print_list(answer->impulse, multiple_rows(problem));
    fprintf(stderr, "\n   ");
    for (int i = 0; i < answer->event_count && i < MULTIPLE_EVENTS; i++) {
        const MultipleEvent *event = &answer->events[i];
        fprintf(stderr, " %s %d (%.9g)", carom_event_string(event->kind), event->contact,
                event->impulse[per * event->contact + per - 1]);
    }
    fprintf(stderr, "\n");
}
