/* Bodies and sites that are refused, and those that are just accepted. */
#include <string.h>

#include "support/check.h"
#include "support/mechanics/bodies.h"

typedef struct Fixture {
    CaromBody bodies[2];
    CaromSite sites[2];
    int body_count, site_count;
} Fixture;

static Fixture sound_fixture(void) {
    Fixture fixture = {{body_ball(1.0, 1.0), body_ball(2.0, 1.0)},
                       {{.first = 0, .second = 1, .normal = {0.0, 0.0, 1.0}},
                        {.first = 1, .second = 0, .normal = {0.0, 1.0, 0.0}}},
                       2,
                       2};
    fixture.bodies[0].position[2] = 1.0;
    fixture.bodies[1].position[2] = -1.0;
    return fixture;
}

/* Refused with this message, and every number of the outputs NaN. */
static void check_refused(const Fixture *fixture, const char *expected) {
    double W[36] = {0.0}, v[6] = {0.0};
    const char *message = NULL;
    CaromStatus status = carom_bodies_contact_space(
        fixture->bodies, fixture->body_count, fixture->sites, fixture->site_count, W, v, &message);
    assert_int_equal(status, CAROM_INVALID_INPUT);
    assert_string_equal(message, expected);
    int width = 3 * (fixture->site_count > 0 ? fixture->site_count : 0);
    for (int i = 0; i < width * width; i++) {
        assert_true(isnan(W[i]));
    }
    for (int i = 0; i < width; i++) {
        assert_true(isnan(v[i]));
    }
    assert_int_equal(carom_bodies_contact_space(fixture->bodies, fixture->body_count,
                                                fixture->sites, fixture->site_count, NULL, NULL,
                                                NULL),
                     strstr(expected, "range of double") ? CAROM_OK : CAROM_INVALID_INPUT);
}

/* Put the value into a number of an otherwise sound fixture. */
#define REFUSE(field, value, expected)                                                             \
    do {                                                                                           \
        Fixture fixture = sound_fixture();                                                         \
        fixture.field = (value);                                                                   \
        check_refused(&fixture, expected);                                                         \
    } while (0)

static void test_bad_bodies(void **state) {
    (void)state;
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        REFUSE(bodies[1].inertia[4], bad[i], "bodies[].inertia is not finite");
        REFUSE(bodies[1].inertia[1], bad[i], "bodies[].inertia is not finite");
        REFUSE(bodies[0].position[i], bad[i], "bodies[].position is not finite");
        REFUSE(bodies[1].velocity[i], bad[i], "bodies[].velocity is not finite");
        REFUSE(bodies[1].angular_velocity[i], bad[i], "bodies[].angular_velocity is not finite");
        REFUSE(bodies[0].orientation[i + 1], bad[i], "bodies[].orientation is not finite");
        REFUSE(bodies[0].orientation[0], bad[i], "bodies[].orientation is not finite");
        REFUSE(bodies[0].inertia[4 * i], 0.0, "bodies[].inertia is not positive definite");
        REFUSE(bodies[0].inertia[4 * i], -1.0, "bodies[].inertia is not positive definite");
        REFUSE(bodies[0].inertia[i + 1], 1e-8, "bodies[].inertia is not symmetric");
    }
    REFUSE(bodies[0].mass, 0.0, "bodies[].mass is not > 0");
    REFUSE(bodies[0].mass, -1.0, "bodies[].mass is not > 0");
    REFUSE(bodies[1].mass, NAN, "bodies[].mass is not > 0");
    REFUSE(bodies[1].mass, -INFINITY, "bodies[].mass is not > 0");
    REFUSE(bodies[0].orientation[0], 1.0 + 1.1e-3, "bodies[].orientation is not of unit length");
    REFUSE(bodies[0].orientation[0], 1.0 - 1.1e-3, "bodies[].orientation is not of unit length");
    REFUSE(bodies[0].orientation[0], 0.0, "bodies[].orientation is not of unit length");
    REFUSE(body_count, 0, "bodies is empty");
    REFUSE(bodies[0].mass, 1e-320, "bodies[] and sites[] exceed the range of double precision");
    REFUSE(sites[1].point[0], 1e200, "bodies[] and sites[] exceed the range of double precision");

    Fixture fixture = sound_fixture(); /* indefinite and singular, positive diagonal */
    fixture.bodies[0].inertia[1] = fixture.bodies[0].inertia[3] = 0.5;
    check_refused(&fixture, "bodies[].inertia is not positive definite");
    fixture.bodies[0].inertia[1] = fixture.bodies[0].inertia[3] = 0.4;
    check_refused(&fixture, "bodies[].inertia is not positive definite");
}

static void test_bad_sites(void **state) {
    (void)state;
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        REFUSE(sites[1].point[i], bad[i], "sites[].point is not finite");
        REFUSE(sites[1].normal[i], bad[i], "sites[].normal is not finite");
        REFUSE(sites[1].tangent[i], bad[i], "sites[].tangent is not finite");
    }
    REFUSE(sites[1].normal[1], 0.0, "sites[].normal is zero");
    REFUSE(sites[1].tangent[1], -2.0, "sites[].tangent is parallel to sites[].normal");
    REFUSE(sites[1].first, 2, "sites[].first is out of range");
    REFUSE(sites[0].first, -1, "sites[].first is out of range");
    REFUSE(sites[1].second, 2, "sites[].second is out of range");
    REFUSE(sites[0].second, -1, "sites[].second is out of range");
    REFUSE(sites[0].second, 0, "sites[].first and sites[].second are the same body");
    REFUSE(site_count, 0, "sites is empty");
    REFUSE(site_count, -1, "sites is empty");

    double frame[9] = {0.0};
    CaromSite site = {.normal = {0.0, 1.0, 0.0}, .tangent = {0.0, 3.0, 0.0}};
    assert_int_equal(carom_site_frame(&site, frame, NULL), CAROM_INVALID_INPUT);
    for (int i = 0; i < 9; i++) {
        assert_true(isnan(frame[i]));
    }
}

/* Input that the header does not exclude is accepted; mirrored entries count by their mean. */
static void test_accepted(void **state) {
    (void)state;
    double W[2][36], v[6];
    for (int even = 0; even < 2; even++) {
        Fixture fixture = sound_fixture();
        fixture.bodies[1].inertia[0] = 1e-12; /* far from any triangle inequality */
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3; /* symmetric to 1e-9 of the diagonal */
            fixture.bodies[0].inertia[3 * i + j] = even ? 1e-10 : 2e-10;
            fixture.bodies[0].inertia[3 * j + i] = even ? 1e-10 : 0.0;
        }
        assert_int_equal(
            carom_bodies_contact_space(fixture.bodies, 2, fixture.sites, 2, W[even], v, NULL),
            CAROM_OK);
    }
    assert_memory_equal(W[0], W[1], sizeof W[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_bodies),
        cmocka_unit_test(test_bad_sites),
        cmocka_unit_test(test_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
