/* What a solver reports while it runs: events, the sequence of letters, samples of the process. */
#ifndef CAROM_CONTACT_RECORD_H
#define CAROM_CONTACT_RECORD_H

#include <stddef.h>

#include <carom/problem.h>
#include <carom/trace.h>

/* One contact at one moment, in the caller's units. Vectors are (t1, t2, n), planar (t, 0, n). */
typedef struct ContactState {
    double impulse[3], velocity[3];
    double stored, tangential;        /* energies of the two springs; rigid: tangential is 0 */
    double spring[3], spring_rate[3]; /* CaromTrace has the meaning; the normal part is 0 */
    CaromMode mode;
} ContactState;

/* Count an event. Returns where to write it, NULL if the caller has no room for it. */
static inline CaromEvent *record_event(CaromResult *result) {
    int at = result->event_count++;
    return result->events && at < result->event_capacity ? &result->events[at] : NULL;
}

void crm_record_write_event(CaromEvent *event, CaromEventKind kind, int contact,
                            const ContactState *state);

/* Append a letter to the sequence of one contact; letters beyond CAROM_SEQUENCE_SIZE are dropped.
 */
static inline void record_letter(CaromResult *result, int *length, char letter) {
    if (*length < CAROM_SEQUENCE_SIZE - 1) {
        result->sequence[(*length)++] = letter;
        result->sequence[*length] = '\0';
    }
}

/* Takes samples at equal steps of the clock. The last one is the end of the impact, whatever
 * rounding makes of the clock. */
typedef struct Sampler {
    CaromTrace *trace;
    double step; /* of the clock, in the caller's units */
    int next;    /* index of the next sample */
    /* Receive the pieces of the process as well (rigid/rigid_visit.h,
     * compliant/compliant_visit.h, multiple/multiple_visit.h); or NULL. */
    const struct RigidVisitor *visitor;
    const struct CompliantVisitor *compliant;
    const struct MultipleVisitor *multiple;
} Sampler;

/* Is there a sample due, other than the last, at or before this clock time? */
static inline int sampler_is_due(const Sampler *sampler, double clock) {
    return sampler->next < sampler->trace->capacity - 1 && sampler->next * sampler->step <= clock;
}

/* Are there samples left once the process has ended? */
static inline int sampler_has_room(const Sampler *sampler) {
    return sampler && sampler->next < sampler->trace->capacity;
}

/* Write the 2 or 3 rows of a contact's vector; does nothing if to is NULL. */
void crm_record_write_rows(double *to, int rows, const double vector[3]);

/* Write one contact of sample `at`. rows: 3, planar 2; contact_count: all contacts of a sample. */
void crm_record_write_sample(const CaromTrace *trace, int at, int contact, int contact_count,
                             int rows, const ContactState *state);

/* Write the next sample of an impact with one contact. */
void crm_sampler_put(Sampler *sampler, int rows, const ContactState *state);

#endif
