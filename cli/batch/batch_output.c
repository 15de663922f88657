/* The output of carom batch. */
#include "batch/batch_output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/digits.h"

/* Where the numbers of an answer are. */
enum { IMPULSE = 0, VELOCITY = 3, ENERGY = 6, ERROR = 13, KINK = 14 };
static const char *const number_names[BATCH_NUMBERS] = {
    [0] = "ix",        [1] = "iy",
    [2] = "iz",        [3] = "vx",
    [4] = "vy",        [5] = "vz",
    [ERROR] = "error", [KINK] = "kink_distance"}; /* energies: batch_names.h */

static const char *number_name(int k) {
    return k >= ENERGY && k < ERROR ? batch_energy_names[k - ENERGY] : number_names[k];
}

/* Inputs by which there are derivatives, in the library's order; NULL: not a column. */
static const char *const input_names[CAROM_INPUTS_ONE] = {
    "w11", "w12", "w13", "w22", "w23", "w33", "vx",
    "vy",  "vz",  "mu",  NULL,  "e",   NULL,  "stiffness_ratio"};

static const struct {
    const char *name;
    BatchPart part;
    size_t width;
} texts[] = {{"sequence", BATCH_PART_SEQUENCE, CAROM_SEQUENCE_SIZE},
             {"status", BATCH_PART_STATUS, BATCH_STATUS_BYTES},
             {"events", BATCH_PART_EVENTS, BATCH_EVENTS_BYTES},
             {"message", BATCH_PART_MESSAGE, BATCH_MESSAGE_BYTES}};

static const struct {
    const char *name;
    int first, count; /* of the numbers */
} groups[] = {
    {"impulse", IMPULSE, 3}, {"velocity", VELOCITY, 3}, {"energy", ENERGY, BATCH_ENERGIES}};

static bool add(BatchOutput *output, const char *name, BatchPart part, int index, Error *error) {
    for (int i = 0; i < output->count; i++) {
        if (strcmp(output->columns[i].name, name) == 0) {
            return error_set(error, "column \"%s\": given twice", name);
        }
    }
    if (output->count == TABLE_COLUMNS_MAX) {
        return error_set(error, "more than %d columns", TABLE_COLUMNS_MAX);
    }
    int slope = part == BATCH_PART_DERIVATIVE || (part == BATCH_PART_NUMBER && index == KINK);
    int outcome = (part == BATCH_PART_NUMBER && index < ENERGY) || part == BATCH_PART_SEQUENCE ||
                  part == BATCH_PART_STATUS;
    BatchDepth depth = slope ? BATCH_SLOPE : outcome ? BATCH_OUTCOME : BATCH_RESULT;
    output->depth = (BatchDepth)(output->depth | depth);
    TableColumn *column = &output->columns[output->count];
    *column = (TableColumn){.kind = TABLE_NUMBER};
    snprintf(column->name, sizeof column->name, "%s", name);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].part == part) {
            column->kind = TABLE_TEXT;
            column->width = texts[i].width;
        }
    }
    output->parts[output->count] = part;
    output->indices[output->count++] = index;
    return true;
}

/* Of impulse and velocity, the components of y. */
static bool is_aside_number(int k) {
    return k == IMPULSE + 1 || k == VELOCITY + 1;
}

/* Inputs that planar rows have not. */
static bool is_aside_input(int j) {
    return j == 1 || j == 3 || j == 4 || j == 7;
}

