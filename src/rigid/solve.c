/* One rigid contact, checked before and after. */
#include <float.h>
#include <math.h>

#include "contact/result.h"
#include "rigid/exact.h"
#include "rigid/rigid.h"
#include "rigid/singular.h"

/* What the checks of a result allow for rounding, relative; see docs/theory.md. */
static const double SOUND = 1e-11;

/* Is there nothing to complain of? A quick answer for nearly all input; 0 if a closer look is
 * needed. */
static int is_plain(const double W[9], const double v[3], const CaromContact *contact) {
    /* finite, if what is below is not negative; the other entries of W are among these, or refused
     */
    double sum = (fabs(v[0]) + fabs(v[1])) + (fabs(W[1]) + fabs(W[2])) + fabs(W[5]);
    sum += (W[0] + W[4]) + (W[8] - v[2]);
    sum += contact->mu + (contact->stiffness + contact->stiffness_ratio);
    return sum < INFINITY && W[1] == W[3] && W[2] == W[6] && W[5] == W[7] && W[0] >= 0 &&
           W[4] >= 0 && W[8] > 0 && v[2] < 0 && contact->mu >= 0 && contact->mu_static == 0 &&
           contact->e >= 0 && contact->e <= 1 && contact->stiffness >= 0 &&
           contact->stiffness_ratio >= 0;
}

/* What every right answer satisfies, whatever the path to it: all is finite, the energy account
 * closes, the impulse lies in the friction cone, the bodies do not approach, and v_n is what the
 * impulse makes it. */
static int is_sound(const Impact *impact, const CaromContact *contact) {
    const State *now = &impact->now;
    const CaromEnergy *energy = &impact->energy;
    double mu = most_of(contact->mu, contact->mu_static);
    double scale = fabs(energy->stored) + fabs(energy->friction_loss);
    double loss = impact->law == CAROM_LAW_ENERGETIC ? energy->normal_loss
                                                     : energy->stored - energy->released;
    double residual = impact_work(impact) + loss + energy->friction_loss;
    double rounding = SOUND + 64 * DBL_EPSILON * impact->condition;
    double most = mu * now->p * (1 + rounding);
    double push = dot2(impact->slip.d, now->J), vn = -1 + now->p + push;
    return impact->done && scale < INFINITY && fabs(residual) <= rounding * scale &&
           dot2(now->J, now->J) <= most * most && now->vn >= -SOUND &&
           fabs(now->vn - vn) <= rounding * (1 + now->p + fabs(push)) && now->p < INFINITY;
}

CaromStatus exact_solve(const double W[9], const double v[3], const CaromContact *contact,
                        CaromLaw law, Sampler *sampler, CaromResult *result) {
    Impact impact;
    const char *message;
    CaromStatus status =
        is_plain(W, v, contact) ? CAROM_OK : crm_rigid_check(W, v, contact, &message);
    if (status) {
        return crm_result_fail(result, 3, status, message);
    }
    if ((unsigned)law > CAROM_LAW_NEWTON) {
        return crm_result_fail(result, 3, CAROM_INVALID_INPUT, "restitution is not a known law");
    }
    /* first the fast way; if its answer is not sound, the slow and safe one */
    int sound = 0;
    for (int careful = 0; careful < 2 && !sound; careful++) {
        crm_result_begin(result);
        if (!exact_begin(&impact, W, v, contact, law, result, &message)) {
            if (!exact_begin_singular(&impact)) {
                return crm_result_fail(result, 3, CAROM_INVALID_INPUT, message);
            }
            careful = 1;
        }
        impact.careful = careful;
        impact.sampler = sampler;
        if (sampler) {
            sampler->next = 0;
        }
        exact_run(&impact);
        sound = is_sound(&impact, contact);
    }
    if (impact.wedged && !impact.done) {
        return crm_result_fail(result, 3, CAROM_INVALID_INPUT, WEDGED);
    }
    if (!sound) {
        return crm_result_fail(result, 3, CAROM_NOT_CONVERGED,
                               "no answer that passes the checks within the bounded work");
    }
    /* the last sample is the end itself, whatever rounding made of the clock */
    while (sampler_has_room(sampler)) {
        impact_sample(&impact, &impact.now, impact.E);
    }
    exact_finish(&impact, result);
    return result->status;
}
