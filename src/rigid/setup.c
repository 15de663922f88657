/* Into the impact's own units, and back. */
#include "rigid/exact.h"

#include <float.h>
#include <math.h>

#include "contact/check.h"
#include "rigid/singular.h"

/* Energy above this fraction of what was there before counts as created. */
static const double GAIN = 1e-12;

/* Directions at which v_n' = 1 - mu d.s vanishes: s = (h, -+ k)/|mu d| turned to d. */
static void find_turns(Slip *slip) {
    double square = slip->mu * slip->mu * dot2(slip->d, slip->d);
    slip->turn_count = 0;
    if (!(square > 1)) {
        return;
    }
    double h = 1 / sqrt(square), k = sqrt((1 - h) * (1 + h));
    double along[2] = {slip->mu * slip->d[0] * h, slip->mu * slip->d[1] * h};
    for (int i = 0; i < 2; i++) {
        double side = i ? k : -k;
        slip->turn[i][0] = h * along[0] - side * along[1];
        slip->turn[i][1] = h * along[1] + side * along[0];
    }
    slip->turn_count = 2;
}

void exact_find_stick(Impact *impact) {
    const double *B = impact->slip.B, *d = impact->slip.d;
    if (!impact->locked) {
        /* by Cramer's rule; det B > 0 */
        double det = B[0] * B[2] - B[1] * B[1];
        Pair stick = (Pair){B[2] * d[0] - B[1] * d[1], B[0] * d[1] - B[1] * d[0]} / det;
        impact->stick[0] = stick[0];
        impact->stick[1] = stick[1];
    }
    impact->sticks = norm2(impact->stick) <= impact->mu_static;
}

/* Is [B d; d^T 1] positive definite, with a margin for rounding? Also an estimate of how far input
 * rounding is magnified: the condition number in units of W_nn. */
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

/* Nothing has happened and nothing is singular. One by one, since this is a twentieth of the time
 * of a simple impact. */
static void clear(Impact *impact) {
    impact->careful = 0;
    impact->singular = impact->locked = impact->wedged = 0;
    impact->free[0] = impact->free[1] = impact->mobility = 0;
    impact->now = (State){0};
    impact->phase = COMPRESSION;
    impact->E = impact->stop = 0;
    impact->done = 0;
    impact->mode = CAROM_MODE_SLIP;
    impact->energy = (CaromEnergy){0};
    impact->mismatch = 0;
    impact->work = impact->length = 0;
    impact->sampler = NULL;
}

int exact_begin(Impact *impact, const double W[9], const double v[3], const CaromContact *contact,
                CaromLaw law, CaromResult *result, const char **message) {
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
    const Pair axis = r > 0 ? pair_load(gamma) / across : (Pair){1, 0};
    const double by = 1 / w;
    Slip *slip = &impact->slip;
    clear(impact);
    slip->mu = contact->mu;
    impact->units = (Units){{axis[0], axis[1]}, speed, speed * by};
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
        return 0;
    }
    if (!is_definite(slip, &impact->condition)) {
        *message = "inverse_inertia is not positive definite";
        impact->singular = 1;
        return 0;
    }
    find_turns(slip);
    return 1;
}

int exact_begin_singular(Impact *impact) {
    if (!impact->singular || !singular_reduce(impact)) {
        return 0;
    }
    find_turns(&impact->slip);
    return 1;
}

double impact_work(const Impact *impact) {
    const State *now = &impact->now;
    return now->J[0] * (impact->speed + now->gamma[0]) / 2 + now->J[1] * now->gamma[1] / 2 +
           now->p * (now->vn - 1) / 2;
}

void exact_finish(Impact *impact, CaromResult *result) {
    /* one by one: a copy would wait until the last ones have reached memory */
    const CaromEnergy *own = &impact->energy;
    double unit = impact->units.impulse * impact->units.velocity, change = impact_work(impact);
    double stored = own->stored, released = own->released, friction = own->friction_loss;
    double normal = own->normal_loss;
    if (impact->law != CAROM_LAW_ENERGETIC) {
        normal = stored - released;
        if (change > GAIN * (fabs(friction) + fabs(stored))) {
            result->status = CAROM_ENERGY_GAIN;
        }
    }
    result->energy = (CaromEnergy){.change = unit * change,
                                   .stored = unit * stored,
                                   .released = unit * released,
                                   .normal_loss = unit * normal,
                                   .friction_loss = unit * friction,
                                   .residual = unit * (change + normal + friction)};
    impact_state(impact, &impact->now, result->impulse, result->velocity);
    result->work = impact->work;
    result->error = DBL_EPSILON * impact->condition + impact->mismatch;
}
