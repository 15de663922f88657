#include "fuzz_numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the input ---- */

void bytes_extend(Bytes *bytes) {
    bytes->stream = UINT64_C(0xCBF29CE484222325); /* FNV-1a */
    for (size_t i = 0; i < bytes->size; i++) {
        bytes->stream = (bytes->stream ^ bytes->data[i]) * UINT64_C(0x100000001B3);
    }
    bytes->stream |= 1;
}

/* xorshift64 */
static uint8_t next_byte(Bytes *bytes) {
    bytes->stream ^= bytes->stream << 13;
    bytes->stream ^= bytes->stream >> 7;
    bytes->stream ^= bytes->stream << 17;
    return (uint8_t)(bytes->stream >> 32);
}

static void take(Bytes *bytes, void *out, size_t wanted) {
    size_t size = bytes->size < wanted ? bytes->size : wanted;
    memset(out, 0, wanted);
    for (size_t i = size; bytes->stream && i < wanted; i++) {
        ((uint8_t *)out)[i] = next_byte(bytes);
    }
    if (size > 0) {
        memcpy(out, bytes->data, size);
        bytes->data += size;
        bytes->size -= size;
    }
}

double take_raw(Bytes *bytes) {
    double value;
    take(bytes, &value, sizeof value);
    return value;
}

double take_small(Bytes *bytes) {
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

uint8_t take_impact(Bytes *bytes, const char *target, Input *input) {
    uint8_t choice;
    take(bytes, &choice, 1);
    double (*take_number)(Bytes *) = choice & 1 ? take_raw : take_small;
    *input = (Input){.target = target, .contact = carom_contact_default()};
    (choice & 2 ? take_matrix : take_gram)(bytes, input->W);
    for (int i = 0; i < 3; i++) {
        input->v[i] = take_number(bytes);
    }
    if (choice & 4) {
        input->v[2] = -fabs(input->v[2]);
    }
    input->contact.mu = choice & 8 ? take_number(bytes) : fabs(take_small(bytes));
    input->contact.e = choice & 8 ? take_number(bytes) : fabs(take_small(bytes)) / 4;
    return choice;
}

/* ---- checks ---- */

void require(int condition, const char *what, const Input *input) {
    if (condition) {
        return;
    }
    const double *W = input->W, *v = input->v;
    const CaromContact *contact = &input->contact;
    fprintf(stderr, "%s: %s\nW %.17g %.17g %.17g %.17g %.17g %.17g\n", input->target, what, W[0],
            W[1], W[2], W[4], W[5], W[8]);
    fprintf(stderr, "v %.17g %.17g %.17g mu %.17g mu_static %.17g e %.17g stiffness_ratio %.17g ",
            v[0], v[1], v[2], contact->mu, contact->mu_static, contact->e,
            contact->stiffness_ratio);
    fprintf(stderr, "law %d\n", (int)input->law);
    abort();
}

void check_failure(const Input *input, const CaromResult *result) {
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

void check_cone(const Input *input, const double I[3], double slack) {
    double mu = fmax(input->contact.mu, input->contact.mu_static);
    /* subnormal numbers have few digits: ignore 1e-30 of the impulse */
    require(hypot(I[0], I[1]) <= (mu * (1 + slack) + 1e-30) * I[2], "the impulse leaves the cone",
            input);
}

void check_success(const Input *input, const CaromResult *result, double scale, double slack) {
    const double *I = result->impulse, *v = result->velocity;
    for (int i = 0; i < 3; i++) {
        require(isfinite(I[i]) && isfinite(v[i]), "a success must be finite", input);
    }
    require(result->error >= 0, "the error estimate must be a number", input);
    require(I[2] > 0, "the bodies must push each other", input);
    check_cone(input, I, slack);
    require(fabs(result->energy.residual) <= scale * slack, "the energy account must close", input);
}

double slack_of(const CaromResult *result) {
    return 1e-11 + 100 * result->error;
}

void check_batch(const Input *input, CaromModel model, const CaromResult *alone) {
    const double *W = input->W, *v = input->v;
    const CaromCase good = {.W = {3, 0.5, 0.2, 4, -0.3, 2},
                            .v = {0.7, -0.4, -1.5},
                            .contact = {.mu = 0.3, .e = 0.6},
                            .model = model};
    const CaromCase one = {.W = {W[0], W[1], W[2], W[4], W[5], W[8]},
                           .v = {v[0], v[1], v[2]},
                           .contact = input->contact,
                           .model = model,
                           .law = input->law};
    const CaromCase cases[5] = {good, one, good, one, good};
    CaromOutcome out[5];
    memset(out, 0, sizeof out); /* and the padding */
    /* a batch takes one half of W */
    if (W[1] != W[3] || W[2] != W[6] || W[5] != W[7]) {
        return;
    }
    carom_batch_solve(5, cases, out);
    require(out[1].status == alone->status || alone->status == CAROM_NOT_CONVERGED,
            "a batch has another status", input);
    require(memcmp(out[1].impulse, out[3].impulse, sizeof out[1].impulse) == 0 ||
                isnan(out[1].impulse[0]),
            "the place in a batch matters", input);
    require(out[0].status == CAROM_OK && memcmp(&out[0], &out[2], sizeof *out) == 0 &&
                memcmp(&out[0], &out[4], sizeof *out) == 0,
            "a case touches its neighbours in a batch", input);
    if (alone->status >= 0) {
        double slack = slack_of(alone), apart = slack * (fabs(v[2]) + W[8] * out[1].impulse[2]);
        require(out[1].velocity[2] >= (model == CAROM_MODEL_RIGID ? 0 : -apart),
                "the bodies of a batch must separate", input);
        check_cone(input, out[1].impulse, slack);
    }
}
