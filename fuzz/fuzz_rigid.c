/* Fuzz target: arbitrary numbers to the solver of one rigid contact.
 *
 * Oracles: nothing crashes (build with the sanitizers); a failure writes NaN and a message; a
 * success is finite, inside the friction cone, separating, with a well-formed sequence and an
 * energy account that closes; the energetic law never gains energy. Tolerances follow the result's
 * own error estimate, so a wrong answer with a large estimate passes. */
#include <math.h>
#include <string.h>

#include "fuzz_numbers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Input input_of(const uint8_t *data, size_t size) {
    Input input;
    Bytes bytes = {.data = data, .size = size};
    uint8_t choice = take_impact(&bytes, "fuzz_rigid", &input);
    input.contact.mu_static = choice & 16 ? input.contact.mu * (1 + fabs(take_small(&bytes))) : -1;
    input.law = (CaromLaw)((choice >> 5) % 3);
    return input;
}

/* v.W^-1 v/2 in long double, at least |v-|.|I|, because W may be nearly singular. */
static double energy_scale(const Input *input, const double I[3]) {
    long double L[9] = {0}, x[3], sum = 0, floor = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            long double a = input->W[3 * j + i];
            for (int k = 0; k < j; k++) {
                a -= L[3 * i + k] * L[3 * j + k];
            }
            L[3 * i + j] = i == j ? sqrtl(fabsl(a)) : a / L[4 * j];
        }
        x[i] = input->v[i];
        for (int k = 0; k < i; k++) {
            x[i] -= L[3 * i + k] * x[k];
        }
        x[i] /= L[4 * i];
        sum += x[i] * x[i] / 2;
        floor += fabsl((long double)input->v[i] * I[i]);
    }
    return (double)(sum > floor ? sum : floor);
}

static void check_rigid(const Input *input, const CaromResult *result) {
    double scale = energy_scale(input, result->impulse), slack = slack_of(result);
    check_success(input, result, scale, slack);
    require(result->velocity[2] >= 0, "the bodies must separate", input);
    require(input->law != CAROM_LAW_ENERGETIC || result->energy.change <= scale * slack,
            "the energetic law gained energy", input);
    require(strspn(result->sequence, "slcr") == strlen(result->sequence) &&
                strchr(result->sequence, 'c') != NULL &&
                result->sequence[strlen(result->sequence) - 1] == 'r',
            "the sequence is not well formed", input);
    for (int i = 1; i < result->event_count && i < result->event_capacity; i++) {
        require(result->events[i].normal_impulse >= result->events[i - 1].normal_impulse,
                "events must be in order", input);
    }
}

/* A planar case of a batch has the bits of the planar solver. */
static void check_planar(const Input *input) {
    const double *W = input->W, *v = input->v;
    const double flat[4] = {W[0], W[2], W[2], W[8]}, pair[2] = {v[0], v[2]};
    double I[2], after[2];
    CaromResult alone = {.impulse = I, .velocity = after};
    const CaromCase one = {.W = {W[0], NAN, W[2], NAN, NAN, W[8]},
                           .v = {v[0], NAN, v[2]},
                           .contact = input->contact,
                           .law = input->law,
                           .planar = 1};
    CaromOutcome out;
    carom_planar_solve(flat, pair, &input->contact, input->law, &alone);
    carom_batch_solve(1, &one, &out);
    require(out.status == alone.status, "a planar case of a batch has another status", input);
    for (int i = 0; i < 2 && alone.status >= 0; i++) {
        require(memcmp(&I[i], &out.impulse[2 * i], sizeof *I) == 0 &&
                    memcmp(&after[i], &out.velocity[2 * i], sizeof *I) == 0,
                "a planar case of a batch has other bits", input);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input input = input_of(data, size);
    double I[3], v[3];
    CaromEvent events[CAROM_RIGID_EVENTS];
    CaromResult result = {
        .impulse = I, .velocity = v, .events = events, .event_capacity = CAROM_RIGID_EVENTS};
    CaromStatus status = carom_rigid_solve(input.W, input.v, &input.contact, input.law, &result);
    require(status == result.status, "status returned and status written differ", &input);
    if (status < 0) {
        check_failure(&input, &result);
    } else {
        check_rigid(&input, &result);
    }
    check_batch(&input, CAROM_MODEL_RIGID, &result);
    check_planar(&input);
    return 0;
}
