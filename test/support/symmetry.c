#include "support/symmetry.h"

#include <string.h>

#include "support/check.h"
#include "support/math/random.h"

static Transformation rotation(Random *random) {
    /* rational points of the circle: no sine or cosine */
    double t = 4 * random_uniform(random) - 2, n = 1 + t * t;
    double c = (1 - t * t) / n, s = 2 * t / n;
    return (Transformation){{c, -s, 0, s, c, 0, 0, 0, 1}, 1, 1, 1};
}

static Transformation quarter_turn(Random *random) {
    double s = random_uniform(random) < 0.5 ? 1 : -1;
    return (Transformation){{0, -s, 0, s, 0, 0, 0, 0, 1}, 1, 1, 1};
}

static Transformation mirror(Random *random) {
    (void)random;
    return (Transformation){{1, 0, 0, 0, -1, 0, 0, 0, 1}, 1, 1, 1};
}

/* Naming the bodies the other way round turns n and, to stay right-handed, t2; with the sign of the
 * relative velocity that is a mirror of t1. */
static Transformation swap(Random *random) {
    (void)random;
    return (Transformation){{-1, 0, 0, 0, 1, 0, 0, 0, 1}, 1, 1, 1};
}

static Transformation units(Random *random) {
    static const double scales[] = {1e-9, 1e-3, 1e3, 1e9};
    double mass = scales[random_bits(random) % 4], speed = scales[random_bits(random) % 4];
    double stiffness = scales[random_bits(random) % 4];
    return (Transformation){{1, 0, 0, 0, 1, 0, 0, 0, 1}, mass, speed, stiffness};
}

/* Ways to transform, drawn at random: rotation by any angle about the normal; quarter turn, one way
 * or the other; mirror, the second tangent the other way; swap of the bodies; units, larger or
 * smaller by 1e3 or 1e9, each by itself. */
typedef struct Symmetry {
    const char *name;
    Transformation (*make)(Random *random);
} Symmetry;

static const Symmetry SYMMETRIES[] = {{"rotation", rotation},
                                      {"quarter turn", quarter_turn},
                                      {"mirror", mirror},
                                      {"swap", swap},
                                      {"units", units}};

/* Units of mass and speed that are powers of two, from 2^-40 to 2^40. */
static Transformation powers_of_two(Random *random) {
    int a = (int)(random_bits(random) % 81) - 40, b = (int)(random_bits(random) % 81) - 40;
    return (Transformation){{1, 0, 0, 0, 1, 0, 0, 0, 1}, ldexp(1, a), ldexp(1, b), 1};
}

static void apply(const double M[9], const double a[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = M[3 * i] * a[0] + M[3 * i + 1] * a[1] + M[3 * i + 2] * a[2];
    }
}

Impact transform_impact(const Impact *impact, const Transformation *by) {
    Impact to = *impact;
    double half[9];
    for (int i = 0; i < 3; i++) { /* rows of W are its columns */
        apply(by->M, impact->W + 3 * i, half + 3 * i);
    }
    for (int j = 0; j < 3; j++) {
        const double column[3] = {half[j], half[3 + j], half[6 + j]};
        apply(by->M, column, to.W + 3 * j);
    }
    apply(by->M, impact->v, to.v);
    for (int i = 0; i < 9; i++) {
        to.W[i] /= by->mass;
    }
    to.W[3] = to.W[1];
    to.W[6] = to.W[2];
    to.W[7] = to.W[5];
    for (int i = 0; i < 3; i++) {
        to.v[i] *= by->speed;
    }
    to.contact.stiffness *= by->stiffness;
    return to;
}

Answer transform_back(const Answer *answer, const Transformation *by) {
    Answer to = *answer;
    double transpose[9];
    for (int i = 0; i < 9; i++) {
        transpose[i] = by->M[3 * (i % 3) + i / 3];
    }
    apply(transpose, answer->impulse, to.impulse);
    apply(transpose, answer->velocity, to.velocity);
    for (int i = 0; i < 3; i++) {
        to.impulse[i] /= by->mass * by->speed;
        to.velocity[i] /= by->speed;
    }
    return to;
}

/* Impulse and velocity equal, where 0 and -0 are, and a failure one for both. */
static int same_numbers(const Answer *a, const Answer *b) {
    for (int i = 0; i < 3 && a->ok; i++) {
        if (a->impulse[i] != b->impulse[i] || a->velocity[i] != b->velocity[i]) {
            return 0;
        }
    }
    return a->ok == b->ok;
}

static void check_symmetry(const SymmetryCheck *check, const Symmetry *symmetry) {
    double worst = 0;
    int explained = 0;
#pragma omp parallel for schedule(dynamic) reduction(max : worst) reduction(+ : explained)
    for (int i = 0; i < check->count; i++) {
        Random random = random_start(check->seed + 1, (uint64_t)i);
        Impact impact = check->draw(check->seed, (uint64_t)i);
        Transformation by = symmetry->make(&random);
        double off = check->difference((uint64_t)i, &impact, &by, &explained);
        worst = fmax(worst, isnan(off) ? INFINITY : off);
    }
    print_message("%s: largest difference %.1e, beyond that but explained %d of %d\n",
                  symmetry->name, worst, explained, check->count);
    assert_true(worst <= check->bound);
    assert_true(explained <= check->most_explained);
}

void check_symmetries(const SymmetryCheck *check) {
    for (size_t i = 0; i < sizeof SYMMETRIES / sizeof *SYMMETRIES; i++) {
        check_symmetry(check, &SYMMETRIES[i]);
    }
}

void check_powers_of_two(const SymmetryCheck *check) {
    for (uint64_t i = 0; i < (uint64_t)check->count; i++) {
        Random random = random_start(check->seed + 2, i);
        Impact impact = check->draw(check->seed, i);
        Transformation by = powers_of_two(&random);
        by.stiffness = random_between(&random, 1, 2);
        Impact moved = transform_impact(&impact, &by);
        Answer here = check->solve(&impact), there = check->solve(&moved);
        there = transform_back(&there, &by);
        assert_string_equal(here.sequence, there.sequence);
        if (!same_numbers(&here, &there)) {
            print_error("mass * %g, speed * %g changes the bits\n", by.mass, by.speed);
            impact_print(&impact);
            fail();
        }
    }
}
