/* Inertia of simple bodies against integrals over them, a mesh, and each other. */
#include <carom/carom.h>

#include <stdbool.h>

#include "support/check.h"

enum { STEPS = 200 };

/* Radius of a solid of revolution at height z in [-1/2, 1/2] of its height, relative to its own. */
static double profile(CaromSolid solid, double z) {
    return solid == CAROM_SOLID_BALL || solid == CAROM_SOLID_SHELL ? sqrt(1 - 4 * z * z)
           : solid == CAROM_SOLID_CONE                             ? 0.5 - z
                                                                   : 1;
}

/* A solid or a thin wall of revolution about z, by the midpoint rule: mass, height of the centre,
 * and the moments about it. Wall elements of a sphere have the same area for the same dz. */
static void integrate(CaromSolid solid, double radius, double height, double moments[3]) {
    bool wall = solid == CAROM_SOLID_SHELL || solid == CAROM_SOLID_TUBE;
    double mass = 0, first = 0, second = 0, square = 0;
    for (int i = 0; i < STEPS; i++) {
        double z = (i + 0.5) / STEPS - 0.5, edge = radius * profile(solid, z);
        for (int k = 0; k < (wall ? 1 : STEPS); k++) {
            double r = wall ? edge : (k + 0.5) / STEPS * edge, part = wall ? 1 : r * edge;
            mass += part;
            first += part * z * height;
            second += part * z * z * height * height;
            square += part * r * r; /* x^2 + y^2 */
        }
    }
    double centre = first / mass;
    moments[0] = moments[1] = square / mass / 2 + second / mass - centre * centre;
    moments[2] = square / mass;
}

/* Measured: 1.3e-5 and less, the error of the rule. */
static void test_integrals(void **state) {
    (void)state;
    static const struct {
        CaromSolid solid;
        double size[2], radius, height;
    } cases[] = {{CAROM_SOLID_BALL, {0.7}, 0.7, 1.4},      {CAROM_SOLID_SHELL, {0.7}, 0.7, 1.4},
                 {CAROM_SOLID_CYLINDER, {0.5, 3}, 0.5, 3}, {CAROM_SOLID_TUBE, {0.5, 3}, 0.5, 3},
                 {CAROM_SOLID_CONE, {0.5, 3}, 0.5, 3},     {CAROM_SOLID_ROD, {3, 0.1}, 0.1, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double inertia[9], moments[3], mass = 2.5;
        const char *message = "x";
        assert_int_equal(
            carom_solid_inertia(cases[i].solid, mass, cases[i].size, inertia, &message), CAROM_OK);
        assert_string_equal(message, "");
        integrate(cases[i].solid, cases[i].radius, cases[i].height, moments);
        for (int k = 0; k < 9; k++) {
            double expected = k % 4 == 0 ? mass * moments[k / 4] : 0;
            check_close(inertia[k], expected, 1e-4 * expected);
        }
    }
}

/* A box against its mesh. */
static void test_box(void **state) {
    (void)state;
    const double sides[3] = {1, 2.5, 0.3};
    static const int faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    double vertices[24], inertia[9];
    for (int i = 0; i < 24; i++) {
        vertices[i] = (i / 3 >> i % 3 & 1 ? 0.5 : -0.5) * sides[i % 3];
    }
    CaromMassProperties mesh;
    assert_int_equal(carom_mesh_properties(vertices, 8, faces, 12, 4, &mesh, NULL), CAROM_OK);
    assert_int_equal(carom_solid_inertia(CAROM_SOLID_BOX, mesh.mass, sides, inertia, NULL),
                     CAROM_OK);
    for (int k = 0; k < 9; k++) {
        check_close(inertia[k], mesh.inertia[k], 1e-14);
    }
}

static void test_names_and_dimensions(void **state) {
    (void)state;
    static const char *const names[] = {"ball", "shell", "box", "cylinder", "tube", "cone", "rod"};
    for (int i = 0; i < 7; i++) {
        assert_string_equal(carom_solid_string((CaromSolid)i), names[i]);
        int dimensions = carom_solid_dimensions((CaromSolid)i);
        assert_true(dimensions >= 1 && dimensions <= 3);
    }
    assert_null(carom_solid_string((CaromSolid)7));
    assert_int_equal(carom_solid_dimensions((CaromSolid)-1), 0);
}

static void test_refusals(void **state) {
    (void)state;
    const double good[3] = {1, 2, 3};
    double inertia[9] = {0};
    const char *message;
    static const double bad[] = {0, -1, INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(carom_solid_inertia(CAROM_SOLID_BOX, bad[i], good, inertia, &message),
                         CAROM_INVALID_INPUT);
        assert_string_equal(message, "mass must be a finite number > 0");
        assert_true(isnan(inertia[0]) && isnan(inertia[1]));
        for (int k = 0; k < 3; k++) {
            double size[3] = {1, 1, 1};
            size[k] = bad[i];
            int used = carom_solid_dimensions(CAROM_SOLID_CONE) > k;
            assert_int_equal(carom_solid_inertia(CAROM_SOLID_CONE, 1, size, inertia, NULL),
                             used ? CAROM_INVALID_INPUT : CAROM_OK);
            assert_int_equal(carom_solid_inertia(CAROM_SOLID_BOX, 1, size, inertia, NULL),
                             CAROM_INVALID_INPUT);
        }
    }
    const double huge[1] = {1e200}, tiny[1] = {1e-200};
    assert_int_equal(carom_solid_inertia(CAROM_SOLID_BALL, 1, huge, inertia, &message),
                     CAROM_INVALID_INPUT);
    assert_int_equal(carom_solid_inertia(CAROM_SOLID_BALL, 1, tiny, inertia, &message),
                     CAROM_INVALID_INPUT);
    assert_int_equal(carom_solid_inertia((CaromSolid)9, 1, good, inertia, &message),
                     CAROM_INVALID_INPUT);
    assert_string_equal(message, "solid is not a known solid");
}

/* Johnson: k/k_t = (2 - nu)/(2 (1 - nu)); 17/14, the default, for nu = 0.3. */
static void test_poisson(void **state) {
    (void)state;
    check_close(carom_stiffness_ratio(0.3), carom_contact_default().stiffness_ratio, 1e-15);
    check_close(carom_stiffness_ratio(0), 1, 0);
    check_close(carom_stiffness_ratio(0.5), 1.5, 0);
    check_close(carom_stiffness_ratio(-0.5), 2.5 / 3, 1e-15);
    static const double bad[] = {-1.5, -1, 0.50001, 1, INFINITY, NAN};
    for (int i = 0; i < 6; i++) {
        assert_true(isnan(carom_stiffness_ratio(bad[i])));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integrals),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_names_and_dimensions),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_poisson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
