/* Status codes, how errors are reported, and the library's version. */
#ifndef CAROM_STATUS_H
#define CAROM_STATUS_H

#include <carom/api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAROM_VERSION_MAJOR 0
#define CAROM_VERSION_MINOR 1
#define CAROM_VERSION_PATCH 0
#define CAROM_VERSION "0.1.0"

/* How a call ended: 0 success, negative failure, positive success with information.
 *
 * Every function that can fail returns a status and gives the reason as a constant string that
 * names the field: in CaromResult.message where it fills a CaromResult, else in *message, its last
 * argument, which may be NULL. The string is "" if the call succeeded. Outputs of a failed call are
 * NaN.
 *
 * NULL in the place of any other pointer, unless it may be NULL by the comment of the function, is
 * CAROM_INVALID_INPUT as well. A function that returns no status then returns NaN or does nothing.
 */
typedef enum CaromStatus {
    CAROM_OK = 0,
    CAROM_ENERGY_GAIN = 1,      /* solved, but the chosen restitution law created energy */
    CAROM_INVALID_INPUT = -1,   /* an argument is not finite, out of range or inconsistent */
    CAROM_NOT_APPROACHING = -2, /* v_n >= 0 at every contact: there is no impact */
    CAROM_NOT_CONVERGED = -3,   /* the accuracy asked for was not reached, or no answer found */
    CAROM_NO_SOLUTION = -4      /* the law has none: several rigid contacts with e > 0 */
} CaromStatus;

/* Name of a status as it appears in files ("ok", "invalid_input", ...); a constant string,
 * "unknown_status" for a value that is not one. */
CAROM_API const char *carom_status_string(CaromStatus status);

/* Version of the library in use, e.g. "0.1.0". */
CAROM_API const char *carom_version(void);

#ifdef __cplusplus
}
#endif

#endif
