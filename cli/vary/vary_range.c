/* A range of values of one parameter of a contact. */
#include "vary/vary_range.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "io/command_line.h"

static const struct {
    const char *name, *range;
    double low, high; /* the range; low is excluded if the values are geometric */
    bool geometric;
    size_t field;
} parameters[] = {
    [VARY_MU] = {"mu", ">= 0", 0, INFINITY, false, offsetof(CaromContact, mu)},
    [VARY_E] = {"e", "in [0, 1]", 0, 1, false, offsetof(CaromContact, e)},
    [VARY_STIFFNESS] = {"stiffness", "> 0", 0, INFINITY, true, offsetof(CaromContact, stiffness)},
    [VARY_STIFFNESS_RATIO] = {"stiffness_ratio", "> 0", 0, INFINITY, true,
                              offsetof(CaromContact, stiffness_ratio)}};

const char *vary_name(const Vary *vary) {
    return parameters[vary->parameter].name;
}

double *vary_field(const Vary *vary, CaromContact *contact) {
    return (double *)(void *)((char *)contact + parameters[vary->parameter].field);
}

double vary_value(const Vary *vary, int index) {
    double part = (double)index / (vary->count - 1);
    if (index == 0 || index == vary->count - 1) {
        return index == 0 ? vary->from : vary->to;
    }
    /* by logarithms, as the quotient of the ends may overflow */
    return parameters[vary->parameter].geometric
               ? exp2((1 - part) * log2(vary->from) + part * log2(vary->to))
               : (1 - part) * vary->from + part * vary->to;
}

/* The name before '[' or '='. */
static int read_name(const char *command, const char *text, size_t length, Vary *vary) {
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        if (strlen(parameters[i].name) == length &&
            strncmp(parameters[i].name, text, length) == 0) {
            vary->parameter = (VaryParameter)i;
            return 0;
        }
    }
    return usage_fail(command,
                      "--vary: unknown parameter \"%.*s\", must be mu, e, stiffness or "
                      "stiffness_ratio",
                      (int)(length < 64 ? length : 64), text);
}

/* The text between the name and '=': nothing, or the index of a contact in brackets. */
static int read_contact(const char *command, const char *text, size_t length, Vary *vary) {
    char digits[16] = "";
    long contact = -1;
    vary->contact = -1;
    if (length == 0) {
        return 0;
    }
    if (length >= 3 && length - 2 < sizeof digits && text[length - 1] == ']') {
        memcpy(digits, text + 1, length - 2);
    }
    if (!text_to_integer(digits, 0, SCENE_CONTACTS_MAX - 1, &contact)) {
        return usage_fail(command, "--vary: %s: a contact is written [0] to [%d], got \"%.*s\"",
                          vary_name(vary), SCENE_CONTACTS_MAX - 1, (int)(length < 64 ? length : 64),
                          text);
    }
    vary->contact = (int)contact;
    return 0;
}

/* One end of the range. */
static int read_end(const char *command, const char *text, size_t length, const Vary *vary,
                    const char *which, double *end) {
    int shown = (int)(length < 64 ? length : 64);
    double low = parameters[vary->parameter].low, high = parameters[vary->parameter].high;
    if (!text_span_to_number(text, length, end)) {
        return usage_fail(command, "--vary: %s: %s must be a number, got \"%.*s\"", vary_name(vary),
                          which, shown, text);
    }
    if (!(*end >= low && *end <= high) || (parameters[vary->parameter].geometric && *end == low)) {
        return usage_fail(command, "--vary: %s: must be %s, got %.*s", vary_name(vary),
                          parameters[vary->parameter].range, shown, text);
    }
    return 0;
}

/* FROM:TO:COUNT */
static int read_range(const char *command, const char *text, Vary *vary) {
    const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    if (!second) {
        return usage_fail(command, "--vary: %s: the range must be FROM:TO:COUNT, got \"%s\"",
                          vary_name(vary), text);
    }
    int wrong = read_end(command, text, (size_t)(first - text), vary, "FROM", &vary->from);
    if (!wrong) {
        wrong = read_end(command, first + 1, (size_t)(second - first - 1), vary, "TO", &vary->to);
    }
    if (wrong) {
        return wrong;
    }
    long count;
    if (!text_to_integer(second + 1, 2, VARY_COUNT_MAX, &count)) {
        return usage_fail(command, "--vary: %s: COUNT must be 2 to %d, got \"%s\"", vary_name(vary),
                          VARY_COUNT_MAX, second + 1);
    }
    if (vary->from == vary->to) {
        return usage_fail(command, "--vary: %s: FROM and TO must be different", vary_name(vary));
    }
    vary->count = (int)count;
    return 0;
}

int vary_read(const char *command, const char *text, void *target) {
    Vary *vary = target;
    const char *equals = strchr(text, '=');
    size_t name = strcspn(text, "[=");
    if (vary->count > 0) {
        return usage_fail(command, "--vary: given twice");
    }
    if (!equals) {
        return usage_fail(command,
                          "--vary: must be NAME=FROM:TO:COUNT or NAME[CONTACT]=..., got "
                          "\"%s\"",
                          text);
    }
    int wrong = read_name(command, text, name, vary);
    if (!wrong) {
        wrong = read_contact(command, text + name, (size_t)(equals - text) - name, vary);
    }
    return wrong ? wrong : read_range(command, equals + 1, vary);
}
