/* Derivatives of an outcome as text, JSON and a table of a page. */
#include "sensitivity/sensitivity_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/text.h"
#include "io/html.h"
#include "sensitivity/sensitivity_picture.h"

/* A residual from which on a reader of tables should know. */
static const double FEW_DIGITS = 1e-9;

enum { CELL = 12, SHOWN_MAX = 5 };

/* The components that depend on a number most, at most SHOWN_MAX, in their order. */
static int choose(const Sensitivity *sensitivity, int shown[SHOWN_MAX]) {
    int parts = sensitivity->components.count, count = 0;
    double least = sensitivity_noise(sensitivity), weights[SHOWN_MAX];
    for (int i = 0; i < parts; i++) {
        double weight = 0;
        for (int k = 0; k < sensitivity->count; k++) {
            const SensitivityRow *row = &sensitivity->by[k];
            double change = fabs(row->components[i] * (row->value != 0 ? row->value : 1));
            weight = change > weight ? change : weight;
        }
        if (!(weight > least)) {
            continue;
        }
        int at = count;
        if (count == SHOWN_MAX) { /* drop the least of all */
            at = 0;
            for (int k = 1; k < count; k++) {
                at = weights[k] < weights[at] ? k : at;
            }
            if (weights[at] >= weight) {
                continue;
            }
            memmove(&shown[at], &shown[at + 1], (size_t)(count - 1 - at) * sizeof *shown);
            memmove(&weights[at], &weights[at + 1], (size_t)(count - 1 - at) * sizeof *weights);
            at = count - 1;
        } else {
            count++;
        }
        shown[at] = i;
        weights[at] = weight;
    }
    return count;
}

static int name_width(const Sensitivity *sensitivity) {
    int width = 8;
    for (int i = 0; i < sensitivity->count; i++) {
        int length = (int)strlen(sensitivity->by[i].path.text);
        width = length > width ? length : width;
    }
    return width;
}

static void print_table(FILE *file, const Sensitivity *sensitivity, const int *shown, int count,
                        bool percent) {
    int width = name_width(sensitivity);
    fprintf(file, "\n%-*s %*s", width, percent ? "per cent per per cent" : "derivative", CELL,
            percent && width < 21 ? "" : "value");
    for (int i = 0; i < count; i++) {
        Words name = components_name(&sensitivity->components, shown[i]);
        text_fit(name.text, CELL + 2);
        fprintf(file, "  %*s%s", CELL + 2 - text_width(name.text), "", name.text);
    }
    fputc('\n', file);
    for (int k = 0; k < sensitivity->count; k++) {
        const SensitivityRow *row = &sensitivity->by[k];
        fprintf(file, "%-*s %*.6g", width, row->path.text, CELL, row->value);
        for (int i = 0; i < count; i++) {
            double x = percent ? sensitivity_relative(sensitivity, row, shown[i])
                               : row->components[shown[i]];
            if (isnan(x)) {
                fprintf(file, "  %*s", CELL + 2, "-");
            } else {
                fprintf(file, "  %*.6g", CELL + 2, x + 0.0);
            }
        }
        fputc('\n', file);
    }
}

static const char *kink_phrase(const CaromKink *kink) {
    switch (kink->kind) {
    case CAROM_KINK_SLIP_STOPS:
        return kink->happens ? "slip would no longer stop before the end"
                             : "slip would stop before the end";
    case CAROM_KINK_STICK_HOLDS:
        return kink->happens ? "the contact would slip where it sticks"
                             : "the contact would stick where it slips again";
    case CAROM_KINK_RESTART:
        return kink->happens ? "compression would no longer restart" : "compression would restart";
    case CAROM_KINK_START:
        return kink->happens ? "the contact would start in stick"
                             : "the contact would start in slip";
    case CAROM_KINK_ORDER:
        return "two events would change their order";
    case CAROM_KINK_DIRECTION:
        return "slip would pass an invariant direction on the other side";
    default:
        return !kink->happens        ? "the contact would act"
               : kink->distance == 0 ? "the contact, now at rest, would open or be pressed at once"
                                     : "the contact would no longer act";
    }
}

Words sensitivity_kink_words(const Sensitivity *sensitivity) {
    const CaromKink *kink = &sensitivity->kink;
    if (!sensitivity->has_kink || !isfinite(kink->distance)) {
        return words_of("%s", "");
    }
    Words words = words_of("%s", kink_phrase(kink));
    if (sensitivity->scene->contact_count > 1) {
        words_add(&words, " (contact %d)", kink->contact);
    }
    words_add(&words, kink->jumps ? ", and the outcome jumps there" : "");
    return words;
}

/* How far it is, in words. */
static Words kink_condition(const CaromKink *kink) {
    return kink->distance == 0 ? words_of("the input lies on one: after the smallest change")
                               : words_of("if one input changes by some %.2g %% of its size,",
                                          100 * kink->distance);
}

void sensitivity_text(FILE *file, const Sensitivity *sensitivity) {
    int shown[SHOWN_MAX], count = choose(sensitivity, shown);
    print_table(file, sensitivity, shown, count, false);
    print_table(file, sensitivity, shown, count, true);
    int parts = sensitivity->components.count;
    if (count < parts) {
        fprintf(file, "(the %d components that depend on them most, of %d; all with --json)\n",
                count, parts);
    }
    if (sensitivity->message && sensitivity->message[0]) {
        fprintf(file, "\nNote           %s\n", sensitivity->message);
    }
    if (sensitivity->residual > FEW_DIGITS) {
        fprintf(file, "\nNote           the derivatives have some %d digits only\n",
                (int)-log10(sensitivity->residual));
    }
    Words kink = sensitivity_kink_words(sensitivity);
    if (kink.text[0] && sensitivity->kink.distance <= 1) {
        Words condition = kink_condition(&sensitivity->kink);
        fprintf(file,
                "\nKink           %s %s;\n"
                "               these derivatives belong to this side\n",
                condition.text, kink.text);
    } else {
        fputs("\nKink           none near\n", file);
    }
}

