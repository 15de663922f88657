/* carom solve --vary: solve a scene over a range of a contact's parameter. */
#include "vary/vary.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/json_write.h"
#include "base/text.h"
#include "report/json/json_report.h"
#include "report/text/scene_text.h"
#include "report/words/scene_words.h"
#include "vary/vary_table.h"

/* Most columns of the names of two bodies in a title. */
enum { PAIR_WIDTH = 36 };

/* Check the range against the scene. */
static bool check(const Scene *scene, const Vary *vary, Error *error) {
    if (vary->contact >= scene->contact_count) {
        return error_set(error, "--vary: %s[%d]: the scene has %d contact%s", vary_name(vary),
                         vary->contact, scene->contact_count,
                         scene->contact_count > 1 ? "s, counted from 0" : ", which is [0]");
    }
    double largest = fmax(vary->from, vary->to);
    for (int i = 0; i < scene->contact_count && vary->parameter == VARY_MU; i++) {
        const CaromContact *contact = &scene->contacts[i];
        bool varied = vary->contact < 0 || vary->contact == i;
        if (varied && contact->mu_static != contact->mu && largest > contact->mu_static) {
            return error_set(
                error, "--vary: mu: must be at most contacts[%d].mu_static, which is %g, got %g", i,
                contact->mu_static, largest);
        }
        /* as in scene_read.c */
        if (largest > 0 && (contact->stiffness < 0 || isinf(contact->stiffness))) {
            return error_set(error,
                             "--vary: mu: must be 0, as contacts[%d].stiffness is a limit for "
                             "contacts without friction, got %g",
                             i, largest);
        }
    }
    return true;
}

/* The contact with another value. mu_static stays equal to mu if it was. */
static void set(const Vary *vary, double value, const CaromContact *given, CaromContact *contact) {
    *contact = *given;
    *vary_field(vary, contact) = value;
    if (vary->parameter == VARY_MU && given->mu_static == given->mu) {
        contact->mu_static = value;
    }
}

static bool print_line(const Scene *scene, const Solution *solution, const Vary *vary, int contact,
                       double value) {
    json_t *line = report_json(scene, solution), *object = json_object();
    json_object_set_new(object, "parameter", json_string(vary_name(vary)));
    json_object_set_new(object, "contact", json_integer(contact));
    json_object_set_new(object, "value", json_write_number(value));
    json_object_set_new(line, "vary", object);
    return json_write_line(stdout, line);
}

/* Why the first value was not solved; the table has only its status. */
static void print_failure(const char *name, const Vary *vary, int contact, double value,
                          const CaromResult *result) {
    fprintf(stderr, "carom: %s: --vary: %s[%d] = %g: %s: %s\n", name, vary_name(vary), contact,
            value, carom_status_string(result->status), result->message);
}

/* Solve one value. Returns the exit status, or -1 if out of memory. */
static int solve_value(Scene *scene, const CaromOptions *options, const Vary *vary, int contact,
                       int index, VaryTable *table, const char *failed) {
    double value = vary_value(vary, index);
    Solution solution;
    bool good = solution_compute(scene, options, &solution);
    int status = solution_exit_status(solution.result.status);
    if (good && failed && status != 0) {
        print_failure(failed, vary, contact, value, &solution.result);
    }
    if (good && table) {
        vary_table_add(table, value, &solution);
    } else if (good) {
        good = print_line(scene, &solution, vary, contact, value);
    }
    solution_free(&solution);
    return good ? status : -1;
}

/* All values of one contact; table NULL: as JSON. Returns as solve_value(). */
static int solve_range(const char *name, Scene *scene, const CaromOptions *options,
                       const Vary *vary, int contact, VaryTable *table) {
    const CaromContact given = scene->contacts[contact];
    int worst = 0;
    for (int i = 0; i < vary->count && worst >= 0 && !ferror(stdout); i++) {
        set(vary, vary_value(vary, i), &given, &scene->contacts[contact]);
        int status = solve_value(scene, options, vary, contact, i, table, worst == 0 ? name : NULL);
        worst = status < 0 || status > worst ? status : worst;
    }
    scene->contacts[contact] = given;
    return worst;
}

static void print_block_title(const Scene *scene, const Vary *vary, int contact) {
    Words pair = report_pair(scene, contact);
    text_fit(pair.text, PAIR_WIDTH);
    printf("\n%s from %g to %g", vary_name(vary), vary->from, vary->to);
    if (scene->contact_count > 1) {
        printf(" at contact %d%s%s%s, the others as given", contact, pair.text[0] ? " (" : "",
               pair.text, pair.text[0] ? ")" : "");
    }
    putchar('\n');
}

/* The table of one contact. Returns as solve_value(). */
static int print_block(const char *name, Scene *scene, const CaromOptions *options,
                       const Vary *vary, int contact) {
    VaryTable table;
    int status = -1;
    if (vary_table_create(scene, vary->count, &table)) {
        status = solve_range(name, scene, options, vary, contact, &table);
    }
    if (status >= 0) {
        print_block_title(scene, vary, contact);
        vary_table_print(stdout, &table, vary_name(vary));
    }
    vary_table_free(&table);
    return status;
}

int vary_solve(const char *name, Scene *scene, const CaromOptions *options, const Vary *vary,
               bool json) {
    Error error;
    if (!check(scene, vary, &error)) {
        return report_failure(name, CAROM_INVALID_INPUT, error.text, json);
    }
    if (!json) {
        report_scene(stdout, scene, options->method, options->scheme.as_printed);
    }
    int first = vary->contact < 0 ? 0 : vary->contact;
    int last = vary->contact < 0 ? scene->contact_count - 1 : vary->contact;
    int worst = 0;
    for (int i = first; i <= last && worst >= 0; i++) {
        int status = json ? solve_range(name, scene, options, vary, i, NULL)
                          : print_block(name, scene, options, vary, i);
        worst = status < 0 || status > worst ? status : worst;
    }
    return worst < 0 ? report_failure(name, CAROM_INVALID_INPUT, "out of memory", json) : worst;
}
