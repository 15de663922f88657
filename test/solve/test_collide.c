/* carom_bodies_collide(): two bodies in, two bodies out. */
#include <carom/carom.h>

#include <string.h>

#include "support/check.h"
#include "support/math/random.h"

enum { SEED = 5150 };

static CaromBody random_body(Random *random) {
    CaromBody body = carom_body_default();
    body.mass = random_log(random, 0.2, 5);
    for (int k = 0; k < 3; k++) {
        body.inertia[4 * k] = 0.5 + random_uniform(random);
    }
    random_vector(random, 1, body.position);
    random_vector(random, 1, body.velocity);
    random_vector(random, 1, body.angular_velocity);
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

/* Momentum and angular momentum are kept, energy changes by the result's value and never grows,
 * and the long way round through contact space gives the same bits. Measured: momenta 6e-16,
 * energy 1e-15 of the energy before. */
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
        random_vector(&random, 1, site.point);
        random_vector(&random, 1, site.normal);
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
        assert_int_equal(carom_rigid_solve(W, v, &contact, CAROM_LAW_ENERGETIC, &long_way), status);
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
        cmocka_unit_test(collide),
        cmocka_unit_test(collide_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
