#include "support/multiple/reference.h"

#include <string.h>

#include "support/contact/reference.h"

static int scene_read(const json_t *scene, MultipleProblem *problem) {
    const json_t *matrix = json_object_get(scene, "inverse_inertia");
    const json_t *contacts = json_object_get(scene, "contacts");
    problem->count = (int)json_array_size(contacts);
    int rows = multiple_rows(problem), bad = problem->count > MULTIPLE_CONTACTS;
    problem->law = CAROM_LAW_ENERGETIC;
    for (int i = 0; i < rows && !bad; i++) {
        bad = reference_numbers(json_array_get(matrix, (size_t)i), problem->W + i * rows, rows);
    }
    for (int i = 0; i < problem->count && !bad; i++) {
        bad = reference_contact(json_array_get(contacts, (size_t)i), &problem->contacts[i]);
    }
    return bad || json_array_size(matrix) != (size_t)rows ||
           reference_numbers(json_object_get(scene, "contact_velocity"), problem->v, rows);
}

static int case_read(const json_t *entry, void *data, int i) {
    MultipleReference *set = data;
    MultipleProblem *problem = &set->problems[i];
    MultipleAnswer *answer = &set->answers[i];
    const char *tag = json_string_value(json_object_get(entry, "tag"));
    memset(problem, 0, sizeof *problem);
    problem->tag = "reference";
    answer->ok = 1;
    set->latched[i] = tag != NULL && strstr(tag, "latched") != NULL;
    return tag == NULL || scene_read(json_object_get(entry, "scene"), problem) ||
           reference_numbers(json_object_get(entry, "impulse"), answer->impulse,
                             multiple_rows(problem)) ||
           reference_numbers(json_object_get(entry, "contact_velocity"), answer->velocity,
                             multiple_rows(problem)) ||
           reference_log(json_string_value(json_object_get(entry, "log")), MULTIPLE_REFERENCE_KINDS,
                         set->kinds[i], set->contacts[i], &set->kind_count[i]);
}

int multiple_reference_load(const char *path, MultipleReference *set) {
    set->count = reference_cases(path, MULTIPLE_REFERENCE_CAPACITY, set, case_read);
    return set->count < 0 ? -1 : 0;
}
