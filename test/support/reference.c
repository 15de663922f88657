#include "support/reference.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

static int numbers(const json_t *array, double *out, size_t count) {
    if (json_array_size(array) != count) {
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *number = json_array_get(array, i);
        if (!json_is_number(number)) {
            return -1;
        }
        out[i] = json_number_value(number);
    }
    return 0;
}

static int law_of(const char *name, CaromLaw *law) {
    static const char *const names[] = {"energetic", "poisson", "newton"};
    for (int i = 0; name != NULL && i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *law = (CaromLaw)i;
            return 0;
        }
    }
    return -1;
}

static int scene_read(const json_t *scene, Impact *impact) {
    const json_t *rows = json_object_get(scene, "inverse_inertia");
    const json_t *contact = json_array_get(json_object_get(scene, "contacts"), 0);
    const json_t *mu = json_object_get(contact, "mu"), *e = json_object_get(contact, "e");
    const json_t *mu_static = json_object_get(contact, "mu_static");
    int bad = json_array_size(rows) != 3 || !json_is_number(mu) || !json_is_number(e);
    for (size_t i = 0; i < 3 && !bad; i++) {
        bad = numbers(json_array_get(rows, i), impact->W + 3 * i, 3);
    }
    bad = bad || numbers(json_object_get(scene, "contact_velocity"), impact->v, 3) ||
          law_of(json_string_value(json_object_get(scene, "restitution")), &impact->law);
    impact->contact = (CaromContact){.mu = json_number_value(mu),
                                     .mu_static = -1,
                                     .e = json_number_value(e),
                                     .stiffness = 1,
                                     .stiffness_ratio = 1};
    if (json_is_number(mu_static)) {
        impact->contact.mu_static = json_number_value(mu_static);
    }
    return bad ? -1 : 0;
}

static int case_read(const json_t *entry, ReferenceSet *set, int i) {
    Impact *impact = &set->impacts[i];
    Answer *answer = &set->answers[i];
    const char *tag = json_string_value(json_object_get(entry, "tag"));
    const char *sequence = json_string_value(json_object_get(entry, "sequence"));
    if (tag == NULL || sequence == NULL || strlen(sequence) >= CAROM_SEQUENCE_SIZE) {
        return -1;
    }
    memset(answer, 0, sizeof *answer);
    answer->ok = 1;
    snprintf(answer->sequence, sizeof answer->sequence, "%s", sequence);
    snprintf(set->tags[i], REFERENCE_TAG_SIZE, "%s", tag);
    impact->tag = set->tags[i];
    return scene_read(json_object_get(entry, "scene"), impact) ||
           numbers(json_object_get(entry, "impulse"), answer->impulse, 3) ||
           numbers(json_object_get(entry, "contact_velocity"), answer->velocity, 3);
}

int reference_load(const char *path, ReferenceSet *set) {
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    size_t count = json_array_size(root);
    int bad = root == NULL || count == 0 || count > REFERENCE_CAPACITY;
    if (bad) {
        fprintf(stderr, "%s: %s\n", path, root == NULL ? error.text : "not a list of cases");
    }
    set->count = 0;
    for (size_t i = 0; i < count && !bad; i++) {
        bad = case_read(json_array_get(root, i), set, (int)i);
        if (bad) {
            fprintf(stderr, "%s: case %zu is not as expected\n", path, i);
        }
        set->count = (int)i + 1;
    }
    json_decref(root);
    return bad ? -1 : 0;
}
