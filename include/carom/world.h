/* Bodies that go on moving: balls among planes, cushions and each other, and convex bodies among
 * planes and balls, from impact to impact until they rest. Convex bodies cannot meet each other.
 *
 * A world has bodies, immovable things, gravity, and coefficients for each pair of materials. It
 * goes from event to event; nothing is stepped. Between events every ball moves by a closed form:
 *
 *   flight    x'' = g
 *   sliding   x'' = -mu_slide N s,   omega' = mu_slide N/(kappa r) n x s,   s direction of slip
 *   rolling   x'' = -mu_roll N/(1 + kappa) v/|v|,   omega = n x v/r
 *   spinning  omega.n falls at mu_spin N/(kappa r), beside any of the last two or alone
 *
 * with N the acceleration of gravity into the plane, n its normal, r the radius and kappa m r^2 the
 * moment of inertia (kappa = 2/5: uniform). All are polynomials of the time, so the next touch of
 * two balls is the first root of a polynomial of degree 4 at most. No touch is missed.
 *
 * An impact has all contacts that touch at that moment: one is solved by the model `one`, several
 * by the compliant one, with carom_solve(). A convex body whose bounces have died out stays in
 * contact, by carom_lasting_advance(). A visitor sees every event and the full result of
 * every impact. docs/world.md has the rules and their limits.
 *
 * A world is one block of memory, the caller's or malloc's; there are no globals, and different
 * worlds may run in different threads. The same setup gives the same bits, and the order of the
 * bodies changes nothing but rounding. */
#ifndef CAROM_WORLD_H
#define CAROM_WORLD_H

#include <stddef.h>

#include <carom/body.h>
#include <carom/flight.h>
#include <carom/problem.h>
#include <carom/result.h>
#include <carom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Coefficients of a pair of materials. */
typedef struct CaromSurface {
    CaromContact contact; /* in impacts */
    double mu_slide;      /* of a ball that slides on a plane; >= 0 */
    double mu_roll;       /* that rolls: resisting torque over weight times radius; >= 0 */
    double mu_spin;       /* that spins about the normal: likewise; >= 0 */
} CaromSurface;

/* A body: a ball (its inertia a multiple of 1, about its centre), or a convex body by vertices. */
typedef struct CaromWorldBody {
    CaromBody body;   /* free: of finite mass, without a guide */
    CaromShape shape; /* its vertices must live as long as the world */
    int material;     /* index, 0 to material_count - 1 */
} CaromWorldBody;

typedef struct CaromWorldPlane {
    CaromPlane plane; /* bodies are on the side that the normal points to */
    int material;
} CaromWorldPlane;

/* A cushion: a straight horizontal edge (the nose), with a vertical face above it. Balls only. */
typedef struct CaromCushion {
    double point[3];  /* of the nose */
    double normal[3]; /* horizontal, towards the balls; normalised by the library */
    int material;
} CaromCushion;

/* A ball whose centre comes within the radius of the vertical line through the point leaves the
 * world. */
typedef struct CaromPocket {
    double point[3];
    double radius; /* > 0 */
} CaromPocket;

/* Most bodies; planes, cushions, pockets; and materials of a world. */
#define CAROM_WORLD_BODIES 1000000
#define CAROM_WORLD_FIXED 1000
#define CAROM_WORLD_MATERIALS 100
/* Most vertices of a convex body beside others. */
#define CAROM_WORLD_VERTICES 1000

/* Everything that makes a world; copied, but for vertices. Zero fields have their defaults. */
typedef struct CaromWorldSetup {
    const CaromWorldBody *bodies;
    int body_count; /* 1 to CAROM_WORLD_BODIES */
    const CaromWorldPlane *planes;
    int plane_count; /* 0 to CAROM_WORLD_FIXED, like the next two */
    const CaromCushion *cushions;
    int cushion_count;
    const CaromPocket *pockets;
    int pocket_count;
    /* Of materials i <= j: surfaces[i * material_count + j]; the other entries are not read. */
    const CaromSurface *surfaces;
    int material_count; /* 1 to CAROM_WORLD_MATERIALS */
    double gravity[3];
    CaromModel one; /* model of an impact at one contact */
    /* 1: impacts at several contacts by the impulse-level law of rigid contacts, which may gain
     * energy (docs/impulse.md). 0: compliant, with the stiffnesses of the surfaces. */
    int several_rigid;
    /* Bounces slower than this lose nothing more or become a lasting contact; a speed, > 0.
     * 0: 1e-3 sqrt(g r) with the largest radius (or size) r; without gravity 1e-6 of the largest
     * speed at the start. */
    double rest;
    /* Most contacts of one impact; 0: 8 + 4 bodies, at most 128. Memory grows with its square. */
    int contact_limit;
} CaromWorldSetup;

