/* Phrases and numbers of reports about the scene. */
#include "report/words/scene_words.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "solve/solution.h"

Words report_name(const char *name) {
    int length = (int)strnlen(name, 47);
    while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) {
        length--; /* not in the middle of a character */
    }
    Words plain = words_of("%.*s", length, name);
    text_make_plain(plain.text);
    return plain;
}

Words report_model_words(const Scene *scene, CaromMethod method, bool as_printed) {
    return words_of("%s, %s restitution, method %s%s", scene_model_names[scene->model],
                    scene_law_names[scene_law(scene, method)], method_name(method),
                    as_printed ? " as printed" : "");
}

Words report_units_words(const Units *units) {
    return words_of("%s, %s, %s; impulse %s, energy %s", units->length, units->mass, units->time,
                    units_name(units, UNIT_IMPULSE).text, units_name(units, UNIT_ENERGY).text);
}

Words report_coefficient_words(const Scene *scene, int contact) {
    const CaromContact *surface = &scene->contacts[contact];
    bool compliant = scene->model == CAROM_MODEL_COMPLIANT;
    bool several = compliant && scene->contact_count > 1;
    Words words = words_of("mu = %g", surface->mu);
    if (surface->mu_static > surface->mu) {
        words_add(&words, " (at rest %g)", surface->mu_static);
    }
    words_add(&words, ", e = %g", surface->e);
    if (several && isinf(surface->stiffness)) {
        words_add(&words, ", stiffness infinite");
    } else if (several) {
        words_add(&words, ", stiffness %.6g", fmax(surface->stiffness, 0));
    }
    if (compliant && (!several || surface->mu > 0)) {
        words_add(&words, ", stiffness ratio %.6g", surface->stiffness_ratio);
    }
    return words;
}

bool report_is_alike(const Scene *scene) {
    const CaromContact *a = &scene->contacts[0];
    for (int i = 1; i < scene->contact_count; i++) {
        const CaromContact *b = &scene->contacts[i];
        if (a->mu != b->mu || a->mu_static != b->mu_static || a->e != b->e ||
            a->stiffness != b->stiffness || a->stiffness_ratio != b->stiffness_ratio) {
            return false;
        }
    }
    return true;
}

Words report_pair(const Scene *scene, int contact) {
    if (scene->source != SCENE_BODIES) {
        return (Words){""};
    }
    int rows = scene_rows(scene);
    double normal = scene->velocity[rows * contact + rows - 1], largest = 0;
    for (int i = 0; i < rows * scene->contact_count; i++) {
        largest = fmax(largest, fabs(scene->velocity[i]));
    }
    /* the velocity of a contact at rest has rounding errors */
    bool rests = scene->contact_count > 1 && !(normal < -1e-12 * largest);
    const CaromSite *site = &scene->sites[contact];
    return words_of("%s %s %s", report_name(scene->body_names[site->first]).text,
                    rests ? "touches" : "hits", report_name(scene->body_names[site->second]).text);
}
