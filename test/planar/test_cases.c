/* The planar solver on cases worked out by hand, in every order of events. */
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/planar/impact.h"

typedef struct Worked {
    const char *name;
    double Wtt, Wtn, vt, mu, mu_static, e;
    double I[2], v[2];
    const char *sequence;
    int events[3];
} Worked;

enum {
    C = CAROM_EVENT_COMPRESSION_END,
    R = CAROM_EVENT_RESTITUTION_END,
    ST = CAROM_EVENT_STICK,
    SL = CAROM_EVENT_SLIP
};

/* W_nn = 1, v_n = -1 */
static const Worked WORKED[] = {
    {"no friction", 2, 0.5, 1, 0, 0, 0.5, {0, 1.5}, {1.75, 0.5}, "lcr", {C, R}},
    {"no friction, turns back", 2, -1, 0.5, 0, 0, 0.5, {0, 1.5}, {-1, 0.5}, "lscr", {SL, C, R}},
    {"slips to the end", 1, 0, 5, 0.5, 0, 0.5, {-0.75, 1.5}, {4.25, 0.5}, "lcr", {C, R}},
    {"backwards", 1, 0, -5, 0.5, 0, 0.5, {0.75, 1.5}, {-4.25, 0.5}, "lcr", {C, R}},
    {"sticks early", 1, 0, 0.5, 1, 0, 0.5, {-0.5, 1.5}, {0, 0.5}, "lscr", {ST, C, R}},
    {"sticks late", 1, 0, 1.25, 1, 0, 0.5, {-1.25, 1.5}, {0, 0.5}, "lcsr", {C, ST, R}},
    {"both at once", 1, 0, 1, 1, 0, 0.5, {-1, 1.5}, {0, 0.5}, "lcsr", {C, ST, R}},
    {"both at once, e = 0", 1, 0, 1, 1, 0, 0, {-1, 1}, {0, 0}, "lcr", {C, R}},
    {"stops at the end", 1, 0, 1.5, 1, 0, 0.5, {-1.5, 1.5}, {0, 0.5}, "lcr", {C, R}},
    {"e = 0", 1, 0, 5, 0.5, 0, 0, {-0.5, 1}, {4.5, 0}, "lcr", {C, R}},
    {"e = 0, sticks", 1, 0, 0.5, 1, 0, 0, {-0.5, 1}, {0, 0}, "lscr", {ST, C, R}},
    {"e = 1", 1, 0, 5, 0.5, 0, 1, {-1, 2}, {4, 1}, "lcr", {C, R}},
    /* d = mu B: the slip neither slows down nor speeds up */
    {"the pause never comes", 1, 0.5, 1, 0.5, 0, 0.5, {-1, 2}, {1, 0.5}, "lcr", {C, R}},
    {"speeds up", 1, 0.5, 1, 0.25, 0, 0, {-2. / 7, 8. / 7}, {9. / 7, 0}, "lcr", {C, R}},
    /* leg 1: gamma' = -.75, v_n' = 1.125, to p = 1/3, v_n = -.625; leg 2: gamma' = -.25,
     * v_n' = .875, to p_c = 1/3 + 5/7 = 22/21 */
    {"reverses",
     1,
     -0.5,
     0.25,
     0.25,
     0,
     0,
     {-1. / 12 + 5. / 28, 22. / 21},
     {-5. / 28, 0},
     "lscr",
     {SL, C, R}},
    /* the same with static friction: v_n' = .75, p_c = 1/3 + 5/6 */
    {"held by static friction",
     1,
     -0.5,
     0.25,
     0.25,
     0.5,
     0,
     {-1. / 12 + 5. / 12, 7. / 6},
     {0, 0},
     "lscr",
     {ST, C, R}},
    {"not held",
     1,
     -0.5,
     0.25,
     0.25,
     0.49,
     0,
     {-1. / 12 + 5. / 28, 22. / 21},
     {-5. / 28, 0},
     "lscr",
     {SL, C, R}},
    /* v_n' = 1 - 2 * .75 = -.5 while it slips: gamma' = -1.25, to p = .4, v_n = -1.2, E = .44;
     * then v_n' = 7/16, p_c = .4 + 96/35, E_c = .44 + .72 * 16/7 */
    {"jams", 1, 0.75, 0.5, 2, 0, 0, {-0.8 - 72. / 35, 0.4 + 96. / 35}, {0, 0}, "lscr", {ST, C, R}},
    {"rests and sticks", 1, 0.5, 0, 0.5, 0, 0.5, {-1, 2}, {0, 0.5}, "scr", {ST, C, R}},
    {"rests and slips", 1, 0.5, 0, 0.25, 0, 0, {-2. / 7, 8. / 7}, {2. / 7, 0}, "scr", {SL, C, R}},
    {"rests and slips back",
     1,
     -0.5,
     0,
     0.25,
     0,
     0,
     {2. / 7, 8. / 7},
     {-2. / 7, 0},
     "scr",
     {SL, C, R}},
    {"rests, d = 0", 1, 0, 0, 0, 0, 0.5, {0, 1.5}, {0, 0.5}, "scr", {ST, C, R}},
    {"cannot slip, rests", 0, 0, 0, 0.5, 0, 0.5, {0, 1.5}, {0, 0.5}, "scr", {ST, C, R}},
    {"cannot slip, is moved along", 0, 0, -2, 0.5, 0, 0.5, {0.75, 1.5}, {-2, 0.5}, "lcr", {C, R}},
};

