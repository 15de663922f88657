/* The result of an impact: impulse, velocity, events, energy account, and how far to trust it. */
#ifndef CAROM_RESULT_H
#define CAROM_RESULT_H

#include <carom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CaromEventKind {
    CAROM_EVENT_COMPRESSION_END = 0,
    CAROM_EVENT_COMPRESSION_RESTART = 1,
    CAROM_EVENT_RESTITUTION_END = 2,
    CAROM_EVENT_ACTIVATION = 3, /* several contacts: it begins to act, at the start or again */
    CAROM_EVENT_LATCH = 4,      /* the bodies stay together from here on: v_n = 0 */
    CAROM_EVENT_RELEASE = 5,    /* and part again */
    CAROM_EVENT_STICK = 6,      /* sliding has stopped and does not start again at once */
    CAROM_EVENT_SLIP = 7        /* sliding starts from none */
} CaromEventKind;

/* Name of an event kind as it appears in files, e.g. "compression_end"; a constant string. */
CAROM_API const char *carom_event_string(CaromEventKind kind);

/* An event at a contact, and the state of the contact at that moment. */
typedef struct CaromEvent {
    CaromEventKind kind;
    int contact;           /* index */
    double normal_impulse; /* p, the clock: the normal impulse so far at this contact */
    double impulse[3];     /* I so far at this contact; planar: (t, 0, n) */
    double velocity[3];    /* contact velocity at this moment */
    double stored;         /* normal energy E just before the event */
    double tangential;     /* energy of the tangential spring just before the event; rigid: 0 */
} CaromEvent;

/* The state of all contacts at each stored event, one row per event; any pointer may be NULL. */
typedef struct CaromSnapshots {
    double *impulse;       /* event_capacity rows of 3n (planar: 2n): I so far */
    double *velocity;      /* likewise: contact velocities */
    double *stored;        /* event_capacity rows of n: normal energies just after the event */
    unsigned char *active; /* event_capacity rows of n: 1 if the contact acts after the event */
} CaromSnapshots;

/* Energy account of an impact, in units of velocity squared over W.
 * change + normal_loss + friction_loss = residual, which is at rounding level. */
typedef struct CaromEnergy {
    double change;        /* kinetic energy given to the bodies, I.(v- + v+)/2; negative: lost */
    double stored;        /* normal work taken up in compression, all compressions together */
    double released;      /* normal work given back in restitution */
    double normal_loss;   /* lost at the ends of compression, by the law */
    double friction_loss; /* work of friction, integrated along the slip by its own series */
    double residual;      /* by how much the account fails to close */
    double tangential;    /* in the tangential spring when compression last ended, returned since to
                             the bodies or to friction. Several contacts: the sum over all ends of
                             compression. Rigid: 0 */
} CaromEnergy;

/* Size of CaromResult.sequence, with its final zero. A rigid contact has at most one l, one s, one
 * r and two c. A compliant one that changes more often between stick and slip keeps the first
 * letters. */
#define CAROM_SEQUENCE_SIZE 16

/* Room for all events of one rigid contact; there are at most 5: docs/theory.md, "How many
 * events". */
#define CAROM_RIGID_EVENTS 8

/* CaromResult.solutions where contacts that slip share the load in more than one way. The answer is
 * the share of least kinetic energy after (docs/impulse.md, section 2). */
#define CAROM_SOLUTIONS_CONTINUUM (-1)

/* Where the outcome jumps near the input: a small change of the input changes it by much. */
typedef struct CaromJump {
    /* About the smallest change of the input, as a part of its size, that reaches the jump.
     * INFINITY: no jump was seen. */
    double distance;
    int contact;        /* at which contact; -1: none, or all together */
    const char *reason; /* constant string; "" if there is none */
} CaromJump;

/* The caller sets the pointers before the call (any of them may be NULL: that part is then not
 * reported) and event_capacity; the solver writes everything else. On failure the arrays and
 * numbers are NaN, the counts 0 and the sequence empty. */
typedef struct CaromResult {
    double *impulse;    /* I, 3n (planar: 2n) */
    double *velocity;   /* v+, likewise */
    CaromEvent *events; /* in order of occurrence */
    int event_capacity; /* size of events */
    int event_count;    /* events that happened; those beyond event_capacity are not stored */
    /* Several contacts only; NULL: not wanted. Its arrays are the caller's. */
    const CaromSnapshots *snapshots;
    CaromStatus status;
    const char *message; /* constant string: which field is wrong, and how; or a remark; or "" */
    /* One contact, else empty. Letters in order of occurrence: c compression ends, r restitution
     * ends, s the slip stops (or starts from zero), l the slip is straight from the start. */
    char sequence[CAROM_SEQUENCE_SIZE];
    CaromEnergy energy;
    /* Several contacts: why the outcome is not the only one that is consistent with the law of
     * friction, as a constant string; "" if it is. A local test at jumps of held contacts: it does
     * not detect events that nearly happen. */
    const char *ambiguous;
    /* Estimated relative error |dI|/|I| of the impulse over all contacts, if the sequence of events
     * is right. No bound; docs/accuracy.md says how often it is too small or too large. */
    double error;
    /* Different answers that were found; impulse and velocity are those of least kinetic energy
     * after. More than 1 or CAROM_SOLUTIONS_CONTINUUM only for several rigid contacts
     * (docs/impulse.md), and message says so in words; 0 on failure. */
    int solutions;
    int work; /* pieces (series, linear or integration steps) computed */
    /* The nearest jump that was seen, if it is larger than its distance. carom_solve() looks for it
     * in exact solutions (docs/accuracy.md, "Jumps"): of one rigid contact with CaromOptions.jumps,
     * of several contacts always. Direct calls for one contact do not. */
    CaromJump jump;
} CaromResult;

#ifdef __cplusplus
}
#endif

#endif
