/* The answer does not depend on the axes, the order of the bodies or the units.
 *
 * Each test transforms a random impact, solves, transforms back and compares. Transforming rounds
 * the input, so where the answer hangs on its last digit the difference may be a few times what
 * that digit does (truth_sensitivity); elsewhere BOUND holds. */
#include <stdio.h>

#include "support/check.h"
#include "support/rigid/truth.h"
#include "support/transform.h"

enum { IMPACTS = 200 * IMPACT_CLASS_COUNT };
static const uint64_t SEED = 314159;
static const double BOUND = 1e-13;
/* Two solves, and the rounding of the transformation. Measured: 0.9. */
static const double SENSITIVITY_FACTOR = 4;

/* Difference between an impact's answer and that of its transform; 0 if it is explained by the
 * last digit of the input. */
static double difference(const Impact *impact, const Transformation *by, int *explained) {
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

static void check_all(const Symmetry *symmetry) {
    double worst = 0;
    int explained = 0;
    for (uint64_t i = 0; i < IMPACTS; i++) {
        Random random = random_start(SEED + 1, i);
        Impact impact = random_impact(SEED, i);
        Transformation by = symmetry->make(&random);
        worst = larger(worst, difference(&impact, &by, &explained));
    }
    print_message("%s: largest difference %.1e, beyond that but explained %d of %d\n",
                  symmetry->name, worst, explained, (int)IMPACTS);
    assert_true(worst <= BOUND);
    assert_true(explained <= IMPACTS / 10);
}

static void transformed_impacts(void **state) {
    (void)state;
    for (int i = 0; i < SYMMETRY_COUNT; i++) {
        check_all(&SYMMETRIES[i]);
    }
}

/* Powers of two round nothing: the same bits, but for the exponent. */
static void units_change_by_powers_of_two(void **state) {
    (void)state;
    for (uint64_t i = 0; i < IMPACTS; i++) {
        Random random = random_start(SEED + 2, i);
        Impact impact = random_impact(SEED, i);
        Transformation by = transform_powers_of_two(&random);
        Impact moved = transform_impact(&impact, &by);
        Answer here = answer_of_library(&impact), there = answer_of_library(&moved);
        there = transform_back(&there, &by);
        assert_string_equal(here.sequence, there.sequence);
        if (!answer_same_numbers(&here, &there)) {
            print_error("mass * %g, speed * %g changes the bits\n", by.mass, by.speed);
            impact_print(&impact);
            fail();
        }
    }
}

/* ---- bodies ---- */

static CaromStatus solve_energetic(const double W[9], const double v[3],
                                   const CaromContact *contact, CaromResult *result) {
    return carom_rigid_solve(W, v, contact, CAROM_ENERGETIC, result);
}

/* The bodies fly off the same way whichever of them is called the first. Measured: 2.7e-15
 * with velocities of order 1. */
static void bodies_swap(void **state) {
    (void)state;
    int solved = 0;
    double worst = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        Random random = random_start(SEED + 3, i);
        CaromBody bodies[2];
        CaromContact contact = carom_contact_default();
        bodies[0] = random_body(&random);
        bodies[1] = random_body(&random);
        contact.mu = random_uniform(&random);
        contact.e = random_uniform(&random);
        double off = swapped_bodies_differ(&random, bodies, &contact, solve_energetic);
        solved += off != -1;
        worst = larger(worst, off);
    }
    print_message("%d pairs of bodies, largest difference %.1e\n", solved, worst);
    assert_true(solved > 500);
    assert_true(worst <= 5e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transformed_impacts),
        cmocka_unit_test(units_change_by_powers_of_two),
        cmocka_unit_test(bodies_swap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
