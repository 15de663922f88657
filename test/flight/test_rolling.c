/* A ball on a table: sliding, rolling, rest.
 *
 * Oracles: closed forms known from textbooks; Coulomb's law and a resisting torque integrated in
 * small steps, which knows nothing of phases, slip direction or the factors 2/7 and 5/7; the
 * energy, which friction takes and nothing else. Random starts have a fixed seed. */
#include <carom/carom.h>
#include <stdbool.h>

#include "support/check.h"
#include "support/math/random.h"

#define SEED 20130117u

static const CaromTable cloth = {
    .radius = 0.0305, .mu_slide = 0.152479, .mu_roll = 0.0209727, .gravity = 9.81};

/* The slip of the lowest point, (x, y). */
static void slip_of(const CaromRollingState *state, double radius, double u[2]) {
    u[0] = state->velocity[0] - radius * state->angular_velocity[1];
    u[1] = state->velocity[1] + radius * state->angular_velocity[0];
}

/* Kinetic energy over mass, without the spin about the vertical axis. */
static double energy_of(const CaromRollingState *state, double radius) {
    const double *v = state->velocity, *w = state->angular_velocity;
    return (v[0] * v[0] + v[1] * v[1]) / 2 + radius * radius * (w[0] * w[0] + w[1] * w[1]) / 5;
}

static CaromRollingPath path_of(const CaromTable *table, const CaromRollingState *start) {
    CaromRollingPath path;
    const char *message;
    assert_int_equal(carom_rolling_path(table, start, &path, &message), CAROM_OK);
    assert_string_equal(message, "");
    return path;
}

static CaromRollingState state_at(const CaromRollingPath *path, double time,
                                  CaromRollingPhase expected) {
    CaromRollingState state;
    CaromRollingPhase phase;
    assert_int_equal(carom_rolling_at(path, time, &state, &phase, NULL), CAROM_OK);
    assert_int_equal(phase, expected);
    return state;
}

static double distance(const double a[3], const double b[3]) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* A shot of ordinary size: speeds up to 3 m/s, spins up to 100 rad/s. */
static CaromRollingState random_shot(Random *random) {
    CaromRollingState start;
    for (int i = 0; i < 3; i++) {
        start.position[i] = random_between(random, -1, 1);
        start.velocity[i] = random_between(random, -3, 3);
        start.angular_velocity[i] = random_between(random, -100, 100);
    }
    return start;
}

/* ---- closed forms ---- */

/* Struck through its centre: rolls with 5/7 of its speed after sliding for 2 v/(7 mu g), over
 * 12 v^2/(49 mu g). */
static void test_centre_shot(void **state) {
    (void)state;
    const CaromTable table = {.radius = 0.5, .mu_slide = 0.25, .mu_roll = 0.01, .gravity = 10};
    const CaromRollingState start = {.position = {1, 2, 0.5}, .velocity = {0, 7, 0}};
    CaromRollingPath path = path_of(&table, &start);
    check_close(path.begin[0], 0, 0);
    check_close(path.begin[1], 0.8, 1e-15); /* measured 0, as the next two */
    check_close(path.state[1].velocity[1], 5, 1e-15);
    check_close(path.state[1].angular_velocity[0], -10, 1e-15);
    check_close(path.state[1].position[1], 2 + 12 * 49 / (49 * 2.5), 3e-15); /* 8.9e-16 */
    /* then 5/(5/7 0.1) = 70 long and 175 far */
    check_close(path.begin[2], 70.8, 1e-13);              /* 0 */
    check_close(path.state[2].position[1], 181.8, 1e-13); /* 0 */
    check_close(path.state[2].position[0], 1, 0);
    check_close(path.state[2].position[2], 0.5, 0);
    check_close(path.slip[0], 0, 0);
    check_close(path.slip[1], 1, 0);
}

/* Rolling friction as it was measured: down from the height h without rotation, v^2 = 2 g h, and
 * then mu_roll = 7h/(5d). */
static void test_rolling_distance(void **state) {
    (void)state;
    double h = 0.02, v = sqrt(2 * cloth.gravity * h);
    const CaromRollingState start = {.velocity = {v, 0, 0},
                                     .angular_velocity = {0, v / cloth.radius, 0}};
    CaromRollingPath path = path_of(&cloth, &start);
    double d = path.state[2].position[0];
    check_close(7 * h / (5 * d), cloth.mu_roll, 1e-16); /* measured 3.5e-18 */
}

