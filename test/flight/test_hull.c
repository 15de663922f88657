/* Faces and edges of convex hulls, and their distance from points.
 *
 * Oracle: the hull is the union of all triangles and tetrahedra of its vertices, so outside of it
 * the distance is the least one from any triangle of three vertices. */
#include <carom/carom.h>
#include <stdlib.h>

#include "flight/hull_distance.h"
#include "support/check.h"
#include "support/math/random.h"
#include "support/math/vector.h"
#include "support/scale.h"

#define SEED 20240701u
#define MOST 40

/* A hull with its memory. */
typedef struct TestHull {
    Hull hull;
    double numbers[8 * MOST];
    int ints[16 * MOST + 8];
} TestHull;

static const char *build(const double *vertices, int count, TestHull *made) {
    CaromShape shape = carom_shape_vertices(vertices, count);
    assert_true(crm_hull_numbers(count) <= sizeof made->numbers / sizeof *made->numbers);
    assert_true(crm_hull_ints(count) <= sizeof made->ints / sizeof *made->ints);
    return crm_hull_build(&shape, made->numbers, made->ints, &made->hull);
}

static double segment_distance(const double a[3], const double b[3], const double y[3]) {
    double d[3], t[3], away[3];
    for (int k = 0; k < 3; k++) {
        d[k] = b[k] - a[k];
        t[k] = y[k] - a[k];
    }
    double length = vector_dot(d, d), part = length > 0 ? vector_dot(d, t) / length : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    for (int k = 0; k < 3; k++) {
        away[k] = t[k] - part * d[k];
    }
    return sqrt(vector_dot(away, away));
}

/* Distance from a triangle, by its barycentric coordinates. */
static double triangle_distance(const double a[3], const double b[3], const double c[3],
                                const double y[3]) {
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        w[k] = y[k] - a[k];
    }
    double uu = vector_dot(u, u), uv = vector_dot(u, v), vv = vector_dot(v, v);
    double wu = vector_dot(w, u), wv = vector_dot(w, v), det = uu * vv - uv * uv;
    double s = (vv * wu - uv * wv) / det, t = (uu * wv - uv * wu) / det;
    if (det > 1e-14 * uu * vv && s >= 0 && t >= 0 && s + t <= 1) {
        double away[3];
        for (int k = 0; k < 3; k++) {
            away[k] = w[k] - s * u[k] - t * v[k];
        }
        return sqrt(vector_dot(away, away));
    }
    double least = segment_distance(a, b, y);
    least = fmin(least, segment_distance(b, c, y));
    return fmin(least, segment_distance(a, c, y));
}

static double oracle_distance(const double *r, int count, const double y[3]) {
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k <= j; k++) {
                least = fmin(least, triangle_distance(&r[3 * i], &r[3 * j], &r[3 * k], y));
            }
        }
    }
    return least;
}

/* Points around a hull. Returns the largest error relative to the size. */
static double compare_distances(const double *vertices, int count, const TestHull *made,
                                Random *random, int points) {
    double worst = 0;
    for (int i = 0; i < points; i++) {
        double y[3], nearest[3], normal[3], away[3];
        random_vector(random, 3 * made->hull.size, y);
        double distance = crm_hull_distance(&made->hull, y, nearest, normal);
        if (distance <= 0) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            away[k] = y[k] - nearest[k] - distance * normal[k];
        }
        worst = larger(worst, sqrt(vector_dot(away, away)) / made->hull.size);
        worst =
            larger(worst, fabs(distance - oracle_distance(vertices, count, y)) / made->hull.size);
    }
    return worst;
}

static void check_euler(const TestHull *made) {
    char used[MOST] = {0};
    int corners = 0;
    for (int i = 0; i < made->hull.starts[made->hull.face_count]; i++) {
        corners += !used[made->hull.corners[i]];
        used[made->hull.corners[i]] = 1;
    }
    assert_int_equal(corners - made->hull.edge_count + made->hull.face_count, 2);
}

