/* Fuzz target: any numbers to the solver of one rigid contact.
 *
 * The first byte says how W is made: from raw doubles, or as A^T A + eps, which is mostly
 * accepted. Oracles: nothing crashes (build with the sanitizers); a failure writes NaN and a
 * message; a success is finite, inside the friction cone, separating, with a well-formed sequence
 * and an energy account that closes; the energetic law never gains energy. Slack is given by the
 * result's own estimate of its error, so a wrong answer that says so is not a finding here. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Input {
    double W[9], v[3];
    CaromContact contact;
    CaromLaw law;
} Input;

typedef struct Bytes {
    const uint8_t *data;
    size_t size;
} Bytes;

static double take_raw(Bytes *bytes) {
    double value = 0;
    size_t size = bytes->size < sizeof value ? bytes->size : sizeof value;
    memcpy(&value, bytes->data, size);
    bytes->data += size;
    bytes->size -= size;
    return value;
}

/* Two bytes as a number in [-4, 4), zero and the other multiples of 1/8192 included. */
static double take_small(Bytes *bytes) {
    int16_t value = 0;
    size_t size = bytes->size < sizeof value ? bytes->size : sizeof value;
    memcpy(&value, bytes->data, size);
    bytes->data += size;
    bytes->size -= size;
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
    double (*take)(Bytes *) = choice & 1 ? take_raw : take_small;
    (choice & 2 ? take_matrix : take_gram)(&bytes, input.W);
    for (int i = 0; i < 3; i++) {
        input.v[i] = take(&bytes);
    }
    if (choice & 4) {
        input.v[2] = -fabs(input.v[2]);
    }
    input.contact.mu = choice & 8 ? take(&bytes) : fabs(take_small(&bytes));
    input.contact.e = choice & 8 ? take(&bytes) : fabs(take_small(&bytes)) / 4;
    input.contact.mu_static = choice & 16 ? input.contact.mu * (1 + fabs(take_small(&bytes))) : -1;
    input.law = (CaromLaw)((choice >> 5) % 3);
    return input;
}

/* 1/2 v . W^-1 v in long double, and |v-| . |I| as a floor where W is nearly singular. */
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

static void require(int condition, const char *what, const Input *input) {
    if (condition) {
        return;
    }
    const double *W = input->W, *v = input->v;
    fprintf(stderr, "fuzz_rigid: %s\nW %.17g %.17g %.17g %.17g %.17g %.17g\n", what, W[0], W[1],
            W[2], W[4], W[5], W[8]);
    fprintf(stderr, "v %.17g %.17g %.17g mu %.17g mu_static %.17g e %.17g law %d\n", v[0], v[1],
            v[2], input->contact.mu, input->contact.mu_static, input->contact.e, (int)input->law);
    abort();
}

static void check_failure(const Input *input, const CaromResult *result) {
    for (int i = 0; i < 3; i++) {
        require(isnan(result->impulse[i]) && isnan(result->velocity[i]), "a failure must write NaN",
                input);
    }
    require(result->message != NULL && result->message[0] != '\0', "a failure needs a message",
            input);
    require(result->event_count == 0 && result->sequence[0] == '\0', "a failure has no events",
            input);
}

static void check_success(const Input *input, const CaromResult *result) {
    const double *I = result->impulse, *v = result->velocity;
    double mu = fmax(input->contact.mu, input->contact.mu_static);
    double scale = energy_scale(input, I), slack = 1e-11 + 100 * result->error;
    for (int i = 0; i < 3; i++) {
        require(isfinite(I[i]) && isfinite(v[i]), "a success must be finite", input);
    }
    require(result->error >= 0, "the error estimate must be a number", input);
    require(I[2] > 0, "the bodies must push each other", input);
    require(v[2] >= 0, "the bodies must separate", input);
    /* subnormal numbers have few digits: what is 1e-30 of the impulse is not asked about */
    require(hypot(I[0], I[1]) <= (mu * (1 + slack) + 1e-30) * I[2], "the impulse leaves the cone",
            input);
    require(fabs(result->energy.residual) <= scale * slack, "the energy account must close", input);
    require(input->law != CAROM_ENERGETIC || result->energy.change <= scale * slack,
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
        check_success(&input, &result);
    }
    return 0;
}
