/* Fuzz target: arbitrary numbers to the solver of one compliant contact.
 *
 * Oracles: nothing crashes or hangs (build with the sanitizers); a failure writes NaN and a
 * message; a success is finite, inside the friction cone, separating, with a well-formed sequence
 * and an energy account that closes; energy is never gained. Tolerances follow the result's own
 * error estimate, so a wrong answer with a large estimate passes. */
#include <math.h>
#include <string.h>

#include "fuzz_numbers.h"

enum { EVENTS = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Input input_of(const uint8_t *data, size_t size) {
    Input input;
    Bytes bytes = {.data = data, .size = size};
    uint8_t choice = take_impact(&bytes, "fuzz_compliant", &input);
    /* from 2^-20 to 2^14, or any double */
    input.contact.stiffness_ratio =
        choice & 16 ? take_raw(&bytes) : exp2(17 * take_small(&bytes) / 4 - 3);
    input.contact.mu_static = choice & 32 ? input.contact.mu : -1;
    return input;
}

static void check_events(const Input *input, const CaromResult *result) {
    int kept = result->event_count < EVENTS ? result->event_count : EVENTS;
    double p = 0;
    require(result->event_count >= 2, "compression and restitution must end", input);
    for (int i = 0; i < kept; i++) {
        const CaromEvent *event = &result->events[i];
        require(isfinite(event->normal_impulse) && event->stored >= 0 && event->tangential >= 0,
                "events must have numbers", input);
        /* up to rounding: p hardly changes while bounces decay */
        require(event->normal_impulse >= p * (1 - 1e-15), "events must be in order", input);
        p = event->normal_impulse;
    }
    size_t length = strlen(result->sequence);
    require(strspn(result->sequence, "scr") == length, "the sequence has unknown letters", input);
    /* a full buffer may lack the end */
    require(length + 1 == sizeof result->sequence ||
                (strchr(result->sequence, 'c') != NULL && result->sequence[length - 1] == 'r'),
            "the sequence is not well formed", input);
    require(result->event_count > kept ||
                result->events[kept - 1].kind == CAROM_EVENT_RESTITUTION_END,
            "the last event must be the end", input);
}

static void check_compliant(const Input *input, const CaromResult *result) {
    const double *I = result->impulse, *v = result->velocity;
    double slack = slack_of(result), scale = 0;
    for (int i = 0; i < 3; i++) {
        scale += fabs(I[i]) * (fabs(input->v[i]) + fabs(v[i])) / 2;
    }
    check_success(input, result, scale, slack);
    require(v[2] >= -slack * (fabs(input->v[2]) + input->W[8] * I[2]), "the bodies must separate",
            input);
    require(result->energy.change <= scale * slack, "energy was gained", input);
    check_events(input, result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input input = input_of(data, size);
    double I[3], v[3];
    CaromEvent events[EVENTS];
    CaromResult result = {.impulse = I, .velocity = v, .events = events, .event_capacity = EVENTS};
    CaromStatus status = carom_compliant_solve(input.W, input.v, &input.contact, &result);
    require(status == result.status, "status returned and status written differ", &input);
    if (status < 0) {
        check_failure(&input, &result);
    } else {
        check_compliant(&input, &result);
    }
    input.law = CAROM_LAW_ENERGETIC;
    check_batch(&input, CAROM_MODEL_COMPLIANT, &result);
    return 0;
}
