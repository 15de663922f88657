/* The outcomes of a scene as text and as JSON. */
#include "outcomes/outcomes_report.h"

#include <math.h>

#include "base/json_write.h"
#include "base/message.h"
#include "base/text.h"
#include "report/json/json_report.h"
#include "report/text/scene_text.h"

enum { NAME_WIDTH = 26, CELL_WIDTH = 11, LINE_WIDTH = 78 };

/* ---- in words ---- */

static void add_counts(const OutcomeSet *set, Words *words) {
    words_add(words, ": %d different outcome%s", set->different, set->different == 1 ? "" : "s");
    if (set->unsolved > 0) {
        words_add(words, ", %d not solved (%s)", set->unsolved, set->message);
    }
}

Words outcomes_order_words(const Outcomes *outcomes) {
    const OutcomeSet *set = &outcomes->orders;
    int cases = set->count + set->unsolved;
    Words words = !set->complete
                      ? words_of("%d random orders (seed %ld)", cases, outcomes->options.seed)
                  : cases == 1 ? words_of("the only order")
                               : words_of("all %d orders", cases);
    add_counts(set, &words);
    return words;
}

Words outcomes_stiffness_words(const Outcomes *outcomes) {
    const OutcomeSet *set = &outcomes->stiffness;
    const OutcomesOptions *options = &outcomes->options;
    int cases = set->count + set->unsolved;
    Words words = set->complete ? words_of("%d ratios k1/k0, times %g to %g", cases, options->low,
                                           options->high)
                                : words_of("%d random stiffnesses, times %g to %g (seed %ld)",
                                           cases, options->low, options->high, options->seed);
    add_counts(set, &words);
    return words;
}

/* ---- text ---- */

/* A number without the error of a 0. */
static double plain(const Outcomes *outcomes, int component, double x) {
    return fabs(x) < 1e-9 * outcomes->scale[component] ? 0 : x;
}

static void print_row(FILE *file, const Outcomes *outcomes, int i) {
    Words name = components_name(&outcomes->components, i);
    text_fit(name.text, NAME_WIDTH);
    const double numbers[] = {outcomes->components.before[i], outcomes->orders.low[i],
                              outcomes->orders.high[i], outcomes->stiffness.low[i],
                              outcomes->stiffness.high[i]};
    fprintf(file, "%s%*s", name.text, NAME_WIDTH - text_width(name.text), "");
    for (int k = 0; k < 5; k++) {
        fprintf(file, " %*.5g", k == 0 ? CELL_WIDTH - 2 : CELL_WIDTH - 1,
                plain(outcomes, i, numbers[k]));
    }
    fputc('\n', file);
}

static void print_table(FILE *file, const Outcomes *outcomes) {
    int same = 0;
    fprintf(file, "\n%*s %9s %21s %21s\n", NAME_WIDTH, "", "", "one after another", "all at once");
    fprintf(file, "%*s %9s %10s %10s %10s %10s\n", NAME_WIDTH, "", "before", "lowest", "highest",
            "lowest", "highest");
    for (int i = 0; i < outcomes->components.count; i++) {
        if (outcomes_verdict(outcomes, i) == OUTCOMES_SAME) {
            same++;
        } else {
            print_row(file, outcomes, i);
        }
    }
    if (same > 0) {
        fprintf(file, "(no change in any outcome: %d more)\n", same);
    }
}

/* Components of one verdict, with their ranges if asked for, in lines. */
static void print_verdict(FILE *file, const Outcomes *outcomes, OutcomesVerdict verdict,
                          const char *title) {
    int column = 0, listed = 0;
    fprintf(file, "%s:", title);
    for (int i = 0; i < outcomes->components.count; i++) {
        if (outcomes_verdict(outcomes, i) != verdict) {
            continue;
        }
        double low = plain(outcomes, i, outcomes_low(outcomes, i));
        double high = plain(outcomes, i, outcomes_high(outcomes, i));
        Words item = components_name(&outcomes->components, i);
        if (verdict == OUTCOMES_KNOWN) {
            words_add(&item, " = %.5g", (low + high) / 2);
        } else {
            words_add(&item, " %.4g to %.4g", low, high);
        }
        int width = text_width(item.text) + 2;
        bool fits = column > 0 && column + width <= LINE_WIDTH;
        fprintf(file, "%s%s", listed > 0 ? "," : "", fits ? " " : "\n  ");
        column = fits ? column + width : 2 + width;
        fputs(item.text, file);
        listed++;
    }
    fputs(listed > 0 ? "\n" : " nothing\n", file);
}