static json_t *body_rows(const Sensitivity *sensitivity, const SensitivityRow *row) {
    const Scene *scene = sensitivity->scene;
    json_t *list = json_array();
    for (int i = 0; i < scene->body_count; i++) {
        double parts[6] = {0};
        for (int k = 0; k < sensitivity->components.count; k++) {
            int place = sensitivity->components.places[k];
            if (place / 6 == i) {
                parts[place % 6] = row->components[k];
            }
        }
        json_t *body = json_object();
        json_object_set_new(body, "name", json_string(scene->body_names[i]));
        json_object_set_new(body, "velocity", json_write_numbers(parts, 3));
        json_object_set_new(body, "angular_velocity", json_write_numbers(parts + 3, 3));
        json_array_append_new(list, body);
    }
    return list;
}

void sensitivity_json(json_t *line, const Sensitivity *sensitivity) {
    const Scene *scene = sensitivity->scene;
    json_t *list = json_array();
    for (int i = 0; i < sensitivity->count; i++) {
        const SensitivityRow *row = &sensitivity->by[i];
        json_t *object = json_object();
        json_object_set_new(object, "by", json_string(row->path.text));
        json_object_set_new(object, "value", json_write_number(row->value));
        json_object_set_new(object, "impulse", json_write_numbers(row->impulse, sensitivity->rows));
        json_object_set_new(object, "contact_velocity",
                            json_write_numbers(row->velocity, sensitivity->rows));
        if (scene->source == SCENE_BODIES) {
            json_object_set_new(object, "bodies", body_rows(sensitivity, row));
        } else if (scene->source == SCENE_SYSTEM) {
            json_object_set_new(object, "velocity",
                                json_write_numbers(row->components, scene->system.speed_count));
        }
        json_array_append_new(list, object);
    }
    json_object_set_new(line, "derivatives", list);
    json_object_set_new(line, "derivative_status", json_string(sensitivity_status(sensitivity)));
    if (sensitivity->message && sensitivity->message[0]) {
        json_object_set_new(line, "derivative_message", json_string(sensitivity->message));
    }
    if (isfinite(sensitivity->residual)) {
        json_object_set_new(line, "derivative_residual", json_write_number(sensitivity->residual));
    }
    if (sensitivity->has_kink && isfinite(sensitivity->kink.distance)) {
        const CaromKink *kink = &sensitivity->kink;
        json_t *object = json_object();
        json_object_set_new(object, "distance", json_write_number(kink->distance));
        json_object_set_new(object, "event", json_string(carom_kink_string(kink->kind)));
        json_object_set_new(object, "contact", json_integer(kink->contact));
        json_object_set_new(object, "happens", json_boolean(kink->happens));
        json_object_set_new(object, "jumps", json_boolean(kink->jumps));
        json_object_set_new(line, "kink", object);
    }
}

/* A cell: blue where the outcome grows with the number, orange where it falls; full colour at one
 * per cent per per cent. */
static void write_cell(FILE *file, double derivative, double percent) {
    double strength = isnan(percent) ? 0 : fmin(fabs(percent), 1);
    if (isnan(derivative)) {
        fputs("<td>none</td>", file);
        return;
    }
    fprintf(file, "<td style=\"background:rgba(%s,%.2f)\" title=\"%s%.3g %% per %%\">%.4g</td>",
            percent > 0 ? "0,114,178" : "213,94,0", 0.55 * strength,
            isnan(percent) ? "not defined: " : "", isnan(percent) ? 0.0 : percent,
            derivative + 0.0);
}

void sensitivity_page(FILE *file, const Sensitivity *sensitivity) {
    int shown[SHOWN_MAX], count = choose(sensitivity, shown);
    fputs("<h2>Sensitivity</h2>\n<p>Derivatives of the velocities after the impact by what was "
          "given. Colours: per cent of change for one per cent of the input, blue rising, orange "
          "falling, full colour from 1 on.</p>\n",
          file);
    if (sensitivity->message && sensitivity->message[0]) {
        html_element(file, "p", sensitivity->message);
    }
    sensitivity_picture(file, sensitivity, shown, count);
    fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">by</th><th "
          "scope=\"col\">value</th>",
          file);
    for (int i = 0; i < count; i++) {
        fputs("<th scope=\"col\">", file);
        html_text(file, components_name(&sensitivity->components, shown[i]).text);
        fputs("</th>", file);
    }
    fputs("</tr></thead><tbody>\n", file);
    for (int k = 0; k < sensitivity->count; k++) {
        const SensitivityRow *row = &sensitivity->by[k];
        fprintf(file, "<tr><th scope=\"row\">%s</th><td>%.6g</td>", row->path.text, row->value);
        for (int i = 0; i < count; i++) {
            write_cell(file, row->components[shown[i]],
                       sensitivity_relative(sensitivity, row, shown[i]));
        }
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div>\n", file);
    Words kink = sensitivity_kink_words(sensitivity);
    if (kink.text[0] && sensitivity->kink.distance <= 1) {
        fprintf(file, "<p>Kink: %s %s.</p>\n", kink_condition(&sensitivity->kink).text, kink.text);
    }
}