/* The derivatives with the name, or all of them. *found: there are some. */
static bool add_derivatives(BatchOutput *output, const char *name, bool *found, Error *error) {
    bool all = strcmp(name, "derivatives") == 0;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < CAROM_INPUTS_ONE; j++) {
            char full[64];
            bool aside = is_aside_number(i) || is_aside_input(j);
            if (!input_names[j] || (output->planar && aside)) {
                continue;
            }
            snprintf(full, sizeof full, "d_%s_d_%s", number_names[i], input_names[j]);
            if (all || strcmp(full, name) == 0) {
                *found = true;
                if (!add(output, full, BATCH_PART_DERIVATIVE, i * CAROM_INPUTS_ONE + j, error)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool add_name(void *context, const char *name, Error *error) {
    BatchOutput *output = context;
    for (int k = 0; k < BATCH_NUMBERS; k++) {
        if (strcmp(name, number_name(k)) == 0) {
            if (output->planar && is_aside_number(k)) {
                return error_set(error, "column \"%s\": planar rows have none", name);
            }
            return add(output, name, BATCH_PART_NUMBER, k, error);
        }
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(name, texts[i].name) == 0) {
            return add(output, name, texts[i].part, 0, error);
        }
    }
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (strcmp(name, groups[i].name) == 0) {
            for (int k = groups[i].first; k < groups[i].first + groups[i].count; k++) {
                if (output->planar && is_aside_number(k)) {
                    continue;
                }
                if (!add(output, number_name(k), BATCH_PART_NUMBER, k, error)) {
                    return false;
                }
            }
            return true;
        }
    }
    bool found = false;
    if (!add_derivatives(output, name, &found, error)) {
        return false;
    }
    return found || error_set(error,
                              "column \"%s\": unknown; there are impulse, velocity, sequence, "
                              "status, energy, error, events, message, derivatives, kink_distance, "
                              "and single ones such as iz, vx, energy_change, d_iz_d_mu",
                              name);
}

bool batch_output_read(const char *list, bool planar, BatchOutput *output, Error *error) {
    *output = (BatchOutput){.depth = BATCH_OUTCOME, .planar = planar};
    return batch_names_read(list, add_name, output, error);
}

void batch_output_refuse(const char *why, BatchAnswer *answer) {
    answer->status = CAROM_INVALID_INPUT;
    answer->message = why;
    answer->sequence[0] = answer->events[0] = '\0';
    for (int k = 0; k < BATCH_NUMBERS; k++) {
        answer->numbers[k] = NAN;
    }
    for (int k = 0; k < 6 * CAROM_INPUTS_ONE; k++) {
        answer->derivatives[k] = NAN;
    }
}

/* "stick@0.12 compression_end@0.5": events with their clock, the normal impulse so far. */
static void write_events(const CaromResult *result, char *text) {
    char *end = text, *last = text + BATCH_EVENTS_BYTES - 80;
    int stored =
        result->event_count < result->event_capacity ? result->event_count : result->event_capacity;
    for (int i = 0; i < stored && end < last; i++) {
        end += snprintf(end, 40, "%s%s@", i > 0 ? " " : "",
                        carom_event_string(result->events[i].kind));
        end = digits_write(result->events[i].normal_impulse, end);
    }
    snprintf(end, 8, result->event_count > stored ? " ..." : "");
}

/* Numbers of a planar outcome to their places among those of a spatial one; y is 0, or NaN as the
 * others. */
static void spread(double *rows, int width) {
    memcpy(rows + 2 * width, rows + width, (size_t)width * sizeof *rows);
    for (int j = 0; j < width; j++) {
        rows[width + j] = rows[j] * 0;
    }
}

/* Derivatives of a planar outcome by the planar inputs, likewise. */
static void spread_derivatives(double *to) {
    const int planar_of[CAROM_INPUTS_ONE] = {0, -1, 1, -1, -1, 2, 3, -1, 4, 5, 6, 7, 8, 9};
    const CaromInputs inputs = carom_inputs(1, 1);
    double from[2 * CAROM_INPUTS_ONE];
    memcpy(from, to, sizeof from);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < CAROM_INPUTS_ONE; j++) {
            to[i * CAROM_INPUTS_ONE + j] =
                planar_of[j] < 0 ? 0 : from[i * inputs.count + planar_of[j]];
        }
    }
    spread(to, CAROM_INPUTS_ONE);
}

