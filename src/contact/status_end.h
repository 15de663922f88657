/* The end of a public call that reports its reason by a last argument `const char **message`. */
#ifndef CAROM_CONTACT_STATUS_END_H
#define CAROM_CONTACT_STATUS_END_H

#include <stddef.h>

#include <carom/status.h>

/* problem: why the input is invalid, or NULL. message may be NULL. */
static inline CaromStatus status_end(const char *problem, const char **message) {
    if (message) {
        *message = problem ? problem : "";
    }
    return problem ? CAROM_INVALID_INPUT : CAROM_OK;
}

#endif
