#include "contact/result.h"

#include <math.h>
#include <stddef.h>

void crm_result_begin(CaromResult *result) {
    result->event_count = 0;
    result->status = CAROM_OK;
    result->message = result->ambiguous = "";
    result->sequence[0] = '\0';
    result->solutions = 1;
    result->work = 0;
    result->jump = (CaromJump){INFINITY, -1, ""};
}

CaromStatus crm_result_fail(CaromResult *result, int entries, CaromStatus status,
                            const char *message) {
    if (!result) {
        return status;
    }
    crm_result_begin(result);
    for (int i = 0; i < entries; i++) {
        if (result->impulse) {
            result->impulse[i] = NAN;
        }
        if (result->velocity) {
            result->velocity[i] = NAN;
        }
    }
    result->energy = (CaromEnergy){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    result->error = result->jump.distance = NAN;
    result->solutions = 0;
    result->status = status;
    result->message = message;
    return status;
}
