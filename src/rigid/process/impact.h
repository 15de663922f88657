/* One rigid impact in its own units: the problem, the state, the way back to the caller's units.
 *
 * Units are chosen so that w = W_nn = 1 and v_n- = -1; the tangent plane is turned so that the
 * slip starts along its first axis. With ' = d/dp (p: normal impulse so far)
 *
 *   gamma = gamma- + d p + B J       sliding velocity       (J: tangential impulse)
 *   v_n   = -1 + p + d.J             normal velocity
 *   J'    = -mu s, s = gamma/|gamma| in slip;  -B^-1 d in stick
 *   E'    = -v_n                     normal energy stored
 *
 * Model: Jia and Wang, Analysis and Computation of Two Body Impact in Three Dimensions. The input
 * must be scaled so that squares stay in range (1e+-290 for energies). */
#ifndef CAROM_RIGID_IMPACT_H
#define CAROM_RIGID_IMPACT_H

#include <float.h>
#include <math.h>

#include "contact/check.h"
#include "contact/record.h"
#include "contact/singular.h"
#include "contact/units.h"
#include "rigid/slip/slip.h"

typedef struct ImpactState {
    double p;
    double J[2];
    double gamma[2];
    double vn;
} ImpactState;

typedef enum ImpactPhase { IMPACT_COMPRESSION, IMPACT_RESTITUTION } ImpactPhase;

/* The result of reducing a singular W (semidefinite.h); all 0 if W is positive definite. */
typedef struct Reduction {
    int locked;      /* tangential directions that cannot move: 0, 1 or 2 */
    double free[2];  /* one locked: the direction that can move */
    double mobility; /* along it, the only nonzero eigenvalue of B */
    int wedged;      /* an impulse along (-stick, 1) moves nothing */
} Reduction;

typedef struct Impact {
    /* the problem */
    Slip slip;
    CaromLaw law;
    double e;
    int careful; /* log-time series only */
    double mu_static;
    double speed; /* of slip at the start */
    Reduction reduction;
    double stick[2]; /* B^-1 d */
    int sticks;      /* |B^-1 d| <= mu_static */
    Units units;
    /* the process */
    ImpactState now;
    ImpactPhase phase;
    double E;    /* stored now */
    double stop; /* Poisson: p, Newton: v_n at which restitution ends */
    int done;
    CaromMode mode;
    /* the record */
    CaromEnergy energy; /* stored, released, normal_loss, friction_loss so far */
    double condition;   /* magnification of rounding of the input */
    double mismatch;    /* largest relative disagreement in the checks of the curves */
    double halt;        /* p at which slip stopped, or -1 */
    double rise;        /* v_n' where compression ended, if W is ill-conditioned */
    int work;
    int length; /* of the sequence */
    CaromResult *result;
    Sampler *sampler; /* or NULL */
} Impact;

typedef enum ImpactSetup { IMPACT_REFUSED, IMPACT_READY, IMPACT_SINGULAR } ImpactSetup;

/* Energy above this fraction of the energy turned over counts as created. */
static const double IMPACT_GAIN = 1e-12;

/* Fill stick and sticks, which only slip that stops needs. */
static void impact_find_stick(Impact *impact) {
    if (!impact->reduction.locked) {
        slip_solve(impact->slip.B, impact->slip.d, impact->stick);
    }
    impact->sticks = norm2(impact->stick) <= impact->mu_static;
}

/* Is [B d; d^T 1] positive definite, with a margin for rounding? *condition estimates the condition
 * number in units of W_nn. */
static int is_definite(const Slip *slip, double *condition) {
    const double *B = slip->B, *d = slip->d;
    double s11 = B[0] - d[0] * d[0], s12 = B[1] - d[0] * d[1], s22 = B[2] - d[1] * d[1];
    double det = s11 * s22 - s12 * s12, trace = s11 + s22;
    double mobility = B[0] + B[2], area = B[0] * B[2] - B[1] * B[1];
    if (!(s11 > SINGULAR * B[0] && s22 > SINGULAR * B[2] && det > SINGULAR * B[0] * B[2] &&
          area > SINGULAR * mobility * mobility && mobility > SINGULAR)) {
        return 0;
    }
    *condition = (mobility + 1) * most_of(trace / det, 1) * (1 + dot2(d, d));
    return 1;
}

/* The process before its start. Speed: field by field, because clearing the whole struct takes a
 * twentieth of a simple impact. */
static void clear_process(Impact *impact) {
    impact->careful = 0;
    impact->reduction = (Reduction){0};
    impact->stick[0] = impact->stick[1] = 0;
    impact->now = (ImpactState){0};
    impact->phase = IMPACT_COMPRESSION;
    impact->E = impact->stop = 0;
    impact->done = 0;
    impact->mode = CAROM_MODE_SLIP;
    impact->energy = (CaromEnergy){0};
    impact->mismatch = 0;
    impact->halt = -1;
    impact->work = impact->length = 0;
    impact->sampler = NULL;
}

/* Set up an impact from checked input. If the scales are beyond the range of doubles or W is not
 * positive definite, *message gives the reason; IMPACT_SINGULAR: semidefinite_reduce() may help. */
