/* Guided bodies: they slide along an axis and do not turn.
 *
 * Oracle: the same scene as a mechanism, whose coordinates are the guided body's speed and the free
 * body's velocity and angular velocity in principal axes that are the world's. */
#include <carom/carom.h>
#include <string.h>

#include "support/check.h"
#include "support/math/larger.h"
#include "support/math/random.h"

enum { SITES = 3, ROWS = 3 * SITES, SPEEDS = 7, RUNS = 500 };
#define SEED UINT64_C(20260117)

typedef struct Scene {
    CaromBody bodies[3]; /* guided, free, fixed */
    CaromSite sites[SITES];
    double impulse[ROWS];
} Scene;

static Scene random_scene(Random *random) {
    Scene scene = {.bodies = {carom_body_default(), carom_body_default(), carom_body_fixed()}};
    CaromBody *slider = &scene.bodies[0], *body = &scene.bodies[1];
    double speed = random_between(random, -2, 2), length = random_log(random, 1e-3, 1e3);
    slider->mass = random_log(random, 0.1, 10);
    random_vector(random, 1, slider->guide);
    for (int i = 0; i < 3; i++) {
        slider->velocity[i] = speed * slider->guide[i];
        slider->guide[i] *= length;
        body->inertia[4 * i] = random_log(random, 0.1, 10);
    }
    body->mass = random_log(random, 0.1, 10);
    random_vector(random, 1, body->position);
    random_vector(random, 1, body->velocity);
    random_vector(random, 1, body->angular_velocity);
    /* slider and body, body and floor, floor and slider */
    for (int i = 0; i < SITES; i++) {
        scene.sites[i] = (CaromSite){.first = i, .second = (i + 1) % 3};
        random_vector(random, 2, scene.sites[i].point);
        random_vector(random, 1, scene.sites[i].normal);
    }
    for (int i = 0; i < ROWS; i++) {
        scene.impulse[i] = random_between(random, -1, 1);
    }
    return scene;
}

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++) {
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

typedef struct Mechanism {
    double M[SPEEDS * SPEEDS], J[ROWS * SPEEDS], u[SPEEDS], R[ROWS * SPEEDS], axis[3];
} Mechanism;

/* How body `index` enters a row along the direction f, with a sign. */
static void add_body(const Scene *scene, const Mechanism *mechanism, int index, double sign,
                     const CaromSite *site, const double f[3], double row[SPEEDS]) {
    if (index == 0) {
        row[0] += sign * dot(mechanism->axis, f);
    } else if (index == 1) {
        double r[3], turn[3];
        for (int i = 0; i < 3; i++) {
            r[i] = site->point[i] - scene->bodies[1].position[i];
        }
        cross(r, f, turn);
        for (int i = 0; i < 3; i++) {
            row[1 + i] += sign * f[i];
            row[4 + i] += sign * turn[i];
        }
    }
}

static Mechanism mechanism_of(const Scene *scene) {
    Mechanism m = {.M = {0}};
    const CaromBody *slider = &scene->bodies[0], *body = &scene->bodies[1];
    double length = sqrt(dot(slider->guide, slider->guide)), workspace[SPEEDS * SPEEDS];
    for (int i = 0; i < 3; i++) {
        m.axis[i] = slider->guide[i] / length;
        m.M[(1 + i) * (SPEEDS + 1)] = body->mass;
        m.M[(4 + i) * (SPEEDS + 1)] = body->inertia[4 * i];
        m.u[1 + i] = body->velocity[i];
        m.u[4 + i] = body->angular_velocity[i];
    }
    m.M[0] = slider->mass;
    m.u[0] = dot(m.axis, slider->velocity);
    for (int s = 0; s < SITES; s++) {
        const CaromSite *site = &scene->sites[s];
        double frame[9];
        assert_int_equal(carom_site_frame(site, frame, NULL), CAROM_OK);
        for (int k = 0; k < 3; k++) {
            double *row = m.J + (size_t)(3 * s + k) * SPEEDS;
            add_body(scene, &m, site->first, 1, site, frame + 3 * k, row);
            add_body(scene, &m, site->second, -1, site, frame + 3 * k, row);
        }
    }
    assert_int_equal(carom_system_responses(SPEEDS, m.M, ROWS, m.J, workspace, m.R, NULL), 0);
    return m;
}

/* W, v, the motion after impulses and the energies, against the mechanism. */
static void as_a_mechanism(void **state) {
    (void)state;
    double worst = 0;
    for (uint64_t run = 0; run < RUNS; run++) {
        Random random = random_start(SEED, run);
        Scene scene = random_scene(&random);
        Mechanism m = mechanism_of(&scene);
        double W[ROWS * ROWS], v[ROWS], expected_W[ROWS * ROWS], expected_v[ROWS];
        assert_int_equal(
            carom_bodies_contact_space(scene.bodies, 3, scene.sites, SITES, W, v, NULL), CAROM_OK);
        carom_system_contact_space(SPEEDS, ROWS, m.J, m.R, m.u, expected_W, expected_v, NULL);
        for (int i = 0; i < ROWS * ROWS; i++) {
            worst = larger(worst, fabs(W[i] - expected_W[i]) / 100);
        }
        for (int i = 0; i < ROWS; i++) {
            worst = larger(worst, fabs(v[i] - expected_v[i]));
        }
        check_close(carom_body_energy(&scene.bodies[0]) + carom_body_energy(&scene.bodies[1]),
                    carom_system_energy(SPEEDS, m.M, m.u), 1e-13);
        carom_bodies_apply(scene.bodies, scene.sites, SITES, scene.impulse);
        carom_system_apply(SPEEDS, ROWS, m.R, scene.impulse, m.u);
        for (int i = 0; i < 3; i++) {
            worst = larger(worst, fabs(scene.bodies[0].velocity[i] - m.u[0] * m.axis[i]) / 10);
            worst = larger(worst, fabs(scene.bodies[1].velocity[i] - m.u[1 + i]) / 10);
            assert_true(scene.bodies[0].angular_velocity[i] == 0);
        }
    }
    print_message("largest difference %.2e\n", worst);
    assert_true(worst <= 1e-14); /* measured 8.9e-16 */
}

/* Two equal sliders on one line that meet head-on exchange their speeds. */
static void two_sliders(void **state) {
    (void)state;
    CaromBody a = carom_body_default(), b = carom_body_default();
    const double axis[3] = {3, 0, 4}, point[3] = {0, 0, 0}, normal[3] = {-3, 0, -4};
    memcpy(a.guide, axis, sizeof axis);
    memcpy(b.guide, axis, sizeof axis);
    memcpy(a.velocity, axis, sizeof axis);
    CaromContact contact = {.mu = 0, .e = 1};
    assert_int_equal(carom_bodies_collide(&a, &b, point, normal, &contact, NULL), CAROM_OK);
    for (int i = 0; i < 3; i++) {
        check_close(a.velocity[i], 0, 1e-15);
        check_close(b.velocity[i], axis[i], 2e-15);
    }
}

static void check_refused(const CaromBody *body, const char *part) {
    CaromBody bodies[2] = {*body, carom_body_fixed()};
    CaromSite site = {.first = 0, .second = 1, .normal = {0, 0, 1}};
    double W[9], v[3];
    const char *message;
    assert_int_equal(carom_bodies_contact_space(bodies, 2, &site, 1, W, v, &message),
                     CAROM_INVALID_INPUT);
    assert_non_null(strstr(message, part));
    assert_true(isnan(W[0]) && isnan(v[2]));
}

static void refusals(void **state) {
    (void)state;
    CaromBody slider = carom_body_default(), body;
    slider.guide[2] = 2;
    slider.velocity[2] = -1;
    body = slider;
    body.mass = INFINITY;
    check_refused(&body, "bodies[].guide: a body of infinite mass");
    body = slider;
    body.guide[0] = NAN;
    check_refused(&body, "bodies[].guide is not finite");
    body = slider;
    body.velocity[0] = 1e-6;
    check_refused(&body, "bodies[].velocity of a guided body is not along its guide");
    body = slider;
    body.angular_velocity[1] = 1e-300;
    check_refused(&body, "bodies[].angular_velocity of a guided body is not 0");
    const double gravity[3] = {0, 0, -1};
    const char *message;
    body = slider;
    assert_int_equal(carom_flight_advance(&body, gravity, 1, &message), CAROM_INVALID_INPUT);
    assert_non_null(strstr(message, "a guided body does not fly"));
    /* the inertia of a guided body is not looked at */
    memset(slider.inertia, 0, sizeof slider.inertia);
    CaromBody floor = carom_body_fixed();
    const double point[3] = {5, 5, 5}, up[3] = {0, 0, 1};
    CaromContact contact = {.mu = 0, .e = 0.5};
    assert_int_equal(carom_bodies_collide(&slider, &floor, point, up, &contact, NULL), CAROM_OK);
    check_close(slider.velocity[2], 0.5, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_a_mechanism),
        cmocka_unit_test(two_sliders),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
