/* Names of statuses and events. */
#include <carom/result.h>

const char *carom_status_string(CaromStatus status) {
    switch (status) {
    case CAROM_OK:
        return "ok";
    case CAROM_ENERGY_GAIN:
        return "energy_gain";
    case CAROM_INVALID_INPUT:
        return "invalid_input";
    case CAROM_NOT_APPROACHING:
        return "not_approaching";
    case CAROM_NOT_CONVERGED:
        return "not_converged";
    case CAROM_NO_SOLUTION:
        return "no_solution";
    }
    return "unknown_status";
}

const char *carom_event_string(CaromEventKind kind) {
    static const char *const names[] = {"compression_end", "compression_restart",
                                        "restitution_end", "activation",
                                        "latch",           "release",
                                        "stick",           "slip"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown_event";
}

const char *carom_version(void) {
    return CAROM_VERSION;
}
