/* A convex body in contact with planes, against closed forms and symmetries. */
#include <carom/carom.h>
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/math/random.h"
#include "support/scale.h"

#define G 9.81

/* A box of half edges a, b, c: mass 1. */
typedef struct Box {
    double half[3], vertices[24];
    CaromBody body;
    CaromPlane plane;
    double mu;
    CaromLasting lasting;
} Box;

static void make_box(Box *box, double a, double b, double c, double mu) {
    *box = (Box){.half = {a, b, c}, .body = carom_body_default(), .mu = mu};
    const double *h = box->half;
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++) {
            box->vertices[3 * i + k] = (i >> k & 1 ? 1 : -1) * h[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        box->body.inertia[4 * k] = (h[i] * h[i] + h[j] * h[j]) / 3;
    }
    box->body.position[2] = c;
    box->plane = (CaromPlane){.normal = {0, 0, 1}};
    box->lasting = (CaromLasting){.shape = carom_shape_vertices(box->vertices, 8),
                                  .planes = &box->plane,
                                  .mu = &box->mu,
                                  .plane_count = 1,
                                  .gravity = {0, 0, -G},
                                  .speed = INFINITY};
}

static CaromLastingRun run_box(Box *box, double horizon) {
    CaromLastingRun run;
    const char *message;
    box->lasting.shape = carom_shape_vertices(box->vertices, 8);
    box->lasting.planes = &box->plane;
    box->lasting.mu = &box->mu;
    CaromStatus status =
        carom_lasting_advance(&box->body, &box->lasting, horizon, NULL, NULL, NULL, &run, &message);
    if (status < 0) {
        fail_msg("%s after %g, %d steps", message, run.time, run.steps);
    }
    return run;
}

/* Gravity turned, so that the plane is an incline. */
static void incline(Box *box, double angle) {
    box->lasting.gravity[0] = G * sin(angle);
    box->lasting.gravity[2] = -G * cos(angle);
}

static void a_block_slides_to_rest(void **state) {
    (void)state;
    Box box;
    make_box(&box, 0.5, 0.4, 0.2, 0.5);
    incline(&box, 0.2);
    box.body.velocity[0] = 3;
    double slowing = G * (0.5 * cos(0.2) - sin(0.2));
    CaromLastingRun run = run_box(&box, INFINITY);
    assert_int_equal(run.end, CAROM_LASTING_REST);
    check_close(run.time, 3 / slowing, 5e-5);
    check_close(box.body.position[0], 9 / (2 * slowing), 1e-6);
    check_close(box.body.position[1], 0, 1e-9);
    check_close(box.body.position[2], 0.2, 1e-7);
    check_close(box.body.orientation[0], 1, 1e-12);
    print_message("slide: time %g, distance %g, %d steps, %d solves, clamped %g\n",
                  run.time - 3 / slowing, box.body.position[0] - 9 / (2 * slowing), run.steps,
                  run.solves, run.clamped);
}

static void a_block_rests_on_an_incline_or_not(void **state) {
    (void)state;
    Box box;
    make_box(&box, 0.5, 0.4, 0.2, 0.5);
    incline(&box, atan(0.499));
    CaromLastingRun run = run_box(&box, 1);
    assert_int_equal(run.end, CAROM_LASTING_REST);
    assert_true(run.time == 0);
    make_box(&box, 0.5, 0.4, 0.2, 0.5);
    incline(&box, atan(0.6));
    run = run_box(&box, 1);
    assert_int_equal(run.end, CAROM_LASTING_TIME);
    double pull = G * cos(atan(0.6)) * (0.6 - 0.5);
    check_close(box.body.velocity[0], pull, 1e-7);
    check_close(box.body.position[0], pull / 2, 1e-7);
}

/* A tall block on a steep, rough incline tips over its lower edge: with angle a about the edge, I
 * a'' = m g R sin a. Its energy, and the time by quadrature of it, are closed forms. */
