/* One compliant impact in its own units: the contact, its state, and what events do to it.
 *
 * Units are chosen so that w = W_nn = 1, v_n- = -1 and the normal spring of compression has
 * stiffness 1; the tangent plane is turned so that v_t- lies along its first axis. With ' = d/dt,
 *
 *   N' = -k v_n            force of the normal spring, >= 0      p' = N   normal impulse
 *   V' = N d - B f         velocity along the surface            J' = -f  tangential impulse
 *   v_n' = N - d.f         normal velocity
 *   f' = V/eta^2           in stick: force in the tangential spring, |f| <= mu N
 *   f = mu N s             in slip: s turns as (mu eta^2 N) s' = V - (V.s) s
 *
 * sigma = V.s + mu eta^2 k v_n is the speed at which the particle slides; slip ends where it
 * vanishes. An end of compression divides k by e^2 and leaves all else as it is.
 * stick.c, straight_slip.c and turning_slip.c each run one mode to its next event. */
#ifndef CAROM_COMPLIANT_PROCESS_H
#define CAROM_COMPLIANT_PROCESS_H

#include <carom/problem.h>

#include "contact/record.h"
#include "contact/units.h"
#include "math/vec2.h"

typedef struct Moment {
    double p, N, vn;
    double J[2], V[2], f[2];
} Moment;

/* The coefficients of slip, with ' = d/dq, dq = N dt:
 *
 *   V' = a - mu B s    v' = b0 - mu b.s    (N^2)' = -2 k v    sigma = V.s + mu eta^2 k v
 *
 * As a rule q is p, v is v_n, and these are B, d, 1, d and k of the contact. If it is latched, N
 * stands for the lowest value of the force, N' = d.V/eta^2: then v is -d.V. */
typedef struct Slide {
    double B[3], a[2], b0, b[2], k;
} Slide;

typedef struct Process {
    /* the contact */
    double mu, e, eta2;
    double kt; /* 1/eta2, stiffness of the tangential spring */
    double root_kt;
    double B[3], d[2]; /* B11, B12, B22 */
    double speed;      /* |v_t-| */
    int planar;        /* nothing ever leaves the first axis */
    /* back to the caller's units and axes */
    int rows; /* of the caller's vectors */
    Units units;
    /* the state */
    Moment now;
    double s[2]; /* direction of slip */
    double k;
    Slide slide;
    int restitution;
    CaromMode mode;
    int latched;
    int fresh;       /* stick has just begun, with the spring on the edge of slipping */
    int done, stuck; /* stuck: no way to go on; the message says why */
    const char *message;
    CaromEnergy energy; /* stored, released, normal_loss, friction_loss, tangential so far */
    double booked;      /* normal energy at the start of this phase */
    Moment peak;        /* e = 0: the state when compression ended... */
    double peak_loss;   /* ...what friction had taken by then... */
    int peak_events;    /* ...how many events there were... */
    int peak_length;    /* ...and letters */
    double cut_bounces; /* relative error by bounces that touch the cone and are left out */
    double cut;         /* relative error that the series may leave; 0 as long as there are none */
    double rounding;    /* of the velocities, relative: magnified where W is almost singular */
    int work;
    int length; /* of the sequence */
    CaromResult *result;
    Sampler *sampler; /* or NULL */
} Process;

/* Set up from checked input, rows: 3, or 2 in a planar problem. Returns 0 with a reason in *message
 * if W is not positive semidefinite or the scales are beyond what doubles can hold. */
int crm_process_begin(Process *process, const double *W, const double *v, int rows,
                      const CaromContact *contact, CaromResult *result, const char **message);

/* Events: record, and change state. */
void crm_process_end_compression(Process *process);
void crm_process_restart_compression(Process *process);
void crm_process_end(Process *process);
void crm_process_stick(Process *process);
void crm_process_slip(Process *process);
/* v_n = 0 from here on, and N stands for its lowest value; on_cone: that is |f|/mu. */
void crm_process_latch(Process *process, double low, int on_cone);
void crm_process_release(Process *process);

/* Give up, with a reason. */
void crm_process_fail(Process *process, const char *message);

/* Fill the samples that fall on a piece; at(piece, x) is the state at x in [0, end]. pace: NULL, or
 * dp/dx of a slip whose x is not p. */
typedef Moment (*MomentAt)(const void *piece, double x);
typedef double (*MomentPace)(const void *piece, double x);
void crm_process_sample(Process *process, MomentAt at, MomentPace pace, const void *piece,
                        double end);

/* Samples up to the last one, which is the end itself. */
void crm_process_sample_rest(Process *process);

/* Fill the result in the caller's units. */
void crm_process_finish(Process *process);

static inline double normal_energy(const Process *process, double N) {
    return N * N / (2 * process->k);
}

/* V' in slip. */
static inline void slip_drift(const Process *process, const double s[2], double drift[2]) {
    const Slide *slide = &process->slide;
    const double *B = slide->B, mu = process->mu;
    drift[0] = slide->a[0] - mu * (B[0] * s[0] + B[1] * s[1]);
    drift[1] = slide->a[1] - mu * (B[1] * s[0] + B[2] * s[1]);
}

/* v' in slip. */
static inline double slip_rise(const Process *process, const double s[2]) {
    return process->slide.b0 - process->mu * dot2(process->slide.b, s);
}

/* d sigma/d v. */
static inline double slip_stiff(const Process *process) {
    return process->mu * process->eta2 * process->slide.k;
}

/* N^2/2k, of which -v is the derivative. */
static inline double slip_energy(const Process *process) {
    return process->now.N * process->now.N / (2 * process->slide.k);
}

static inline double sliding_speed(const Process *process) {
    return dot2(process->now.V, process->s) + slip_stiff(process) * process->now.vn;
}

/* How far a latched contact is from being released in slip; in the same units as chi. */
static inline double slip_grip(const Process *process, double chi, const double u[2]) {
    return process->mu * dot2(process->d, u) - chi;
}

#endif
