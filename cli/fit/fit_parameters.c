/* The parameters of a fit, from the command line. */
#include "fit/fit_parameters.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "io/command_line.h"

/* The coefficient at the end of a path; -1: it has none. */
static int find_coefficient(const ScenePath *path, int *contact) {
    static const char *const names[CAROM_COEFFICIENT_COUNT] = {"mu", "mu_static", "e", "stiffness",
                                                               "stiffness_ratio"};
    int end = 0;
    if (sscanf(path->text, "contacts[%d].%n", contact, &end) != 1 || end == 0) {
        return -1;
    }
    for (int i = 0; i < CAROM_COEFFICIENT_COUNT; i++) {
        if (strcmp(path->text + end, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static int read_one(const char *command, const char *text, size_t length,
                    FitParameters *parameters) {
    ScenePath path;
    Error error;
    int contact = 0, shown = (int)(length < 64 ? length : 64);
    if (parameters->count == CAROM_FIT_PARAMETERS_MAX) {
        return usage_fail(command, "--parameters: at most %d", CAROM_FIT_PARAMETERS_MAX);
    }
    if (!scene_path_read(text, length, &path, &error)) {
        return usage_fail(command, "--parameters: %s", error.text);
    }
    int coefficient = find_coefficient(&path, &contact);
    if (coefficient < 0 || coefficient == CAROM_COEFFICIENT_MU_STATIC) {
        return usage_fail(command,
                          "--parameters: must be mu, e, stiffness or stiffness_ratio of a contact, "
                          "got \"%.*s\"%s",
                          shown, text,
                          coefficient < 0 ? ""
                                          : " (it only decides whether a contact sticks: outcomes "
                                            "do not change with it smoothly)");
    }
    snprintf(parameters->names[parameters->count], SCENE_PATH_SIZE, "%.*s", shown, text);
    parameters->list[parameters->count++] = carom_fit_parameter(
        (CaromCoefficient)coefficient, path.any_contact ? CAROM_FIT_ALL_CONTACTS : contact);
    return 0;
}

int fit_parameters_read(const char *command, const char *text, void *target) {
    FitParameters *parameters = target;
    parameters->count = 0;
    while (text) {
        const char *comma = strchr(text, ',');
        int wrong =
            read_one(command, text, comma ? (size_t)(comma - text) : strlen(text), parameters);
        if (wrong) {
            return wrong;
        }
        text = comma ? comma + 1 : NULL;
    }
    return 0;
}

/* NAME=NUMBER or NAME=NUMBER:NUMBER. */
static int read_term(const char *command, const char *option, const char *text, size_t length,
                     FitParameters *parameters, bool range) {
    const char *equals = memchr(text, '=', length), *end = text + length;
    size_t name = equals ? (size_t)(equals - text) : 0;
    const char *colon = equals ? memchr(equals, ':', (size_t)(end - equals)) : NULL;
    double low = 0, high;
    bool good = equals && (colon != NULL) == range &&
                text_span_to_number(equals + 1, (size_t)((colon ? colon : end) - equals - 1), &low);
    high = low;
    good = good && (!colon || text_span_to_number(colon + 1, (size_t)(end - colon - 1), &high));
    if (!good) {
        return usage_fail(command, "--%s: must be %s, got \"%.*s\"", option,
                          range ? "NAME=LOW:HIGH,..." : "NAME=VALUE,...",
                          (int)(length < 64 ? length : 64), text);
    }
    for (int k = 0; k < parameters->count; k++) {
        if (strlen(parameters->names[k]) == name && memcmp(parameters->names[k], text, name) == 0) {
            CaromFitParameter *parameter = &parameters->list[k];
            parameter->start = range ? parameter->start : low;
            parameter->low = range ? low : parameter->low;
            parameter->high = range ? high : parameter->high;
            return 0;
        }
    }
    return usage_fail(command, "--%s: \"%.*s\" is not one of --parameters", option, (int)name,
                      text);
}

static int read_terms(const char *command, const char *option, const char *text,
                      FitParameters *parameters, bool range) {
    while (text) {
        const char *comma = strchr(text, ',');
        int wrong = read_term(command, option, text, comma ? (size_t)(comma - text) : strlen(text),
                              parameters, range);
        if (wrong) {
            return wrong;
        }
        text = comma ? comma + 1 : NULL;
    }
    return 0;
}

int fit_parameters_bounds(const char *command, const char *text, FitParameters *parameters) {
    return read_terms(command, "bounds", text, parameters, true);
}

int fit_parameters_start(const char *command, const char *text, FitParameters *parameters) {
    return read_terms(command, "start", text, parameters, false);
}
