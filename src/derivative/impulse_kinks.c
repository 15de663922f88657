/* Each kink is a function phi of the outcome that vanishes there:
 *
 *   open                  y_n - target
 *   open, but in touch    what decides that it takes up no load (ImpulseRelease)
 *   stick                 mu I_n - |I_t|
 *   slip                  |y_t|, and I_n
 *
 * A contact that is held in touch by others stays so. One whose share no derivative is known of has
 * no distance. */
#include "derivative/impulse_kinks.h"

#include <string.h>

#include "derivative/kink_list.h"

/* A velocity that counts as none, relative. */
static const double IMPULSE_TOUCH = 1e-11;

/* A normal velocity before that is rounding, relative: boxes at rest on each other have 2e-16. */
static const double IMPULSE_REST = 1e-14;

/* The weights of phi at a contact; normal: I_n of slip. Returns phi. */
static double kink_weights(const ImpulseSystem *system, int i, int normal, double *weight_I,
                           double *weight_y) {
    int each = system->each, at = each * i, n = at + each - 1;
    const CaromProblem *problem = system->problem;
    double t[2], before = problem->velocity[n], e = problem->contacts[i].e;
    memset(weight_I, 0, (size_t)system->rows * sizeof *weight_I);
    memset(weight_y, 0, (size_t)system->rows * sizeof *weight_y);
    if (system->modes[i] == ACTIVE_OPEN) {
        weight_y[n] = 1;
        return system->y[n] - (before < 0 ? -e * before : 0);
    }
    if (normal) {
        weight_I[n] = 1;
        return system->I[n];
    }
    if (system->modes[i] == ACTIVE_STICK) {
        double r = crm_impulse_tangential(system, system->I, i, t), mu = problem->contacts[i].mu;
        weight_I[n] = mu;
        for (int k = 0; k < each - 1 && r > 0; k++) {
            weight_I[at + k] = -t[k] / r;
        }
        return mu * system->I[n] - r;
    }
    double r = crm_impulse_tangential(system, system->y, i, t);
    for (int k = 0; k < each - 1 && r > 0; k++) {
        weight_y[at + k] = t[k] / r;
    }
    return r;
}

/* Is a contact open, but held in touch by others? */
static int is_held(ImpulseSystem *system, int i) {
    const CaromProblem *problem = system->problem;
    int n = system->each * (i + 1) - 1;
    double before = problem->velocity[n];
    double target = before < 0 ? -problem->contacts[i].e * before : 0;
    return system->modes[i] == ACTIVE_OPEN &&
           system->y[n] - target <= IMPULSE_TOUCH * system->speed && crm_impulse_depends(system, i);
}

const char *crm_impulse_unloaded(ImpulseSlope *slope) {
    ImpulseSystem *system = &slope->system;
    for (int i = 0; i < system->problem->contact_count; i++) {
        ImpulseRelease release;
        if (is_held(system, i) && crm_impulse_release(slope, i, &release) && release.norm &&
            crm_impulse_slips_along(system, slope->release)) {
            return crm_impulse_unison;
        }
    }
    return NULL;
}

/* Does a contact act that rests before, at the corner of max(-v_n-, 0)? */
static int is_on_corner(const ImpulseSystem *system, int i) {
    double before = system->problem->velocity[system->each * (i + 1) - 1];
    return system->modes[i] != ACTIVE_OPEN && system->problem->contacts[i].e > 0 &&
           fabs(before) <= IMPULSE_REST * system->speed;
}

static void add_kink(const ImpulseSlope *slope, CaromKink kink, double phi, const double *gradient,
                     CaromDerivative *derivative) {
    const CaromProblem *problem = slope->system.problem;
    CaromInputs inputs = carom_inputs(problem->contact_count, problem->planar);
    kink.distance = kink_distance(problem, &inputs, phi, gradient);
    kink_insert(derivative, kink);
}

/* A contact in touch that takes up no load. */
static void note_release(ImpulseSlope *slope, int i, double *gradient,
                         CaromDerivative *derivative) {
    ImpulseRelease release;
    if (crm_impulse_release(slope, i, &release) && release.phi >= 0 &&
        crm_impulse_release_gradient(slope, &release, gradient)) {
        add_kink(slope, (CaromKink){CAROM_KINK_TOUCH, i, .happens = 0}, release.phi, gradient,
                 derivative);
    }
}

/* The kinks of a contact. */
static void note_contact(ImpulseSlope *slope, int i, double *gradient,
                         CaromDerivative *derivative) {
    ImpulseSystem *system = &slope->system;
    int m = system->rows, open = system->modes[i] == ACTIVE_OPEN,
        sticks = system->modes[i] == ACTIVE_STICK, slips = !open && !sticks;
    double *weight_I = slope->weights, *weight_y = weight_I + m;
    if (is_held(system, i)) {
        note_release(slope, i, gradient, derivative);
        return;
    }
    for (int normal = slips && system->problem->contacts[i].mu == 0; normal < 1 + slips; normal++) {
        double phi = fmax(kink_weights(system, i, normal, weight_I, weight_y), 0);
        if (crm_impulse_gradient(slope, weight_I, weight_y, gradient)) {
            CaromKink kink = {.kind = open || normal ? CAROM_KINK_TOUCH
                                      : sticks       ? CAROM_KINK_STICK_HOLDS
                                                     : CAROM_KINK_SLIP_STOPS,
                              .contact = i,
                              .happens = sticks || normal};
            add_kink(slope, kink, phi, gradient, derivative);
        }
    }
}

void crm_impulse_kinks(ImpulseSlope *slope, double *gradient, CaromDerivative *derivative) {
    const ImpulseSystem *system = &slope->system;
    for (int i = 0; i < system->problem->contact_count; i++) {
        if (is_on_corner(system, i)) {
            kink_insert(derivative, (CaromKink){CAROM_KINK_TOUCH, i, .happens = 0, .distance = 0});
            derivative->smoothness = CAROM_ONE_SIDED;
        }
        if (derivative->kinks) {
            note_contact(slope, i, gradient, derivative);
        }
    }
}