static void test_box(void **state) {
    (void)state;
    double r[3 * 13];
    TestHull made;
    Random random = random_start(SEED, 0);
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++) {
            r[3 * i + k] = (i >> k & 1 ? 1 : -1) * (0.5 + k);
        }
    }
    assert_null(build(r, 8, &made));
    assert_int_equal(made.hull.face_count, 6);
    assert_int_equal(made.hull.edge_count, 12);
    check_euler(&made);
    /* points inside, on an edge, on a face, and twice the same change nothing */
    const double more[15] = {0, 0, 0, 0.5, 0, 2.5, 0.5, 1.5, 0.7, 0.1, 1.5, 0, -0.5, -1.5, -2.5};
    for (int i = 0; i < 15; i++) {
        r[24 + i] = more[i];
    }
    assert_null(build(r, 13, &made));
    assert_int_equal(made.hull.face_count, 6);
    assert_int_equal(made.hull.edge_count, 12);
    /* measured: 2e-16 */
    check_close(compare_distances(r, 13, &made, &random, 300), 0, 1e-14);
    double y[3] = {0.2, 0, 0}, nearest[3], normal[3];
    check_close(crm_hull_distance(&made.hull, y, nearest, normal), -0.3, 1e-15);
}

/* A plate has two faces, a rod one edge, a point an edge without length. */
static void test_thin(void **state) {
    (void)state;
    const double plate[15] = {1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0, 0.2, 0.1, 0};
    const double rod[9] = {1, 2, 3, 0, 0, 0, -1, -2, -3};
    TestHull made;
    Random random = random_start(SEED, 1);
    assert_null(build(plate, 5, &made));
    assert_int_equal(made.hull.face_count, 2);
    assert_int_equal(made.hull.edge_count, 4);
    check_euler(&made);
    check_close(compare_distances(plate, 5, &made, &random, 300), 0, 1e-14);
    const double beside[3] = {2, 0, 0};
    double nearest[3], normal[3];
    check_close(crm_hull_distance(&made.hull, beside, nearest, normal), 1, 1e-15);
    assert_null(build(rod, 3, &made));
    assert_int_equal(made.hull.face_count, 0);
    assert_int_equal(made.hull.edge_count, 1);
    check_close(compare_distances(rod, 3, &made, &random, 300), 0, 1e-14);
    assert_null(build(rod, 1, &made));
    assert_int_equal(made.hull.edge_count, 1);
    check_close(compare_distances(rod, 1, &made, &random, 100), 0, 1e-14);
}

/* Random hulls: points in a ball, on a sphere, on a grid (many in one plane). */
static void test_random(void **state) {
    (void)state;
    Random random = random_start(SEED, 2);
    double worst = 0;
    for (int i = 0; i < scaled(120); i++) {
        double r[3 * MOST];
        TestHull made;
        int count = 4 + i % 17;
        for (int j = 0; j < count; j++) {
            random_vector(&random, 1, &r[3 * j]);
            double length = sqrt(vector_dot(&r[3 * j], &r[3 * j]));
            for (int k = 0; k < 3; k++) {
                r[3 * j + k] = i % 3 == 0   ? r[3 * j + k]
                               : i % 3 == 1 ? r[3 * j + k] / length
                                            : floor(3 * r[3 * j + k]);
            }
        }
        assert_null(build(r, count, &made));
        if (made.hull.face_count > 0) {
            check_euler(&made);
        }
        worst = larger(worst, compare_distances(r, count, &made, &random, 20));
    }
    print_message("distance: error up to %.2g\n", worst);
    check_close(worst, 0, 1e-12);
}

/* A cloud that is flat but for a little: faces within the tolerance are refused or good. */
static void test_nearly_flat(void **state) {
    (void)state;
    Random random = random_start(SEED, 3);
    int refused = 0;
    double worst = 0;
    for (int i = 0; i < scaled(200); i++) {
        double r[36], thick = pow(10, -(double)(5 + i % 8));
        TestHull made;
        for (int j = 0; j < 12; j++) {
            random_vector(&random, 1, &r[3 * j]);
            r[3 * j + 2] *= thick;
        }
        const char *problem = build(r, 12, &made);
        if (problem) {
            assert_string_equal(problem, "bodies[].shape: its faces cannot be told apart; vertices "
                                         "nearly coincide or nearly lie in one plane");
            refused++;
        } else {
            worst = larger(worst, compare_distances(r, 12, &made, &random, 10));
        }
    }
    print_message("%d of %d refused, error up to %.2g\n", refused, scaled(200), worst);
    assert_true(refused < scaled(200) / 2);
    check_close(worst, 0, 1e-8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_thin),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_nearly_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
