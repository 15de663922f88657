#include "ours.h"

#include <string.h>

#include <carom/carom.h>

/* One impact after another, in the order of touch. */
static int choose_first(void *context, int count, const int *contacts, const double *speeds) {
    int first = 0;
    (void)context;
    (void)speeds;
    for (int i = 1; i < count; i++) {
        first = contacts[i] < contacts[first] ? i : first;
    }
    return first;
}

void ours_space(const Impact *impact, OursSpace *space) {
    CaromBody *body = &space->bodies[0];
    *body = carom_body_default();
    space->bodies[1] = carom_body_fixed();
    body->mass = impact->mass;
    memcpy(body->velocity, impact->before, sizeof body->velocity);
    memcpy(body->angular_velocity, impact->before + 3, sizeof body->angular_velocity);
    for (int k = 0; k < 3; k++) {
        body->inertia[4 * k] = impact->mass * impact->gyration * impact->gyration;
    }
    for (int i = 0; i < impact->count; i++) {
        space->sites[i] = (CaromSite){.first = 0,
                                      .second = 1,
                                      .point = {impact->r[i][0], impact->r[i][1], impact->r[i][2]},
                                      .normal = {0, 1, 0},
                                      .tangent = {1, 0, 0}};
    }
    carom_bodies_contact_space(space->bodies, 2, space->sites, impact->count, space->W, space->v,
                               NULL);
}

static CaromStatus solve(const Impact *impact, CaromModel model, CaromLaw law,
                         const CaromContact *contact, double *after, char *sequence) {
    OursSpace space;
    CaromContact contacts[POINTS_MAX];
    double impulse[3 * POINTS_MAX], velocity[3 * POINTS_MAX];
    bool several = impact->count > 1;
    for (int i = 0; i < impact->count; i++) {
        contacts[i] = *contact;
        contacts[i].stiffness = several ? 1 : contact->stiffness;
    }
    ours_space(impact, &space);
    const CaromProblem problem = {.model = model,
                                  .law = law,
                                  .contact_count = impact->count,
                                  .inverse_inertia = space.W,
                                  .velocity = space.v,
                                  .contacts = contacts};
    CaromResult result = {.impulse = impulse, .velocity = velocity};
    CaromStatus status = several && model == CAROM_MODEL_RIGID && law != CAROM_LAW_NEWTON
                             ? carom_sequence_solve(&problem, choose_first, NULL, &result)
                             : carom_solve(&problem, NULL, &result);
    if (status >= 0) {
        carom_bodies_apply(space.bodies, space.sites, impact->count, impulse);
        memcpy(after, space.bodies[0].velocity, 3 * sizeof *after);
        memcpy(after + 3, space.bodies[0].angular_velocity, 3 * sizeof *after);
        strcpy(sequence, result.sequence);
    }
    return status;
}

#define STRIKE(name, model, law, ratio)                                                            \
    static bool name(const Impact *impact, const double *c, double *after) {                       \
        char sequence[CAROM_SEQUENCE_SIZE];                                                        \
        const CaromContact contact = {.mu = c[0], .e = c[1], .stiffness_ratio = ratio};            \
        return solve(impact, model, law, &contact, after, sequence) >= 0;                          \
    }

STRIKE(energetic, CAROM_MODEL_RIGID, CAROM_LAW_ENERGETIC, 0)
STRIKE(poisson, CAROM_MODEL_RIGID, CAROM_LAW_POISSON, 0)
STRIKE(newton, CAROM_MODEL_RIGID, CAROM_LAW_NEWTON, 0)
STRIKE(compliant, CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, 17.0 / 14)
STRIKE(compliant_free, CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, c[2])

int ours_models(Model *models) {
    const Model all[] = {
        {"carom, rigid, energetic", energetic, 2, {"mu", "e"}, {0}, {1, 1}, {0.2, 0.5}, {0}},
        {"carom, rigid, Poisson", poisson, 2, {"mu", "e"}, {0}, {1, 1}, {0.2, 0.5}, {0}},
        {"carom, rigid, Newton", newton, 2, {"mu", "e"}, {0}, {1, 1}, {0.2, 0.5}, {0}},
        {"carom, compliant, 17/14", compliant, 2, {"mu", "e"}, {0}, {1, 1}, {0.2, 0.5}, {0}},
        {"carom, compliant, ratio fitted",
         compliant_free,
         3,
         {"mu", "e", "stiffness_ratio"},
         {0, 0, 0.01},
         {1, 1, 10},
         {0.2, 0.5, 0.5},
         {0, 0, 1}}};
    memcpy(models, all, sizeof all);
    return sizeof all / sizeof *all;
}

bool ours_slip_stops(const Impact *impact, const double *c) {
    char sequence[CAROM_SEQUENCE_SIZE] = "";
    const CaromContact contact = {.mu = c[0], .e = c[1]};
    double after[VELOCITIES];
    solve(impact, CAROM_MODEL_RIGID, CAROM_LAW_ENERGETIC, &contact, after, sequence);
    return strchr(sequence, 's') != NULL;
}
