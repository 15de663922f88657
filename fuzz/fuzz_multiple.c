/* Fuzz target: arbitrary numbers to the solver of several compliant contacts.
 *
 * Oracles: nothing crashes or hangs (build with the sanitizers); a failure writes NaN and a
 * message; a success is finite, pushes, stays inside the friction cone of the impulses, separates
 * up to its own error, never gains energy, and closes its account. */
#include <math.h>

#include "fuzz_several.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_several(const Several *input, const CaromResult *result) {
    int rows = 3 * input->count;
    double slack = 1e-9 + 10 * result->error, speed = 0, scale = 0;
    for (int i = 0; i < rows; i++) {
        several_require(isfinite(result->impulse[i]) && isfinite(result->velocity[i]), "not finite",
                        input);
        speed = fmax(speed, fmax(fabs(input->v[i]), fabs(result->velocity[i])));
        scale += fabs(result->impulse[i]) * (fabs(input->v[i]) + fabs(result->velocity[i]));
    }
    for (int i = 0; i < input->count; i++) {
        const double *I = &result->impulse[3 * i];
        double size = fabs(I[0]) + fabs(I[1]) + fabs(I[2]);
        several_require(I[2] >= -slack * size, "a contact pulls", input);
        several_require(hypot(I[0], I[1]) <= input->contacts[i].mu * I[2] + slack * size,
                        "outside the cone", input);
        several_require(result->velocity[3 * i + 2] >= -slack * speed, "bodies approach", input);
    }
    several_require(result->energy.change <= slack * scale, "energy was gained", input);
    several_require(fabs(result->energy.residual) <= slack * scale, "the account does not close",
                    input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Bytes bytes = {.data = data, .size = size};
    Several input = several_take(&bytes, "fuzz_multiple");
    double I[SEVERAL_ROWS], v[SEVERAL_ROWS];
    CaromProblem problem = several_problem(&input);
    CaromResult result = {.impulse = I, .velocity = v};
    CaromStatus status = carom_solve(&problem, NULL, &result);
    several_require(status == result.status, "status returned and status written differ", &input);
    if (status < 0) {
        several_require(isnan(I[0]) && result.message[0] != '\0', "a failure must say so", &input);
    } else {
        check_several(&input, &result);
    }
    return 0;
}
