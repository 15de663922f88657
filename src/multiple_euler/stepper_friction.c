#include "multiple_euler/stepper_friction.h"

#include "math/vec2.h"

void crm_stepper_friction_start(Spring *spring, const double velocity[3]) {
    double size = norm2(velocity), normal = -velocity[2] * spring->k / spring->kt;
    spring->s[0] = size > 0 ? velocity[0] / size : 1;
    spring->s[1] = size > 0 ? velocity[1] / size : 0;
    int slips = !(size <= spring->mu * normal);
    spring->mode = slips ? CAROM_MODE_SLIP : CAROM_MODE_STICK;
    spring->ratio = slips ? spring->mu : normal > 0 ? size / normal : 0;
}

/* Coefficient of friction while the contact slips. */
static double spring_friction(const Stepper *stepper, const Spring *spring) {
    return stepper->as_printed && spring->restitution ? spring->e * spring->mu : spring->mu;
}

/* Sliding velocity along s at contact velocity v: |f| = mu N changes at the rate -mu k v_n. */
static double spring_slide(const Spring *spring, double mu, const double v[3], const double s[2]) {
    return dot2(v, s) + mu * spring->k / spring->kt * v[2];
}

/* Turn the springs by the velocity V in the given time, and put them on the cone. */
static void turn_slipping_spring(Spring *spring, double mu, const double V[2], double time) {
    double along = dot2(V, spring->s), size, x[2];
    for (int k = 0; k < 2; k++) {
        x[k] = norm2(spring->f) * spring->s[k] + spring->kt * time * (V[k] - along * spring->s[k]);
    }
    size = norm2(x);
    for (int k = 0; k < 2; k++) {
        spring->s[k] = size > 0 ? x[k] / size : spring->s[k];
        spring->f[k] = mu * spring_force(spring) * spring->s[k];
    }
}

static void change_slip(Stepper *stepper, int contact, double mu, const double v[3]) {
    Spring *spring = &stepper->springs[contact];
    if (spring->mode == CAROM_MODE_SLIP) {
        if (spring_slide(spring, mu, v, spring->s) <= 0) {
            crm_stepper_report(stepper, contact, CAROM_EVENT_STICK);
            spring->mode = CAROM_MODE_STICK;
        }
        return;
    }
    double size = norm2(spring->f);
    if (size > spring->mu * spring_force(spring)) {
        double s[2] = {spring->f[0] / size, spring->f[1] / size};
        if (spring_slide(spring, mu, v, s) > 0) {
            crm_stepper_report(stepper, contact, CAROM_EVENT_SLIP);
            spring->mode = CAROM_MODE_SLIP;
            spring->s[0] = s[0];
            spring->s[1] = s[1];
        }
    }
}

void crm_stepper_friction_step(Stepper *stepper, int contact) {
    Spring *spring = &stepper->springs[contact];
    const double *v = &stepper->v[3 * contact], *before = &stepper->before[3 * contact];
    double mean[2], mu = spring_friction(stepper, spring), N = spring_force(spring);
    double dI = stepper->dI[3 * contact + 2], time = N > 0 ? dI / N : 0;
    double held = spring_tangential(spring), pushed;
    for (int k = 0; k < 2; k++) {
        mean[k] = (v[k] + before[k]) / 2;
    }
    pushed = dI * mu * dot2(mean, spring->s);
    for (int k = 0; k < 2 && spring->fresh; k++) {
        spring->f[k] = spring->ratio * N * spring->s[k];
    }
    for (int k = 0; k < 2 && !spring->fresh && spring->mode == CAROM_MODE_STICK; k++) {
        spring->f[k] += spring->kt * mean[k] * time;
    }
    if (spring->mode == CAROM_MODE_SLIP) {
        if (!spring->fresh) {
            turn_slipping_spring(spring, mu, mean, time);
        }
        /* the work of the bodies that is not in the springs */
        stepper->energy.friction_loss += pushed + held - spring_tangential(spring);
    }
    change_slip(stepper, contact, mu, v);
}
