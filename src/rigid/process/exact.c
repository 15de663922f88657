#include "rigid/process/exact.h"

#include <float.h>
#include <math.h>

#include "contact/result.h"
#include "contact/singular.h"
#include "rigid/process/line.h"
#include "rigid/process/normal.h"
#include "rigid/process/semidefinite.h"
#include "rigid/process/stretch.h"
#include "rigid/rigid.h"

/* Relative allowance for rounding in the checks of an answer (docs/theory.md, section 11). */
static const double EXACT_TOLERANCE = 1e-11;

/* Fast accept of valid input; 0 means: run crm_rigid_check(). A NaN or infinity in a field makes
 * the sum infinite or NaN; entries of W that are not in the sum equal others or are refused. */
static int is_valid_quick(const double W[9], const double v[3], const CaromContact *contact) {
    double sum = (fabs(v[0]) + fabs(v[1])) + (fabs(W[1]) + fabs(W[2])) + fabs(W[5]);
    sum += (W[0] + W[4]) + (W[8] - v[2]);
    sum += contact->mu + (contact->stiffness + contact->stiffness_ratio);
    return sum < INFINITY && W[1] == W[3] && W[2] == W[6] && W[5] == W[7] && W[0] >= 0 &&
           W[4] >= 0 && W[8] > 0 && v[2] < 0 && contact->mu >= 0 && contact->mu_static == 0 &&
           contact->e >= 0 && contact->e <= 1 && contact->stiffness >= 0 &&
           contact->stiffness_ratio >= 0;
}

/* Properties of every right answer: all is finite, the energy account closes, the impulse lies in
 * the friction cone, the bodies do not approach, and v_n agrees with the impulse. */
static int is_sound(const Impact *impact, const CaromContact *contact) {
    const ImpactState *now = &impact->now;
    const CaromEnergy *energy = &impact->energy;
    double mu = most_of(contact->mu, contact->mu_static);
    double scale = fabs(energy->stored) + fabs(energy->friction_loss);
    double loss = impact->law == CAROM_LAW_ENERGETIC ? energy->normal_loss
                                                     : energy->stored - energy->released;
    double residual = impact_work(impact) + loss + energy->friction_loss;
    double rounding = EXACT_TOLERANCE + 64 * DBL_EPSILON * impact->condition;
    double most = mu * now->p * (1 + rounding);
    double push = dot2(impact->slip.d, now->J), vn = -1 + now->p + push;
    return impact->done && scale < INFINITY && fabs(residual) <= rounding * scale &&
           dot2(now->J, now->J) <= most * most && now->vn >= -EXACT_TOLERANCE &&
           fabs(now->vn - vn) <= rounding * (1 + now->p + fabs(push)) && now->p < INFINITY;
}

/* Run the process to its end; impact->done says whether it got there. */
static void run_impact(Impact *impact) {
    const Slip *slip = &impact->slip;
    const double none[2] = {0, 0}, along[2] = {1, 0};
    if (impact->now.gamma[0] == 0) {
        line_run_from_zero(impact);
    } else if (fabs(slip->d[1] - slip->b[1]) <= 4 * DBL_EPSILON * slip->rate) {
        normal_letter(impact, 'l');
        line_run_straight(impact, along);
    } else if (slip->mu == 0) {
        line_run(impact, none, INFINITY);
    } else {
        stretch_run_all(impact);
    }
}

CaromStatus crm_rigid_exact(const double W[9], const double v[3], const CaromContact *contact,
                            CaromLaw law, Sampler *sampler, CaromResult *result) {
    Impact impact;
    const char *message;
    CaromStatus status =
        is_valid_quick(W, v, contact) ? CAROM_OK : crm_rigid_check(W, v, contact, &message);
    if (status) {
        return crm_result_fail(result, 3, status, message);
    }
    if ((unsigned)law > CAROM_LAW_NEWTON) {
        return crm_result_fail(result, 3, CAROM_INVALID_INPUT, "restitution is not a known law");
    }
    /* first the fast expansions; if their answer is not sound, log-time only */
    int sound = 0;
    for (int careful = 0; careful < 2 && !sound; careful++) {
        crm_result_begin(result);
        ImpactSetup setup = impact_begin(&impact, W, v, contact, law, result, &message);
        if (setup != IMPACT_READY) {
            if (setup == IMPACT_REFUSED || !semidefinite_reduce(&impact)) {
                return crm_result_fail(result, 3, CAROM_INVALID_INPUT, message);
            }
            careful = 1;
        }
        impact.careful = careful;
        impact.sampler = sampler;
        if (sampler) {
            sampler->next = 0;
            visit_begin(&impact);
        }
        run_impact(&impact);
        sound = is_sound(&impact, contact);
    }
    if (impact.reduction.wedged && !impact.done) {
        return crm_result_fail(result, 3, CAROM_INVALID_INPUT, WEDGED);
    }
    if (!sound) {
        return crm_result_fail(result, 3, CAROM_NOT_CONVERGED,
                               "no answer that passes the checks within the bounded work");
    }
    /* the last sample is the end of the impact, whatever the rounding of the clock */
    while (sampler_has_room(sampler)) {
        normal_sample(&impact, &impact.now, impact.E);
    }
    impact_finish(&impact, result);
    return result->status;
}
