/* Motion in time, before and after an impact: free flight, and a ball on a table. */
#include <math.h>
#include <string.h>

#include "engine.h"

/* Numbers of a body as JavaScript writes them: mass, inertia, position, orientation, velocity,
 * angular velocity; and of its state at a time: the last four. */
enum { MASS_NUMBERS = 10, STATE_NUMBERS = 13, BODY_NUMBERS = MASS_NUMBERS + STATE_NUMBERS };
_Static_assert(offsetof(CaromBody, guide) == MASS_NUMBERS * sizeof(double), "the mass comes first");
_Static_assert(offsetof(CaromBody, position) + STATE_NUMBERS * sizeof(double) == sizeof(CaromBody),
               "the state comes last");

static CaromBody read_body(const double *numbers) {
    CaromBody body = {0};
    memcpy(&body, numbers, MASS_NUMBERS * sizeof *numbers);
    memcpy(body.position, numbers + MASS_NUMBERS, STATE_NUMBERS * sizeof *numbers);
    return body;
}

/* An immovable body keeps its velocities: treat it as a ball without gravity. */
static void release(CaromBody *body, double gravity[3]) {
    if (isinf(body->mass)) {
        static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        body->mass = 1;
        memcpy(body->inertia, unit, sizeof unit);
        gravity[0] = gravity[1] = gravity[2] = 0;
    }
}

/* The states of a body at times from now. A flight continues from the previous time if that lies on
 * its way, so many times cost little more than the last one. input: body, gravity (3), times. */
EXPORT(const double *, flight, const double *input, int count) {
    double *states = room_take(&engine_numbers, (size_t)count * STATE_NUMBERS * sizeof *states);
    CaromBody start = read_body(input), body;
    double gravity[3], now = 0;
    if (!states) {
        engine_end_no_memory();
        return NULL;
    }
    memcpy(gravity, input + BODY_NUMBERS, sizeof gravity);
    const double *times = input + BODY_NUMBERS + 3;
    release(&start, gravity);
    body = start;
    for (int i = 0; i < count; i++) {
        const char *message = "";
        if (times[i] * now < 0 || fabs(times[i]) < fabs(now)) {
            body = start;
            now = 0;
        }
        CaromStatus status = carom_flight_advance(&body, gravity, times[i] - now, &message);
        if (!engine_end(status, message)) {
            return NULL;
        }
        now = times[i];
        memcpy(states + i * STATE_NUMBERS, body.position, STATE_NUMBERS * sizeof *states);
    }
    return states;
}

/* The path of a ball on a table. input: radius, mu_slide, mu_roll, gravity, the state at the start
 * (9: position, velocity, angular velocity), times. Returns the times at which the phases begin
 * (3), and for each time the state (9) and the phase. */
EXPORT(const double *, roll, const double *input, int count) {
    CaromTable table = {input[0], input[1], input[2], input[3]};
    CaromRollingState state;
    CaromRollingPath path;
    CaromRollingPhase phase;
    const char *message = "";
    _Static_assert(sizeof state == 9 * sizeof(double), "numbers and nothing else");
    double *answer = room_take(&engine_numbers, (3 + 10 * (size_t)count) * sizeof *answer);
    if (!answer) {
        engine_end_no_memory();
        return NULL;
    }
    memcpy(&state, input + 4, sizeof state);
    CaromStatus status = carom_rolling_path(&table, &state, &path, &message);
    if (!engine_end(status, message)) {
        return NULL;
    }
    memcpy(answer, path.begin, sizeof path.begin);
    for (int i = 0; i < count; i++) {
        status = carom_rolling_at(&path, input[13 + i], &state, &phase, NULL);
        if (!engine_end(status, status < 0 ? "times: must be >= 0, and not too late" : "")) {
            return NULL;
        }
        memcpy(answer + 3 + 10 * i, &state, sizeof state);
        answer[3 + 10 * i + 9] = phase;
    }
    return answer;
}
