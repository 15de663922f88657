/* A compliant impact does not depend on the axes, the order of the bodies or the units.
 *
 * Each test transforms a random impact, solves, transforms back and compares. Transforming rounds
 * the input, so where the answer hangs on its last digit the difference may be a few times what
 * that digit does; elsewhere BOUND holds. */
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/compliant_impacts.h"
#include "support/random_impacts.h"
#include "support/scale.h"

static int impacts; /* 60 of each class, scaled */
static const uint64_t SEED = 271828;
static const double BOUND = 1e-10;
static const double SENSITIVITY_FACTOR = 8;

/* What the oracle can be asked about. */
static const double LARGEST_STIFFNESS = 100;

/* W, v and back: M is the transformation of contact vectors, by rows; times the scales. */
typedef struct Transformation {
    double M[9];
    double mass;      /* W is divided by this */
    double speed;     /* v is multiplied by this */
    double stiffness; /* of the normal spring; the ratio is kept */
} Transformation;

#define IDENTITY                                                                                   \
    { 1, 0, 0, 0, 1, 0, 0, 0, 1 }

static void apply(const double M[9], const double a[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = M[3 * i] * a[0] + M[3 * i + 1] * a[1] + M[3 * i + 2] * a[2];
    }
}

static Impact transform(const Impact *impact, const Transformation *by) {
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

static void transform_back(CompliantAnswer *answer, const Transformation *by) {
    double transpose[9];
    Answer from = answer->answer;
    for (int i = 0; i < 9; i++) {
        transpose[i] = by->M[3 * (i % 3) + i / 3];
    }
    apply(transpose, from.impulse, answer->answer.impulse);
    apply(transpose, from.velocity, answer->answer.velocity);
    for (int i = 0; i < 3; i++) {
        answer->answer.impulse[i] /= by->mass * by->speed;
        answer->answer.velocity[i] /= by->speed;
    }
    for (int i = 0; i < answer->event_count && i < COMPLIANT_EVENTS; i++) {
        answer->events[i].normal_impulse /= by->mass * by->speed;
    }
}

/* Bounces that die out in a latch: how many there are, and where each slips, is rounding. */
static int chatters(const CompliantAnswer *answer) {
    int latched = answer->event_count > COMPLIANT_EVENTS;
    for (int i = 0; i < answer->event_count && i < COMPLIANT_EVENTS; i++) {
        latched |= answer->events[i].kind == CAROM_LATCH;
    }
    return latched;
}

/* Difference between an impact's answer and that of its transform; 0 if it is explained by the
 * last digit of the input. */
static double difference(const Impact *impact, const Transformation *by, int *explained) {
    Impact moved = transform(impact, by);
    CompliantAnswer here = compliant_library(impact), there = compliant_library(&moved);
    transform_back(&there, by);
    double error = here.answer.ok ? answer_error(impact, &there.answer, &here.answer) : INFINITY;
    int same = compliant_same_events(&here, &there), chatter = chatters(&here) && chatters(&there);
    if (error <= BOUND && chatter) {
        return error;
    }
    if (error <= BOUND && same) {
        return fmax(error, compliant_event_error(&there, &here) / 100);
    }
    if (isfinite(error) && compliant_stiffness(impact) <= LARGEST_STIFFNESS) {
        CompliantAnswer truth = compliant_oracle_solve(impact);
        int differ = truth.latched;
        Distance last_digit = compliant_sensitivity(impact, &truth, 8, SEED, &differ);
        double room = SENSITIVITY_FACTOR * fmax(last_digit.impulse, last_digit.velocity);
        if (error <= fmax(room, BOUND) && (same || differ)) {
            ++*explained;
            return 0;
        }
    }
    print_error("difference %.3g, events %s\n", error, same ? "the same" : "differ");
    compliant_print(impact);
    compliant_print_events("here", &here);
    compliant_print_events("there", &there);
    return same ? error : INFINITY;
}

/* Singular matrices may turn indefinite by the rounding of a rotation: not turned. */
static int is_left_out(uint64_t index, const Transformation *by) {
    return by->M[1] != 0 && index % COMPLIANT_CLASS_COUNT == COMPLIANT_SINGULAR;
}

static void check_all(const char *name, Transformation (*make)(Random *)) {
    double worst = 0;
    int explained = 0;
#pragma omp parallel for schedule(dynamic) reduction(max : worst) reduction(+ : explained)
    for (int i = 0; i < impacts; i++) {
        Random random = random_start(SEED + 1, (uint64_t)i);
        Impact impact = compliant_random(SEED, (uint64_t)i);
        Transformation by = make(&random);
        if (!is_left_out((uint64_t)i, &by)) {
            worst = fmax(worst, difference(&impact, &by, &explained));
        }
    }
    print_message("%s: largest difference %.1e, beyond that but explained %d of %d\n", name, worst,
                  explained, impacts);
    assert_true(worst <= BOUND);
    assert_true(explained <= impacts / 20 + 1);
}

/* ---- the tangent plane ---- */

static Transformation rotation(Random *random) {
    /* rational points of the circle: no sine or cosine */
    double t = 4 * random_uniform(random) - 2, n = 1 + t * t;
    double c = (1 - t * t) / n, s = 2 * t / n;
    return (Transformation){{c, -s, 0, s, c, 0, 0, 0, 1}, 1, 1, 1};
}

static void tangent_plane_rotates(void **state) {
    (void)state;
    check_all("rotation", rotation);
}

static Transformation quarter_turn(Random *random) {
    double s = random_uniform(random) < 0.5 ? 1 : -1;
    return (Transformation){{0, -s, 0, s, 0, 0, 0, 0, 1}, 1, 1, 1};
}

static void tangent_plane_turns_by_a_quarter(void **state) {
    (void)state;
    check_all("quarter turn", quarter_turn);
}

static Transformation mirror_second(Random *random) {
    (void)random;
    return (Transformation){{1, 0, 0, 0, -1, 0, 0, 0, 1}, 1, 1, 1};
}

static void tangent_plane_mirrors(void **state) {
    (void)state;
    check_all("mirror", mirror_second);
}

/* Naming the bodies the other way round turns n and, to stay right-handed, t2; with the sign of
 * the relative velocity that is a mirror of t1. */
static Transformation swap(Random *random) {
    (void)random;
    return (Transformation){{-1, 0, 0, 0, 1, 0, 0, 0, 1}, 1, 1, 1};
}

static void bodies_swap_in_contact_space(void **state) {
    (void)state;
    check_all("swap", swap);
}

/* ---- units ---- */

static Transformation decimal_units(Random *random) {
    static const double scales[] = {1e-9, 1e-3, 1e3, 1e9};
    return (Transformation){IDENTITY, scales[random_bits(random) % 4],
                            scales[random_bits(random) % 4], scales[random_bits(random) % 4]};
}

static void units_change(void **state) {
    (void)state;
    check_all("units", decimal_units);
}

/* Equal, where 0 and -0 are, and a failure is one for both. */
static int same_numbers(const Answer *a, const Answer *b) {
    for (int i = 0; i < 3 && a->ok; i++) {
        if (a->impulse[i] != b->impulse[i] || a->velocity[i] != b->velocity[i]) {
            return 0;
        }
    }
    return a->ok == b->ok;
}

/* Powers of two round nothing: the same bits, but for the exponent. The stiffness alone is not even
 * looked at. */
static void units_change_by_powers_of_two(void **state) {
    (void)state;
    for (int i = 0; i < impacts; i++) {
        Random random = random_start(SEED + 2, (uint64_t)i);
        Impact impact = compliant_random(SEED, (uint64_t)i);
        int a = (int)(random_bits(&random) % 81) - 40, b = (int)(random_bits(&random) % 81) - 40;
        Transformation by = {IDENTITY, ldexp(1, a), ldexp(1, b), 1 + random_uniform(&random)};
        Impact moved = transform(&impact, &by);
        CompliantAnswer here = compliant_library(&impact), there = compliant_library(&moved);
        transform_back(&there, &by);
        assert_string_equal(here.answer.sequence, there.answer.sequence);
        if (!same_numbers(&here.answer, &there.answer)) {
            print_error("mass * 2^%d, speed * 2^%d changes the bits\n", a, b);
            compliant_print(&impact);
            fail();
        }
    }
}

/* ---- bodies ---- */

static void random_body(Random *random, CaromBody *body) {
    double norm2 = 0;
    *body = carom_body_default();
    body->mass = random_log(random, 0.1, 10);
    for (int i = 0; i < 3; i++) {
        body->inertia[4 * i] = body->mass * (0.2 + 0.15 * random_uniform(random));
        body->position[i] = 2 * random_uniform(random) - 1;
        body->velocity[i] = 2 * random_uniform(random) - 1;
        body->angular_velocity[i] = 2 * random_uniform(random) - 1;
    }
    for (int i = 0; i < 4; i++) {
        body->orientation[i] = random_uniform(random) + 0.1;
        norm2 += body->orientation[i] * body->orientation[i];
    }
    for (int i = 0; i < 4; i++) {
        body->orientation[i] /= sqrt(norm2);
    }
}

/* Solve one site; 0 if the bodies are not approaching there. */
static int collide(CaromBody bodies[2], const CaromSite *site, const CaromContact *contact) {
    double W[9], v[3], I[3];
    CaromResult result = {.impulse = I};
    assert_int_equal(carom_bodies_contact_space(bodies, 2, site, 1, W, v, NULL), CAROM_OK);
    if (v[2] >= 0) {
        return 0;
    }
    assert_int_equal(carom_compliant_solve(W, v, contact, &result), CAROM_OK);
    carom_bodies_apply(bodies, site, 1, I);
    return 1;
}

/* The bodies fly off the same way whichever of them is called the first. */
static void bodies_swap(void **state) {
    (void)state;
    int solved = 0;
    double worst = 0;
    for (uint64_t i = 0; i < (uint64_t)impacts; i++) {
        Random random = random_start(SEED + 3, i);
        CaromBody a[2], b[2];
        CaromContact contact = carom_contact_default();
        CaromSite site = {.first = 0, .second = 1}, other = {.first = 1, .second = 0};
        random_body(&random, &a[0]);
        random_body(&random, &a[1]);
        memcpy(b, a, sizeof a);
        contact.mu = random_uniform(&random);
        contact.e = random_uniform(&random);
        contact.stiffness_ratio = random_log(&random, 0.3, 10);
        for (int k = 0; k < 3; k++) {
            other.point[k] = site.point[k] = random_uniform(&random);
            site.normal[k] = random_uniform(&random) - 0.3;
            other.normal[k] = -site.normal[k];
        }
        int hit = collide(a, &site, &contact);
        assert_int_equal(hit, collide(b, &other, &contact));
        solved += hit;
        for (int k = 0; k < 2; k++) {
            for (int j = 0; j < 3; j++) {
                worst = fmax(worst, fabs(a[k].velocity[j] - b[k].velocity[j]));
                worst = fmax(worst, fabs(a[k].angular_velocity[j] - b[k].angular_velocity[j]));
            }
        }
    }
    print_message("%d pairs of bodies, largest difference %.1e\n", solved, worst);
    assert_true(solved > impacts / 4);
    assert_true(worst <= 1e-10);
}

int main(void) {
    impacts = scaled(60) * COMPLIANT_CLASS_COUNT;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangent_plane_rotates), cmocka_unit_test(tangent_plane_turns_by_a_quarter),
        cmocka_unit_test(tangent_plane_mirrors), cmocka_unit_test(bodies_swap_in_contact_space),
        cmocka_unit_test(units_change),          cmocka_unit_test(units_change_by_powers_of_two),
        cmocka_unit_test(bodies_swap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