static ImpactSetup impact_begin(Impact *impact, const double W[9], const double v[3],
                                const CaromContact *contact, CaromLaw law, CaromResult *result,
                                const char **message) {
    double w = W[8], speed = -v[2], gamma[2] = {v[0], v[1]}, across = norm2(v), r = across / speed;
    if (!(across > 1e-140 && across < 1e140)) {
        /* in the impact's own units squares are in range, and no digits are lost below it */
        gamma[0] /= speed;
        gamma[1] /= speed;
        across = r = norm2(gamma);
    }
    if (r < 1e-290) {
        r = 0; /* too few digits left to have a direction */
    }
    const Pair axis = r > 0 ? pair_over(pair_load(gamma), both(across)) : pair_make(1, 0);
    const double by = 1 / w;
    Slip *slip = &impact->slip;
    clear_process(impact);
    slip->mu = contact->mu;
    impact->units = (Units){{LANE(axis, 0), LANE(axis, 1)}, speed, speed * by};
    units_mobility(&impact->units, W, by, slip->B, slip->d);
    slip_complete(slip);
    impact->mu_static = contact_mu_static(contact);
    impact->law = law;
    impact->e = contact->e;
    impact->now.gamma[0] = impact->speed = r;
    impact->now.vn = -1;
    impact->result = result;
    /* squares of these occur: keep them well inside the range of a double */
    if (!(r + slip->rate + (slip->B[0] + slip->B[2]) < 1e100 &&
          impact->units.impulse * speed > 1e-290 && impact->units.impulse * speed < 1e290)) {
        *message = "inverse_inertia, contact_velocity, mu: the scales are too far apart";
        return IMPACT_REFUSED;
    }
    *message = "inverse_inertia is not positive definite";
    return is_definite(slip, &impact->condition) ? IMPACT_READY : IMPACT_SINGULAR;
}

/* Work of the impulse so far on the bodies, I.(v- + v)/2. */
static double impact_work(const Impact *impact) {
    const ImpactState *now = &impact->now;
    return now->J[0] * (impact->speed + now->gamma[0]) / 2 + now->J[1] * now->gamma[1] / 2 +
           now->p * (now->vn - 1) / 2;
}

/* A state in the caller's units and axes. */
static ContactState impact_state(const Impact *impact, const ImpactState *state, double E) {
    const Units *units = &impact->units;
    ContactState out = {.stored = E * units->impulse * units->velocity, .mode = impact->mode};
    units_restore(units, state->J, state->p, units->impulse, out.impulse);
    units_restore(units, state->gamma, state->vn, units->velocity, out.velocity);
    return out;
}

/* Magnification of rounding up to which it may be used as it is: the error is 1e3 times as large at
 * most. Beyond, the path of the impact decides. */
static const double IMPACT_PLAIN = 1e3;

/* Rounding errors that slip adds up, in units of DBL_EPSILON; measured. */
static const double IMPACT_SLIP_ERROR = 16;

/* The error of the impulse along the path, in units of DBL_EPSILON: the error of J, its effect on
 * v_n, and the move of the ends of the phases, which is the error of v_n or E over its rate. */
static double impact_path_error(const Impact *impact) {
    const Slip *slip = &impact->slip;
    const ImpactState *now = &impact->now;
    const double *B = slip->B, d = norm2(slip->d), J = norm2(now->J);
    double p = now->p, steepest = slip->mu, off = slip->mu * p;
    double vn = 1 + (2 + slip->mu * d) * p + d * (J + off);
    if (impact->halt >= 0) {
        /* J takes up the rounding of gamma, and stick has that of B^-1 d, by Cramer's rule */
        double det = B[0] * B[2] - B[1] * B[1], trace = B[0] + B[2], x = norm2(impact->stick);
        double rest = impact->speed + impact->halt * slip->rate, stuck = p - impact->halt;
        double solve = impact->sticks ? (2 * B[0] * B[2] * x + trace * d) / det : 0;
        off += rest * trace / det + stuck * solve;
        vn += rest * x + stuck * d * solve;
        steepest = most_of(x, steepest);
    }
    double end = vn / impact->rise + vn * p / impact->energy.stored * p;
    return (end * (1 + steepest) + off) / (p + J);
}

/* Estimated relative error of the impulse. */
static double impact_error(const Impact *impact) {
    double condition = impact->condition;
    if (condition > IMPACT_PLAIN && !impact->reduction.locked && !impact->reduction.wedged) {
        condition = impact_path_error(impact);
    }
    return DBL_EPSILON * (IMPACT_SLIP_ERROR + condition) + impact->mismatch;
}

/* Fill the result in the caller's units; sets its status if the law has created energy. */
static void impact_finish(Impact *impact, CaromResult *result) {
    const Units *units = &impact->units;
    const ImpactState *now = &impact->now;
    const CaromEnergy *own = &impact->energy;
    double unit = units->impulse * units->velocity, change = impact_work(impact);
    double stored = own->stored, released = own->released, friction = own->friction_loss;
    double normal = own->normal_loss;
    if (impact->law != CAROM_LAW_ENERGETIC) {
        normal = stored - released;
        if (change > IMPACT_GAIN * (fabs(friction) + fabs(stored))) {
            result->status = CAROM_ENERGY_GAIN;
        }
    }
    result->energy = (CaromEnergy){.change = unit * change,
                                   .stored = unit * stored,
                                   .released = unit * released,
                                   .normal_loss = unit * normal,
                                   .friction_loss = unit * friction,
                                   .residual = unit * (change + normal + friction)};
    if (result->impulse) {
        units_restore(units, now->J, now->p, units->impulse, result->impulse);
    }
    if (result->velocity) {
        units_restore(units, now->gamma, now->vn, units->velocity, result->velocity);
    }
    result->work = impact->work;
    result->error = impact_error(impact);
}

#endif
