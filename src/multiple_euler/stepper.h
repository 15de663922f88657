/* The state of the scheme, in the caller's units. */
#ifndef CAROM_MULTIPLE_EULER_STEPPER_H
#define CAROM_MULTIPLE_EULER_STEPPER_H

#include <math.h>

#include <carom/problem.h>
#include <carom/result.h>
#include <carom/trace.h>

/* A contact's springs. */
typedef struct Spring {
    double mu, e;
    double k_first, kt; /* normal stiffness at the start; tangential stiffness */
    double k;           /* normal stiffness now */
    double E;           /* energy of the normal spring */
    double peak;        /* its largest value since the contact began to act */
    double f[2];        /* minus the force of the tangential springs */
    double s[2];        /* direction of slip */
    double ratio;       /* fresh: |f|/N of the first step */
    CaromMode mode;     /* open: it does not act */
    int restitution;
    int bounces; /* how often it has begun to act */
    int fresh;   /* it begins to act with the next step */
} Spring;

typedef struct Stepper {
    const CaromProblem *problem;
    CaromResult *result;
    Spring *springs;     /* one per contact */
    double *v, *before;  /* contact velocities now, and before the last increment */
    double *I, *dI;      /* impulses; the next increment */
    int count, size;     /* contacts, rows */
    int primary;         /* contact whose normal impulse grows by h; -1: none acts */
    int as_printed;      /* see multiple_euler.h */
    double h, stop;      /* step of the impulse, energy that ends restitution */
    double largest;      /* increment of an impulse that is taken to be an instability */
    int work, limit;     /* steps */
    const char *message; /* why it cannot go on; NULL: it can */
    CaromEnergy energy;  /* all but change and residual */
} Stepper;

/* Why there is no answer where the paper's sequence of states is infinite. */
#define STEPPER_ACCUMULATES "bounces accumulate: the sequence of states does not end"

static inline double stepper_W(const Stepper *stepper, int row, int column) {
    return stepper->problem->inverse_inertia[row * stepper->size + column];
}

static inline int spring_acts(const Spring *spring) {
    return spring->mode != CAROM_MODE_OPEN;
}

static inline double spring_force(const Spring *spring) {
    return sqrt(2 * spring->k * spring->E);
}

/* Energy of the tangential springs. */
static inline double spring_tangential(const Spring *spring) {
    return (spring->f[0] * spring->f[0] + spring->f[1] * spring->f[1]) / (2 * spring->kt);
}

/* Energy at which restitution ends in the model. */
static inline double spring_floor(const Stepper *stepper, const Spring *spring) {
    return stepper->problem->law == CAROM_LAW_MONO_STIFFNESS
               ? (1 - spring->e) * (1 + spring->e) * spring->peak
               : 0;
}

/* A phase of a contact ends: report it, change the spring, book the energy. */
void crm_stepper_end_compression(Stepper *stepper, int contact);
void crm_stepper_restart_compression(Stepper *stepper, int contact);
void crm_stepper_end_restitution(Stepper *stepper, int contact);

/* Report an event of a contact, before the spring changes. */
void crm_stepper_report(Stepper *stepper, int contact, CaromEventKind kind);

/* Write the result. */
void crm_stepper_finish(const Stepper *stepper);

#endif
