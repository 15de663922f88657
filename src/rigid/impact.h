/* One rigid impact in its own units: the problem, the state, and the normal process.
 *
 * Units are chosen so that w = W_nn = 1 and v_n- = -1; the tangent plane is turned so that the
 * slip starts along its first axis. Then, with ' = d/dp (p: normal impulse so far),
 *
 *   gamma = gamma- + d p + B J       sliding velocity       (J: tangential impulse)
 *   v_n   = -1 + p + d.J             normal velocity
 *   J'    = -mu s, s = gamma/|gamma| in slip;  -B^-1 d in stick
 *   E'    = -v_n                     normal energy stored
 *
 * What ends compression and restitution does not care how gamma moves: normal.c runs that part
 * over stretches that line.c (J' constant) and the curves (curve.h) describe. */
#ifndef CAROM_RIGID_IMPACT_H
#define CAROM_RIGID_IMPACT_H

#include <math.h>

#include <carom/problem.h>
#include <carom/trace.h>

#include "contact/record.h"
#include "contact/units.h"
#include "math/lanes.h"
#include "math/vec2.h"

/* Before what only the files of this solver call: `static` where they are all compiled at once
 * (fma/solver.c). */
#ifndef INTERNAL
#define INTERNAL
#endif

/* The mechanics of slip. */
typedef struct Slip {
    double mu;
    double B[3]; /* B11, B12, B22 */
    double d[2];
    double b[3];       /* mu B */
    double rate;       /* |b| + |d|: what gamma' is measured against */
    int turn_count;    /* directions at which v_n' = 1 + d.J' vanishes: 0 or 2 */
    double turn[2][2]; /* those directions */
} Slip;

typedef struct State {
    double p;
    double J[2];
    double gamma[2];
    double vn;
} State;

typedef enum Phase { COMPRESSION, RESTITUTION } Phase;

typedef struct Impact {
    /* the problem */
    Slip slip;
    CaromLaw law;
    double e;
    int careful; /* log-time series only */
    double mu_static;
    double stick[2]; /* B^-1 d */
    int sticks;      /* |B^-1 d| <= mu_static */
    double speed;    /* of slip at the start */
    /* where W is singular (singular.h); all 0 where it is not */
    int singular;
    int locked;      /* tangential directions that cannot move: 0, 1 or 2 */
    double free[2];  /* one locked: the direction that can */
    double mobility; /* along it, the only eigenvalue of B */
    int wedged;      /* a push along (-stick, 1) moves nothing */
    /* back to the caller's units and axes */
    Units units;
    /* the process */
    State now;
    Phase phase;
    double E;    /* stored now */
    double stop; /* Poisson: p, Newton: v_n at which restitution ends */
    int done;
    CaromMode mode;
    CaromEnergy energy; /* stored, released, normal_loss, friction_loss so far */
    double condition;   /* how far rounding of the input is magnified */
    double mismatch;    /* largest relative disagreement between the two ways to know gamma */
    int work;
    int length; /* of the sequence */
    CaromResult *result;
    Sampler *sampler; /* or NULL */
} Impact;

/* What the slip does per unit of p in direction s: gamma' = d - mu B s. */
static inline void slip_rate(const Slip *slip, const double s[2], double rate[2]) {
    rate[0] = slip->d[0] - slip->b[0] * s[0] - slip->b[1] * s[1];
    rate[1] = slip->d[1] - slip->b[1] * s[0] - slip->b[2] * s[1];
}

/* How slip and v_n change: gamma = r s, gamma' = f s + g s_perp, v_n' = a, v_n'' = da. At two
 * points at once, as in a Pair two cost no more than one. */
typedef struct Rates {
    Pair s[2], r;
    Pair inverse; /* 1/r, 0 at zero slip */
    Pair f, g, a, da;
    Pair across; /* s_perp.b s_perp */
} Rates;

/* Fill the rates from s and inverse; r is left alone. */
static inline void slip_rates(const Slip *slip, Rates *rates) {
    const double *d = slip->d, *b = slip->b;
    Pair x = rates->s[0], y = rates->s[1];
    Pair along = x * d[0] + y * d[1], aside = x * d[1] - y * d[0];
    Pair rate0 = d[0] - (b[0] * x + b[1] * y), rate1 = d[1] - (b[1] * x + b[2] * y);
    rates->f = x * rate0 + y * rate1;
    rates->g = x * rate1 - y * rate0;
    rates->a = 1 - slip->mu * along;
    rates->da = -slip->mu * aside * rates->g * rates->inverse;
    rates->across = rates->f + (b[0] + b[2] - along);
}

/* What follows from mu, B and d. */
static inline void slip_complete(Slip *slip) {
    double b0 = slip->mu * slip->B[0], b1 = slip->mu * slip->B[1], b2 = slip->mu * slip->B[2];
    slip->b[0] = b0;
    slip->b[1] = b1;
    slip->b[2] = b2;
    slip->rate = (fabs(slip->d[0]) + fabs(slip->d[1])) + (fabs(b0) + fabs(b1) + fabs(b2));
}

/* Work of the impulse so far on the bodies, I.(v- + v)/2. */
INTERNAL double impact_work(const Impact *impact);

/* Records (normal.c). */
INTERNAL void impact_letter(Impact *impact, char letter);
INTERNAL void impact_event(Impact *impact, CaromEventKind kind);
/* v_n has risen to 0: take the loss, choose where restitution ends. Sets done if it is here. */
INTERNAL void impact_end_compression(Impact *impact);
INTERNAL void impact_restart_compression(Impact *impact);
INTERNAL void impact_end(Impact *impact);
/* Book the normal work -int v_n dp of a stretch without events. */
INTERNAL void impact_book(Impact *impact, double normal_work);
/* A state in the caller's units and axes; either output may be NULL. */
INTERNAL void impact_state(const Impact *impact, const State *state, double *impulse,
                           double *velocity);
/* Fill one sample with the given state. */
INTERNAL void impact_sample(Impact *impact, const State *state, double E);

/* Run a stretch with constant J' = jr for at most `length` of p (may be INFINITY), or to the end
 * of the impact. Closed form. */
INTERNAL void line_run(Impact *impact, const double jr[2], double length);

#endif
