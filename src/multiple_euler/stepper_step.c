#include "multiple_euler/stepper_step.h"

#include <string.h>

#include "math/vec2.h"
#include "multiple_euler/stepper_friction.h"

/* How often a contact may begin to act; a shot, a break or a row of balls takes some tens. */
enum { BOUNCES = 1000 };

/* ---- plan ---- */

/* The contact with the largest force, or, if none acts, the one whose force will rise fastest. */
static int find_primary(const Stepper *stepper) {
    for (int acting = 1; acting >= 0; acting--) {
        int best = -1;
        double largest = 0;
        for (int i = 0; i < stepper->count; i++) {
            const Spring *spring = &stepper->springs[i];
            double size = acting ? spring->E : -stepper->v[3 * i + 2];
            if (spring->k * size > largest) {
                largest = spring->k * size;
                best = i;
            }
        }
        if (best >= 0) {
            return best;
        }
    }
    return -1;
}

/* An increment dI of a contact's normal impulse, and the tangential one with it. */
static void plan_increment(Stepper *stepper, int contact, double dI) {
    const Spring *spring = &stepper->springs[contact];
    double *to = &stepper->dI[3 * contact], N = spring_force(spring);
    to[2] = dI;
    for (int k = 0; k < 2 && spring->mu > 0; k++) {
        double share = N > 0 ? spring->f[k] / N : 0;
        to[k] = -dI * (spring->fresh ? spring->ratio * spring->s[k] : share);
    }
    if (!(dI <= stepper->largest)) {
        stepper->message = "step: too long where the primary impulse comes to its end";
    }
}

/* Change of a row's velocity by the increments that are planned. */
static double planned_change(const Stepper *stepper, int row) {
    double sum = 0;
    for (int j = 0; j < stepper->size; j++) {
        sum += stepper->dI[j] != 0 ? stepper_W(stepper, row, j) * stepper->dI[j] : 0;
    }
    return sum;
}

/* A contact begins to act at velocity v. */
static void begin_contact(Stepper *stepper, int contact, const double v[3]) {
    Spring *spring = &stepper->springs[contact];
    if (++spring->bounces > BOUNCES) {
        stepper->message = STEPPER_ACCUMULATES;
    }
    spring->fresh = 1;
    spring->mode = CAROM_MODE_SLIP;
    if (spring->mu > 0) {
        crm_stepper_friction_start(spring, v);
    }
    crm_stepper_report(stepper, contact, CAROM_EVENT_ACTIVATION);
}

/* The first increment of a contact s that is closed and has no energy yet, as (27) has it. Let
 * the increments planned so far change v_p and v_s by a_p and a_s, h being that of p. With the
 * increment rho h at s the energies after the step are
 *   E_p - v_p h - (a_p + W_ps rho h) h/2   and   -(v_s + a_s/2 + W_ss rho h/2) rho h,
 * and rho^2 = (k_s/k_p) times their ratio gives A rho^2 + B rho + C = 0. Returns rho h; 0: it is
 * not pushed together. */
static double first_increment(const Stepper *stepper, int contact) {
    int p = 3 * stepper->primary + 2, s = 3 * contact + 2;
    const Spring *primary = &stepper->springs[stepper->primary], *own = &stepper->springs[contact];
    double h = stepper->dI[p], K = own->k / primary->k;
    double closing = stepper->v[s] + planned_change(stepper, s) / 2;
    double A = -h * h * stepper_W(stepper, p, s) / 2;
    double B = primary->E - h * (stepper->v[p] + planned_change(stepper, p) / 2) +
               K * stepper_W(stepper, s, s) * h * h / 2;
    double C = K * closing * h, square = B * B - 4 * A * C;
    return closing < 0 && B > 0 ? -2 * C / (B + sqrt(most_of(square, 0))) * h : 0;
}

/* Let closed contacts begin that approach, or those at rest. Their increments are planned from
 * those planned before, not from each other. */
