/* The values of all figures as JSON. */
#include "figures/values.h"

#include <jansson.h>

#include <carom/carom.h>

#include "base/json_write.h"
#include "figures/gallery.h"

static void set_text(json_t *object, const char *key, const char *text) {
    if (text) {
        json_object_set_new(object, key, json_string(text));
    }
}

static json_t *make_value(const FigureValue *value) {
    json_t *object = json_object();
    set_text(object, "group", value->group);
    set_text(object, "name", value->name);
    set_text(object, "printed", value->printed);
    json_object_set_new(object, "computed",
                        value->words ? json_string(value->words)
                                     : json_write_number(value->computed));
    set_text(object, "verdict", figure_verdict_name(value->verdict));
    set_text(object, "erratum", figure_sentence(value->erratum));
    set_text(object, "note", value->note);
    return object;
}

static json_t *make_figure(const FigureSheet *sheet) {
    json_t *object = json_object(), *pictures = json_array(), *values = json_array();
    set_text(object, "id", sheet->figure->id);
    set_text(object, "paper", sheet->paper->name);
    set_text(object, "label", sheet->figure->label);
    set_text(object, "title", sheet->figure->title);
    set_text(object, "failure", sheet->failed ? sheet->failure : NULL);
    for (int i = 0; i < sheet->picture_count; i++) {
        json_array_append_new(pictures, json_string(sheet->pictures[i].file));
    }
    for (int i = 0; i < sheet->value_count; i++) {
        if (sheet->values[i].verdict != FIGURE_MEASURED) {
            json_array_append_new(values, make_value(&sheet->values[i]));
        }
    }
    json_object_set_new(object, "pictures", pictures);
    json_object_set_new(object, "values", values);
    return object;
}

void gallery_values(FILE *file, const void *data) {
    const Gallery *gallery = data;
    json_t *object = json_object(), *figures = json_array();
    set_text(object, "carom", carom_version());
    for (int i = 0; i < gallery->count; i++) {
        json_array_append_new(figures, make_figure(&gallery->sheets[i]));
    }
    json_object_set_new(object, "figures", figures);
    json_dumpf(object, file, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    fputc('\n', file);
    json_decref(object);
}