static void a_block_tips(void **state) {
    (void)state;
    Box box;
    make_box(&box, 0.1, 0.3, 0.5, 2);
    double slope = 0.3, R = hypot(0.1, 0.5), start = atan(0.1 / 0.5) - slope; /* < 0: it tips */
    double I = (0.01 + 0.25) / 3 + R * R;
    incline(&box, slope);
    CaromLastingRun run = run_box(&box, 0.5);
    assert_int_equal(run.end, CAROM_LASTING_TIME);
    double a = -start, rate = box.body.angular_velocity[1],
           angle = 2 * asin(box.body.orientation[2]);
    /* energy */
    check_close(I * rate * rate / 2, G * R * (cos(a) - cos(a + angle)), 1e-5);
    check_close(box.body.velocity[1], 0, 1e-9);
    /* time: a'' = (g R/I) sin a by a fine Runge-Kutta method */
    double y = a, w = 0, h = 0.5 / 20000, k = G * R / I;
    for (int i = 0; i < 20000; i++) {
        double a1 = k * sin(y), a2 = k * sin(y + h / 2 * w), wm = w + h / 2 * a1;
        double a3 = k * sin(y + h / 2 * wm), wn = w + h / 2 * a2;
        double a4 = k * sin(y + h * wn);
        y += h / 6 * (w + 2 * wm + 2 * wn + (w + h * a3));
        w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    check_close(angle, y - a, 2e-5);
    check_close(rate, w, 5e-5);
    print_message("tip: angle %g, rate %g, %d steps, %d solves\n", angle - (y - a), rate - w,
                  run.steps, run.solves);
}

typedef struct Watch {
    double energy, gain;
    const Box *box;
} Watch;

static int watch(void *user, double time, const CaromBody *body) {
    Watch *self = user;
    (void)time;
    double energy = carom_body_energy(body) - (self->box->lasting.gravity[0] * body->position[0] +
                                               self->box->lasting.gravity[2] * body->position[2]);
    self->gain = fmax(self->gain, energy - self->energy);
    self->energy = energy;
    return 0;
}

/* Boxes thrown flat, on an edge or a corner: energy never rises, all come to rest, on a face. */
static void energy_never_rises(void **state) {
    (void)state;
    Random random = random_start(seeded(3), 0);
    int count = scaled(20), steps = 0, solves = 0;
    double worst = 0;
    for (int i = 0; i < count; i++) {
        Box box;
        make_box(&box, random_between(&random, 0.2, 1), random_between(&random, 0.2, 1),
                 random_between(&random, 0.2, 1), random_between(&random, 0.1, 1));
        double q[4];
        for (int k = 0; k < 4; k++) {
            q[k] = i % 3 == 0 ? (k == 0) : random_between(&random, -1, 1);
        }
        q[1] = i % 3 == 1 ? 0 : q[1];
        q[3] = i % 3 == 1 ? 0 : q[3];
        double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int k = 0; k < 4; k++) {
            box.body.orientation[k] = q[k] / size;
        }
        box.body.position[2] = 2;
        CaromShape shape = carom_shape_vertices(box.vertices, 8);
        box.body.position[2] -= carom_shape_gap(&box.body, &shape, &box.plane, NULL);
        random_vector(&random, 1, box.body.velocity);
        random_vector(&random, 2, box.body.angular_velocity);
        box.body.velocity[2] = 0;
        Watch watched = {.energy = INFINITY, .box = &box};
        CaromLastingRun run;
        const char *message = "";
        box.lasting.shape = shape;
        watched.energy = carom_body_energy(&box.body) + G * box.body.position[2];
        double first = watched.energy;
        CaromStatus status = CAROM_OK;
        double time = 0;
        /* lifts off now and then: fly to the next touch */
        for (int k = 0; k < 100; k++) {
            status = carom_lasting_advance(&box.body, &box.lasting, 60, watch, &watched, NULL, &run,
                                           &message);
            time += run.time;
            if (status < 0 || run.end != CAROM_LASTING_FLIGHT) {
                break;
            }
            CaromTouch touch;
            assert_int_equal(carom_flight_touch(&box.body, box.lasting.gravity, &shape, &box.plane,
                                                10, &touch, NULL),
                             CAROM_OK);
            assert_true(touch.found);
            box.body = touch.body;
        }
        if (status < 0 || run.end != CAROM_LASTING_REST) {
            fail_msg("box %d: %s, end %d after %g", i, message, run.end, time);
        }
        assert_true(watched.gain <= 1e-13 * first);
        worst = fmax(worst, run.clamped / first);
        steps += run.steps;
        solves += run.solves;
    }
    print_message("boxes: clamped at most %g, %d steps, %d solves\n", worst, steps, solves);
}

/* The mirror image of a start ends as the mirror image. */
static void mirrored_starts_end_mirrored(void **state) {
    (void)state;
    Box box[2];
    for (int k = 0; k < 2; k++) {
        make_box(&box[k], 0.3, 0.5, 0.2, 0.4);
        double sign = k == 0 ? 1 : -1;
        box[k].body.velocity[0] = 1;
        box[k].body.velocity[1] = sign * 0.7;
        box[k].body.angular_velocity[2] = sign * 3;
        CaromLastingRun run = run_box(&box[k], INFINITY);
        assert_int_equal(run.end, CAROM_LASTING_REST);
    }
    check_close(box[0].body.position[0], box[1].body.position[0], 1e-9);
    check_close(box[0].body.position[1], -box[1].body.position[1], 1e-9);
    check_close(box[0].body.orientation[3], -box[1].body.orientation[3], 1e-9);
}

static void refusals(void **state) {
    (void)state;
    Box box;
    const char *message;
    make_box(&box, 0.5, 0.4, 0.2, 0.5);
    CaromLastingRun run;
#define REFUSE(change, words)                                                                      \
    do {                                                                                           \
        Box bad;                                                                                   \
        make_box(&bad, 0.5, 0.4, 0.2, 0.5);                                                        \
        double horizon = 1;                                                                        \
        change;                                                                                    \
        (void)horizon;                                                                             \
        assert_int_equal(carom_lasting_advance(&bad.body, &bad.lasting, horizon, NULL, NULL, NULL, \
                                               &run, &message),                                    \
                         CAROM_INVALID_INPUT);                                                     \
        if (!strstr(message, words)) {                                                             \
            fail_msg("\"%s\" does not say \"%s\"", message, words);                                \
        }                                                                                          \
        assert_int_equal(run.end, CAROM_LASTING_FAILED);                                           \
    } while (0)
    REFUSE(bad.mu = -1, "mu");
    REFUSE(bad.mu = NAN, "mu");
    REFUSE(bad.body.position[2] = 0.1, "inside");
    REFUSE(bad.body.velocity[1] = NAN, "velocity");
    REFUSE(bad.lasting.gravity[1] = INFINITY, "gravity");
    REFUSE(bad.lasting.speed = 0, "speed");
    REFUSE(bad.lasting.tolerance = 1, "tolerance");
    REFUSE(bad.lasting.first_step = -1, "first_step");
    REFUSE(bad.lasting.plane_count = 0, "plane");
    REFUSE(bad.lasting.shape = carom_shape_ball(1), "ball");
    REFUSE(horizon = NAN, "horizon");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_slides_to_rest),
        cmocka_unit_test(a_block_rests_on_an_incline_or_not),
        cmocka_unit_test(a_block_tips),
        cmocka_unit_test(energy_never_rises),
        cmocka_unit_test(mirrored_starts_end_mirrored),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