static void plan_closed(Stepper *stepper, int at_rest) {
    double *first = stepper->before; /* not needed before the increments are applied */
    for (int i = 0; i < stepper->count; i++) {
        double v = stepper->v[3 * i + 2];
        int closed = !spring_acts(&stepper->springs[i]) && (at_rest ? v == 0 : v < 0);
        first[i] = closed ? first_increment(stepper, i) : 0;
    }
    for (int i = 0; i < stepper->count; i++) {
        if (first[i] > 0) {
            double v[3];
            for (int k = 0; k < 3; k++) {
                v[k] = stepper->v[3 * i + k] + planned_change(stepper, 3 * i + k) / 2;
            }
            begin_contact(stepper, i, v);
        }
    }
    for (int i = 0; i < stepper->count; i++) {
        if (first[i] > 0) {
            plan_increment(stepper, i, first[i]);
        }
    }
}

void crm_stepper_plan(Stepper *stepper) {
    int p = stepper->primary;
    memset(stepper->dI, 0, (size_t)stepper->size * sizeof *stepper->dI);
    if (!stepper->as_printed || p < 0 || !spring_acts(&stepper->springs[p])) {
        p = stepper->primary = find_primary(stepper);
    }
    if (p < 0) {
        return;
    }
    if (!spring_acts(&stepper->springs[p])) {
        begin_contact(stepper, p, &stepper->v[3 * p]);
    }
    double force = spring_force(&stepper->springs[p]);
    plan_increment(stepper, p, stepper->h);
    for (int i = 0; i < stepper->count; i++) {
        const Spring *spring = &stepper->springs[i];
        if (i != p && spring_acts(spring)) {
            plan_increment(stepper, i, stepper->h * spring_force(spring) / force);
        }
    }
    plan_closed(stepper, 0);
    plan_closed(stepper, 1);
}

/* ---- apply ---- */

/* Lines 5 and 6. */
static void apply_increments(Stepper *stepper) {
    memcpy(stepper->before, stepper->v, (size_t)stepper->size * sizeof *stepper->v);
    for (int j = 0; j < stepper->size; j++) {
        double dI = stepper->dI[j];
        stepper->I[j] += dI;
        for (int i = 0; i < stepper->size && dI != 0; i++) {
            stepper->v[i] += stepper_W(stepper, i, j) * dI;
        }
    }
}

/* Line 7. A spring that has given back all keeps nothing. */
static void apply_energy(Stepper *stepper, int contact) {
    Spring *spring = &stepper->springs[contact];
    int n = 3 * contact + 2;
    double gain = -stepper->dI[n] * (stepper->before[n] + stepper->v[n]) / 2;
    *(spring->restitution ? &stepper->energy.released : &stepper->energy.stored) +=
        spring->restitution ? -gain : gain;
    spring->E = most_of(spring->E + gain, 0);
}

/* Lines 28 and 29. */
static void apply_phase(Stepper *stepper, int contact) {
    const Spring *spring = &stepper->springs[contact];
    double v = stepper->v[3 * contact + 2];
    if (!spring->restitution && v >= 0) {
        crm_stepper_end_compression(stepper, contact);
    }
    double end = v >= 0 ? most_of(spring_floor(stepper, spring), stepper->stop) : 0;
    if (spring->restitution && spring->E <= end) {
        crm_stepper_end_restitution(stepper, contact);
    } else if (spring->restitution && v < 0) {
        crm_stepper_restart_compression(stepper, contact);
    }
}

void crm_stepper_apply(Stepper *stepper) {
    apply_increments(stepper);
    for (int i = 0; i < stepper->count; i++) {
        if (spring_acts(&stepper->springs[i])) {
            apply_energy(stepper, i);
        }
    }
    for (int i = 0; i < stepper->count; i++) {
        Spring *spring = &stepper->springs[i];
        if (spring_acts(spring)) {
            if (spring->mu > 0) {
                crm_stepper_friction_step(stepper, i);
            }
            spring->fresh = 0;
            apply_phase(stepper, i);
        }
    }
}
