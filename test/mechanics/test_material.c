/* From materials to a contact, and the one call that engines embed. */
#include <carom/carom.h>

#include <string.h>

#include "support/check.h"
#include "support/rigid/impacts.h"

enum { SEED = 5150 };

static void rules(void **state) {
    (void)state;
    static const double expected[] = {0.2, 0.8, 0.16, 0.5, 0.4};
    for (int rule = 0; rule < 5; rule++) {
        check_close(carom_combine((CaromCombine)rule, 0.2, 0.8), expected[rule], 1e-16);
        assert_true(carom_combine((CaromCombine)rule, 0.8, 0.2) ==
                    carom_combine((CaromCombine)rule, 0.2, 0.8));
        assert_true(carom_combine((CaromCombine)rule, 0, 0) == 0);
        assert_true(carom_combine((CaromCombine)rule, 1, 1) == 1);
        assert_true(isnan(carom_combine((CaromCombine)rule, -0.1, 0.5)));
        assert_true(isnan(carom_combine((CaromCombine)rule, 0.5, NAN)));
    }
    assert_true(isnan(carom_combine((CaromCombine)5, 0.5, 0.5)));
    /* equal materials: a mean of equals is the same number; and no overflow */
    for (int i = 0; i < 1000; i++) {
        Random random = random_start(SEED, (uint64_t)i);
        double a = random_log(&random, 1e-300, 1e300);
        assert_true(carom_combine(CAROM_COMBINE_AVERAGE, a, a) == a);
        assert_true(carom_combine(CAROM_COMBINE_GEOMETRIC, a, a) == a);
    }
    assert_true(carom_combine(CAROM_COMBINE_AVERAGE, 1.5e308, 1.7e308) < INFINITY);
}

static void materials(void **state) {
    (void)state;
    CaromMaterial ice = {.mu = 0.05, .mu_static = 0.1, .e = 0.3};
    CaromMaterial rubber = {.mu = 0.8, .mu_static = -1, .e = 0.9};
    CaromContact contact =
        carom_material_combine(&ice, &rubber, CAROM_COMBINE_GEOMETRIC, CAROM_COMBINE_MAX);
    check_close(contact.mu, 0.2, 1e-16);
    check_close(contact.mu_static, sqrt(0.08), 1e-16);
    assert_true(contact.e == 0.9);
    assert_true(contact.stiffness == 1 && contact.stiffness_ratio == 17.0 / 14);
    /* mu_static >= mu whatever rounding does, so that every solver takes it */
    for (uint64_t i = 0; i < 20000; i++) {
        Random random = random_start(SEED + 1, i);
        CaromMaterial a = {.mu = random_uniform(&random), .e = 0.5}, b = a;
        b.mu = i % 2 ? a.mu : random_uniform(&random);
        a.mu_static = a.mu;
        b.mu_static = i % 3 ? b.mu * (1 + 2.3e-16) : b.mu;
        contact = carom_material_combine(&a, &b, (CaromCombine)(i % 5), CAROM_COMBINE_MIN);
        assert_true(contact.mu_static >= contact.mu);
    }
    /* what is wrong is refused by name */
    const double W[4] = {1, 0, 0, 1}, v[2] = {1, -1};
    CaromResult result = {0};
    rubber.e = NAN;
    contact = carom_material_combine(&ice, &rubber, CAROM_COMBINE_MIN, CAROM_COMBINE_MIN);
    assert_int_equal(carom_planar_solve(W, v, &contact, CAROM_ENERGETIC, &result),
                     CAROM_INVALID_INPUT);
    assert_non_null(strstr(result.message, "e must"));
    rubber.e = 0.5;
    rubber.mu = -1;
    contact = carom_material_combine(&ice, &rubber, CAROM_COMBINE_MIN, CAROM_COMBINE_MIN);
    assert_int_equal(carom_planar_solve(W, v, &contact, CAROM_ENERGETIC, &result),
                     CAROM_INVALID_INPUT);
    assert_non_null(strstr(result.message, "mu"));
}

/* ---- two bodies in, two bodies out ---- */

static void random_vector(Random *random, double x[3]) {
    for (int k = 0; k < 3; k++) {
        x[k] = 2 * random_uniform(random) - 1;
    }
}

static CaromBody random_body(Random *random) {
    CaromBody body = carom_body_default();
    body.mass = random_log(random, 0.2, 5);
    for (int k = 0; k < 3; k++) {
        body.inertia[4 * k] = 0.5 + random_uniform(random);
    }
    random_vector(random, body.position);
    random_vector(random, body.velocity);
    random_vector(random, body.angular_velocity);
    return body;
}

/* Change of a body's momentum and, about the origin, angular momentum. */
static void add_change(const CaromBody *before, const CaromBody *after, double sum[6]) {
    double p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = after->mass * (after->velocity[k] - before->velocity[k]);
        sum[k] += p[k];
        /* the axes are those of the world, the inertia diagonal */
        sum[3 + k] +=
            after->inertia[4 * k] * (after->angular_velocity[k] - before->angular_velocity[k]);
    }
    const double *r = after->position;
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        sum[3 + k] += r[next] * p[last] - r[last] * p[next];
    }
}

