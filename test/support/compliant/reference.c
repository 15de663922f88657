#include "support/compliant/reference.h"

#include "support/contact/reference.h"

/* The log stops at the end of compression if e = 0, where the library goes on to say that the
 * impact is over. */
static int log_read(const char *log, double e, CaromEventKind *kinds, int *count) {
    int contacts[7];
    if (reference_log(log, 7, kinds, contacts, count) != 0 || *count == 0) {
        return -1;
    }
    if (e == 0) {
        kinds[(*count)++] = CAROM_EVENT_RESTITUTION_END;
    }
    return 0;
}

static int compliant_read(const json_t *entry, void *data, int i) {
    CompliantReference *set = data;
    Impact *impact = &set->impacts[i];
    impact->tag = "reference";
    return reference_case(entry, impact, &set->answers[i]) ||
           log_read(json_string_value(json_object_get(entry, "log")), impact->contact.e,
                    set->kinds[i], &set->event_counts[i]);
}

int compliant_reference_load(const char *path, CompliantReference *set) {
    set->count = reference_cases(path, COMPLIANT_REFERENCE_CAPACITY, set, compliant_read);
    return set->count < 0 ? -1 : 0;
}