/* Measured: 2.3e-16. */
static void worked_by_hand(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof WORKED / sizeof *WORKED; i++) {
        const Worked *w = &WORKED[i];
        Planar planar = planar_make(w->Wtt, w->Wtn, w->vt, w->mu, w->e);
        PlanarOutcome out;
        planar.contact.mu_static = w->mu_static;
        planar_solve(&planar, &out);
        int count = (int)strlen(w->sequence) - (w->sequence[0] == 'l');
        if (out.status != CAROM_OK || strcmp(out.result.sequence, w->sequence) != 0) {
            print_error("%s: %s, sequence %s\n", w->name, carom_status_string(out.status),
                        out.result.sequence);
            fail();
        }
        assert_int_equal(out.result.event_count, count);
        for (int k = 0; k < count; k++) {
            assert_int_equal(out.events[k].kind, w->events[k]);
        }
        for (int k = 0; k < 2; k++) {
            check_close(out.impulse[k], w->I[k], 1e-15);
            check_close(out.velocity[k], w->v[k], 1e-15);
        }
    }
}

/* The jam above with e = 1/2, under each law: E_c = 2.0857142857 is given back as e^2, as impulse,
 * or as speed. */
static void jam_under_each_law(void **state) {
    (void)state;
    double pc = 0.4 + 96. / 35, Ec = 0.44 + 0.72 * 16 / 7, rise = 7. / 16;
    const double ends[3] = {pc + 0.5 * sqrt(2 * Ec / rise), 1.5 * pc, pc + 0.5 / rise};
    for (int law = 0; law < 3; law++) {
        Planar planar = planar_make(1, 0.75, 0.5, 2, 0.5);
        PlanarOutcome out;
        planar.law = (CaromLaw)law;
        planar_solve(&planar, &out);
        assert_true(out.status >= 0);
        check_close(out.impulse[1], ends[law], 2e-15);
        check_close(out.velocity[1], rise * (ends[law] - pc), 2e-15);
        check_close(out.impulse[0], -0.8 - 0.75 * (ends[law] - 0.4), 4e-15);
        assert_true(out.velocity[0] == 0);
        check_close(out.result.energy.stored, Ec, 1e-15);
        check_close(out.result.energy.released, rise / 2 * (ends[law] - pc) * (ends[law] - pc),
                    4e-15);
    }
}

/* Newton's law gives back more than there was if the contact gets stuck on the way: v_n' falls from
 * 1.9 to 0.19. */
static void newton_may_gain(void **state) {
    (void)state;
    Planar planar = planar_make(1, -0.9, 0.5, 1, 1);
    PlanarOutcome out;
    planar.law = CAROM_LAW_NEWTON;
    planar_solve(&planar, &out);
    assert_int_equal(out.status, CAROM_ENERGY_GAIN);
    assert_true(out.result.energy.change > 0);
    planar.law = CAROM_LAW_POISSON;
    planar_solve(&planar, &out);
    assert_int_equal(out.status, CAROM_OK);
    assert_true(out.result.energy.change < 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_by_hand),
        cmocka_unit_test(jam_under_each_law),
        cmocka_unit_test(newton_may_gain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
