#include "support/transform.h"

#include <string.h>

#include "support/check.h"

/* ---- contact space ---- */

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

const Symmetry SYMMETRIES[SYMMETRY_COUNT] = {{"rotation", rotation},
                                             {"quarter turn", quarter_turn},
                                             {"mirror", mirror},
                                             {"swap", swap},
                                             {"units", units}};

Transformation transform_powers_of_two(Random *random) {
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

int answer_same_numbers(const Answer *a, const Answer *b) {
    for (int i = 0; i < 3 && a->ok; i++) {
        if (a->impulse[i] != b->impulse[i] || a->velocity[i] != b->velocity[i]) {
            return 0;
        }
    }
    return a->ok == b->ok;
}

/* ---- bodies ---- */

CaromBody random_body(Random *random) {
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

double swapped_bodies_differ(Random *random, const CaromBody bodies[2], const CaromContact *contact,
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
