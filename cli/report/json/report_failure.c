/* A scene that has nothing to show. */
#include "base/json_write.h"
#include "report/report.h"

int report_failure(const char *name, CaromStatus status, const char *message, bool json) {
    bool invalid = status == CAROM_INVALID_INPUT;
    fprintf(stderr, "carom: %s: %s%s%s\n", name, invalid ? "" : carom_status_string(status),
            invalid ? "" : ": ", message);
    if (json && !json_write_line(stdout, report_json_failure(status, message))) {
        fprintf(stderr, "carom: %s: out of memory\n", name);
        return 2;
    }
    return solution_exit_status(status);
}
