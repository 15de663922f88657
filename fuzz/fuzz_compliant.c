/* Fuzz target: any numbers to the solver of one compliant contact.
 *
 * The first byte says how W is made: from raw doubles, or as A^T A + eps, which is mostly
 * accepted. Oracles: nothing crashes or hangs (build with the sanitizers); a failure writes NaN and
 * a message; a success is finite, inside the friction cone, separating, with a well-formed sequence
 * and an energy account that closes; energy is never gained. Slack is given by the result's own
 * estimate of its error, so a wrong answer that says so is not a finding here. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

enum { EVENTS = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Input {
    double W[9], v[3];
    CaromContact contact;
} Input;

typedef struct Bytes {
    const uint8_t *data;
    size_t size;
} Bytes;

static void take(Bytes *bytes, void *out, size_t wanted) {
    size_t size = bytes->size < wanted ? bytes->size : wanted;
    memset(out, 0, wanted);
    memcpy(out, bytes->data, size);
    bytes->data += size;
    bytes->size -= size;
}

static double take_raw(Bytes *bytes) {
    double value;
    take(bytes, &value, sizeof value);
    return value;
}

/* Two bytes as a number in [-4, 4), zero and the other multiples of 1/8192 included. */
static double take_small(Bytes *bytes) {
    int16_t value;
    take(bytes, &value, sizeof value);
    return value / 8192.0;
}

static void take_gram(Bytes *bytes, double W[9]) {
    double A[9], scale = ldexp(1, (int)(8 * take_small(bytes)));
    for (int i = 0; i < 9; i++) {
        A[i] = take_small(bytes);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = i == j ? 1e-6 : 0;
            for (int k = 0; k < 3; k++) {
                sum += A[3 * k + i] * A[3 * k + j];
            }
            W[3 * i + j] = scale * sum;
        }
    }
}

static void take_matrix(Bytes *bytes, double W[9]) {
    static const int place[6] = {0, 1, 2, 4, 5, 8};
    for (int i = 0; i < 6; i++) {
        W[place[i]] = take_raw(bytes);
    }
    W[3] = W[1];
    W[6] = W[2];
    W[7] = W[5];
}

static Input input_of(const uint8_t *data, size_t size) {
    Input input = {.contact = carom_contact_default()};
    uint8_t choice = size > 0 ? data[0] : 0;
    Bytes bytes = {size > 0 ? data + 1 : data, size > 0 ? size - 1 : 0};
    double (*take_number)(Bytes *) = choice & 1 ? take_raw : take_small;
    CaromContact *contact = &input.contact;
    (choice & 2 ? take_matrix : take_gram)(&bytes, input.W);
    for (int i = 0; i < 3; i++) {
        input.v[i] = take_number(&bytes);
    }
    if (choice & 4) {
        input.v[2] = -fabs(input.v[2]);
    }
    contact->mu = choice & 8 ? take_number(&bytes) : fabs(take_small(&bytes));
    contact->e = choice & 8 ? take_number(&bytes) : fabs(take_small(&bytes)) / 4;
    /* from 2^-20 to 2^14, or anything */
    contact->stiffness_ratio =
        choice & 16 ? take_raw(&bytes) : exp2(17 * take_small(&bytes) / 4 - 3);
    contact->mu_static = choice & 32 ? contact->mu : -1;
    return input;
}

static void require(int condition, const char *what, const Input *input) {
    if (condition) {
        return;
    }
    const double *W = input->W, *v = input->v;
    fprintf(stderr, "fuzz_compliant: %s\nW %.17g %.17g %.17g %.17g %.17g %.17g\n", what, W[0], W[1],
            W[2], W[4], W[5], W[8]);
    fprintf(stderr, "v %.17g %.17g %.17g mu %.17g mu_static %.17g e %.17g stiffness_ratio %.17g\n",
            v[0], v[1], v[2], input->contact.mu, input->contact.mu_static, input->contact.e,
            input->contact.stiffness_ratio);
    abort();
}

static void check_failure(const Input *input, const CaromResult *result) {
    for (int i = 0; i < 3; i++) {
        require(isnan(result->impulse[i]) && isnan(result->velocity[i]), "a failure must write NaN",
                input);
    }
    require(isnan(result->energy.change) && isnan(result->error), "a failure must write NaN",
            input);
    require(result->message != NULL && result->message[0] != '\0', "a failure needs a message",
            input);
    require(result->event_count == 0 && result->sequence[0] == '\0', "a failure has no events",
            input);
}

static void check_events(const Input *input, const CaromResult *result) {
    int kept = result->event_count < EVENTS ? result->event_count : EVENTS;
    require(result->event_count >= 2, "compression and restitution must end", input);
    for (int i = 0; i < kept; i++) {
        const CaromEvent *event = &result->events[i];
        require(isfinite(event->normal_impulse) && event->stored >= 0 && event->tangential >= 0,
                "events must have numbers", input);
        require(i == 0 || event->normal_impulse >= result->events[i - 1].normal_impulse,
                "events must be in order", input);
    }
    size_t length = strlen(result->sequence);
    require(strspn(result->sequence, "scr") == length, "the sequence has strange letters", input);
    /* a full one may have lost its end */
    require(length + 1 == sizeof result->sequence ||
                (strchr(result->sequence, 'c') != NULL && result->sequence[length - 1] == 'r'),
            "the sequence is not well formed", input);
    require(result->event_count > kept || result->events[kept - 1].kind == CAROM_RESTITUTION_END,
            "the last event must be the end", input);
}

static void check_success(const Input *input, const CaromResult *result) {
    const double *I = result->impulse, *v = result->velocity;
    double slack = 1e-11 + 100 * result->error, scale = 0;
    for (int i = 0; i < 3; i++) {
        require(isfinite(I[i]) && isfinite(v[i]), "a success must be finite", input);
        scale += fabs(I[i]) * (fabs(input->v[i]) + fabs(v[i])) / 2;
    }
    require(result->error >= 0, "the error estimate must be a number", input);
    require(I[2] > 0, "the bodies must push each other", input);
    require(v[2] >= -slack * (fabs(input->v[2]) + input->W[8] * I[2]), "the bodies must separate",
            input);
    /* subnormal numbers have few digits: what is 1e-30 of the impulse is not asked about */
    require(hypot(I[0], I[1]) <= (input->contact.mu * (1 + slack) + 1e-30) * I[2],
            "the impulse leaves the cone", input);
    require(fabs(result->energy.residual) <= scale * slack, "the energy account must close", input);
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
        check_success(&input, &result);
    }
    return 0;
}
