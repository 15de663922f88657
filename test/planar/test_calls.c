/* The ways into the planar solver: wrong input, the general calls, the trace, room for events. */
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/planar/impact.h"
#include "support/refusal.h"

enum { SEED = 20240611 };

/* Both ways in, the direct and the general. */
static void check_refused(const Planar *planar, CaromStatus expected, const char *word) {
    Outputs out;
    CaromProblem problem = planar_problem(planar);
    outputs_begin(&out);
    CaromStatus status =
        carom_planar_solve(planar->W, planar->v, &planar->contact, planar->law, &out.result);
    check_refused_outputs("planar", &out, 2, status, expected, word);
    check_problem_refused("planar problem", &problem, expected, word);
}

static void wrong_input(void **state) {
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    const Planar good = planar_make(1.5, 0.25, 0.75, 0.5, 0.5);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 4; i++) {
            Planar planar = good;
            planar.W[i] = bad[k];
            check_refused(&planar, CAROM_INVALID_INPUT, "inverse_inertia");
        }
        for (int i = 0; i < 2; i++) {
            Planar planar = good;
            planar.v[i] = bad[k];
            check_refused(&planar, CAROM_INVALID_INPUT, "contact_velocity");
        }
        Planar planar = good;
        planar.contact.mu = bad[k];
        check_refused(&planar, CAROM_INVALID_INPUT, "mu");
        planar = good;
        planar.contact.e = bad[k];
        check_refused(&planar, CAROM_INVALID_INPUT, "e ");
    }
    static const double W[][4] = {{1, 0.5, 0.5 + 1e-6, 1}, {-1, 0, 0, 1}, {1, 1.001, 1.001, 1},
                                  {0, 0.1, 0.1, 1},        {1, 0, 0, 0},  {1, 0, 0, -1}};
    static const char *const words[] = {
        "symmetric", "positive", "positive", "positive", "cannot move along the normal",
        "positive"};
    for (int i = 0; i < 6; i++) {
        Planar planar = good;
        memcpy(planar.W, W[i], sizeof planar.W);
        check_refused(&planar, CAROM_INVALID_INPUT, words[i]);
    }
    Planar planar = good;
    planar.v[1] = 0;
    check_refused(&planar, CAROM_NOT_APPROACHING, "approach");
    planar = good;
    planar.law = (CaromLaw)3;
    check_refused(&planar, CAROM_INVALID_INPUT, "restitution");
    planar = good;
    planar.v[0] = 1e150;
    check_refused(&planar, CAROM_INVALID_INPUT, "scales");
    /* asymmetric by rounding, and large numbers whose sum overflows, are fine */
    PlanarOutcome out;
    planar = good;
    planar.W[2] *= 1 + 1e-15;
    planar_solve(&planar, &out);
    assert_int_equal(out.status, CAROM_OK);
    planar = planar_make(1e308, 0, 1e-100, 0.5, 0.5);
    planar.W[3] = 1.7e308;
    planar.v[1] = -1e100;
    planar_solve(&planar, &out);
    assert_int_equal(out.status, CAROM_OK);
}

