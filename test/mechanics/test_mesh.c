/* Mass properties of meshes: solids with closed forms, how the numbers move with the mesh, and
 * every kind of bad mesh. */
#include <carom/mesh.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/math/random.h"

#define SEED UINT64_C(20240301)
#define MAX_VERTICES 160
#define MAX_FACES 160

typedef struct Solid {
    double vertices[3 * MAX_VERTICES];
    int faces[3 * MAX_FACES];
    size_t vertex_count, face_count;
} Solid;

static void add_vertex(Solid *solid, double x, double y, double z) {
    double *vertex = solid->vertices + 3 * solid->vertex_count++;
    vertex[0] = x;
    vertex[1] = y;
    vertex[2] = z;
}

static void add_face(Solid *solid, int a, int b, int c) {
    int *face = solid->faces + 3 * solid->face_count++;
    face[0] = a;
    face[1] = b;
    face[2] = c;
}

/* Add a box of the given sides about a centre; inward turns its faces round. */
static void add_box(Solid *solid, const double side[3], const double centre[3], int inward) {
    static const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    int base = (int)solid->vertex_count;
    for (int i = 0; i < 8; i++) {
        add_vertex(solid, centre[0] + (i & 1 ? 0.5 : -0.5) * side[0],
                   centre[1] + (i & 2 ? 0.5 : -0.5) * side[1],
                   centre[2] + (i & 4 ? 0.5 : -0.5) * side[2]);
    }
    for (int i = 0; i < 6; i++) {
        int a = base + quads[i][0], b = base + quads[i][1];
        int c = base + quads[i][2], d = base + quads[i][3];
        add_face(solid, a, inward ? c : b, inward ? b : c);
        add_face(solid, a, inward ? d : c, inward ? c : d);
    }
}

/* Side 2, about the origin: triples of vertices at distance 2, turned outwards. */
static Solid icosahedron(void) {
    Solid solid = {.vertex_count = 0};
    double phi = 0.5 * (1.0 + sqrt(5.0));
    for (int i = 0; i < 12; i++) {
        double p[3];
        p[i / 4] = 0.0;
        p[(i / 4 + 1) % 3] = i & 1 ? 1.0 : -1.0;
        p[(i / 4 + 2) % 3] = i & 2 ? phi : -phi;
        add_vertex(&solid, p[0], p[1], p[2]);
    }
    for (int a = 0; a < 12; a++) {
        for (int b = a + 1; b < 12; b++) {
            for (int c = b + 1; c < 12; c++) {
                const double *p = solid.vertices + 3 * a, *q = solid.vertices + 3 * b;
                const double *r = solid.vertices + 3 * c;
                double far = 0.0, det = 0.0;
                for (int i = 0; i < 3; i++) {
                    int j = (i + 1) % 3, k = (i + 2) % 3;
                    far += pow(p[i] - q[i], 2) + pow(q[i] - r[i], 2) + pow(r[i] - p[i], 2);
                    det += p[i] * (q[j] * r[k] - q[k] * r[j]);
                }
                if (far < 12.1) { /* 3 * 2^2; the next larger sum is 4 + 4 + 10.5 */
                    add_face(&solid, a, det > 0.0 ? b : c, det > 0.0 ? c : b);
                }
            }
        }
    }
    return solid;
}

/* Edge 2/3: the icosahedron with its edges cut at a third. Vertex 12 u + w lies on the edge from u
 * to w (slots that are no edge stay unused); vertex 144 + u is the middle of a pentagon. */