void batch_output_solve(const BatchOutput *output, const CaromCase *row, BatchAnswer *answer) {
    double W[9], v[3];
    CaromEvent events[BATCH_EVENTS_MAX];
    CaromKink kink;
    batch_output_refuse("", answer);
    batch_input_matrix(row, W, v);
    const CaromProblem problem = {.model = row->model,
                                  .law = row->law,
                                  .contact_count = 1,
                                  .inverse_inertia = W,
                                  .velocity = v,
                                  .contacts = &row->contact,
                                  .planar = row->planar};
    CaromResult result = {.impulse = answer->numbers + IMPULSE,
                          .velocity = answer->numbers + VELOCITY,
                          .events = events,
                          .event_capacity = BATCH_EVENTS_MAX};
    if (output->depth == BATCH_RESULT) {
        carom_solve(&problem, NULL, &result);
    } else { /* solves as well */
        CaromDerivative derivative = {.impulse = answer->derivatives,
                                      .velocity = answer->derivatives + 3 * CAROM_INPUTS_ONE,
                                      .kinks = &kink,
                                      .kink_capacity = 1};
        carom_differentiate(&problem, NULL, &result, &derivative);
        answer->numbers[KINK] = result.status < 0           ? NAN
                                : derivative.kink_count > 0 ? kink.distance
                                                            : INFINITY;
    }
    if (row->planar) {
        spread(answer->numbers + IMPULSE, 1);
        spread(answer->numbers + VELOCITY, 1);
        spread_derivatives(answer->derivatives);
        spread_derivatives(answer->derivatives + 3 * CAROM_INPUTS_ONE);
    }
    answer->status = result.status;
    answer->message = result.message;
    memcpy(answer->sequence, result.sequence, sizeof answer->sequence);
    if (result.status >= 0) {
        batch_energy_numbers(&result.energy, answer->numbers + ENERGY);
        answer->numbers[ERROR] = result.error;
        write_events(&result, answer->events);
    }
}

void batch_output_take(const CaromOutcome *outcome, const CaromCaseDerivative *derivative,
                       BatchAnswer *answer) {
    batch_output_refuse("", answer);
    answer->status = outcome->status;
    memcpy(answer->sequence, outcome->sequence, sizeof answer->sequence);
    memcpy(answer->numbers + IMPULSE, outcome->impulse, sizeof outcome->impulse);
    memcpy(answer->numbers + VELOCITY, outcome->velocity, sizeof outcome->velocity);
    answer->numbers[KINK] = outcome->status < 0 ? NAN : derivative->kink.distance;
    memcpy(answer->derivatives, derivative->impulse, sizeof derivative->impulse);
    memcpy(answer->derivatives + 3 * CAROM_INPUTS_ONE, derivative->velocity,
           sizeof derivative->velocity);
}

/* A number of an outcome: impulse, then velocity. */
static const double *outcome_number(const CaromOutcome *outcome, int index) {
    return index < VELOCITY ? &outcome->impulse[index] : &outcome->velocity[index - VELOCITY];
}

void batch_output_sources(const BatchOutput *output, const CaromOutcome *outcomes,
                          const BatchAnswer *answers, const char *const *status_names,
                          TableSource *sources) {
    size_t stride = answers ? sizeof *answers : sizeof *outcomes;
    for (int i = 0; i < output->count; i++) {
        int index = output->indices[i];
        TableSource *source = &sources[i];
        switch (output->parts[i]) {
        case BATCH_PART_NUMBER:
            *source = (TableSource){
                TABLE_SOURCE_NUMBERS,
                answers ? &answers->numbers[index] : outcome_number(outcomes, index), stride};
            break;
        case BATCH_PART_DERIVATIVE:
            *source = (TableSource){TABLE_SOURCE_NUMBERS, &answers->derivatives[index], stride};
            break;
        case BATCH_PART_SEQUENCE:
            *source = (TableSource){TABLE_SOURCE_CHARS,
                                    answers ? answers->sequence : outcomes->sequence, stride};
            break;
        case BATCH_PART_STATUS:
            *source = (TableSource){TABLE_SOURCE_STRINGS, status_names, sizeof *status_names};
            break;
        case BATCH_PART_EVENTS:
            *source = (TableSource){TABLE_SOURCE_CHARS, answers->events, stride};
            break;
        case BATCH_PART_MESSAGE:
            *source = (TableSource){TABLE_SOURCE_STRINGS, &answers->message, stride};
            break;
        }
    }
}
