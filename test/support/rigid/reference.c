#include "support/rigid/reference.h"

#include <stdio.h>
#include <string.h>

#include "support/contact/reference.h"

static int rigid_read(const json_t *entry, void *data, int i) {
    ReferenceSet *set = data;
    const char *tag = json_string_value(json_object_get(entry, "tag"));
    const char *sequence = json_string_value(json_object_get(entry, "sequence"));
    if (tag == NULL || sequence == NULL || strlen(sequence) >= CAROM_SEQUENCE_SIZE ||
        reference_case(entry, &set->impacts[i], &set->answers[i])) {
        return -1;
    }
    strcpy(set->answers[i].sequence, sequence);
    snprintf(set->tags[i], REFERENCE_TAG_SIZE, "%s", tag);
    set->impacts[i].tag = set->tags[i];
    return 0;
}

int reference_load(const char *path, ReferenceSet *set) {
    set->count = reference_cases(path, REFERENCE_CAPACITY, set, rigid_read);
    return set->count < 0 ? -1 : 0;
}
