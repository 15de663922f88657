/* carom solve --outcomes. */
#include "outcomes/outcomes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/command_line.h"
#include "io/progress.h"
#include "outcomes/orders.h"
#include "outcomes/stiffness.h"
#include "solve/solution.h"

/* A component that differs by less from its value before, relative to its scale, is the same: the
 * error of several contacts with friction. */
#define ROUNDING 1e-9

OutcomesOptions outcomes_options_default(void) {
    return (OutcomesOptions){.low = 0.01, .high = 100, .seed = 1};
}

int outcomes_read_count(const char *command, const char *text, void *options) {
    OutcomesOptions *outcomes = options;
    outcomes->count = OUTCOMES_COUNT;
    return !text || text_to_integer(text, 1, OUTCOMES_MAX, &outcomes->count)
               ? 0
               : usage_fail(command, "--outcomes: must be 1 to %d, got \"%s\"", OUTCOMES_MAX, text);
}

int outcomes_read_range(const char *command, const char *text, void *options) {
    OutcomesOptions *outcomes = options;
    const char *colon = strchr(text, ':');
    bool good = colon && text_span_to_number(text, (size_t)(colon - text), &outcomes->low) &&
                text_to_number(colon + 1, &outcomes->high);
    return good && outcomes->low > 0 && outcomes->low < outcomes->high
               ? 0
               : usage_fail(command,
                            "--stiffness-range: must be LOW:HIGH with 0 < LOW < HIGH, got \"%s\"",
                            text);
}

double outcomes_low(const Outcomes *outcomes, int component) {
    return fmin(outcomes->orders.low[component], outcomes->stiffness.low[component]);
}

double outcomes_high(const Outcomes *outcomes, int component) {
    return fmax(outcomes->orders.high[component], outcomes->stiffness.high[component]);
}

OutcomesVerdict outcomes_verdict(const Outcomes *outcomes, int component) {
    double low = outcomes_low(outcomes, component), high = outcomes_high(outcomes, component);
    double before = outcomes->components.before[component], scale = outcomes->scale[component];
    double least = OUTCOMES_CERTAIN * scale;
    return high - before <= ROUNDING * scale && before - low <= ROUNDING * scale ? OUTCOMES_SAME
           : high - low <= least                                                 ? OUTCOMES_KNOWN
           : low > least || high < -least                                        ? OUTCOMES_DIRECTED
                                                                                 : OUTCOMES_OPEN;
}

/* Scales, and with them the number of different outcomes. */
static bool compare(Outcomes *outcomes) {
    int count = outcomes->components.count;
    double *numbers = calloc((size_t)count + 1, sizeof *numbers);
    if (!numbers) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        numbers[i] = fmax(fabs(outcomes->components.before[i]),
                          fmax(fabs(outcomes_low(outcomes, i)), fabs(outcomes_high(outcomes, i))));
    }
    components_scale(&outcomes->components, numbers, outcomes->scale);
    for (int i = 0; i < count; i++) {
        numbers[i] = OUTCOMES_CERTAIN * outcomes->scale[i];
    }
    outcome_set_compare(&outcomes->orders, numbers);
    outcome_set_compare(&outcomes->stiffness, numbers);
    free(numbers);
    return true;
}

/* Allocate everything. */
static bool prepare(const Scene *scene, const OutcomesOptions *options, Outcomes *outcomes,
                    Error *error) {
    *outcomes = (Outcomes){.scene = scene, .options = *options};
    if (scene->contact_count < 2) {
        return error_set(error, "--outcomes: one contact has one order and no stiffness ratio; the "
                                "scene must have two contacts at least");
    }
    if (!components_create(scene, &outcomes->components)) {
        return error_set(error, "out of memory");
    }
    int size = outcomes->components.count, room = (int)options->count;
    if (size > OUTCOMES_NUMBERS_MAX / 2 / room) {
        return error_set(error, "--outcomes: %d outcomes of %d numbers each are too many", room,
                         size);
    }
    outcomes->scale = calloc((size_t)size + 1, sizeof *outcomes->scale);
    return (outcomes->scale && outcome_set_create(size, room, &outcomes->orders) &&
            outcome_set_create(size, room, &outcomes->stiffness)) ||
           error_set(error, "out of memory");
}

int outcomes_compute(const Scene *scene, const OutcomesOptions *options, const char *name,
                     Outcomes *outcomes, CaromStatus *status, Error *error) {
    *status = CAROM_INVALID_INPUT;
    if (!prepare(scene, options, outcomes, error)) {
        return 2;
    }
    bool good = orders_compute(outcomes, name) && stiffness_compute(outcomes, name);
    progress_end();
    const OutcomeSet *failed = outcomes->orders.count == 0      ? &outcomes->orders
                               : outcomes->stiffness.count == 0 ? &outcomes->stiffness
                                                                : NULL;
    if (good && failed) {
        *status = failed->status;
        error_set(error, "--outcomes: no %s is solved: %s",
                  failed == &outcomes->orders ? "order" : "stiffness", failed->message);
        return solution_exit_status(*status);
    }
    if (!good || !compare(outcomes)) {
        error_set(error, "out of memory");
        return 2;
    }
    *status = CAROM_OK;
    return 0;
}

void outcomes_free(Outcomes *outcomes) {
    components_free(&outcomes->components);
    outcome_set_free(&outcomes->orders);
    outcome_set_free(&outcomes->stiffness);
    free(outcomes->scale);
    *outcomes = (Outcomes){0};
}
