#include "support/multiple/families.h"

#include <string.h>

#include "support/impulse/random.h"

enum { LARGEST_MU = 2 };

typedef struct Range {
    const char *name;
    double low, high;
    int logarithmic;
} Range;

static const Range ranges[E_RANGES] = {{"0", 0, 0, 0},
                                       {"0.001-0.05", 0.001, 0.05, 1},
                                       {"0-0.4", 0, 0.4, 0},
                                       {"0.5-1", 0.5, 1, 0},
                                       {"1", 1, 1, 0}};

static const ImpulseFamily families[FAMILIES - 1] = {IMPULSE_BODY,    IMPULSE_BOX,  IMPULSE_STACK_2,
                                                     IMPULSE_STACK_3, IMPULSE_FEET, IMPULSE_BALLS,
                                                     IMPULSE_CORNER};

static const double UP[3] = {0, 0, 1}, DOWN[3] = {0, 0, -1};

const char *multiple_family_name(MultipleFamily family) {
    return family == FAMILY_CLAMPED ? "clamped" : impulse_family_name(families[family]);
}

const char *multiple_range_name(RestitutionRange range) {
    return ranges[range].name;
}

/* A box between two parallel walls that touch all its corners. */
static void draw_clamped(uint64_t seed, uint64_t index, MultipleProblem *problem) {
    Random random = random_start(seed, index);
    ImpulseMechanism mechanism = {.twists = 6};
    double half[3], mass = random_log(&random, 0.2, 5);
    memset(problem, 0, sizeof *problem);
    for (int i = 0; i < 3; i++) {
        half[i] = random_between(&random, 0.1, 1);
    }
    for (int i = 0; i < 3; i++) {
        double a = half[(i + 1) % 3], b = half[(i + 2) % 3];
        mechanism.A[i][i] = 1 / mass;
        mechanism.A[3 + i][3 + i] = 3 / (mass * (a * a + b * b));
        mechanism.u[i] = random_between(&random, -1, 1);
        mechanism.u[3 + i] = random_between(&random, -1, 1);
    }
    for (int corner = 0; corner < 8; corner++) {
        double r[3] = {corner & 1 ? half[0] : -half[0], corner & 2 ? half[1] : -half[1],
                       corner & 4 ? half[2] : -half[2]};
        const double none[3] = {0};
        impulse_contact(&mechanism, problem, 0, r, -1, none, corner & 4 ? DOWN : UP);
    }
    impulse_assemble(&mechanism, problem);
}

void multiple_family_draw(uint64_t seed, uint64_t index, MultipleFamily family,
                          RestitutionRange range, MultipleProblem *problem) {
    Random random = random_start(seed + 1, index);
    const Range *e = &ranges[range];
    if (family == FAMILY_CLAMPED) {
        draw_clamped(seed, index, problem);
    } else {
        impulse_random(seed, index, families[family], problem);
    }
    problem->law = CAROM_LAW_ENERGETIC;
    problem->tag = multiple_family_name(family);
    double mu = random_between(&random, 0, LARGEST_MU);
    for (int i = 0; i < problem->count; i++) {
        CaromContact *contact = &problem->contacts[i];
        *contact = carom_contact_default();
        contact->mu = index % 2 ? mu : random_between(&random, 0, LARGEST_MU);
        contact->e = e->logarithmic ? random_log(&random, e->low, e->high)
                                    : random_between(&random, e->low, e->high);
    }
}
