/* Questions about a world: where its bodies are, its energy, and the names of what happens. */
#include <carom/world.h>
#include <string.h>

#include "contact/status_end.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "world/touching.h"

CaromStatus carom_world_motion(const CaromWorld *world, int body, CaromMotion *motion,
                               const char **message) {
    if (!world || !motion) {
        return status_end("world and motion must not be NULL", message);
    }
    if (body < 0 || body >= world->body_count) {
        *motion = (CaromMotion){.time = NAN, .end = NAN, .plane = -1};
        for (int k = 0; k < 3; k++) {
            motion->position[k] = motion->velocity[k] = motion->acceleration[k] = NAN;
            motion->angular_velocity[k] = motion->angular_acceleration[k] = NAN;
        }
        return status_end("body: there is no such body", message);
    }
    *motion = world->bodies[body].motion;
    return status_end(NULL, message);
}

CaromStatus carom_world_body(const CaromWorld *world, int body, CaromBody *state,
                             const char **message) {
    if (!world || !state) {
        return status_end("world and state must not be NULL", message);
    }
    if (body < 0 || body >= world->body_count) {
        *state = carom_body_default();
        state->mass = NAN;
        for (int k = 0; k < 3; k++) {
            state->position[k] = state->velocity[k] = state->angular_velocity[k] = NAN;
        }
        return status_end("body: there is no such body", message);
    }
    crm_touching_state(world, &world->bodies[body], state);
    return status_end(NULL, message);
}

double carom_world_time(const CaromWorld *world) {
    return world ? world->time : NAN;
}

void carom_world_energy(const CaromWorld *world, double *kinetic, double *potential) {
    double moving = 0, high = 0;
    for (int i = 0; world && i < world->body_count; i++) {
        CaromBody body;
        if (world->bodies[i].motion.phase != CAROM_PHASE_POCKETED) {
            crm_touching_state(world, &world->bodies[i], &body);
            moving += carom_body_energy(&body);
            high -= body.mass * vec3_dot(world->gravity, body.position);
        }
    }
    if (kinetic) {
        *kinetic = world ? moving : NAN;
    }
    if (potential) {
        *potential = world ? high : NAN;
    }
}

const char *carom_phase_string(CaromPhase phase) {
    static const char *const names[] = {"flight", "sliding",  "rolling", "spinning",
                                        "rest",   "pocketed", "lasting"};
    size_t at = (size_t)phase;
    return at < sizeof names / sizeof *names ? names[at] : "unknown_phase";
}

const char *carom_world_event_string(CaromWorldEventKind kind) {
    static const char *const names[] = {"impact", "landing",  "rolling",
                                        "stop",   "spin_end", "pocket"};
    size_t at = (size_t)kind;
    return at < sizeof names / sizeof *names ? names[at] : "unknown_event";
}

const char *carom_world_end_string(CaromWorldEnd end) {
    static const char *const names[] = {"time",    "rest",    "idle",  "events",
                                        "stopped", "stalled", "failed"};
    size_t at = (size_t)end;
    return at < sizeof names / sizeof *names ? names[at] : "unknown_end";
}