/* Momentum and angular momentum are kept, energy changes by what the result says and never grows,
 * and the long way round through contact space gives the same bits. Measured: momenta 6e-16,
 * energy 1e-15 of what was there. */
static void collide(void **state) {
    (void)state;
    int solved = 0;
    double worst = 0, open = 0;
    for (uint64_t i = 0; i < 5000; i++) {
        Random random = random_start(SEED + 2, i);
        CaromBody bodies[2] = {random_body(&random), random_body(&random)};
        CaromSite site = {.first = 0, .second = 1};
        CaromContact contact = carom_contact_default();
        contact.mu = random_uniform(&random);
        contact.e = random_uniform(&random);
        random_vector(&random, site.point);
        random_vector(&random, site.normal);
        if (i % 4 == 0) {
            bodies[1] = carom_body_fixed();
        }
        CaromBody first = bodies[0], second = bodies[1];
        double impulse[3], W[9], v[3], I[3];
        CaromEvent events[CAROM_RIGID_EVENTS];
        CaromResult result = {
            .impulse = impulse, .events = events, .event_capacity = CAROM_RIGID_EVENTS};
        CaromStatus status =
            carom_bodies_collide(&first, &second, site.point, site.normal, &contact, &result);
        assert_int_equal(result.status, status);
        assert_true(result.impulse == impulse);
        carom_bodies_contact_space(bodies, 2, &site, 1, W, v, NULL);
        CaromResult long_way = {.impulse = I};
        assert_int_equal(carom_rigid_solve(W, v, &contact, CAROM_ENERGETIC, &long_way), status);
        if (status < 0) {
            assert_int_equal(status, CAROM_NOT_APPROACHING);
            assert_memory_equal(&first, &bodies[0], sizeof first);
            assert_memory_equal(&second, &bodies[1], sizeof second);
            assert_true(isnan(impulse[0]));
            continue;
        }
        solved++;
        assert_memory_equal(impulse, I, sizeof I);
        double before = carom_body_energy(&bodies[0]) + carom_body_energy(&bodies[1]);
        double after = carom_body_energy(&first) + carom_body_energy(&second);
        open = larger(open, fabs(after - before - result.energy.change) / before);
        assert_true(after <= before * (1 + 1e-14));
        double change[6] = {0};
        add_change(&bodies[0], &first, change);
        add_change(&bodies[1], &second, change);
        for (int k = 0; k < 6 && i % 4; k++) {
            worst = larger(worst, fabs(change[k]));
        }
        /* once more: they part */
        assert_int_equal(
            carom_bodies_collide(&first, &second, site.point, site.normal, &contact, NULL),
            contact.e > 0 ? CAROM_NOT_APPROACHING : status);
    }
    print_message("%d solved, momenta %.2e, energy %.2e\n", solved, worst, open);
    assert_true(solved > 2000);
    assert_true(worst <= 1e-14); /* 5.6e-16 */
    assert_true(open <= 2e-14);  /* 1.0e-15 */
}

static void collide_refuses(void **state) {
    (void)state;
    const double point[3] = {0, 0, 0}, up[3] = {0, 0, 1}, none[3] = {0, 0, 0};
    CaromBody ball = carom_body_default(), floor = carom_body_fixed();
    ball.position[2] = 1;
    ball.velocity[2] = -1;
    const CaromBody untouched = ball;
    CaromContact contact = carom_contact_default();
    double impulse[3] = {1, 2, 3};
    CaromResult result = {.impulse = impulse};
    assert_int_equal(carom_bodies_collide(&ball, &floor, point, none, &contact, &result),
                     CAROM_INVALID_INPUT);
    assert_non_null(strstr(result.message, "normal"));
    assert_true(isnan(impulse[0]) && isnan(impulse[2]) && isnan(result.energy.change));
    assert_int_equal(carom_bodies_collide(&ball, &ball, point, up, &contact, &result),
                     CAROM_INVALID_INPUT);
    contact.e = 2;
    assert_int_equal(carom_bodies_collide(&ball, &floor, point, up, &contact, NULL),
                     CAROM_INVALID_INPUT);
    contact.e = 0.5;
    CaromBody wall = carom_body_fixed();
    wall.velocity[2] = -1;
    assert_int_equal(carom_bodies_collide(&wall, &floor, point, up, &contact, &result),
                     CAROM_INVALID_INPUT);
    assert_non_null(strstr(result.message, "cannot move along the normal"));
    assert_memory_equal(&ball, &untouched, sizeof ball);
    assert_int_equal(carom_bodies_collide(&ball, &floor, point, up, &contact, NULL), CAROM_OK);
    check_close(ball.velocity[2], 0.5, 1e-16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules),
        cmocka_unit_test(materials),
        cmocka_unit_test(collide),
        cmocka_unit_test(collide_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