/* Draw: strong backspin brings the ball back. */
static void test_backspin(void **state) {
    (void)state;
    double v = 1, r = cloth.radius;
    const CaromRollingState start = {.velocity = {v, 0, 0}, .angular_velocity = {0, -5 * v / r, 0}};
    CaromRollingPath path = path_of(&cloth, &start);
    /* v1 = 5/7 v + 2/7 r omega */
    check_close(path.state[1].velocity[0], -5.0 / 7, 1e-15); /* measured 1.1e-16 */
    double turn = v / (cloth.mu_slide * cloth.gravity);
    CaromRollingState there = state_at(&path, turn, CAROM_ROLLING_PHASE_SLIDING);
    check_close(there.velocity[0], 0, 1e-15);            /* 0 */
    check_close(there.position[0], v * turn / 2, 1e-15); /* 0 */
    assert_true(path.state[1].position[0] < there.position[0]);
    assert_true(path.state[2].position[0] < path.state[1].position[0]);
    /* as much backspin as stops it: r omega = -5/2 v */
    const CaromRollingState stop = {.velocity = {v, 0, 0},
                                    .angular_velocity = {0, -2.5 * v / r, 0}};
    path = path_of(&cloth, &stop);
    check_close(path.state[1].velocity[0], 0, 1e-15);            /* measured 1.1e-16 */
    check_close(path.begin[2] - path.begin[1], 0, 1e-14);        /* 0 */
    check_close(path.state[1].position[0], v * turn / 2, 1e-15); /* 0 */
}

/* ---- against small steps ---- */

/* Coulomb friction at the lowest point and a torque against rolling, in steps of h: the slip is
 * taken to the end within a step where friction can. */
static void small_steps(const CaromTable *table, CaromRollingState *state, double h, double time) {
    double r = table->radius, *v = state->velocity, *w = state->angular_velocity;
    long count = lround(time / h);
    for (long k = 0; k < count; k++) {
        double before[2] = {v[0], v[1]}, u[2], wr = hypot(w[0], w[1]);
        slip_of(state, r, u);
        double slip = hypot(u[0], u[1]), most = table->mu_slide * table->gravity * h;
        bool rolls = slip <= 3.5 * most;
        if (rolls && wr > 0) {
            /* resisting torque mu_roll m g r over the moment of inertia 2/5 m r^2 */
            double less = fmin(2.5 * table->mu_roll * table->gravity / r * h / wr, 1);
            w[0] -= less * w[0];
            w[1] -= less * w[1];
            slip_of(state, r, u);
            slip = hypot(u[0], u[1]);
        }
        double push = slip > 0 ? fmin(slip / 3.5, most) / slip : 0;
        v[0] -= push * u[0];
        v[1] -= push * u[1];
        w[0] -= 2.5 / r * push * u[1];
        w[1] += 2.5 / r * push * u[0];
        state->position[0] += h * (before[0] + v[0]) / 2;
        state->position[1] += h * (before[1] + v[1]) / 2;
    }
}

/* Largest difference of position and velocity, and of spin times radius, over 20 shots. */
static void differ(double h, double *worst, double *spin) {
    Random random = random_start(SEED, 0);
    *worst = *spin = 0;
    for (int n = 0; n < 20; n++) {
        CaromRollingState start = random_shot(&random);
        start.velocity[2] = 0;
        CaromRollingPath path = path_of(&cloth, &start);
        /* in the middle of sliding, of rolling, and at rest */
        const double times[3] = {path.begin[1] / 2, (path.begin[1] + path.begin[2]) / 2,
                                 path.begin[2] + 0.1};
        for (int i = 0; i < 3; i++) {
            double time = h * (double)lround(times[i] / h);
            CaromRollingState slow = start, exact = state_at(&path, time, (CaromRollingPhase)i);
            small_steps(&cloth, &slow, h, time);
            *worst = larger(*worst, distance(slow.position, exact.position));
            *worst = larger(*worst, distance(slow.velocity, exact.velocity));
            *spin =
                fmax(*spin, cloth.radius * distance(slow.angular_velocity, exact.angular_velocity));
        }
    }
}