typedef struct CaromWorld CaromWorld;

/* Bytes that a world takes; 0 if a count of the setup is out of range. */
CAROM_API size_t carom_world_size(const CaromWorldSetup *setup);

/* Make a world at time 0. memory: carom_world_size() bytes, aligned as by malloc(), which the world
 * uses until it is no longer needed; or NULL: the world is allocated.
 *
 * CAROM_INVALID_INPUT, *world NULL: something in the setup is out of range; bodies overlap or are
 * inside something by more than 1e-9 of their size; no memory. */
CAROM_API CaromStatus carom_world_create(const CaromWorldSetup *setup, void *memory,
                                         CaromWorld **world, const char **message);

/* Free a world that was allocated; one in the caller's memory needs no end. NULL is allowed. */
CAROM_API void carom_world_destroy(CaromWorld *world);

typedef enum CaromPhase {
    CAROM_PHASE_FLIGHT = 0,
    CAROM_PHASE_SLIDING = 1,
    CAROM_PHASE_ROLLING = 2,
    CAROM_PHASE_SPINNING = 3, /* about the normal, the centre at rest */
    CAROM_PHASE_REST = 4,
    CAROM_PHASE_POCKETED = 5, /* no longer in the world */
    CAROM_PHASE_LASTING = 6   /* a convex body in lasting contact: it slides, sticks or tips over */
} CaromPhase;

/* Name of a phase as it appears in files ("flight", ...); a constant string. */
CAROM_API const char *carom_phase_string(CaromPhase phase);

/* A piece of the motion of a body. From its time to its end the velocity is velocity +
 * dt acceleration, and so on; a convex body turns by Euler's equations (carom_flight_advance()). In
 * lasting contact its pieces are steps of carom_lasting_advance(); if it is the only body it has
 * none, and its motion is the state now. */
typedef struct CaromMotion {
    CaromPhase phase;
    int plane; /* on which it slides, rolls, spins or rests; -1: none */
    double time, end;
    double position[3], velocity[3], acceleration[3];
    double angular_velocity[3], angular_acceleration[3];
    double orientation[4]; /* of a convex body; that of a ball is not followed */
} CaromMotion;

/* The motion of a body now, from its last event on, until its next one. */
CAROM_API CaromStatus carom_world_motion(const CaromWorld *world, int body, CaromMotion *motion,
                                         const char **message);

/* A body as it is now: place, orientation (that of a ball is not followed) and velocities. */
CAROM_API CaromStatus carom_world_body(const CaromWorld *world, int body, CaromBody *state,
                                       const char **message);

/* A ball's motion at a time: position, velocity and spin there; the accelerations stay. */
CAROM_API void carom_motion_advance(CaromMotion *motion, double time);

/* Time of the world. */
CAROM_API double carom_world_time(const CaromWorld *world);

/* Energies of all bodies but those in pockets, now: kinetic, and potential (0 at the origin). */
CAROM_API void carom_world_energy(const CaromWorld *world, double *kinetic, double *potential);

typedef enum CaromWorldEventKind {
    CAROM_WORLD_IMPACT = 0,
    CAROM_WORLD_LANDING = 1, /* too slow to bounce: the contact lasts from here on */
    CAROM_WORLD_ROLLING = 2, /* sliding has ended */
    CAROM_WORLD_STOP = 3,    /* the centre has come to rest, a spin may be left */
    CAROM_WORLD_SPIN_END = 4,
    CAROM_WORLD_POCKET = 5
} CaromWorldEventKind;

