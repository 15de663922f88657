/* A compliant impact does not depend on the axes, the order of the bodies or the units.
 *
 * Each test transforms a random impact, solves, transforms back and compares. Transforming rounds
 * the input: the difference may be a few times the effect of that rounding, or BOUND. */
#include "support/check.h"
#include "support/compliant/impacts.h"
#include "support/mechanics/bodies.h"
#include "support/scale.h"
#include "support/symmetry.h"

#define SEED 271828u
#define BOUND 1e-10 /* 2.0e-11, for units */
static const double SENSITIVITY_FACTOR = 8;

/* Stiffer contacts take the oracle too long. */
static const double LARGEST_STIFFNESS = 100;

/* As transform_back(), and where the events happened. */
static void answer_back(CompliantAnswer *answer, const Transformation *by) {
    answer->answer = transform_back(&answer->answer, by);
    for (int i = 0; i < answer->event_count && i < COMPLIANT_EVENTS; i++) {
        answer->events[i].normal_impulse /= by->mass * by->speed;
    }
}

/* Bounces that die out in a latch: how many there are, and where each slips, is rounding. */
static int chatters(const CompliantAnswer *answer) {
    int latched = answer->event_count > COMPLIANT_EVENTS;
    for (int i = 0; i < answer->event_count && i < COMPLIANT_EVENTS; i++) {
        latched |= answer->events[i].kind == CAROM_EVENT_LATCH;
    }
    return latched;
}

/* Singular matrices may turn indefinite by the rounding of a rotation: not turned. */
static int is_left_out(uint64_t index, const Transformation *by) {
    return by->M[1] != 0 && index % COMPLIANT_CLASS_COUNT == COMPLIANT_SINGULAR;
}

/* Difference between an impact's answer and that of its transform; 0 if it is explained by the
 * last digit of the input. */
static double difference(uint64_t index, const Impact *impact, const Transformation *by,
                         int *explained) {
    if (is_left_out(index, by)) {
        return 0;
    }
    Impact moved = transform_impact(impact, by);
    CompliantAnswer here = compliant_library(impact), there = compliant_library(&moved);
    answer_back(&there, by);
    double error = here.answer.ok ? answer_error(impact, &there.answer, &here.answer) : INFINITY;
    int same = compliant_same_events(&here, &there), chatter = chatters(&here) && chatters(&there);
    if (error <= BOUND && chatter) {
        return error;
    }
    if (error <= BOUND && same) {
        return fmax(error, compliant_event_error(&there, &here) / 100);
    }
    if (isfinite(error) && compliant_stiffness(impact) <= LARGEST_STIFFNESS) {
        CompliantAnswer truth = compliant_oracle_solve(impact);
        int differ = truth.latched;
        Distance last_digit = compliant_sensitivity(impact, &truth, 8, SEED, &differ);
        double room = SENSITIVITY_FACTOR * fmax(last_digit.impulse, last_digit.velocity);
        if (error <= fmax(room, BOUND) && (same || differ)) {
            ++*explained;
            return 0;
        }
    }
    print_error("difference %.3g, events %s\n", error, same ? "the same" : "differ");
    impact_print(impact);
    compliant_print_events("here", &here);
    compliant_print_events("there", &there);
    return same ? error : INFINITY;
}

static Answer solve(const Impact *impact) {
    return compliant_library(impact).answer;
}

static SymmetryCheck check = {.draw = compliant_random,
                              .solve = solve,
                              .difference = difference,
                              .seed = SEED,
                              .bound = BOUND};

static void transformed_impacts(void **state) {
    (void)state;
    check_symmetries(&check);
}

static void units_change_by_powers_of_two(void **state) {
    (void)state;
    check_powers_of_two(&check);
}

static void bodies_swap(void **state) {
    (void)state;
    check_bodies_swap(SEED + 3, check.count, carom_compliant_solve);
}

int main(void) {
    check.count = scaled(60) * COMPLIANT_CLASS_COUNT;
    check.most_explained = check.count / 20 + 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transformed_impacts),
        cmocka_unit_test(units_change_by_powers_of_two),
        cmocka_unit_test(bodies_swap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
