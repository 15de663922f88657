#include "roll/roll_run.h"

#include <math.h>
#include <string.h>

CaromStatus roll_run(const Scene *scene, const Solution *solution, double time, RollRun *run,
                     const char **message) {
    const CaromBody *before = &scene->bodies[scene->roll.body];
    const CaromBody *after = &solution->bodies[scene->roll.body];
    CaromRollingState start;
    memcpy(start.position, before->position, sizeof start.position);
    memcpy(start.velocity, after->velocity, sizeof start.velocity);
    memcpy(start.angular_velocity, after->angular_velocity, sizeof start.angular_velocity);
    *run = (RollRun){.scene = scene, .hop = after->velocity[2]};
    CaromStatus status = carom_rolling_path(&scene->roll.table, &start, &run->path, message);
    if (status < 0) {
        return status;
    }
    double rest = run->path.begin[CAROM_ROLLING_PHASE_REST];
    if (time == 0 && isinf(rest)) {
        *message = "the ball does not come to rest: give --time";
        return CAROM_INVALID_INPUT;
    }
    run->end = time > 0 ? time : rest;
    run->at_rest = run->end >= rest;
    CaromRollingState last; /* the whole path is in range if its end is */
    return carom_rolling_at(&run->path, run->end, &last, NULL, message);
}

int roll_phases(const RollRun *run) {
    int count = 1;
    while (count < 3 && isfinite(run->path.begin[count])) {
        count++;
    }
    return count;
}

const char *roll_phase_name(CaromRollingPhase phase) {
    static const char *const names[] = {"sliding", "rolling", "rest"};
    return names[phase];
}

const char *roll_phase_words(CaromRollingPhase phase) {
    static const char *const words[] = {"slides", "rolls", "rests"};
    return words[phase];
}
