/* What reports say about impulses and velocities. */
#include "report/words/motion_words.h"

#include <math.h>

double report_tangential(const double *x, int rows) {
    return rows == 2 ? fabs(x[0]) : hypot(x[0], x[1]);
}

int report_times(const CaromResult *result, int contact, bool *latched) {
    int times = 0;
    *latched = false;
    for (int i = 0; i < result->event_count; i++) {
        if (result->events[i].contact == contact) {
            times += result->events[i].kind == CAROM_ACTIVATION;
            *latched = *latched || result->events[i].kind == CAROM_LATCH;
        }
    }
    return times;
}

void report_after(const Scene *scene, const Solution *solution, const MotionNoise *noise, int body,
                  bool angular, double shown[3]) {
    const double *after = motion_of(&solution->bodies[body], angular);
    double least = angular ? noise->angular : noise->linear;
    for (int k = 0; k < 3; k++) {
        shown[k] = scene->contact_count > 1 && fabs(after[k]) <= least ? 0 : after[k];
    }
}

const char *report_turn_words(const Scene *scene, const Solution *solution) {
    MotionNoise noise = motion_noise(scene, solution);
    for (int i = 0; i < scene->body_count; i++) {
        if (scene->contact_count == 1 || motion_changes_any(scene, solution, &noise, i, true)) {
            return NULL;
        }
    }
    return "Angular velocities do not change.";
}
