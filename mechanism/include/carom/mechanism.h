/* A mechanism over time: motion without contact, impacts, sliding, sticking, rest.
 *
 * The caller's functions say what the mechanism is: n coordinates q with speeds u = q', and
 *
 *   M(q) u' + b(q, u) = J(q)^T f,     gap(q) >= 0,
 *
 * where b has the velocity terms and all given forces (gravity, springs, drives), gap is the
 * distance of one point from what it may touch, J (2 x n) gives the velocity of that point, v =
 * (v_t, v_n) = J u, and f is the force of the contact. So the second row of J is the gradient of
 * the gap. The mechanism is planar at its contact; its coordinates may be anything.
 *
 * Between impacts SUNDIALS CVODE integrates and finds the moment at which the gap closes; there
 * carom_planar_solve() gives the impulse. Bounces may accumulate: infinitely many in a finite time.
 * An impact after which the point would leave slower than `rest` times the hardest approach so far
 * is therefore taken as plastic (e = 0), and the point stays in touch as long as it is pushed. Then
 * it
 *
 *   - slides, with Coulomb's friction, until the slip ends or the push does (it lifts off);
 *   - sticks, while the force lies inside the cone of mu_static;
 *   - rests, if nothing moves any more: an end;
 *   - jams, where sliding friction leaves no finite force (Painleve's paradox, W_nn <= mu W_tn in
 * the direction of slip): an end with that reason.
 *
 * This is a library of its own, libcarom-mechanism, because it needs SUNDIALS. It allocates;
 * nothing is kept between calls, and calls in different threads are independent if the caller's
 * functions are. */
#ifndef CAROM_MECHANISM_H
#define CAROM_MECHANISM_H

#include <carom/carom.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most coordinates. */
#define CAROM_MECHANISM_COORDINATES_MAX 1000

/* A mechanism. Every function gets `data` first. */
typedef struct CaromMechanism {
    int coordinates; /* n */
    void *data;
    void (*mass_matrix)(void *data, const double *q, double *M);           /* n x n */
    void (*bias)(void *data, const double *q, const double *u, double *b); /* n */
    double (*gap)(void *data, const double *q);
    void (*jacobian)(void *data, const double *q, double *J); /* 2 x n by rows: t, n */
    void (*drift)(void *data, const double *q, const double *u, double a[2]); /* J' u */
    double (*potential)(void *data, const double *q); /* energy of the given forces; NULL: 0 */
} CaromMechanism;

typedef enum CaromMechanismPhase {
    CAROM_MECHANISM_FREE, /* no contact */
    CAROM_MECHANISM_SLIDE,
    CAROM_MECHANISM_STICK,
    CAROM_MECHANISM_REST
} CaromMechanismPhase;

/* A state on the way. */
typedef struct CaromMechanismState {
    double time;
    const double *q, *u; /* valid during the call */
    double gap;
    double kinetic, potential;
    CaromMechanismPhase phase;
} CaromMechanismState;

/* An impact, or the begin of a phase. */
typedef struct CaromMechanismEvent {
    CaromMechanismState state; /* after it */
    const CaromResult
        *impact;     /* NULL: none, the phase alone changes. Its energy account is filled */
    double approach; /* normal speed before the impact */
    int died_out;    /* the rebound was suppressed */
} CaromMechanismEvent;

typedef enum CaromMechanismEnd {
    CAROM_MECHANISM_END_TIME,    /* the duration has passed */
    CAROM_MECHANISM_END_REST,    /* nothing moves */
    CAROM_MECHANISM_END_JAM,     /* no finite force allows sliding */
    CAROM_MECHANISM_END_PHASES,  /* phases_max was reached */
    CAROM_MECHANISM_END_STOPPED, /* the caller's function asked for it */
    CAROM_MECHANISM_END_FAILED   /* see status and message */
} CaromMechanismEnd;

typedef struct CaromMechanismOptions {
    CaromContact contact; /* mu, mu_static, e */
    CaromLaw law;
    double duration; /* > 0, finite */
    double rest; /* in (0, 1): part of the hardest approach below which rebounds are suppressed */
    double tolerance; /* of the integrator, relative, 1e-13 to 1e-3 */
    double sample;    /* time between states shown; <= 0: none but those at events */
    int phases_max;   /* most flights, slides and sticks */
    void *data;       /* for the two functions below, which may be NULL; they return 0 to stop */
    int (*show_state)(void *data, const CaromMechanismState *state);
    int (*show_event)(void *data, const CaromMechanismEvent *event);
} CaromMechanismOptions;

typedef struct CaromMechanismSummary {
    CaromMechanismEnd end;
    CaromStatus status;
    const char *message; /* constant; "" on success */
    double time;
    int impacts;   /* all of them */
    int died_out;  /* those without rebound */
    int lift_offs; /* free motions that began without an impact */
    double energy_first, energy_last;
    double gain;  /* largest gain of energy at an impact: rounding at most */
    double drift; /* largest change of energy in a free motion: the integrator's error, if all given
                     forces have the potential */
    double lowest; /* smallest gap: as above */
} CaromMechanismSummary;

/* mu = 0, e = 1, energetic restitution, duration 1, rest 1e-4, tolerance 1e-11, no samples, 100000
 * phases. */
CAROM_API CaromMechanismOptions carom_mechanism_options_default(void);

/* Follow a mechanism. q and u (n each) are the state at time 0; on return that at the end.
 *
 * Before anything moves, the functions are checked at the start against differences of each other:
 * the second row of J against the gap, the drift against J, so that a slip of the pen is named.
 *
 * Returns summary->status. CAROM_INVALID_INPUT: options or start out of range, a start below the
 * contact, or functions that contradict each other or return what is not finite;
 * CAROM_NOT_CONVERGED: the integrator gave up, or the point is below what it touches. */
CAROM_API CaromStatus carom_mechanism_follow(const CaromMechanism *mechanism,
                                             const CaromMechanismOptions *options, double *q,
                                             double *u, CaromMechanismSummary *summary);

/* A phase and an end as words. */
CAROM_API const char *carom_mechanism_phase_string(CaromMechanismPhase phase);
CAROM_API const char *carom_mechanism_end_string(CaromMechanismEnd end);

#ifdef __cplusplus
}
#endif

#endif