static Solid truncated_icosahedron(void) {
    Solid whole = icosahedron(), solid = {.vertex_count = 144};
    for (int u = 0; u < 12; u++) {
        const double *p = whole.vertices + 3 * u;
        for (int w = 0; w < 12; w++) {
            for (int i = 0; i < 3; i++) {
                solid.vertices[3 * (12 * u + w) + i] =
                    (2.0 * p[i] + whole.vertices[3 * w + i]) / 3.0;
            }
        }
    }
    double inward = (2.0 + 1.0 / sqrt(5.0)) / 3.0; /* neighbours lie at 1/sqrt 5 along p */
    for (int u = 0; u < 12; u++) {
        const double *p = whole.vertices + 3 * u;
        add_vertex(&solid, inward * p[0], inward * p[1], inward * p[2]);
    }
    for (size_t f = 0; f < whole.face_count; f++) {
        int hexagon[6];
        for (int k = 0; k < 3; k++) {
            int a = whole.faces[3 * f + (size_t)k], b = whole.faces[3 * f + (size_t)(k + 1) % 3];
            int c = whole.faces[3 * f + (size_t)(k + 2) % 3];
            hexagon[2 * k] = 12 * a + b;
            hexagon[2 * k + 1] = 12 * b + a;
            add_face(&solid, 144 + a, 12 * a + b, 12 * a + c);
        }
        for (int k = 1; k < 5; k++) {
            add_face(&solid, hexagon[0], hexagon[k], hexagon[k + 1]);
        }
    }
    return solid;
}

static CaromMassProperties properties_of(const Solid *solid, double density) {
    CaromMassProperties properties;
    assert_int_equal(carom_mesh_properties(solid->vertices, solid->vertex_count, solid->faces,
                                           solid->face_count, density, &properties, NULL),
                     CAROM_OK);
    return properties;
}

static void check_inertia(const double ours[9], const double expected[9], double tolerance) {
    double trace = expected[0] + expected[4] + expected[8];
    for (int i = 0; i < 9; i++) {
        check_close(ours[i], expected[i], tolerance * trace);
        assert_true(ours[i] == ours[3 * (i % 3) + i / 3]);
    }
}

/* ---- solids with closed forms ---- */

static void test_box(void **state) {
    (void)state;
    const double middle[3] = {0x1p30, -0x1p33 + 7.0, 5.0};
    for (int decade = -45; decade <= 45; decade += 15) {
        double unit = pow(10.0, decade), side[3] = {1.0 * unit, 2.0 * unit, 3.0 * unit};
        double centre[3] = {0.0, 0.0, 0.0};
        if (decade == 0) { /* far from the origin, every vertex still exact */
            memcpy(centre, middle, sizeof centre);
        }
        Solid solid = {.vertex_count = 0};
        add_box(&solid, side, centre, 0);
        CaromMassProperties p = properties_of(&solid, 4.0);
        double volume = side[0] * side[1] * side[2], m = 4.0 * volume;
        double expected[9] = {m / 12.0 * (side[1] * side[1] + side[2] * side[2]), 0, 0, 0,
                              m / 12.0 * (side[0] * side[0] + side[2] * side[2]), 0, 0, 0,
                              m / 12.0 * (side[0] * side[0] + side[1] * side[1])};
        check_close(p.volume / volume, 1.0, 2e-15); /* 4e-16 */
        check_close(p.mass / m, 1.0, 2e-15);
        check_inertia(p.inertia, expected, 2e-15); /* 2e-16 */
        for (int i = 0; i < 3; i++) {
            check_close(p.centre[i], centre[i], 1e-15 * unit);
        }
    }
}

/* A box with a hollow: the faces of the hollow look inwards. */
static void test_hollow_box(void **state) {
    (void)state;
    const double side[3] = {4.0, 4.0, 4.0}, hollow[3] = {1.0, 2.0, 2.0};
    const double centre[3] = {1e3, 0.0, 0.0}, inner[3] = {1001.0, 0.0, 0.0};
    Solid solid = {.vertex_count = 0};
    add_box(&solid, side, centre, 0);
    add_box(&solid, hollow, inner, 1);
    CaromMassProperties p = properties_of(&solid, 1.0);
    check_close(p.volume, 60.0, 1e-13);
    check_close(p.centre[0], 1e3 - 4.0 / 60.0, 2e-13); /* an ulp of 1e3 */
    double shift = 60.0 * pow(4.0 / 60.0, 2);          /* parallel axes, about the outer centre */
    double expected[9] = {64.0 * 32.0 / 12.0 - 4.0 * 8.0 / 12.0,
                          0,
                          0,
                          0,
                          64.0 * 32.0 / 12.0 - 4.0 * (5.0 / 12.0 + 1.0) - shift,
                          0,
                          0,
                          0,
                          64.0 * 32.0 / 12.0 - 4.0 * (5.0 / 12.0 + 1.0) - shift};
    check_inertia(p.inertia, expected, 2e-15); /* 2e-16 */
}

