#include "ours.h"

#include <string.h>

#include <carom/carom.h>

/* W = J M^-1 J^T and v = J u with J_t = (1, 0, -r_y), J_n = (0, 1, r_x). */
static CaromStatus solve(const Impact *impact, CaromModel model, CaromLaw law,
                         const CaromContact *contact, double after[3], char *sequence) {
    double m = impact->mass, k2 = impact->gyration * impact->gyration;
    double rx = impact->r[0], ry = impact->r[1], impulse[2], velocity[2];
    const double *u = impact->before;
    const double W[4] = {(1 + ry * ry / k2) / m, -rx * ry / (k2 * m), -rx * ry / (k2 * m),
                         (1 + rx * rx / k2) / m};
    const double v[2] = {u[0] - u[2] * ry, u[1] + u[2] * rx};
    const CaromProblem problem = {.model = model,
                                  .law = law,
                                  .contact_count = 1,
                                  .inverse_inertia = W,
                                  .velocity = v,
                                  .contacts = contact,
                                  .planar = 1};
    CaromResult result = {.impulse = impulse, .velocity = velocity};
    CaromStatus status = carom_solve(&problem, NULL, &result);
    if (status >= 0) {
        after[0] = u[0] + impulse[0] / m;
        after[1] = u[1] + impulse[1] / m;
        after[2] = u[2] + (rx * impulse[1] - ry * impulse[0]) / (k2 * m);
        strcpy(sequence, result.sequence);
    }
    return status;
}

#define STRIKE(name, model, law, ratio)                                                            \
    static bool name(const Impact *impact, const double *c, double after[3]) {                     \
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
        {"carom, rigid, energetic", energetic, 2, {"mu", "e"}, {0, 0}, {1, 1}, {0.2, 0.5}},
        {"carom, rigid, Poisson", poisson, 2, {"mu", "e"}, {0, 0}, {1, 1}, {0.2, 0.5}},
        {"carom, rigid, Newton", newton, 2, {"mu", "e"}, {0, 0}, {1, 1}, {0.2, 0.5}},
        {"carom, compliant, 17/14", compliant, 2, {"mu", "e"}, {0, 0}, {1, 1}, {0.2, 0.5}},
        {"carom, compliant, ratio fitted",
         compliant_free,
         3,
         {"mu", "e", "stiffness_ratio"},
         {0, 0, 0.05},
         {1, 1, 4},
         {0.2, 0.5, 0.5}}};
    memcpy(models, all, sizeof all);
    return sizeof all / sizeof *all;
}

bool ours_slip_stops(const Impact *impact, const double *c) {
    char sequence[CAROM_SEQUENCE_SIZE] = "";
    const CaromContact contact = {.mu = c[0], .e = c[1]};
    double after[3];
    solve(impact, CAROM_MODEL_RIGID, CAROM_LAW_ENERGETIC, &contact, after, sequence);
    return strchr(sequence, 's') != NULL;
}