/* The steps are of first order, so the difference falls with h: measured 2.2 h and 0.15 h for 1e-4,
 * 1.8 h and 0.14 h for 1e-6. */
static void test_small_steps(void **state) {
    (void)state;
    for (double h = 1e-4; h > 1e-5; h /= 4) {
        double worst, spin;
        differ(h, &worst, &spin);
        print_message("seed %u: small steps of %g differ by %.2g, spin %.2g\n", SEED, h, worst,
                      spin);
        check_close(worst, 0, 3 * h);
        check_close(spin, 0, 0.2 * h);
    }
}

/* ---- laws ---- */

static void test_phases(void **state) {
    (void)state;
    Random random = random_start(SEED, 1);
    double r = cloth.radius, bend = 0, rest = 0, energy = 0;
    for (int n = 0; n < 1000; n++) {
        CaromRollingState start = random_shot(&random);
        CaromRollingPath path = path_of(&cloth, &start);
        double u[2], size, lost = 0, before = energy_of(&path.state[0], r);
        slip_of(&start, r, u);
        size = hypot(u[0], u[1]);
        for (int k = 0; k < 16; k++) {
            /* sliding: the slip points the same way, the energy goes into mu g |slip| dt */
            double part = k / 16.0, t = part * path.begin[1], now[2];
            CaromRollingState at = state_at(&path, t, CAROM_ROLLING_PHASE_SLIDING);
            slip_of(&at, r, now);
            bend = larger(bend, fabs(now[0] * u[1] - now[1] * u[0]) / (size * size));
            lost = path.deceleration[0] * size * t * (1 - part / 2);
            energy = larger(energy, fabs(before - lost - energy_of(&at, r)) / before);
            /* rolling: no slip */
            t = path.begin[1] + part * (path.begin[2] - path.begin[1]);
            at = state_at(&path, t, CAROM_ROLLING_PHASE_ROLLING);
            slip_of(&at, r, now);
            rest = larger(rest, hypot(now[0], now[1]));
            check_close(at.angular_velocity[2], start.angular_velocity[2], 0);
        }
        /* rolling: the torque mu_roll g r turns the ball by the way over r */
        lost = cloth.mu_roll * cloth.gravity *
               distance(path.state[1].position, path.state[2].position);
        energy = larger(energy, fabs(energy_of(&path.state[1], r) - lost) / before);
        check_close(path.state[2].velocity[0], 0, 0);
        check_close(path.state[2].angular_velocity[0], 0, 0);
        check_close(path.state[2].angular_velocity[2], start.angular_velocity[2], 0);
    }
    print_message("seed %u: bend %.1e, slip in rolling %.1e, energy %.1e\n", SEED, bend, rest,
                  energy);
    check_close(bend, 0, 2e-14);   /* measured 5.3e-15 */
    check_close(rest, 0, 3e-15);   /* 6.3e-16 */
    check_close(energy, 0, 4e-15); /* 7.4e-16 */
}

/* At the changes the two neighbours agree: position, velocity and spin are continuous. */
static void test_continuity(void **state) {
    (void)state;
    Random random = random_start(SEED, 2);
    double worst = 0, spin = 0;
    for (int n = 0; n < 1000; n++) {
        CaromRollingState start = random_shot(&random);
        CaromRollingPath path = path_of(&cloth, &start);
        for (int i = 1; i < 3; i++) {
            CaromRollingState before =
                state_at(&path, nextafter(path.begin[i], 0), (CaromRollingPhase)(i - 1));
            CaromRollingState after = state_at(&path, path.begin[i], (CaromRollingPhase)i);
            worst = larger(worst, distance(before.position, after.position));
            worst = larger(worst, distance(before.velocity, after.velocity));
            spin = larger(spin, distance(before.angular_velocity, after.angular_velocity));
        }
    }
    print_message("seed %u: jumps of %.1e, spin %.1e\n", SEED, worst, spin);
    check_close(worst, 0, 6e-14); /* measured 1.5e-14 */
    check_close(spin, 0, 3e-13);  /* 7.4e-14 */
}