static void general_solve(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        Planar drawn = planar_random(SEED, i);
        CaromProblem given = planar_problem(&drawn);
        PlanarOutcome out;
        /* room for a third number that must stay as it is */
        double impulse[3] = {0, 0, 7}, velocity[3] = {0, 0, 7};
        CaromResult result = {.impulse = impulse, .velocity = velocity};
        planar_solve(&drawn, &out);
        assert_int_equal(carom_solve(&given, NULL, &result), out.status);
        assert_memory_equal(impulse, out.impulse, sizeof out.impulse);
        assert_memory_equal(velocity, out.velocity, sizeof out.velocity);
        assert_int_equal(result.event_count, out.result.event_count);
        assert_string_equal(result.sequence, out.result.sequence);
        /* refused by the planar solver, and before it */
        drawn.contact.mu = i % 2 ? -1 : 1;
        given.law = i % 2 ? given.law : (CaromLaw)17;
        assert_int_equal(carom_solve(&given, NULL, &result), CAROM_INVALID_INPUT);
        assert_true(isnan(impulse[0]) && isnan(impulse[1]) && isnan(velocity[0]));
        assert_true(impulse[2] == 7 && velocity[2] == 7);
    }
    Planar planar = planar_make(1, 0.5, 1, 0.25, 0.5);
    CaromProblem problem = planar_problem(&planar);
    CaromOptions options = carom_options_default();
    CaromResult result = {0};
    options.method = CAROM_METHOD_VS;
    assert_int_equal(carom_solve(&problem, &options, &result), CAROM_INVALID_INPUT);
    assert_non_null(strstr(result.message, "planar"));
    options = carom_options_default();
    options.tolerance = 1e-300;
    assert_int_equal(carom_solve(&problem, &options, &result), CAROM_NOT_CONVERGED);
}

enum { SAMPLES = 101 };

/* Every sample on v = v- + W I, E the integral of -v_n less what was lost, the mode as the velocity
 * says, the ends as the result's. Measured: v 5e-16, E 5e-16 of its scale. */
static void trace(void **state) {
    (void)state;
    double worst_v = 0, worst_E = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        Planar planar = planar_random(SEED, i);
        CaromProblem problem = planar_problem(&planar);
        PlanarOutcome out;
        double clock[SAMPLES], I[2 * SAMPLES], v[2 * SAMPLES], E[SAMPLES];
        CaromMode mode[SAMPLES];
        CaromTrace samples = {.capacity = SAMPLES,
                              .clock = clock,
                              .impulse = I,
                              .velocity = v,
                              .stored = E,
                              .mode = mode};
        planar_solve(&planar, &out);
        if (planar.W[1] * planar.W[1] > 0.99 * planar.W[0] * planar.W[3]) {
            continue;
        }
        assert_int_equal(carom_trace(&problem, NULL, &samples, NULL), out.status);
        assert_int_equal(samples.count, SAMPLES);
        assert_true(I[0] == 0 && I[1] == 0 && clock[0] == 0 && E[0] == 0);
        assert_memory_equal(&I[2 * (SAMPLES - 1)], out.impulse, sizeof out.impulse);
        assert_memory_equal(&v[2 * (SAMPLES - 1)], out.velocity, sizeof out.velocity);
        double compression = out.events[0].kind == CAROM_EVENT_COMPRESSION_END
                                 ? out.events[0].normal_impulse
                                 : out.events[1].normal_impulse;
        for (int k = 0; k < SAMPLES; k++) {
            double *a = &I[2 * k], *u = &v[2 * k];
            assert_true(a[1] == clock[k]);
            for (int c = 0; c < 2; c++) {
                double expected = planar.v[c] + planar.W[2 * c] * a[0] + planar.W[2 * c + 1] * a[1];
                double size = fabs(planar.v[c]) + fabs(planar.W[2 * c] * a[0]) +
                              fabs(planar.W[2 * c + 1] * a[1]);
                worst_v = larger(worst_v, fabs(u[c] - expected) / (size > 0 ? size : 1));
            }
            /* T + E + friction + loss is constant; friction by its own integral: while it slips on
             * one way |I_t| = mu p */
            double work = (a[0] * (planar.v[0] + u[0]) + a[1] * (planar.v[1] + u[1])) / 2;
            double loss = planar.law == CAROM_LAW_ENERGETIC && clock[k] > compression
                              ? out.result.energy.normal_loss
                              : 0;
            double friction = -(work + E[k] + loss);
            double scale = out.result.energy.stored + out.result.energy.released +
                           out.result.energy.friction_loss;
            if (planar.law == CAROM_LAW_ENERGETIC || clock[k] < compression) {
                worst_E = larger(worst_E, -friction / scale);
                worst_E = larger(worst_E, (friction - out.result.energy.friction_loss) / scale);
            }
            assert_true((mode[k] == CAROM_MODE_STICK) <= (u[0] == 0));
        }
    }
    print_message("v %.2e, E %.2e\n", worst_v, worst_E);
    assert_true(worst_v <= 1e-14 && worst_E <= 1e-14);
    Planar planar = planar_make(1, 0.5, 1, 0.25, 0.5);
    CaromProblem problem = planar_problem(&planar);
    CaromTrace none = {.capacity = 2}, one = {.capacity = 1};
    assert_int_equal(carom_trace(&problem, NULL, &none, NULL), CAROM_OK);
    assert_int_equal(carom_trace(&problem, NULL, &one, NULL), CAROM_INVALID_INPUT);
    planar.v[1] = 1;
    none.count = 5;
    assert_int_equal(carom_trace(&problem, NULL, &none, NULL), CAROM_NOT_APPROACHING);
    assert_int_equal(none.count, 0);
}

