/* The values of a figure. */
#include "figures/sheet.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const char *figure_verdict_name(FigureVerdict verdict) {
    static const char *const names[] = {
        [FIGURE_AGREES] = "agrees",           [FIGURE_ERRATUM] = "erratum",
        [FIGURE_DIFFERS] = "differs",         [FIGURE_NO_ERRATUM] = "agrees despite erratum",
        [FIGURE_NOT_PRINTED] = "not printed", [FIGURE_MEASURED] = "measured"};
    return names[verdict];
}

bool figure_fail(FigureSheet *sheet, const char *format, ...) {
    if (!sheet->failed) { /* the first reason counts */
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(sheet->failure, sizeof sheet->failure, format, arguments);
        va_end(arguments);
        sheet->failed = true;
    }
    return false;
}

static char *copy_text(FigureSheet *sheet, const char *text) {
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy) {
        figure_fail(sheet, "out of memory");
    }
    return copy;
}

/* A new value with its texts; NULL: out of memory, and the figure has failed. */
static FigureValue *add_value(FigureSheet *sheet, const char *name, const char *printed,
                              const char *erratum, const char *note) {
    if (sheet->value_count == sheet->value_room) {
        int room = 2 * sheet->value_room + 16;
        FigureValue *grown = realloc(sheet->values, (size_t)room * sizeof *grown);
        if (!grown) {
            figure_fail(sheet, "out of memory");
            return NULL;
        }
        sheet->values = grown;
        sheet->value_room = room;
    }
    FigureValue *value = &sheet->values[sheet->value_count++];
    *value = (FigureValue){.group = copy_text(sheet, sheet->group),
                           .name = copy_text(sheet, name),
                           .printed = copy_text(sheet, printed),
                           .erratum = copy_text(sheet, erratum),
                           .note = copy_text(sheet, note)};
    return sheet->failed ? NULL : value;
}

/* One unit of the last printed digit: "0.0436" 1e-4, "12" 1, "1.2e-4" 1e-5. */
static double last_digit(const char *printed) {
    size_t mantissa = strcspn(printed, "eE");
    const char *point = memchr(printed, '.', mantissa);
    long decimals = point ? (long)(printed + mantissa - point) - 1 : 0;
    long exponent = printed[mantissa] ? strtol(printed + mantissa + 1, NULL, 10) : 0;
    return pow(10, (double)(exponent - decimals));
}

bool figure_number_agrees(const char *printed, double computed) {
    double number;
    if (!text_to_number(printed, &number)) {
        return false;
    }
    double rounding = 4 * DBL_EPSILON * fabs(number); /* a unit is not exact in binary */
    return fabs(computed - number) <= last_digit(printed) * (1 + 1e-9) + rounding;
}

FigureReason figure_reason(const char *erratum) {
    return erratum[0] == FIGURE_STEPS[0]     ? FIGURE_REASON_STEPS
           : erratum[0] == FIGURE_SETTING[0] ? FIGURE_REASON_SETTING
                                             : FIGURE_REASON_ERRATUM;
}

const char *figure_sentence(const char *erratum) {
    return erratum && figure_reason(erratum) != FIGURE_REASON_ERRATUM ? erratum + 1 : erratum;
}

static FigureVerdict judge(bool printed, bool agrees, bool erratum) {
    if (!printed) {
        return FIGURE_NOT_PRINTED;
    }
    if (agrees) {
        return erratum ? FIGURE_NO_ERRATUM : FIGURE_AGREES;
    }
    return erratum ? FIGURE_ERRATUM : FIGURE_DIFFERS;
}

void figure_value(FigureSheet *sheet, const char *name, const char *printed, double computed,
                  const char *erratum, const char *note) {
    if (!isfinite(computed)) {
        figure_fail(sheet, "%s: no finite number came out", name);
        return;
    }
    FigureValue *value = add_value(sheet, name, printed, erratum, note);
    if (value) {
        bool agrees = printed && figure_number_agrees(printed, computed);
        value->computed = computed;
        value->verdict = judge(printed, agrees, erratum);
    }
}

void figure_computed(FigureSheet *sheet, const char *name, double computed, const char *note) {
    figure_value(sheet, name, NULL, computed, NULL, note);
}

void figure_count(FigureSheet *sheet, const char *name, const char *printed, long computed,
                  const char *erratum, const char *note) {
    FigureValue *value = add_value(sheet, name, printed, erratum, note);
    if (value) {
        value->computed = (double)computed;
        value->verdict = judge(printed, printed && strtol(printed, NULL, 10) == computed, erratum);
    }
}

void figure_words(FigureSheet *sheet, const char *name, const char *printed, const char *computed,
                  const char *erratum, const char *note) {
    FigureValue *value = add_value(sheet, name, printed, erratum, note);
    if (value) {
        value->words = copy_text(sheet, computed);
        value->verdict = judge(printed, printed && strcmp(printed, computed) == 0, erratum);
    }
}

void figure_measured(FigureSheet *sheet, const char *name, const char *printed, double computed,
                     const char *note) {
    FigureValue *value = add_value(sheet, name, printed, NULL, note);
    if (value) {
        value->computed = computed;
        value->verdict = FIGURE_MEASURED;
    }
}

void figure_group(FigureSheet *sheet, const char *heading) {
    free(sheet->group);
    sheet->group = copy_text(sheet, heading);
}

int figure_sheet_count(const FigureSheet *sheet, FigureVerdict verdict) {
    int count = 0;
    for (int i = 0; i < sheet->value_count; i++) {
        count += sheet->values[i].verdict == verdict;
    }
    return count;
}

bool figure_sheet_make(FigureSheet *sheet, const FigurePaper *paper, const Figure *figure,
                       const char *directory, bool png) {
    *sheet = (FigureSheet){.paper = paper, .figure = figure, .directory = directory, .png = png};
    if (!figure->make(sheet)) {
        figure_fail(sheet, "cannot be made");
    }
    if (sheet->script) {
        figure_fail(sheet, "a picture was begun and not ended");
    }
    return !sheet->failed;
}

void figure_sheet_free(FigureSheet *sheet) {
    for (int i = 0; i < sheet->value_count; i++) {
        FigureValue *value = &sheet->values[i];
        free(value->group);
        free(value->name);
        free(value->printed);
        free(value->erratum);
        free(value->note);
        free(value->words);
    }
    for (int i = 0; i < sheet->picture_count; i++) {
        free(sheet->pictures[i].file);
        free(sheet->pictures[i].title);
        free(sheet->pictures[i].description);
    }
    if (sheet->script) {
        fclose(sheet->script);
    }
    free(sheet->values);
    free(sheet->pictures);
    free(sheet->group);
    *sheet = (FigureSheet){0};
}
