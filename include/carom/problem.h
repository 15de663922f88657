/* The impact problem in contact space, its result, and the general solve.
 *
 * Everything about the mechanics enters through W = J M^-1 J^T, the inverse inertia seen at
 * the contacts: v = v- + W I. The solver knows nothing else about the bodies. */
#ifndef CAROM_PROBLEM_H
#define CAROM_PROBLEM_H

#include <stddef.h>

#include <carom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the contact itself behaves. */
typedef enum CaromModel {
    CAROM_RIGID = 0,    /* one contact, Coulomb friction, no give along the surface */
    CAROM_COMPLIANT = 1 /* springs along and across the surface, any number of contacts */
} CaromModel;

/* What ends an impact: the meaning of the coefficient of restitution e. */
typedef enum CaromLaw {
    /* the contact gives back e^2 of the energy it stored (Stronge); its spring gets stiffer by
     * 1/e^2 where compression ends ("bi-stiffness") */
    CAROM_ENERGETIC = 0,
    CAROM_POISSON = 1, /* restitution has e times the normal impulse of compression */
    CAROM_NEWTON = 2,  /* the bodies part at e times the normal speed of approach */
    /* energetic too, but the spring stays as it is ("mono-stiffness"): the contact ends where its
     * energy has fallen to 1 - e^2 of its highest value; compliant model */
    CAROM_MONO_STIFFNESS = 3
} CaromLaw;

/* How a contact is computed. NI, FS and VS belong to the rigid model, EULER to the compliant one.
 */
typedef enum CaromMethod {
    CAROM_EXACT = 0, /* series and closed forms, to rounding */
    CAROM_NI = 1,    /* published: Euler, fixed step, no closed forms */
    CAROM_FS = 2,    /* published: Euler, fixed step, closed form once the slip is straight */
    CAROM_VS = 3,    /* published: as FS with a step adapted to speed and curvature */
    CAROM_EULER = 4  /* published: Euler, fixed step of the normal impulse, tangential springs */
} CaromMethod;

/* What the two surfaces are like at one contact. Start from carom_contact_default(). */
typedef struct CaromContact {
    double mu;        /* coefficient of sliding friction, >= 0 */
    double mu_static; /* used only to ask "may it stick?"; >= mu, negative: the same as mu */
    double e;         /* coefficient of restitution, in [0, 1] */
    /* Of the normal spring; only ratios between contacts matter. 0: it acts only after all stiffer
     * contacts have; INFINITY: it acts as if rigid, before all others. These limits are for several
     * contacts without friction. */
    double stiffness;
    double stiffness_ratio; /* normal over tangential stiffness (eta^2), > 0; compliant model */
} CaromContact;

/* Frictionless and elastic: mu 0, mu_static as mu, e 1, stiffness 1, stiffness_ratio 17/14. */
CaromContact carom_contact_default(void);

/* An impact. All arrays belong to the caller and are only read. */
typedef struct CaromProblem {
    CaromModel model;
    CaromLaw law;
    int contact_count;             /* n >= 1; the rigid model takes exactly one */
    const double *inverse_inertia; /* W, 3n x 3n by rows, order t1, t2, n per contact; symmetric */
    const double *velocity;        /* v-, 3n */
    const CaromContact *contacts;  /* n */
    int planar; /* 1: two rows t, n per contact instead of three; W is 2n x 2n, v, I are 2n */
} CaromProblem;

/* How to solve. Start from carom_options_default(). */
typedef struct CaromOptions {
    CaromMethod method;
    /* Largest acceptable estimate of the relative error of the impulse; a worse one makes the
     * status CAROM_NOT_CONVERGED (the result is still there). Infinity: report, never refuse. */
    double tolerance;
    /* Step of the published methods, 0 for the default. NI, FS: in units of impulse, default a
     * thousandth of -v_n/W_nn. VS: h1 = h2, in units of velocity and radian, default 0.01. EULER:
     * in units of impulse, default 1e-5 of -v_n/W_nn (the published 5e-5 for the published ball).
     */
    double step;
    /* EULER only. 1: friction e mu instead of mu in restitution, which gives the published numbers;
     * see docs/errata.md. */
    int as_printed;
    /* EULER only. Restitution ends where the normal energy has fallen to this, in units of energy;
     * 0: where it is used up. The published table stops at 1e-4. */
    double stop_energy;
    /* Several contacts: memory to work in, of carom_workspace_size() bytes and aligned as malloc()
     * does. NULL: up to CAROM_STACK_CONTACTS contacts need none, for more the solver allocates and
     * frees its own. */
    void *workspace;
} CaromOptions;

