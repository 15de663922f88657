#include "support/mechanics/bodies.h"

#include "support/check.h"
#include "support/math/random.h"

CaromBody body_ball(double mass, double radius) {
    CaromBody body = carom_body_default();
    body.mass = mass;
    for (int i = 0; i < 3; i++) {
        body.inertia[4 * i] = 0.4 * mass * radius * radius;
    }
    return body;
}

static CaromBody random_body(Random *random) {
    CaromBody body = carom_body_default();
    double norm2 = 0;
    body.mass = random_log(random, 0.1, 10);
    for (int i = 0; i < 3; i++) {
        body.inertia[4 * i] = body.mass * (0.2 + 0.15 * random_uniform(random));
        body.position[i] = 2 * random_uniform(random) - 1;
        body.velocity[i] = 2 * random_uniform(random) - 1;
        body.angular_velocity[i] = 2 * random_uniform(random) - 1;
    }
    for (int i = 0; i < 4; i++) {
        body.orientation[i] = random_uniform(random) + 0.1;
        norm2 += body.orientation[i] * body.orientation[i];
    }
    for (int i = 0; i < 4; i++) {
        body.orientation[i] /= sqrt(norm2);
    }
    return body;
}

/* Solve one site; 0 if the bodies are not approaching there. */
static int collide(CaromBody bodies[2], const CaromSite *site, const CaromContact *contact,
                   ContactSolver solve) {
    double W[9], v[3], I[3];
    CaromResult result = {.impulse = I};
    assert_int_equal(carom_bodies_contact_space(bodies, 2, site, 1, W, v, NULL), CAROM_OK);
    if (v[2] >= 0) {
        return 0;
    }
    assert_int_equal(solve(W, v, contact, &result), CAROM_OK);
    carom_bodies_apply(bodies, site, 1, I);
    return 1;
}

/* Let two bodies hit at a random place, once as they are and once with the other one called the
 * first: the largest difference of their velocities, or -1 if they do not approach there. */
static double swap_differs(Random *random, const CaromBody bodies[2], const CaromContact *contact,
                           ContactSolver solve) {
    CaromBody a[2] = {bodies[0], bodies[1]}, b[2] = {bodies[0], bodies[1]};
    CaromSite site = {.first = 0, .second = 1}, other = {.first = 1, .second = 0};
    double worst = 0;
    for (int k = 0; k < 3; k++) {
        other.point[k] = site.point[k] = random_uniform(random);
        site.normal[k] = random_uniform(random) - 0.3;
        other.normal[k] = -site.normal[k];
    }
    int hit = collide(a, &site, contact, solve);
    assert_int_equal(hit, collide(b, &other, contact, solve));
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < 3; j++) {
            worst = larger(worst, fabs(a[k].velocity[j] - b[k].velocity[j]));
            worst = larger(worst, fabs(a[k].angular_velocity[j] - b[k].angular_velocity[j]));
        }
    }
    return hit ? worst : -1;
}

void check_bodies_swap(uint64_t seed, int count, ContactSolver solve) {
    int solved = 0;
    double worst = 0;
    for (uint64_t i = 0; i < (uint64_t)count; i++) {
        Random random = random_start(seed, i);
        CaromBody bodies[2];
        CaromContact contact = carom_contact_default();
        bodies[0] = random_body(&random);
        bodies[1] = random_body(&random);
        contact.mu = random_uniform(&random);
        contact.e = random_uniform(&random);
        contact.stiffness_ratio = random_log(&random, 0.3, 10);
        double off = swap_differs(&random, bodies, &contact, solve);
        solved += off != -1;
        worst = larger(worst, off);
    }
    print_message("%d pairs of bodies, largest difference %.1e\n", solved, worst);
    assert_true(solved > count / 4);
    assert_true(worst <= 5e-14);
}
