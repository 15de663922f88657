/* Fuzz target: arbitrary numbers to the solver of several compliant contacts.
 *
 * Oracles: nothing crashes or hangs (build with the sanitizers); a failure writes NaN and a
 * message; a success is finite, pushes, stays inside the friction cone of the impulses, separates
 * up to its own error, never gains energy, and closes its account; so does its gradient, or it says
 * why there is none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_numbers.h"

enum { MOST = 4, ROWS = 3 * MOST };

typedef struct Several {
    int count;
    double W[ROWS * ROWS], v[ROWS];
    CaromContact contacts[MOST];
    CaromLaw law;
} Several;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "fuzz_multiple: %s\n", what);
        abort();
    }
}

/* W = A^T A with the rows of A as bodies: semidefinite if there are fewer of them. */
static void take_matrix(Bytes *bytes, int rows, int rank, double *W) {
    double A[ROWS * ROWS] = {0};
    for (int i = 0; i < rank * rows; i++) {
        A[i] = take_small(bytes);
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            W[i * rows + j] = 0;
            for (int k = 0; k < rank; k++) {
                W[i * rows + j] += A[k * rows + i] * A[k * rows + j];
            }
        }
    }
}

static Several several_of(const uint8_t *data, size_t size) {
    Several input = {0};
    Bytes bytes = {.data = data, .size = size};
    int choice = (int)fabs(take_small(&bytes) * 8192);
    if (!(choice & 512)) { /* zeros: degenerate problems */
        bytes_extend(&bytes);
    }
    input.count = 2 + choice % (MOST - 1);
    input.law = choice & 64 ? CAROM_LAW_MONO_STIFFNESS : CAROM_LAW_ENERGETIC;
    int rows = 3 * input.count;
    take_matrix(&bytes, rows, choice & 128 ? rows : 6, input.W);
    for (int i = 0; i < rows; i++) {
        input.v[i] = take_small(&bytes);
    }
    for (int i = 0; i < input.count; i++) {
        input.contacts[i] = (CaromContact){.mu = fabs(take_small(&bytes)) / 2,
                                           .e = choice & 256 ? 0 : fabs(take_small(&bytes)) / 4,
                                           .stiffness = exp2(take_small(&bytes)),
                                           .stiffness_ratio = exp2(take_small(&bytes))};
    }
    return input;
}

static CaromProblem problem_of(const Several *input) {
    return (CaromProblem){.model = CAROM_MODEL_COMPLIANT,
                          .law = input->law,
                          .contact_count = input->count,
                          .inverse_inertia = input->W,
                          .velocity = input->v,
                          .contacts = input->contacts};
}

static void check_several(const Several *input, const CaromResult *result) {
    int rows = 3 * input->count;
    double slack = 1e-9 + 10 * result->error, speed = 0, scale = 0;
    for (int i = 0; i < rows; i++) {
        check(isfinite(result->impulse[i]) && isfinite(result->velocity[i]), "not finite");
        speed = fmax(speed, fmax(fabs(input->v[i]), fabs(result->velocity[i])));
        scale += fabs(result->impulse[i]) * (fabs(input->v[i]) + fabs(result->velocity[i]));
    }
    for (int i = 0; i < input->count; i++) {
        const double *I = &result->impulse[3 * i];
        double size = fabs(I[0]) + fabs(I[1]) + fabs(I[2]);
        check(I[2] >= -slack * size, "a contact pulls");
        check(hypot(I[0], I[1]) <= input->contacts[i].mu * I[2] + slack * size, "outside the cone");
        check(result->velocity[3 * i + 2] >= -slack * speed, "bodies approach");
    }
    check(result->energy.change <= slack * scale, "energy was gained");
    check(fabs(result->energy.residual) <= slack * scale, "the account does not close");
}

/* The gradient of the sum of all impulses: finite, homogeneous of degree 1 in v, or refused. */
static void check_gradient(const CaromProblem *problem, const CaromResult *result) {
    CaromInputs inputs = carom_inputs(problem->contact_count, 0);
    size_t count = (size_t)inputs.count;
    double weights[ROWS], sum = 0, all = 0;
    double *work = malloc(carom_derivative_workspace(problem->contact_count) * sizeof *work);
    double *gradient = malloc(count * sizeof *gradient);
    CaromKink kinks[4];
    CaromDerivative derivative = {.kinks = kinks, .kink_capacity = 4};
    for (int i = 0; i < inputs.rows; i++) {
        weights[i] = 1;
    }
    CaromStatus status =
        carom_differentiate_reverse(problem, weights, NULL, work, NULL, &derivative, gradient);
    check(status >= 0 || (isnan(gradient[0]) && derivative.message[0] != '\0'),
          "a gradient that is missing must say so");
    for (int i = 0; i < inputs.rows && status >= 0; i++) {
        double part = gradient[inputs.v + i] * problem->velocity[i];
        sum += part - result->impulse[i];
        all += fabs(part) + fabs(result->impulse[i]);
    }
    for (int i = 0; i < inputs.contact && status >= 0; i++) {
        all += fabs(gradient[i]) * (i < inputs.v); /* W is some 1 */
    }
    check(fabs(sum) <= (1e-6 + 10 * result->error) * (1 + all), "the gradient is not homogeneous");
    for (int i = 0; i < derivative.kink_count && i < 4; i++) {
        check(kinks[i].distance >= 0 && (i == 0 || kinks[i].distance >= kinks[i - 1].distance) &&
                  kinks[i].contact >= 0 && kinks[i].contact < problem->contact_count,
              "a kink without a distance, or out of order");
    }
    free(gradient);
    free(work);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Several input = several_of(data, size);
    double I[ROWS], v[ROWS];
    CaromProblem problem = problem_of(&input);
    CaromResult result = {.impulse = I, .velocity = v};
    CaromStatus status = carom_solve(&problem, NULL, &result);
    check(status == result.status, "status returned and status written differ");
    if (status < 0) {
        check(isnan(I[0]) && result.message[0] != '\0', "a failure must say so");
        return 0;
    }
    check_several(&input, &result);
    check_gradient(&problem, &result);
    return 0;
}
