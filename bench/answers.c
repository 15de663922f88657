/* Which problems have no answer? Random problems of realistic families with friction, several
 * compliant contacts, for ranges of e; counts by reason.
 *
 *   carom_answers COUNT [SEED [FAMILY]]
 *
 * solves COUNT problems of each family and range. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/impulse/random.h"

enum { REASONS = 5, LARGEST_MU = 2 };

/* A range of e, and how it is drawn. */
typedef struct Range {
    const char *name;
    double low, high;
    int logarithmic;
} Range;

static const Range ranges[] = {{"0", 0, 0, 0},
                               {"0.001-0.05", 0.001, 0.05, 1},
                               {"0-0.4", 0, 0.4, 0},
                               {"0.5-1", 0.5, 1, 0},
                               {"1", 1, 1, 0}};

static const double UP[3] = {0, 0, 1}, DOWN[3] = {0, 0, -1};

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

/* Family IMPULSE_FAMILIES is the clamped box. */
static void draw(uint64_t seed, uint64_t index, int family, const Range *range,
                 MultipleProblem *problem) {
    Random random = random_start(seed + 1, index);
    if (family == IMPULSE_FAMILIES) {
        draw_clamped(seed, index, problem);
    } else {
        impulse_random(seed, index, (ImpulseFamily)family, problem);
    }
    double mu = random_between(&random, 0, LARGEST_MU);
    for (int i = 0; i < problem->count; i++) {
        CaromContact *contact = &problem->contacts[i];
        *contact = carom_contact_default();
        contact->mu = index % 2 ? mu : random_between(&random, 0, LARGEST_MU);
        contact->e = range->logarithmic ? random_log(&random, range->low, range->high)
                                        : random_between(&random, range->low, range->high);
    }
}

typedef struct Reasons {
    const char *messages[REASONS];
    int counts[REASONS];
    uint64_t first[REASONS];
} Reasons;

static void count_reason(Reasons *reasons, const char *message, uint64_t index) {
    for (int i = 0; i < REASONS; i++) {
        if (!reasons->messages[i]) {
            reasons->messages[i] = message;
            reasons->first[i] = index;
        }
        if (strcmp(reasons->messages[i], message) == 0) {
            reasons->counts[i]++;
            return;
        }
    }
}

static void run(uint64_t seed, uint64_t count, int family, const Range *range) {
    static MultipleProblem problem;
    double impulse[MULTIPLE_ROWS];
    Reasons reasons = {.counts = {0}};
    uint64_t solved = 0, asked = 0, ambiguous = 0;
    int most = 0;
    for (uint64_t i = 0; i < count; i++) {
        draw(seed, i, family, range, &problem);
        CaromProblem compliant = multiple_as_problem(&problem);
        compliant.model = CAROM_MODEL_COMPLIANT;
        compliant.law = CAROM_LAW_ENERGETIC;
        CaromResult result = {.impulse = impulse};
        CaromStatus status = carom_solve(&compliant, NULL, &result);
        if (status == CAROM_INVALID_INPUT) {
            continue; /* nothing approaches */
        }
        asked++;
        solved += status >= 0;
        ambiguous += status >= 0 && result.ambiguous[0] != 0;
        most = status >= 0 && result.work > most ? result.work : most;
        if (status < 0) {
            count_reason(&reasons, result.message, i);
        }
    }
    printf("%-16s %-11s %8" PRIu64 " %8" PRIu64 " %9" PRIu64 " %7d",
           family == IMPULSE_FAMILIES ? "clamped" : impulse_family_name((ImpulseFamily)family),
           range->name, asked, asked - solved, ambiguous, most);
    for (int i = 0; i < REASONS && reasons.messages[i]; i++) {
        printf("  %d: %s (first %" PRIu64 ")", reasons.counts[i], reasons.messages[i],
               reasons.first[i]);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv) {
    static const int families[] = {IMPULSE_BODY, IMPULSE_BOX,   IMPULSE_STACK_2, IMPULSE_STACK_3,
                                   IMPULSE_FEET, IMPULSE_BALLS, IMPULSE_CORNER,  IMPULSE_FAMILIES};
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    printf("%-16s %-11s %8s %8s %9s %7s\n", "family", "e", "problems", "without", "ambiguous",
           "pieces");
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
            if (argc <= 3 || strtol(argv[3], NULL, 10) == (long)f) {
                run(seed, count, families[f], &ranges[r]);
            }
        }
    }
    return 0;
}
