/* Pairs and quads of numbers: operations that pick and sum elements take the right ones. */
#include "math/lanes.h"
#include "support/check.h"

static void lanes_are_in_order(void **state) {
    (void)state;
    const double numbers[8] = {1, 20, 300, 4000, 50000, 600000, 7000000, 80000000};
    Quad a = quad_load(numbers), b = quad_load(numbers + 4), fourth;
    double out[4];
    Quad two = quad_two_back(a, b);
    quad_store(out, two);
    assert_memory_equal(out, numbers + 2, sizeof out);
    quad_store(out, quad_one_back(two, b));
    assert_memory_equal(out, numbers + 3, sizeof out);
    Pair sums = quad_sums(a, b), halves = quad_halves(a);
    assert_true(LANE(sums, 0) == 4321 && LANE(sums, 1) == 87650000);
    assert_true(LANE(halves, 0) == 301 && LANE(halves, 1) == 4020 && quad_sum(a) == 4321);
    assert_true(LANE(quad_low(a), 1) == 20 && LANE(quad_high(a), 0) == 300);
    quad_store(out, quad_powers(3, &fourth));
    assert_true(out[0] == 1 && out[1] == 3 && out[2] == 9 && out[3] == 27);
    quad_store(out, fourth);
    assert_true(out[0] == 81 && out[3] == 81);
    Pair some = pair_where(pair_make(-1, 1), 0, pair_make(5, 6));
    assert_true(LANE(some, 0) == 0 && LANE(some, 1) == 6);
    assert_true(LANE(magnitude(pair_make(-2, 2)), 0) == 2);
    some = pair_larger(pair_make(-1, 1), both(0));
    assert_true(LANE(some, 0) == 0 && LANE(some, 1) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