/* The path from a point of the path is the rest of the path. */
static void test_composition(void **state) {
    (void)state;
    Random random = random_start(SEED, 3);
    double worst = 0;
    for (int n = 0; n < 1000; n++) {
        CaromRollingState start = random_shot(&random), middle, a, b;
        CaromRollingPath path = path_of(&cloth, &start), rest;
        double first = random_between(&random, 0, path.begin[2]);
        double second = random_between(&random, 0, path.begin[2]);
        assert_int_equal(carom_rolling_at(&path, first, &middle, NULL, NULL), CAROM_OK);
        assert_int_equal(carom_rolling_at(&path, first + second, &a, NULL, NULL), CAROM_OK);
        rest = path_of(&cloth, &middle);
        assert_int_equal(carom_rolling_at(&rest, second, &b, NULL, NULL), CAROM_OK);
        worst = larger(worst, distance(a.position, b.position));
        worst = larger(worst, distance(a.velocity, b.velocity));
    }
    print_message("seed %u: in two parts %.1e\n", SEED, worst);
    check_close(worst, 0, 5e-14); /* measured 1.1e-14 */
}

/* ---- limits ---- */

static void test_nothing_to_do(void **state) {
    (void)state;
    const CaromRollingState spun = {.position = {1, 2, 3}, .angular_velocity = {0, 0, 9}};
    CaromRollingPath path = path_of(&cloth, &spun);
    check_close(path.begin[2], 0, 0);
    CaromRollingState at = state_at(&path, 0, CAROM_ROLLING_PHASE_REST);
    check_close(distance(at.position, spun.position), 0, 0);
    check_close(at.angular_velocity[2], 9, 0);
    /* rolls from the beginning: no sliding, whatever mu_slide */
    const CaromTable smooth = {.radius = 0.5, .mu_slide = 0, .mu_roll = 0.1, .gravity = 10};
    const CaromRollingState rolls = {.velocity = {1, 2, 0}, .angular_velocity = {-4, 2, 0}};
    path = path_of(&smooth, &rolls);
    check_close(path.begin[1], 0, 0);
    check_close(path.slip[0], 0, 0);
    at = state_at(&path, 0, CAROM_ROLLING_PHASE_ROLLING);
    check_close(distance(at.velocity, rolls.velocity), 0, 0);
    check_close(path.begin[2], sqrt(5.0) * 1.4, 1e-15);                 /* measured 0 */
    check_close(path.state[2].position[0], 0.5 * path.begin[2], 1e-15); /* 0 */
}

static void test_never(void **state) {
    (void)state;
    CaromTable table = cloth;
    const CaromRollingState start = {.velocity = {1, 0, -3}, .angular_velocity = {5, 0, 2}};
    CaromRollingState at;
    /* without friction it slides for ever, as it is but for the vertical velocity */
    table.mu_slide = 0;
    CaromRollingPath path = path_of(&table, &start);
    assert_true(isinf(path.begin[1]) && path.begin[1] > 0);
    assert_true(isinf(path.begin[2]) && path.begin[2] > 0);
    assert_true(isnan(path.state[1].position[0]) && isnan(path.state[2].velocity[1]));
    at = state_at(&path, 1e6, CAROM_ROLLING_PHASE_SLIDING);
    check_close(at.position[0], 1e6, 0);
    check_close(at.velocity[2], 0, 0);
    check_close(at.angular_velocity[0], 5, 0);
    assert_int_equal(carom_rolling_at(&path, INFINITY, &at, NULL, NULL), CAROM_INVALID_INPUT);
    assert_true(isnan(at.position[0]) && isnan(at.angular_velocity[2]));
    /* or rolls for ever */
    table = cloth;
    table.mu_roll = 0;
    path = path_of(&table, &start);
    assert_true(isfinite(path.begin[1]) && isinf(path.begin[2]));
    at = state_at(&path, path.begin[1] + 1000, CAROM_ROLLING_PHASE_ROLLING);
    check_close(at.velocity[0], path.state[1].velocity[0], 0);
    check_close(at.position[0], path.state[1].position[0] + 1000 * at.velocity[0], 1e-12);
    assert_int_equal(carom_rolling_at(&path, INFINITY, &at, NULL, NULL), CAROM_INVALID_INPUT);
    /* where it stops, INFINITY is a time like any other */
    path = path_of(&cloth, &start);
    at = state_at(&path, INFINITY, CAROM_ROLLING_PHASE_REST);
    check_close(distance(at.position, path.state[2].position), 0, 0);
}

