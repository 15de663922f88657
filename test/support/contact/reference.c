#include "support/contact/reference.h"

#include <stdio.h>
#include <string.h>

int reference_numbers(const json_t *array, double *out, int count) {
    if (json_array_size(array) != (size_t)count) {
        return -1;
    }
    for (int i = 0; i < count; i++) {
        const json_t *number = json_array_get(array, (size_t)i);
        if (!json_is_number(number)) {
            return -1;
        }
        out[i] = json_number_value(number);
    }
    return 0;
}

int reference_contact(const json_t *object, CaromContact *contact) {
    const struct {
        const char *name;
        double *value;
        int needed;
    } fields[] = {{"mu", &contact->mu, 1},
                  {"e", &contact->e, 1},
                  {"mu_static", &contact->mu_static, 0},
                  {"stiffness", &contact->stiffness, 0},
                  {"stiffness_ratio", &contact->stiffness_ratio, 0}};
    *contact = carom_contact_default();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const json_t *number = json_object_get(object, fields[i].name);
        if (number == NULL ? fields[i].needed : !json_is_number(number)) {
            return -1;
        }
        if (number != NULL) {
            *fields[i].value = json_number_value(number);
        }
    }
    return 0;
}

int reference_log(const char *log, int capacity, CaromEventKind *kinds, int *contacts, int *count) {
    static const struct {
        const char *name;
        CaromEventKind kind;
    } names[] = {{"c", CAROM_EVENT_COMPRESSION_END},
                 {"r", CAROM_EVENT_RESTITUTION_END},
                 {"rc", CAROM_EVENT_COMPRESSION_RESTART},
                 {"act", CAROM_EVENT_ACTIVATION},
                 {"stick", CAROM_EVENT_STICK},
                 {"slip", CAROM_EVENT_SLIP}};
    char word[16];
    int used;
    for (*count = 0; log != NULL && sscanf(log, "%15s%n", word, &used) == 1; log += used) {
        size_t i = 0, length = strcspn(word, "0123456789");
        while (i < 6 && (strlen(names[i].name) != length || strncmp(names[i].name, word, length))) {
            i++;
        }
        if (i == 6 || *count == capacity || sscanf(word + length, "%d", &contacts[*count]) != 1) {
            return -1;
        }
        kinds[(*count)++] = names[i].kind;
    }
    return 0;
}

int reference_cases(const char *path, int capacity, void *set,
                    int (*read)(const json_t *entry, void *set, int i)) {
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    size_t count = json_array_size(root);
    int bad = root == NULL || count == 0 || count > (size_t)capacity;
    if (bad) {
        fprintf(stderr, "%s: %s\n", path, root == NULL ? error.text : "not a list of cases");
    }
    for (size_t i = 0; i < count && !bad; i++) {
        bad = read(json_array_get(root, i), set, (int)i);
        if (bad) {
            fprintf(stderr, "%s: case %zu is not as expected\n", path, i);
        }
    }
    json_decref(root);
    return bad ? -1 : (int)count;
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
    int bad = json_array_size(rows) != 3;
    for (size_t i = 0; i < 3 && !bad; i++) {
        bad = reference_numbers(json_array_get(rows, i), impact->W + 3 * i, 3);
    }
    return bad || reference_numbers(json_object_get(scene, "contact_velocity"), impact->v, 3) ||
           law_of(json_string_value(json_object_get(scene, "restitution")), &impact->law) ||
           reference_contact(json_array_get(json_object_get(scene, "contacts"), 0),
                             &impact->contact);
}

int reference_case(const json_t *entry, Impact *impact, Answer *answer) {
    memset(answer, 0, sizeof *answer);
    answer->ok = 1;
    return scene_read(json_object_get(entry, "scene"), impact) ||
           reference_numbers(json_object_get(entry, "impulse"), answer->impulse, 3) ||
           reference_numbers(json_object_get(entry, "contact_velocity"), answer->velocity, 3);
}
