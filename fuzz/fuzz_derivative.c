/* Fuzz target: arbitrary numbers to the derivatives of one contact, rigid, planar or compliant.
 *
 * Oracles: nothing crashes or hangs (build with the sanitizers); a failure writes NaN and a
 * message; a success is finite where it is smooth, v+ = v- + W I holds for the derivatives by e,
 * and dI/dv.v is I. */
#include <math.h>
#include <string.h>

#include "fuzz_numbers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COUNT = CAROM_INPUTS_ONE };

static void check_derivative(const Input *input, const double I[3], const double *by_I,
                             const double *by_v, const CaromDerivative *derivative) {
    int smooth = derivative->smoothness != CAROM_NOT_SMOOTH;
    double size = fabs(I[0]) + fabs(I[1]) + I[2];
    for (int i = 0; i < 3; i++) {
        double sum = -I[i], all = size, change = 0, terms = 0;
        for (int j = 0; j < COUNT && smooth; j++) {
            require(isfinite(by_I[i * COUNT + j]) && isfinite(by_v[i * COUNT + j]),
                    "a smooth outcome has derivatives", input);
        }
        for (int j = 0; j < 3; j++) {
            double term = by_I[i * COUNT + 6 + j] * input->v[j];
            double part = input->W[3 * i + j] * by_I[j * COUNT + 11];
            sum += term;
            all += fabs(term);
            change += part;
            terms += sqrt(input->W[4 * i]) * sqrt(input->W[4 * j]) * fabs(by_I[j * COUNT + 11]);
        }
        require(!smooth || fabs(sum) <= 1e-5 * all, "the impulse is homogeneous", input);
        require(!smooth || fabs(change - by_v[i * COUNT + 11]) <= 1e-5 * (terms + 1e-300),
                "v+ must follow from I", input);
    }
    for (int i = 0; i < derivative->kink_count && i < derivative->kink_capacity; i++) {
        require(derivative->kinks[i].distance >= 0, "distances are not negative", input);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input input;
    Bytes bytes = {.data = data, .size = size};
    uint8_t choice = take_impact(&bytes, "fuzz_derivative", &input);
    int compliant = choice & 16;
    input.law = compliant ? CAROM_LAW_ENERGETIC : (CaromLaw)((choice >> 5) % 3);
    input.contact.stiffness_ratio = compliant ? exp2(3 * take_small(&bytes) / 4) : 0;
    double I[3], v[3], by_I[3 * COUNT], by_v[3 * COUNT];
    CaromKink kinks[CAROM_KINKS_ONE];
    CaromResult result = {.impulse = I, .velocity = v};
    CaromDerivative derivative = {
        .impulse = by_I, .velocity = by_v, .kinks = kinks, .kink_capacity = CAROM_KINKS_ONE};
    CaromProblem problem = {.model = compliant ? CAROM_MODEL_COMPLIANT : CAROM_MODEL_RIGID,
                            .law = input.law,
                            .contact_count = 1,
                            .inverse_inertia = input.W,
                            .velocity = input.v,
                            .contacts = &input.contact};
    CaromStatus status = carom_differentiate(&problem, NULL, &result, &derivative);
    if (status < 0) {
        require(derivative.message && derivative.message[0], "a failure has a message", &input);
        require(derivative.kink_count == 0 && isnan(by_I[0]) && isnan(by_v[3 * COUNT - 1]),
                "a failure writes NaN", &input);
    } else {
        check_derivative(&input, I, by_I, by_v, &derivative);
    }
    return 0;
}