/* Exact method, tolerance infinity, default steps, no workspace. */
CaromOptions carom_options_default(void);

/* As many contacts are solved on the stack alone. */
#define CAROM_STACK_CONTACTS 8

/* Bytes of workspace for so many contacts; 0 if contact_count < 1. */
size_t carom_workspace_size(int contact_count);

typedef enum CaromEventKind {
    CAROM_COMPRESSION_END = 0,
    CAROM_COMPRESSION_RESTART = 1,
    CAROM_RESTITUTION_END = 2,
    CAROM_ACTIVATION = 3, /* several contacts: it begins to act, at the start or again */
    CAROM_LATCH = 4,      /* the bodies stay together from here on: v_n = 0 */
    CAROM_RELEASE = 5,    /* and part again */
    CAROM_STICK = 6,      /* sliding has stopped and does not start again at once */
    CAROM_SLIP = 7        /* sliding starts from none */
} CaromEventKind;

/* Name of an event kind as it appears in files, e.g. "compression_end". */
const char *carom_event_string(CaromEventKind kind);

/* Something that happened at a contact, and the contact's state at that moment. */
typedef struct CaromEvent {
    CaromEventKind kind;
    int contact;           /* index */
    double normal_impulse; /* p, the clock: the normal impulse so far at this contact */
    double impulse[3];     /* I so far at this contact */
    double velocity[3];    /* contact velocity at this moment */
    double stored;         /* normal energy E just before the event */
    double tangential;     /* energy of the tangential spring just before the event; rigid: 0 */
} CaromEvent;

/* What all contacts were doing at each stored event, one row per event; any pointer may be NULL. */
typedef struct CaromSnapshots {
    double *impulse;       /* event_capacity rows of 3n (planar: 2n): I so far */
    double *velocity;      /* likewise: contact velocities */
    double *stored;        /* event_capacity rows of n: normal energies just after the event */
    unsigned char *active; /* event_capacity rows of n: 1 if the contact acts after the event */
} CaromSnapshots;

/* Energy account of an impact; every entry in units of W's inverse times velocity squared.
 * change + normal_loss + friction_loss - left = residual, which is at rounding level. */
typedef struct CaromEnergy {
    double change;        /* kinetic energy given to the bodies, I.(v- + v+)/2; negative: lost */
    double stored;        /* normal work taken up in compression, all compressions together */
    double released;      /* normal work given back in restitution */
    double normal_loss;   /* lost at the ends of compression, by the law */
    double friction_loss; /* work of friction, integrated along the slip by its own series */
    double left;          /* energy left in the springs at the end: 0 */
    double residual;      /* what the account fails to close by */
    double tangential;    /* held by the tangential spring when compression ended (the last time);
                             given back since, to the bodies or to friction. Several contacts: the
                             sum over all ends of compression. Rigid: 0 */
} CaromEnergy;

/* Room for the sequence of one contact and its end. A rigid contact has at most one l, one s, one
 * r and two c, four letters in all. A compliant one that changes between stick and slip more often
 * than there is room keeps the first letters. */
#define CAROM_SEQUENCE_SIZE 16

/* Room for the events of one rigid contact; there are at most 5: docs/theory.md, "How many
 * events". */
#define CAROM_RIGID_EVENTS 8

/* What came out. The caller sets the pointers before the call (any of them may be NULL: that
 * part is then not reported) and event_capacity; all else is written by the solver. On failure
 * the arrays and numbers are NaN, the counts 0 and the sequence empty. */
typedef struct CaromResult {
    double *impulse;    /* I, 3n */
    double *velocity;   /* v+, 3n */
    CaromEvent *events; /* in order of occurrence */
    int event_capacity; /* room in events */
    int event_count;    /* events that happened; those beyond event_capacity are not stored */
    /* Several contacts only; NULL: not wanted. Its arrays are the caller's. */
    const CaromSnapshots *snapshots;
    CaromStatus status;
    const char *message; /* constant string: what is wrong and where; "" if nothing is */
    char sequence[CAROM_SEQUENCE_SIZE]; /* one contact: letters s, l, c, r in order; else empty */
    CaromEnergy energy;
    double error; /* estimated relative error of the impulse; usually too large, but no bound */
    int work;     /* pieces (series, linear or integration steps) computed */
} CaromResult;

/* Solve any problem. options NULL: the defaults. Returns result->status. */
CaromStatus carom_solve(const CaromProblem *problem, const CaromOptions *options,
                        CaromResult *result);

#ifdef __cplusplus
}
#endif

#endif