/* Jia and Wang, Fig. 3: exact principal moments of the printed vertices. */
static void test_tetrahedron(void **state) {
    (void)state;
    const double corner[4][3] = {{0, 0, 0}, {0, 0, -0.75}, {0.5, 0, -0.5}, {0, 0.5, -0.5}};
    Solid solid = {.vertex_count = 0};
    for (int i = 0; i < 4; i++) {
        add_vertex(&solid, corner[i][0], corner[i][1], corner[i][2]);
    }
    add_face(&solid, 0, 2, 3);
    add_face(&solid, 0, 3, 1);
    add_face(&solid, 0, 1, 2);
    add_face(&solid, 1, 3, 2);
    CaromMassProperties p = properties_of(&solid, 32.0); /* volume 1/32 */
    check_close(p.mass, 1.0, 1e-15);
    const double centre[3] = {0.125, 0.125, -0.4375};
    double spread[9] = {0.0}, expected[9];
    for (int i = 0; i < 3; i++) {
        check_close(p.centre[i], centre[i], 2e-16);
        for (int j = 0; j < 3; j++) { /* mean of x x^T about the centre: a twentieth of the sum */
            for (int k = 0; k < 4; k++) {
                spread[3 * i + j] += (corner[k][i] - centre[i]) * (corner[k][j] - centre[j]) / 20.0;
            }
        }
    }
    double trace = spread[0] + spread[4] + spread[8];
    for (int i = 0; i < 9; i++) {
        expected[i] = (i % 4 ? 0.0 : trace) - spread[i];
    }
    check_inertia(p.inertia, expected, 2e-15); /* 2e-16 */
    /* the mesh is symmetric in x and y, so (1, -1, 0) is a principal axis */
    const double *J = p.inertia;
    double mean = 0.5 * (J[0] + J[1] + J[8]), half = 0.5 * (J[0] + J[1] - J[8]);
    double root = sqrt(half * half + 2.0 * J[2] * J[2]);
    check_close(mean - root, 0.0182151, 5e-8);
    check_close(J[0] - J[1], 0.0210938, 6e-8); /* 27/1280 = 0.02109375, halfway */
    check_close(mean + root, 0.0278786, 5e-8);
    /* so far out that the doubles around the centre are a half or one apart */
    for (size_t i = 0; i < 12; i++) {
        solid.vertices[i] = 4.0 * solid.vertices[i] + 0x1p52;
        expected[i % 9] *= i < 9 ? 16.0 : 1.0;
    }
    p = properties_of(&solid, 0.5);
    check_close(p.mass, 1.0, 0.0);
    check_inertia(p.inertia, expected, 2e-15); /* 1e-16 */
}

/* A cube and, a thousand sides away, a grain: the middle of the mesh is nowhere near its centre. */
static void test_lopsided(void **state) {
    (void)state;
    const double far = 0x1p10, grain = 0x1p-20, volume = 1.0 + grain * grain * grain;
    Solid solid = {.vertex_count = 0};
    add_box(&solid, (double[]){1.0, 1.0, 1.0}, (double[]){0.0, 0.0, 0.0}, 0);
    add_box(&solid, (double[]){grain, grain, grain}, (double[]){far, 0.0, 0.0}, 0);
    CaromMassProperties p = properties_of(&solid, 1.0);
    double small = grain * grain * grain, lever = small / volume * far * far;
    double expected[9] = {1.0 / 6.0, 0, 0, 0, 1.0 / 6.0 + lever, 0, 0, 0, 1.0 / 6.0 + lever};
    check_close(p.volume, volume, 1e-15);
    check_close(p.centre[0], small / volume * far, 1e-15);
    check_inertia(p.inertia, expected, 2e-15); /* 6e-17 */
}

