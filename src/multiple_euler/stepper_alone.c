#include "multiple_euler/stepper_alone.h"

int crm_stepper_is_alone(const Stepper *stepper) {
    if (stepper->primary < 0 || stepper->springs[stepper->primary].mu > 0) {
        return 0;
    }
    for (int i = 0; i < stepper->count; i++) {
        if (i != stepper->primary && spring_acts(&stepper->springs[i])) {
            return 0;
        }
    }
    return 1;
}

/* Add a normal impulse dI at the contact. */
static void push_alone(Stepper *stepper, int contact, double dI) {
    Spring *spring = &stepper->springs[contact];
    int n = 3 * contact + 2;
    double gain = -dI * (stepper->v[n] + stepper_W(stepper, n, n) * dI / 2);
    *(spring->restitution ? &stepper->energy.released : &stepper->energy.stored) += fabs(gain);
    spring->E += gain;
    spring->fresh = 0;
    stepper->I[n] += dI;
    for (int i = 0; i < stepper->size; i++) {
        stepper->v[i] += stepper_W(stepper, i, n) * dI;
    }
}

/* The impulse at which the first open contact closes, or INFINITY; *which is that contact. */
static double next_closing(const Stepper *stepper, int contact, int *which) {
    double least = INFINITY;
    for (int i = 0; i < stepper->count; i++) {
        double v = stepper->v[3 * i + 2], w = stepper_W(stepper, 3 * i + 2, 3 * contact + 2);
        if (i != contact && v > 0 && w < 0 && -v / w < least) {
            least = -v / w;
            *which = i;
        }
    }
    return least;
}

void crm_stepper_run_alone(Stepper *stepper) {
    int p = stepper->primary, n = 3 * p + 2, other = -1;
    Spring *spring = &stepper->springs[p];
    double W = stepper_W(stepper, n, n), closing = next_closing(stepper, p, &other), end;
    if (!spring->restitution) {
        end = -stepper->v[n] / W;
        if (closing <= end) {
            push_alone(stepper, p, closing);
            stepper->v[3 * other + 2] = 0;
            return;
        }
        push_alone(stepper, p, end);
        stepper->v[n] = 0;
        crm_stepper_end_compression(stepper, p);
        closing = next_closing(stepper, p, &other);
    }
    double v = stepper->v[n], free = spring->E - spring_floor(stepper, spring);
    end = (sqrt(v * v + 2 * W * (free > 0 ? free : 0)) - v) / W;
    push_alone(stepper, p, closing < end ? closing : end);
    if (closing < end) {
        stepper->v[3 * other + 2] = 0;
    } else {
        spring->E = spring_floor(stepper, spring);
        crm_stepper_end_restitution(stepper, p);
    }
}