/* Fewer places than events: the first are stored, all are counted; none: none is. */
static void room_for_fewer_events(void **state) {
    (void)state;
    Planar planar = planar_make(1, 0, 0.5, 1, 0.5);
    PlanarOutcome all;
    planar_solve(&planar, &all);
    for (int room = 0; room < 3; room++) {
        CaromEvent events[3];
        memset(events, 0x55, sizeof events);
        CaromEvent untouched = events[0];
        CaromResult result = {.events = events, .event_capacity = room};
        carom_planar_solve(planar.W, planar.v, &planar.contact, planar.law, &result);
        assert_int_equal(result.event_count, 3);
        for (int i = 0; i < 3; i++) {
            const CaromEvent *expected = i < room ? &all.events[i] : &untouched;
            assert_true(events[i].kind == expected->kind);
            assert_memory_equal(events[i].impulse, expected->impulse, sizeof expected->impulse);
        }
    }
    CaromResult none = {.event_capacity = 8};
    assert_int_equal(carom_planar_solve(planar.W, planar.v, &planar.contact, planar.law, &none),
                     CAROM_OK);
    assert_int_equal(none.event_count, 3);
    assert_string_equal(none.sequence, "lscr");
}

/* The first event of a kind; NULL: none. */
static const CaromEvent *find_event(const PlanarOutcome *out, CaromEventKind kind) {
    for (int i = 0; i < out->result.event_count; i++) {
        if (out->events[i].kind == kind) {
            return &out->events[i];
        }
    }
    return NULL;
}

/* The order of calculation, by the events: where slip stops, relative to the end of compression.
 * All three occur. */
static void order_of_calculation(void **state) {
    (void)state;
    static const char *const orders[] = {"a-c-e", "a-b-e", "a-c-d-e"};
    int seen[3] = {0};
    for (uint64_t i = 0; i < 3000; i++) {
        Planar planar = planar_random(SEED, i);
        PlanarOutcome out;
        planar_solve(&planar, &out);
        if (out.status < 0) {
            assert_string_equal(carom_planar_order(out.result.sequence), "");
            continue;
        }
        const CaromEvent *pause = find_event(&out, CAROM_EVENT_STICK);
        pause = pause ? pause : find_event(&out, CAROM_EVENT_SLIP);
        const CaromEvent *end = find_event(&out, CAROM_EVENT_COMPRESSION_END);
        int order = !pause ? 0 : pause < end ? 1 : 2;
        seen[order]++;
        assert_string_equal(carom_planar_order(out.result.sequence), orders[order]);
    }
    print_message("%d %d %d\n", seen[0], seen[1], seen[2]);
    assert_true(seen[0] > 100 && seen[1] > 100 && seen[2] > 20);
    assert_string_equal(carom_planar_order("csr"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_input),
        cmocka_unit_test(general_solve),
        cmocka_unit_test(trace),
        cmocka_unit_test(room_for_fewer_events),
        cmocka_unit_test(order_of_calculation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
