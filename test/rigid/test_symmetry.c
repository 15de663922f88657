/* The answer does not depend on the axes, the order of the bodies or the units.
 *
 * Each test transforms a random impact, solves, transforms back and compares. Transforming rounds
 * the input: the difference may be a few times the effect of that rounding (truth_sensitivity), or
 * BOUND. */
#include "support/check.h"
#include "support/mechanics/bodies.h"
#include "support/rigid/impacts.h"
#include "support/rigid/truth.h"
#include "support/symmetry.h"

enum { IMPACTS = 200 * IMPACT_CLASS_COUNT };
#define SEED 314159u
#define BOUND 1e-13
/* Two solves, and the rounding of the transformation. Measured: 0.9. */
static const double SENSITIVITY_FACTOR = 4;

/* Difference between an impact's answer and that of its transform; 0 if it is explained by the
 * last digit of the input. */
static double difference(uint64_t index, const Impact *impact, const Transformation *by,
                         int *explained) {
    (void)index;
    Impact moved = transform_impact(impact, by);
    Answer here = answer_of_library(impact), there = answer_of_library(&moved);
    there = transform_back(&there, by);
    double error = here.ok ? answer_error(impact, &there, &here) : INFINITY;
    if (error <= BOUND) {
        return error;
    }
    Answer truth = truth_solve(impact);
    Distance sensitivity = truth_sensitivity(impact, &truth, 12, SEED, NULL);
    if (error <= SENSITIVITY_FACTOR * fmax(sensitivity.impulse, sensitivity.velocity)) {
        ++*explained;
        return 0;
    }
    print_error("difference %.3g, last digit %.3g\n", error,
                fmax(sensitivity.impulse, sensitivity.velocity));
    impact_print(impact);
    return error;
}

static const SymmetryCheck check = {.draw = random_impact,
                                    .solve = answer_of_library,
                                    .difference = difference,
                                    .seed = SEED,
                                    .count = IMPACTS,
                                    .bound = BOUND,
                                    .most_explained = IMPACTS / 10};

static void transformed_impacts(void **state) {
    (void)state;
    check_symmetries(&check);
}

static void units_change_by_powers_of_two(void **state) {
    (void)state;
    check_powers_of_two(&check);
}

static CaromStatus solve_energetic(const double W[9], const double v[3],
                                   const CaromContact *contact, CaromResult *result) {
    return carom_rigid_solve(W, v, contact, CAROM_LAW_ENERGETIC, result);
}

static void bodies_swap(void **state) {
    (void)state;
    check_bodies_swap(SEED + 3, 2000, solve_energetic);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transformed_impacts),
        cmocka_unit_test(units_change_by_powers_of_two),
        cmocka_unit_test(bodies_swap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