/* Faces that are regular polygons round the origin. */
typedef struct Ring {
    int count, corners;
    double side, distance;
} Ring;

/* Volume and moment of inertia (the same about every axis) of unit density: a pyramid of height h
 * over a face of area A and polar moment P has the integral of |x|^2 equal to h (h^2 A + P)/5. */
static void regular_solid(const Ring *rings, int ring_count, double *volume, double *moment) {
    *volume = *moment = 0.0;
    for (int i = 0; i < ring_count; i++) {
        double angle = acos(-1.0) / rings[i].corners, h = rings[i].distance;
        double radius = 0.5 * rings[i].side / sin(angle);
        double A = 0.5 * rings[i].corners * radius * radius * sin(2.0 * angle);
        double P = A * radius * radius * (2.0 + cos(2.0 * angle)) / 6.0;
        *volume += rings[i].count * h * A / 3.0;
        *moment += 2.0 / 3.0 * rings[i].count * h * (h * h * A + P) / 5.0;
    }
}

static void check_regular(const Solid *solid, const Ring *rings, int ring_count) {
    double volume, moment;
    regular_solid(rings, ring_count, &volume, &moment);
    CaromMassProperties p = properties_of(solid, 1.0);
    const double expected[9] = {moment, 0, 0, 0, moment, 0, 0, 0, moment};
    check_close(p.volume / volume, 1.0, 4e-15); /* 1e-15 */
    check_inertia(p.inertia, expected, 4e-15);  /* 4e-16 */
    for (int i = 0; i < 3; i++) {
        check_close(p.centre[i], 0.0, 2e-16);
    }
}

static void test_regular_solids(void **state) {
    (void)state;
    double phi = 0.5 * (1.0 + sqrt(5.0)), face = phi * phi / sqrt(3.0);
    Solid solid = icosahedron();
    assert_int_equal(solid.face_count, 20);
    check_regular(&solid, &(Ring){20, 3, 2.0, face}, 1);
    solid = truncated_icosahedron();
    double pentagon = 0.5 * sqrt((125.0 + 41.0 * sqrt(5.0)) / 10.0) * 2.0 / 3.0;
    check_regular(&solid, (Ring[]){{20, 6, 2.0 / 3.0, face}, {12, 5, 2.0 / 3.0, pentagon}}, 2);
    /* Jia and Wang, Fig. 3: edge 0.1, mass 3 */
    CaromMassProperties p = properties_of(&solid, 1.0);
    check_close(0.15 * pentagon, 0.232744, 5e-7);
    /* 5.5e-8: the printed moment is cut off, not rounded */
    check_close(p.inertia[0] / p.mass * 3.0 * 0.15 * 0.15, 0.0671673, 1e-7);
}

/* ---- how the numbers move with the mesh ---- */

