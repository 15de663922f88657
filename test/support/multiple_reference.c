#include "support/multiple_reference.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

static int numbers(const json_t *array, double *out, int count) {
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

static int contact_read(const json_t *object, CaromContact *contact) {
    const struct {
        const char *name;
        double *value;
    } fields[] = {{"mu", &contact->mu},
                  {"e", &contact->e},
                  {"stiffness", &contact->stiffness},
                  {"stiffness_ratio", &contact->stiffness_ratio}};
    *contact = carom_contact_default();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const json_t *number = json_object_get(object, fields[i].name);
        if (!json_is_number(number)) {
            return -1;
        }
        *fields[i].value = json_number_value(number);
    }
    return 0;
}

static int scene_read(const json_t *scene, MultipleProblem *problem) {
    const json_t *matrix = json_object_get(scene, "inverse_inertia");
    const json_t *contacts = json_object_get(scene, "contacts");
    problem->count = (int)json_array_size(contacts);
    int rows = multiple_rows(problem), bad = problem->count > MULTIPLE_CONTACTS;
    problem->law = CAROM_ENERGETIC;
    for (int i = 0; i < rows && !bad; i++) {
        bad = numbers(json_array_get(matrix, (size_t)i), problem->W + i * rows, rows);
    }
    for (int i = 0; i < problem->count && !bad; i++) {
        bad = contact_read(json_array_get(contacts, (size_t)i), &problem->contacts[i]);
    }
    return bad || json_array_size(matrix) != (size_t)rows ||
           numbers(json_object_get(scene, "contact_velocity"), problem->v, rows);
}

/* "c0 slip0 r0 c1 ": kinds with the number of the contact. */
static int log_read(const char *log, MultipleReference *set, int at) {
    static const struct {
        const char *name;
        CaromEventKind kind;
    } names[] = {{"c", CAROM_COMPRESSION_END},
                 {"r", CAROM_RESTITUTION_END},
                 {"rc", CAROM_COMPRESSION_RESTART},
                 {"act", CAROM_ACTIVATION},
                 {"stick", CAROM_STICK},
                 {"slip", CAROM_SLIP}};
    char word[16];
    int used, *count = &set->kind_count[at];
    for (*count = 0; log != NULL && sscanf(log, "%15s%n", word, &used) == 1; log += used) {
        size_t i = 0, length = strcspn(word, "0123456789");
        while (i < 6 && (strlen(names[i].name) != length || strncmp(names[i].name, word, length))) {
            i++;
        }
        if (i == 6 || *count == MULTIPLE_REFERENCE_KINDS ||
            sscanf(word + length, "%d", &set->contacts[at][*count]) != 1) {
            return -1;
        }
        set->kinds[at][(*count)++] = names[i].kind;
    }
    return 0;
}

static int case_read(const json_t *entry, MultipleReference *set, int i) {
    MultipleProblem *problem = &set->problems[i];
    MultipleAnswer *answer = &set->answers[i];
    const char *tag = json_string_value(json_object_get(entry, "tag"));
    memset(problem, 0, sizeof *problem);
    problem->tag = "reference";
    answer->ok = 1;
    set->latched[i] = tag != NULL && strstr(tag, "latched") != NULL;
    return tag == NULL || scene_read(json_object_get(entry, "scene"), problem) ||
           numbers(json_object_get(entry, "impulse"), answer->impulse, multiple_rows(problem)) ||
           numbers(json_object_get(entry, "contact_velocity"), answer->velocity,
                   multiple_rows(problem)) ||
           log_read(json_string_value(json_object_get(entry, "log")), set, i);
}

int multiple_reference_load(const char *path, MultipleReference *set) {
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    size_t count = json_array_size(root);
    int bad = root == NULL || count == 0 || count > MULTIPLE_REFERENCE_CAPACITY;
    if (bad) {
        fprintf(stderr, "%s: %s\n", path, root == NULL ? error.text : "not a list of cases");
    }
    for (size_t i = 0; i < count && !bad; i++) {
        bad = case_read(json_array_get(root, i), set, (int)i);
        if (bad) {
            fprintf(stderr, "%s: case %zu is not as expected\n", path, i);
        }
    }
    set->count = (int)count;
    json_decref(root);
    return bad ? -1 : 0;
}
