/* Outputs of a call: only those that are asked for are written, and no further than there is room.
 */
#include <string.h>

#include "support/check.h"
#include "support/refusal.h"

/* The first events are stored, all are counted. */
static void room_for_fewer_events(void **state) {
    (void)state;
    Impact impact = impact_ordinary();
    Outputs all, some;
    impact.contact.mu = 2;
    outputs_begin(&all);
    carom_rigid_solve(impact.W, impact.v, &impact.contact, impact.law, &all.result);
    assert_true(all.result.event_count >= 3);
    for (int room = 0; room < all.result.event_count; room++) {
        outputs_begin(&some);
        memset(some.events, 0x55, sizeof some.events);
        CaromEvent untouched = some.events[room];
        some.result.event_capacity = room;
        carom_rigid_solve(impact.W, impact.v, &impact.contact, impact.law, &some.result);
        assert_int_equal(some.result.event_count, all.result.event_count);
        for (int i = 0; i < room; i++) {
            assert_int_equal(some.events[i].kind, all.events[i].kind);
            assert_true(some.events[i].normal_impulse == all.events[i].normal_impulse);
        }
        assert_memory_equal(&some.events[room], &untouched, sizeof untouched);
    }
}

/* Nothing is asked for: nothing is written, the rest is the same. */
static void outputs_left_out(void **state) {
    (void)state;
    Impact impact = impact_ordinary();
    Outputs all;
    outputs_begin(&all);
    carom_rigid_solve(impact.W, impact.v, &impact.contact, impact.law, &all.result);
    CaromResult none = {.event_capacity = CAROM_RIGID_EVENTS};
    assert_int_equal(carom_rigid_solve(impact.W, impact.v, &impact.contact, impact.law, &none),
                     CAROM_OK);
    assert_string_equal(none.sequence, all.result.sequence);
    assert_int_equal(none.event_count, all.result.event_count);
    assert_true(none.energy.change == all.result.energy.change);
    impact.W[0] = NAN;
    assert_int_equal(carom_rigid_solve(impact.W, impact.v, &impact.contact, impact.law, &none),
                     CAROM_INVALID_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_for_fewer_events),
        cmocka_unit_test(outputs_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