/* An affine image x -> M x + t of the unit cube has volume det M, centre t, spread M M^T/12. */
static void test_affine(void **state) {
    (void)state;
    Random random = random_start(SEED, 0);
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (int trial = 0; trial < 200; trial++) {
        const double side[3] = {1.0, 1.0, 1.0}, origin[3] = {0.0, 0.0, 0.0};
        double M[9], t[3], det = 0.0, spread[9], expected[9];
        for (int i = 0; i < 9; i++) { /* even multiples of 2^-20, so that vertices are exact */
            M[i] = 2.0 * rint(random_between(&random, -1.0, 1.0) * 0x1p19) * 0x1p-20 +
                   (i % 4 ? 0.0 : 2.0);
        }
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            t[i] = rint(random_between(&random, -1.0, 1.0) * 0x1p30);
            det += M[i] * (M[3 + j] * M[6 + k] - M[3 + k] * M[6 + j]);
        }
        if (det < 0.5) {
            continue;
        }
        Solid solid = {.vertex_count = 0};
        add_box(&solid, side, origin, 0);
        for (size_t v = 0; v < 8; v++) {
            double *x = solid.vertices + 3 * v, y[3];
            for (int i = 0; i < 3; i++) {
                y[i] = M[3 * i] * x[0] + M[3 * i + 1] * x[1] + M[3 * i + 2] * x[2] + t[i];
            }
            memcpy(x, y, sizeof y);
        }
        for (int i = 0; i < 9; i++) {
            const double *a = M + 3 * (i / 3), *b = M + 3 * (i % 3);
            spread[i] = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / 12.0;
        }
        for (int i = 0; i < 9; i++) {
            double trace = spread[0] + spread[4] + spread[8];
            expected[i] = det * ((i % 4 ? 0.0 : trace) - spread[i]);
        }
        CaromMassProperties p = properties_of(&solid, 1.0);
        double size = spread[0] + spread[4] + spread[8];
        check_close(p.volume, det, 1e-14 * pow(size, 1.5)); /* 3e-15 */
        for (int i = 0; i < 3; i++) {
            check_close(p.centre[i], t[i], 2e-7); /* an ulp of 2^30: 1.2e-7 */
        }
        check_inertia(p.inertia, expected, 2e-15); /* 2e-16 */
    }
}

/* A mesh with bumps and dents, thrown far away and turned by exact axis permutations. */
static void test_translation_and_rotation(void **state) {
    (void)state;
    Random random = random_start(SEED, 1);
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (int trial = 0; trial < 50; trial++) {
        Solid solid = icosahedron(), moved;
        double shift[3];
        for (size_t i = 0; i < 3 * solid.vertex_count; i++) { /* on a grid: the shift is exact */
            solid.vertices[i] += random_between(&random, -0.4, 0.4);
            solid.vertices[i] = rint(solid.vertices[i] * 0x1p20) * 0x1p-20;
        }
        for (int i = 0; i < 3; i++) {
            shift[i] = rint(random_between(&random, -0x1p30, 0x1p30));
        }
        moved = solid;
        for (size_t i = 0; i < 3 * solid.vertex_count; i++) {
            moved.vertices[i] = solid.vertices[i - i % 3 + (i + 1) % 3] + shift[i % 3];
        }
        CaromMassProperties a = properties_of(&solid, 2.5), b = properties_of(&moved, 2.5);
        double turned[9];
        for (int i = 0; i < 9; i++) {
            turned[i] = a.inertia[3 * ((i / 3 + 1) % 3) + (i % 3 + 1) % 3];
        }
        check_close(b.volume / a.volume, 1.0, 2e-15); /* 4e-16 */
        check_inertia(b.inertia, turned, 2e-15);      /* 2e-16 */
        for (int i = 0; i < 3; i++) {
            check_close(b.centre[i], a.centre[(i + 1) % 3] + shift[i], 2e-7); /* ulp of 2^30 */
        }
    }
}

/* ---- bad meshes ---- */

static void check_refused_with(const Solid *solid, double density) {
    CaromMassProperties p;
    memset(&p, 0, sizeof p);
    assert_int_equal(carom_mesh_properties(solid->vertices, solid->vertex_count, solid->faces,
                                           solid->face_count, density, &p, NULL),
                     CAROM_INVALID_INPUT);
    const double *numbers = &p.volume;
    for (size_t i = 0; i < sizeof p / sizeof *numbers; i++) {
        assert_true(isnan(numbers[i]));
    }
}

static Solid sound_box(void) {
    Solid solid = {.vertex_count = 0};
    add_box(&solid, (double[]){1.0, 2.0, 3.0}, (double[]){0.1, 0.2, 0.3}, 0);
    return solid;
}

