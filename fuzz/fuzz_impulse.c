/* Fuzz target: arbitrary numbers to the solver of several rigid contacts.
 *
 * Oracles: nothing crashes or hangs (build with the sanitizers); a failure writes NaN and a
 * message; a success satisfies the law by formulas of this file: v+ = v- + W I, no contact
 * penetrates or pulls, the cone, friction against the slip; e = 0 gains no energy and always has a
 * solution. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz_numbers.h"

enum { MOST = 5, SIZE = 3 * MOST };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Several {
    int count, rows, size;
    double W[SIZE * SIZE], v[SIZE], I[SIZE], after[SIZE];
    CaromContact contacts[MOST];
} Several;

static void demand(int condition, const char *what, const Several *input) {
    if (condition) {
        return;
    }
    fprintf(stderr, "fuzz_impulse: %s\n%d contacts of %d rows\n", what, input->count, input->rows);
    for (int i = 0; i < input->size; i++) {
        fprintf(stderr, "v %.17g I %.17g W", input->v[i], input->I[i]);
        for (int j = 0; j < input->size; j++) {
            fprintf(stderr, " %.17g", input->W[i * input->size + j]);
        }
        fprintf(stderr, "\n");
    }
    for (int i = 0; i < input->count; i++) {
        fprintf(stderr, "mu %.17g e %.17g\n", input->contacts[i].mu, input->contacts[i].e);
    }
    abort();
}

/* W = A^T A, of any rank; bit 7: raw doubles, mostly refused. */
static void take_matrix(Bytes *bytes, uint8_t choice, Several *input) {
    double A[SIZE][SIZE];
    int m = input->size, rank = 1 + (choice >> 3) % m;
    for (int i = 0; i < m * m && choice & 128; i++) {
        input->W[i] = take_raw(bytes);
    }
    for (int k = 0; k < rank; k++) {
        for (int i = 0; i < m; i++) {
            A[k][i] = take_small(bytes);
        }
    }
    for (int i = 0; i < m && !(choice & 128); i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < rank; k++) {
                sum += A[k][i] * A[k][j];
            }
            input->W[i * m + j] = input->W[j * m + i] = sum;
        }
    }
    /* velocities that the mechanism can have */
    for (int k = 0; k < rank; k++) {
        double u = take_small(bytes);
        for (int i = 0; i < m; i++) {
            input->v[i] += u * A[k][i];
        }
    }
}

static Several take_several(const uint8_t *data, size_t size) {
    Several input = {0};
    Bytes bytes = {.data = data, .size = size};
    uint8_t choice = size > 0 ? data[0] : 0;
    bytes.data += size > 0;
    bytes.size -= size > 0;
    input.rows = choice & 1 ? 2 : 3;
    input.count = 2 + (choice >> 1) % (MOST - 1);
    input.size = input.rows * input.count;
    take_matrix(&bytes, choice, &input);
    int plastic = (choice & 64) != 0;
    for (int i = 0; i < input.count; i++) {
        input.contacts[i].mu = fabs(take_small(&bytes));
        input.contacts[i].e = plastic ? 0 : fabs(take_small(&bytes)) / 4;
    }
    return input;
}

static void check_answer(const Several *input, const CaromResult *result) {
    double scale = 0, e = 0;
    int m = input->size;
    for (int i = 0; i < m; i++) {
        long double sum = input->v[i];
        double size = fabs(input->v[i]);
        for (int j = 0; j < m; j++) {
            sum += (long double)input->W[i * m + j] * input->I[j];
            size += fabs(input->W[i * m + j] * input->I[j]);
        }
        scale = size > scale ? size : scale;
        demand(fabs((double)sum - input->after[i]) <= 1e-14 * size, "v is not v- + W I", input);
    }
    double slack = 1e-10 * scale;
    for (int i = 0; i < input->count; i++) {
        int n = input->rows * i + input->rows - 1;
        const double *I = input->I + input->rows * i, *v = input->after + input->rows * i;
        double w = input->W[n * (m + 1)], mu = input->contacts[i].mu, push = input->I[n];
        double asked = input->contacts[i].e * fmax(-input->v[n], 0), gap = input->after[n] - asked;
        double t = input->rows == 2 ? fabs(I[0]) : hypot(I[0], I[1]);
        double slip = input->rows == 2 ? fabs(v[0]) : hypot(v[0], v[1]);
        double power = I[0] * v[0] + (input->rows == 3 ? I[1] * v[1] : 0);
        e = fmax(e, input->contacts[i].e);
        demand(push * w >= -slack, "a contact pulls", input);
        demand(gap >= -slack, "a contact penetrates", input);
        demand(push * w <= slack || gap <= slack, "a contact acts that is open", input);
        demand((t - mu * push) * w <= slack, "outside the friction cone", input);
        demand(slip <= slack || (power + mu * push * slip) * w <= slack * (slip + slack) * 10,
               "friction is not against the slip", input);
    }
    demand(result->status == CAROM_OK || e > 0, "e = 0 gained energy", input);
}

/* The gradient of a sum of all impulses or of all velocities after: homogeneous of degree 1 in v,
 * or it says why it does not exist. */
static void check_gradient(const CaromProblem *problem, const Several *input, int of_velocity) {
    CaromInputs inputs = carom_inputs(input->count, problem->planar);
    double weights[SIZE], sum = 0, all = 0, gradient[SIZE * (SIZE + 3) / 2 + 5 * MOST];
    const double *outcome = of_velocity ? input->after : input->I;
    double *work = malloc(carom_derivative_workspace(input->count) * sizeof *work);
    CaromKink kinks[MOST];
    CaromDerivative derivative = {.kinks = kinks, .kink_capacity = MOST};
    for (int i = 0; i < SIZE; i++) {
        weights[i] = 1;
    }
    CaromStatus status = carom_differentiate_reverse(problem, of_velocity ? NULL : weights,
                                                     of_velocity ? weights : NULL, work, NULL,
                                                     &derivative, gradient);
    free(work);
    int exists = status >= 0 && derivative.smoothness != CAROM_NOT_SMOOTH;
    demand(exists || (isnan(gradient[0]) && derivative.message[0] != '\0'),
           "a gradient that is missing must say so", input);
    for (int i = 0; i < inputs.rows && exists; i++) {
        sum += gradient[inputs.v + i] * input->v[i] - outcome[i];
        all += of_velocity ? fabs(input->after[i]) + fabs(input->v[i]) : fabs(input->I[i]);
    }
    demand(fabs(sum) <= 1e-6 * all, "the gradient is not homogeneous", input);
    for (int i = 0; i < derivative.kink_count && i < MOST; i++) {
        demand(kinks[i].distance >= 0, "distances are not negative", input);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Several input = take_several(data, size);
    CaromProblem problem = {.law = CAROM_LAW_NEWTON,
                            .contact_count = input.count,
                            .inverse_inertia = input.W,
                            .velocity = input.v,
                            .contacts = input.contacts,
                            .planar = input.rows == 2};
    CaromResult result = {.impulse = input.I, .velocity = input.after};
    CaromStatus status = carom_solve(&problem, NULL, &result);
    demand(status == result.status, "status returned and status written differ", &input);
    if (status < 0) {
        demand(isnan(input.I[0]) && isnan(input.after[0]) && result.message[0] &&
                   result.solutions == 0,
               "a failure has numbers, or no message", &input);
    } else {
        demand(result.solutions != 0 && isfinite(result.error), "a success without numbers",
               &input);
        check_answer(&input, &result);
        if (input.count > 1) {
            check_gradient(&problem, &input, 0);
            check_gradient(&problem, &input, 1);
        }
    }
    return 0;
}