void outcomes_text(FILE *file, const Outcomes *outcomes) {
    report_scene(file, outcomes->scene, CAROM_METHOD_EXACT, false);
    fprintf(file, "\nOne after another, rigid    %s\n", outcomes_order_words(outcomes).text);
    fprintf(file, "All at once, compliant      %s\n", outcomes_stiffness_words(outcomes).text);
    print_table(file, outcomes);
    fprintf(file, "\nWhatever the order and the stiffness (to %g of the largest)\n",
            OUTCOMES_CERTAIN);
    print_verdict(file, outcomes, OUTCOMES_KNOWN, "Certain");
    print_verdict(file, outcomes, OUTCOMES_DIRECTED, "Certain in sign only");
    print_verdict(file, outcomes, OUTCOMES_OPEN, "Not certain");
}

/* ---- JSON ---- */

static json_t *set_object(const OutcomeSet *set) {
    return json_pack("{s:i, s:i, s:i}", "outcomes", set->count, "different", set->different,
                     "unsolved", set->unsolved);
}

static json_t *range(double low, double high) {
    const double ends[] = {low, high};
    return json_write_numbers(ends, 2);
}

static json_t *component_object(const Outcomes *outcomes, int i) {
    static const char *const verdicts[] = {[OUTCOMES_SAME] = "unchanged",
                                           [OUTCOMES_KNOWN] = "certain",
                                           [OUTCOMES_DIRECTED] = "sign",
                                           [OUTCOMES_OPEN] = "uncertain"};
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:s}", "path", components_path(&outcomes->components, i).text,
        "before", json_write_number(outcomes->components.before[i]), "orders",
        range(outcomes->orders.low[i], outcomes->orders.high[i]), "stiffness",
        range(outcomes->stiffness.low[i], outcomes->stiffness.high[i]), "scale",
        json_write_number(outcomes->scale[i]), "verdict", verdicts[outcomes_verdict(outcomes, i)]);
}

bool outcomes_json(FILE *file, const Outcomes *outcomes) {
    const OutcomesOptions *options = &outcomes->options;
    json_t *orders = set_object(&outcomes->orders), *stiffness = set_object(&outcomes->stiffness);
    json_t *components = json_array();
    json_object_set_new(orders, "all", json_boolean(outcomes->orders.complete));
    if (!outcomes->orders.complete) {
        json_object_set_new(orders, "seed", json_integer(options->seed));
    }
    json_object_set_new(stiffness, "range", range(options->low, options->high));
    json_object_set_new(stiffness, "sample",
                        json_string(outcomes->stiffness.complete ? "grid" : "latin_hypercube"));
    if (!outcomes->stiffness.complete) {
        json_object_set_new(stiffness, "seed", json_integer(options->seed));
    }
    for (int i = 0; i < outcomes->components.count; i++) {
        json_array_append_new(components, component_object(outcomes, i));
    }
    return json_write_line(file, json_pack("{s:s, s:s, s:{s:o, s:o, s:o}}", "status", "ok", "model",
                                           scene_model_names[outcomes->scene->model], "outcomes",
                                           "orders", orders, "stiffness", stiffness, "components",
                                           components));
}

int outcomes_solve(const char *name, const Scene *scene, const OutcomesOptions *options,
                   bool json) {
    Outcomes outcomes;
    CaromStatus solved;
    Error error;
    int status = outcomes_compute(scene, options, name, &outcomes, &solved, &error);
    if (status != 0) {
        status = report_failure(name, solved, error.text, json);
    } else if (!json) {
        outcomes_text(stdout, &outcomes);
    } else if (!outcomes_json(stdout, &outcomes)) {
        message_error("%s: out of memory", name);
        status = 2;
    }
    outcomes_free(&outcomes);
    return status;
}