static void test_bad_topology(void **state) {
    (void)state;
    Solid solid = sound_box();
    solid.face_count--; /* open */
    check_refused_with(&solid, 1.0);
    solid = sound_box();
    solid.faces[1] = solid.faces[2]; /* one face turned, made of two corners only */
    check_refused_with(&solid, 1.0);
    solid = sound_box();
    int swap = solid.faces[4]; /* one face inside out */
    solid.faces[4] = solid.faces[5];
    solid.faces[5] = swap;
    check_refused_with(&solid, 1.0);
    solid = sound_box();
    add_face(&solid, solid.faces[0], solid.faces[1], solid.faces[2]); /* one face twice */
    check_refused_with(&solid, 1.0);
    solid = sound_box();
    add_face(&solid, 0, 0, 7); /* closes on itself, but is no triangle */
    check_refused_with(&solid, 1.0);
    solid = (Solid){.vertex_count = 0}; /* everything inside out */
    add_box(&solid, (double[]){1.0, 2.0, 3.0}, (double[]){0.1, 0.2, 0.3}, 1);
    check_refused_with(&solid, 1.0);
    solid.face_count = 0;
    check_refused_with(&solid, 1.0);
}

/* Closed, but without a volume: a slanting triangle and its back, at many places. */
static void test_flat(void **state) {
    (void)state;
    Random random = random_start(SEED, 2);
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (int trial = 0; trial < 1000; trial++) {
        Solid solid = {.vertex_count = 0};
        double p[3][3];
        for (int i = 0; i < 9; i++) {
            p[i / 3][i % 3] = random_between(&random, -1.0, 1.0);
        }
        for (int i = 0; i < 3; i++) {
            add_vertex(&solid, p[i][0], p[i][1], p[i][2]);
        }
        /* a fourth point in the plane, but for rounding */
        add_vertex(&solid, (p[0][0] + p[1][0] + p[2][0]) / 3.0, (p[0][1] + p[1][1] + p[2][1]) / 3.0,
                   (p[0][2] + p[1][2] + p[2][2]) / 3.0);
        add_face(&solid, 0, 1, 2);
        add_face(&solid, 3, 1, 0);
        add_face(&solid, 3, 2, 1);
        add_face(&solid, 3, 0, 2);
        check_refused_with(&solid, 1.0);
    }
}

static void test_bad_numbers(void **state) {
    (void)state;
    const double bad[5] = {NAN, INFINITY, -INFINITY, 0.0, -1.0};
    Solid solid = sound_box();
    for (int i = 0; i < 5; i++) {
        check_refused_with(&solid, bad[i]);
    }
    for (int i = 0; i < 3; i++) {
        solid = sound_box();
        solid.vertices[3 + i] = bad[i];
        check_refused_with(&solid, 1.0);
    }
    solid = sound_box();
    solid.faces[7] = -1;
    check_refused_with(&solid, 1.0);
    solid.faces[7] = 8;
    check_refused_with(&solid, 1.0);
    solid = sound_box();
    for (size_t i = 0; i < 24; i++) {
        solid.vertices[i] *= 1e110; /* the volume overflows */
    }
    check_refused_with(&solid, 1.0);
    CaromMassProperties p;
    solid = sound_box();
    assert_int_equal(carom_mesh_properties(NULL, 8, solid.faces, 12, 1.0, &p, NULL),
                     CAROM_INVALID_INPUT);
    assert_int_equal(carom_mesh_properties(solid.vertices, 8, NULL, 12, 1.0, &p, NULL),
                     CAROM_INVALID_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_hollow_box),
        cmocka_unit_test(test_tetrahedron),
        cmocka_unit_test(test_lopsided),
        cmocka_unit_test(test_regular_solids),
        cmocka_unit_test(test_affine),
        cmocka_unit_test(test_translation_and_rotation),
        cmocka_unit_test(test_bad_topology),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_bad_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
