/* Outcomes over the orders of impacts.
 *
 * A sequence of impacts is described by its choices: where several contacts approach, which of them
 * is next. All orders are visited as by an odometer: the first with all choices 0; after each, the
 * last choice that can be raised is raised, and those after it are 0 again. */
#include "outcomes/orders.h"

#include <stdlib.h>

#include "io/progress.h"
#include "outcomes/sampling.h"

/* The choices of one order. Owns its arrays. */
typedef struct Choices {
    int *choice, *count; /* what was chosen, and among how many */
    int length, room;
    int next; /* to be made */
    bool no_memory;
} Choices;

static bool choices_grow(Choices *choices) {
    int room = choices->room ? 2 * choices->room : 64;
    int *choice = realloc(choices->choice, (size_t)room * sizeof *choice);
    choices->choice = choice ? choice : choices->choice;
    int *count = realloc(choices->count, (size_t)room * sizeof *count);
    choices->count = count ? count : choices->count;
    choices->no_memory = !choice || !count;
    choices->room = choices->no_memory ? choices->room : room;
    return !choices->no_memory;
}

/* As the list says; beyond its end the first contact, which the list then has, too. */
static int choose_listed(void *context, int count, const int *contacts, const double *speeds) {
    Choices *choices = context;
    (void)contacts;
    (void)speeds;
    if (choices->next == choices->length) {
        if (choices->length == choices->room && !choices_grow(choices)) {
            return 0;
        }
        choices->choice[choices->length] = 0;
        choices->count[choices->length++] = count;
    }
    return choices->choice[choices->next++];
}

/* The next order; false: that was the last. */
static bool choices_advance(Choices *choices) {
    while (choices->length > 0 &&
           choices->choice[choices->length - 1] + 1 == choices->count[choices->length - 1]) {
        choices->length--;
    }
    choices->next = 0;
    if (choices->length == 0) {
        return false;
    }
    choices->choice[choices->length - 1]++;
    return true;
}

static int choose_random(void *context, int count, const int *contacts, const double *speeds) {
    (void)contacts;
    (void)speeds;
    return sampling_index(context, count);
}

/* A problem of rigid contacts, and room for its result. */
typedef struct Rigid {
    CaromProblem problem;
    CaromContact *contacts;
    double *impulse, *velocity;
} Rigid;

static bool rigid_create(const Scene *scene, Rigid *rigid) {
    size_t n = (size_t)scene->contact_count;
    *rigid = (Rigid){.problem = scene_problem(scene),
                     .contacts = malloc(n * sizeof *rigid->contacts),
                     .impulse = malloc(3 * n * sizeof *rigid->impulse),
                     .velocity = malloc(3 * n * sizeof *rigid->velocity)};
    if (!rigid->contacts || !rigid->impulse || !rigid->velocity) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        rigid->contacts[i] = scene->contacts[i];
        rigid->contacts[i].stiffness = 1;
    }
    rigid->problem.model = CAROM_MODEL_RIGID;
    rigid->problem.contacts = rigid->contacts;
    if (rigid->problem.law == CAROM_LAW_MONO_STIFFNESS) {
        rigid->problem.law = CAROM_LAW_ENERGETIC;
    }
    return true;
}

static void rigid_free(Rigid *rigid) {
    free(rigid->contacts);
    free(rigid->impulse);
    free(rigid->velocity);
}

static void run_order(Outcomes *outcomes, const Rigid *rigid, CaromChoice choose, void *context) {
    OutcomeSet *set = &outcomes->orders;
    CaromResult result = {.impulse = rigid->impulse, .velocity = rigid->velocity};
    CaromStatus status = carom_sequence_solve(&rigid->problem, choose, context, &result);
    if (status < 0) {
        outcome_set_fail(set, status, result.message);
        return;
    }
    components_after(&outcomes->components, rigid->impulse, rigid->velocity, outcome_set_next(set));
    outcome_set_add(set);
}

static void show_progress(const Outcomes *outcomes, const char *name, int done) {
    if (done % 16 == 0) {
        progress_show("%s: order %d of up to %ld", name, done, outcomes->options.count);
    }
}

/* All orders; set->complete is false if they are too many. False: out of memory. */
static bool run_all(Outcomes *outcomes, const Rigid *rigid, const char *name) {
    Choices choices = {0};
    bool more = true;
    int done = 0;
    for (; more && done < outcomes->options.count && !choices.no_memory; done++) {
        run_order(outcomes, rigid, choose_listed, &choices);
        more = choices_advance(&choices);
        show_progress(outcomes, name, done);
    }
    outcomes->orders.complete = !more;
    free(choices.choice);
    free(choices.count);
    return !choices.no_memory;
}

bool orders_compute(Outcomes *outcomes, const char *name) {
    Rigid rigid;
    bool good = rigid_create(outcomes->scene, &rigid) && run_all(outcomes, &rigid, name);
    if (good && !outcomes->orders.complete) {
        Sampling sampling = sampling_start(outcomes->options.seed);
        outcome_set_clear(&outcomes->orders);
        for (int i = 0; i < outcomes->options.count; i++) {
            run_order(outcomes, &rigid, i == 0 ? NULL : choose_random, &sampling);
            show_progress(outcomes, name, i);
        }
    }
    rigid_free(&rigid);
    return good;
}
