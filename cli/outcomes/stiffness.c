/* Outcomes over the stiffnesses of the contacts. */
#include "outcomes/stiffness.h"

#include <math.h>
#include <stdlib.h>

#include "io/progress.h"
#include "outcomes/sampling.h"

/* A problem of compliant contacts, room for its result, and the sample. */
typedef struct Compliant {
    CaromProblem problem;
    CaromContact *contacts;
    double *impulse, *velocity;
    int samples;
    double *factors; /* a row of n per sample */
    int *order;      /* scratch, a number per sample */
} Compliant;

/* The stiffness that is varied; limits become 1. */
static double given_stiffness(const CaromContact *contact) {
    return contact->stiffness > 0 && isfinite(contact->stiffness) ? contact->stiffness : 1;
}

static bool compliant_create(const Scene *scene, int samples, Compliant *compliant) {
    size_t n = (size_t)scene->contact_count, count = (size_t)samples + 1;
    *compliant = (Compliant){.problem = scene_problem(scene),
                             .contacts = malloc(n * sizeof *compliant->contacts),
                             .impulse = malloc(3 * n * sizeof *compliant->impulse),
                             .velocity = malloc(3 * n * sizeof *compliant->velocity),
                             .samples = samples,
                             .factors = malloc(n * count * sizeof *compliant->factors),
                             .order = malloc(count * sizeof *compliant->order)};
    compliant->problem.model = CAROM_MODEL_COMPLIANT;
    compliant->problem.contacts = compliant->contacts;
    if (scene->model == CAROM_MODEL_RIGID) {
        compliant->problem.law = CAROM_LAW_ENERGETIC;
    }
    return compliant->contacts && compliant->impulse && compliant->velocity && compliant->factors &&
           compliant->order;
}

static void compliant_free(Compliant *compliant) {
    free(compliant->contacts);
    free(compliant->impulse);
    free(compliant->velocity);
    free(compliant->factors);
    free(compliant->order);
}

/* A factor from its place, 0 to 1, in the range. */
static double factor_at(const OutcomesOptions *options, double place) {
    return exp2((1 - place) * log2(options->low) + place * log2(options->high));
}

static void make_grid(const OutcomesOptions *options, Compliant *compliant) {
    for (int i = 0; i < compliant->samples; i++) {
        double place = compliant->samples > 1 ? i / (compliant->samples - 1.0) : 0.5;
        compliant->factors[2 * i] = 1;
        compliant->factors[2 * i + 1] = factor_at(options, place);
    }
}

static void make_hypercube(const OutcomesOptions *options, int n, Compliant *compliant) {
    Sampling sampling = sampling_start(options->seed);
    for (int k = 0; k < n; k++) {
        sampling_permutation(&sampling, compliant->samples, compliant->order);
        for (int i = 0; i < compliant->samples; i++) {
            double place = (compliant->order[i] + sampling_uniform(&sampling)) / compliant->samples;
            compliant->factors[i * n + k] = factor_at(options, place);
        }
    }
}

/* factors NULL: the scene's own stiffnesses. */
static void run_stiffness(Outcomes *outcomes, Compliant *compliant, const double *factors) {
    const Scene *scene = outcomes->scene;
    OutcomeSet *set = &outcomes->stiffness;
    CaromResult result = {.impulse = compliant->impulse, .velocity = compliant->velocity};
    for (int i = 0; i < scene->contact_count; i++) {
        const CaromContact *given = &scene->contacts[i];
        compliant->contacts[i] = *given;
        compliant->contacts[i].mu_static = given->mu;
        if (factors) {
            compliant->contacts[i].stiffness = factors[i] * given_stiffness(given);
        }
    }
    CaromStatus status = carom_solve(&compliant->problem, NULL, &result);
    if (status < 0) {
        outcome_set_fail(set, status, result.message);
        return;
    }
    components_after(&outcomes->components, compliant->impulse, compliant->velocity,
                     outcome_set_next(set));
    outcome_set_add(set);
}

bool stiffness_compute(Outcomes *outcomes, const char *name) {
    const OutcomesOptions *options = &outcomes->options;
    int n = outcomes->scene->contact_count;
    Compliant compliant;
    bool good = compliant_create(outcomes->scene, (int)options->count - 1, &compliant);
    outcomes->stiffness.complete = n == 2;
    if (good && n == 2) {
        make_grid(options, &compliant);
    } else if (good) {
        make_hypercube(options, n, &compliant);
    }
    for (int i = -1; good && i < compliant.samples; i++) {
        run_stiffness(outcomes, &compliant, i < 0 ? NULL : &compliant.factors[i * n]);
        if (i % 16 == 0) {
            progress_show("%s: stiffness %d of %ld", name, i, options->count);
        }
    }
    compliant_free(&compliant);
    return good;
}