/* ---- refusals ---- */

static void check_refused(const CaromTable *table, const CaromRollingState *start,
                          const char *what) {
    CaromRollingPath path;
    CaromRollingState at;
    CaromRollingPhase phase;
    const char *message;
    assert_int_equal(carom_rolling_path(table, start, &path, &message), CAROM_INVALID_INPUT);
    assert_string_equal(message, what);
    assert_int_equal(carom_rolling_path(table, start, &path, NULL), CAROM_INVALID_INPUT);
    for (int i = 0; i < 3; i++) {
        assert_true(isnan(path.begin[i]));
        for (int k = 0; k < 3; k++) {
            assert_true(isnan(path.state[i].position[k]) && isnan(path.state[i].velocity[k]) &&
                        isnan(path.state[i].angular_velocity[k]));
        }
    }
    assert_true(isnan(path.deceleration[0]) && isnan(path.deceleration[1]));
    assert_true(isnan(path.slip[0]) && isnan(path.slip[1]) && isnan(path.radius));
    assert_int_equal(carom_rolling_at(&path, 0, &at, &phase, NULL), CAROM_INVALID_INPUT);
    assert_true(isnan(at.position[0]) && phase == CAROM_ROLLING_PHASE_REST);
}

static void test_refusals(void **state) {
    (void)state;
    const CaromRollingState start = {.velocity = {1, 0, 0}};
    static const double wrong[] = {NAN, INFINITY, -1};
    for (int i = 0; i < 3; i++) {
        CaromTable table = cloth;
        table.radius = wrong[i];
        check_refused(&table, &start, "radius is not > 0");
        table = cloth;
        table.mu_slide = wrong[i];
        check_refused(&table, &start, "mu_slide is not >= 0");
        table = cloth;
        table.mu_roll = wrong[i];
        check_refused(&table, &start, "mu_roll is not >= 0");
        table = cloth;
        table.gravity = wrong[i];
        check_refused(&table, &start, "gravity is not > 0");
    }
    CaromTable table = cloth;
    table.radius = 0;
    check_refused(&table, &start, "radius is not > 0");
    table = cloth;
    table.gravity = 0;
    check_refused(&table, &start, "gravity is not > 0");
    for (int i = 0; i < 3; i++) {
        CaromRollingState bad = start;
        bad.position[i] = NAN;
        check_refused(&cloth, &bad, "position is not finite");
        bad = start;
        bad.velocity[i] = INFINITY;
        check_refused(&cloth, &bad, "velocity is not finite");
        bad = start;
        bad.angular_velocity[i] = NAN;
        check_refused(&cloth, &bad, "angular_velocity is not finite");
    }
    CaromRollingState fast = start;
    fast.velocity[0] = 1e200;
    check_refused(&cloth, &fast, "the path exceeds the range of double precision");
}

static void test_bad_times(void **state) {
    (void)state;
    const CaromRollingState start = {.velocity = {1, 0, 0}};
    CaromRollingPath path = path_of(&cloth, &start);
    static const double wrong[] = {NAN, -1e-9, -INFINITY};
    for (int i = 0; i < 3; i++) {
        CaromRollingState at = start;
        CaromRollingPhase phase = CAROM_ROLLING_PHASE_SLIDING;
        assert_int_equal(carom_rolling_at(&path, wrong[i], &at, &phase, NULL), CAROM_INVALID_INPUT);
        assert_true(isnan(at.position[2]) && isnan(at.velocity[0]));
        assert_int_equal(phase, CAROM_ROLLING_PHASE_REST);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_centre_shot), cmocka_unit_test(test_rolling_distance),
        cmocka_unit_test(test_backspin),    cmocka_unit_test(test_small_steps),
        cmocka_unit_test(test_phases),      cmocka_unit_test(test_continuity),
        cmocka_unit_test(test_composition), cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_never),       cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_bad_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