/* Name of an event as it appears in files ("impact", ...); a constant string. */
CAROM_API const char *carom_world_event_string(CaromWorldEventKind kind);

/* What a body touches in an impact. */
typedef enum CaromPartner {
    CAROM_PARTNER_BODY = 0,
    CAROM_PARTNER_PLANE = 1,
    CAROM_PARTNER_CUSHION = 2,
    CAROM_PARTNER_CUE = 3
} CaromPartner;

/* One contact of an impact. */
typedef struct CaromTouching {
    CaromPartner partner;
    int body;   /* index of the first body; the impulse acts on it */
    int second; /* index of the other body, the plane or the cushion */
    int vertex; /* of a convex body; -1: a ball */
} CaromTouching;

/* An impact. Everything is valid only during the visit. */
typedef struct CaromWorldImpact {
    int contact_count;
    const CaromTouching *touching; /* per contact */
    const CaromSite *sites; /* per contact; bodies are indices into the list of this impact */
    const CaromProblem *problem;
    const CaromResult *result;
    int body_count;    /* of the list, the immovable last */
    const int *bodies; /* indices in the world; -1: the immovable, -2: the cue */
    const CaromBody *before, *after;
} CaromWorldImpact;

typedef struct CaromWorldEvent {
    CaromWorldEventKind kind;
    double time;
    int body;                       /* of an impact: the first that touches */
    int plane;                      /* on which it lands or stops, or the pocket; -1: none */
    const CaromWorldImpact *impact; /* NULL: not an impact */
} CaromWorldEvent;

/* Sees each event when it has happened. Not 0: stop. */
typedef int (*CaromWorldVisit)(void *user, const CaromWorld *world, const CaromWorldEvent *event);

typedef enum CaromWorldEnd {
    CAROM_WORLD_END_TIME = 0,    /* the time is reached */
    CAROM_WORLD_END_REST = 1,    /* all bodies rest, or are in pockets */
    CAROM_WORLD_END_IDLE = 2,    /* some move, but nothing will happen any more */
    CAROM_WORLD_END_EVENTS = 3,  /* as many events as asked for */
    CAROM_WORLD_END_STOPPED = 4, /* by the visitor */
    CAROM_WORLD_END_STALLED = 5, /* too many events at one time */
    CAROM_WORLD_END_FAILED = 6   /* an impact or a motion could not be computed: see status */
} CaromWorldEnd;

/* Name of an end as it appears in files ("time", ...); a constant string. */
CAROM_API const char *carom_world_end_string(CaromWorldEnd end);

typedef struct CaromWorldRun {
    /* set by the caller; zero: no limit, nobody to ask */
    double time; /* of the world, at which to stop */
    long events; /* most of this call */
    CaromWorldVisit visit;
    void *user;
    /* filled by the call */
    CaromWorldEnd end;
    CaromStatus status;
    const char *message; /* constant string; "" if nothing failed */
    long event_count, impact_count;
    long gains; /* impacts whose law gained energy (several_rigid) */
    long work;  /* events looked at, with those of the search for neighbours */
} CaromWorldRun;

/* Go on from now. Without limits a world with e = 1 or without rolling friction may run for ever:
 * give a time or a number of events. Returns run->status; a failed world does not go on. */
CAROM_API CaromStatus carom_world_run(CaromWorld *world, CaromWorldRun *run);

/* A cue, guided along its axis. */
typedef struct CaromCue {
    double mass;          /* > 0 */
    double velocity[3];   /* along its axis */
    double offset[3];     /* from the ball's centre to the point it hits; scaled to the radius */
    CaromContact contact; /* of tip and ball */
} CaromCue;

/* Hit a ball now, with all that touches it: cue, ball and table act at the same time. The run gives
 * the visitor, and gets its status and message. CAROM_NOT_APPROACHING: the cue does not approach
 * the point. */
CAROM_API CaromStatus carom_world_shoot(CaromWorld *world, int body, const CaromCue *cue,
                                        CaromWorldRun *run);

#ifdef __cplusplus
}
#endif

#endif
