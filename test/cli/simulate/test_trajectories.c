/* Flight and impact in turn: the trajectories that carom simulate writes.
 *
 * Oracles: conservation laws and the gap above the plane, computed here from the rows. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"
#include "support/math/random.h"
#include "support/scale.h"

typedef struct Body {
    double mass, inertia[3], gravity[3];
    double vertices[24];
    int count;
} Body;

/* One row of the table. */
typedef struct Sample {
    double t, x[3], q[4], v[3], w[3];
    int bounce;
} Sample;

static void turn(const double q[4], const double r[3], double sign, double out[3]) {
    const double u[3] = {sign * q[1], sign * q[2], sign * q[3]};
    double c[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = u[j] * r[k] - u[k] * r[j] + q[0] * r[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = r[i] + 2 * (u[j] * c[k] - u[k] * c[j]);
    }
}

static void momentum(const Body *body, const Sample *sample, double L[3]) {
    double l[3];
    turn(sample->q, sample->w, -1, l);
    for (int i = 0; i < 3; i++) {
        l[i] *= body->inertia[i];
    }
    turn(sample->q, l, 1, L);
}

/* Kinetic and potential energy. */
static double energy(const Body *body, const Sample *sample) {
    double L[3], sum = 0;
    momentum(body, sample, L);
    for (int i = 0; i < 3; i++) {
        sum += (body->mass * sample->v[i] * sample->v[i] + L[i] * sample->w[i]) / 2 -
               body->mass * body->gravity[i] * sample->x[i];
    }
    return sum;
}

static double gap(const Body *body, const Sample *sample) {
    double least = INFINITY;
    for (int i = 0; i < body->count; i++) {
        double r[3];
        turn(sample->q, &body->vertices[3 * i], 1, r);
        least = fmin(least, sample->x[2] + r[2]);
    }
    return least;
}

/* Largest deviations in a table. */
typedef struct Worst {
    double depth;    /* below the plane */
    double gain;     /* of energy at a bounce, relative */
    double flight;   /* change of energy in flight, relative */
    double momentum; /* change of angular momentum in flight, relative */
    double sunk;     /* below the plane in lasting contact, relative to the body's size */
    double rise;     /* of energy in lasting contact, relative */
    int rows;
} Worst;

static bool read_sample(char **text, Sample *sample) {
    double numbers[15];
    for (int i = 0; i < 15; i++) {
        char *end;
        numbers[i] = strtod(*text, &end);
        if (end == *text) {
            return false;
        }
        assert_true(*end == (i < 14 ? ',' : '\n'));
        *text = end + 1;
    }
    sample->t = numbers[0];
    memcpy(sample->x, &numbers[1], sizeof sample->x);
    memcpy(sample->q, &numbers[4], sizeof sample->q);
    memcpy(sample->v, &numbers[8], sizeof sample->v);
    memcpy(sample->w, &numbers[11], sizeof sample->w);
    sample->bounce = (int)numbers[14];
    return true;
}

/* Does the body stay in touch from one row to the next? */
static bool in_contact(const json_t *phases, const Sample *last, const Sample *now) {
    size_t i;
    json_t *phase;
    json_array_foreach(phases, i, phase) {
        double from = number_at(phase, "from"), to = number_at(phase, "to");
        if (last->t >= from && now->t <= to && now->t > last->t) {
            return true;
        }
    }
    return false;
}

/* Does a bounce end lasting contact? */
static bool ends_contact(const json_t *phases, const Sample *now) {
    size_t i;
    json_t *phase;
    json_array_foreach(phases, i, phase) {
        if (number_at(phase, "to") == now->t) {
            return true;
        }
    }
    return false;
}

static double size_of(const Body *body) {
    double size = 0;
    for (int i = 0; i < body->count; i++) {
        const double *r = &body->vertices[3 * i];
        size = larger(size, sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
    }
    return size;
}

static void compare(const Body *body, const json_t *phases, const Sample *last, const Sample *now,
                    double scale, Worst *worst) {
    double change = (energy(body, now) - energy(body, last)) / scale;
    assert_true(now->t >= last->t);
    if (now->bounce != last->bounce) {
        /* the instants before and after a bounce are beside each other */
        assert_int_equal(now->bounce, last->bounce + 1);
        check_close(now->t, last->t, 0);
        check_close(gap(body, now), 0, ends_contact(phases, now) ? 4e-7 * size_of(body) : 1e-12);
        worst->gain = larger(worst->gain, change);
        return;
    }
    if (in_contact(phases, last, now)) {
        worst->rise = larger(worst->rise, change);
        worst->sunk = larger(worst->sunk, -gap(body, now) / size_of(body));
        return;
    }
    worst->depth = larger(worst->depth, -gap(body, now));
    double before[3], after[3], size = 0, off = 0;
    momentum(body, last, before);
    momentum(body, now, after);
    for (int i = 0; i < 3; i++) {
        size = larger(size, fabs(before[i]));
        off = larger(off, fabs(before[i] - after[i]));
    }
    worst->flight = larger(worst->flight, fabs(change));
    worst->momentum = larger(worst->momentum, size > 0 ? off / size : 0);
}

static void check_table(const char *path, const Body *body, const json_t *phases, Worst *worst) {
    size_t size;
    char *table = file_read(path, &size), *text = table;
    static const char header[] = "t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,bounce\n";
    assert_int_equal(strncmp(text, header, strlen(header)), 0);
    text += strlen(header);
    Sample now, last;
    double scale = 0;
    for (int i = 0; read_sample(&text, &now); i++) {
        scale = i == 0 ? energy(body, &now) : scale;
        if (i > 0) {
            compare(body, phases, &last, &now, scale, worst);
        }
        last = now;
        worst->rows++;
    }
    assert_string_equal(text, "");
    free(table);
}

/* A random box, thrown from above. */
static void random_box(Random *random, const char *model, Body *body, char *scene, size_t size) {
    double edge[3], q[4], length = 0, v[3], w[3];
    body->mass = random_log(random, 0.01, 100);
    for (int i = 0; i < 3; i++) {
        edge[i] = random_log(random, 0.1, 1);
        v[i] = 6 * random_uniform(random) - 3;
        w[i] = 20 * random_uniform(random) - 10;
    }
    for (int i = 0; i < 4; i++) {
        q[i] = 2 * random_uniform(random) - 1;
        length += q[i] * q[i];
    }
    for (int i = 0; i < 3; i++) {
        double a = edge[(i + 1) % 3], b = edge[(i + 2) % 3];
        body->inertia[i] = body->mass * (a * a + b * b) / 12;
        body->gravity[i] = i == 2 ? -9.81 : 0;
    }
    body->count = 8;
    char vertices[2048] = "";
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++) {
            body->vertices[3 * i + k] = (i >> k & 1 ? 0.5 : -0.5) * edge[k];
        }
        const double *r = &body->vertices[3 * i];
        size_t used = strlen(vertices);
        snprintf(vertices + used, sizeof vertices - used, "%s[%.17g,%.17g,%.17g]", i ? "," : "",
                 r[0], r[1], r[2]);
    }
    double mu = random_uniform(random) < 0.2 ? 0 : 1.2 * random_uniform(random);
    double kind = random_uniform(random), e = kind < 0.1   ? 0
                                              : kind < 0.2 ? 1
                                                           : random_uniform(random);
    snprintf(scene, size,
             "{\"carom\":1,\"model\":\"%s\",\"bodies\":[{\"mass\":%.17g,\"inertia\":[%.17g,%.17g,"
             "%.17g],\"position\":[0,0,%.17g],\"orientation\":[%.17g,%.17g,%.17g,%.17g],"
             "\"velocity\":[%.17g,%.17g,%.17g],\"angular_velocity\":[%.17g,%.17g,%.17g],"
             "\"shape\":{\"vertices\":[%s]}}],\"gravity\":[0,0,-9.81],\"contacts\":[{\"mu\":%.17g,"
             "\"e\":%.17g}],\"simulate\":{\"bounces\":500,\"time\":20}}",
             model, body->mass, body->inertia[0], body->inertia[1], body->inertia[2],
             1 + random_uniform(random), q[0] / sqrt(length), q[1] / sqrt(length),
             q[2] / sqrt(length), q[3] / sqrt(length), v[0], v[1], v[2], w[0], w[1], w[2], vertices,
             mu, e);
}

static void check_throws(const char *model, int count, uint64_t seed) {
    Worst worst = {0};
    int rest = 0, over = 0;
    for (int i = 0; i < count; i++) {
        Random random = random_start(seed, (uint64_t)i);
        Body body;
        char scene[4096];
        random_box(&random, model, &body, scene, sizeof scene);
        const char *table = work_path("throw.csv");
        Run run = program_run(scene, "simulate", "--json", "-o", table, "-", NULL);
        assert_string_equal(run.err, "");
        assert_int_equal(run.status, 0);
        json_t *line = parse_line(run.out);
        const json_t *end = json_object_get(line, "end");
        const char *reason = json_string_value(json_object_get(end, "reason"));
        rest += strcmp(reason, "rest") == 0;
        over += strcmp(reason, "time") == 0 || strcmp(reason, "bounces") == 0;
        assert_true(json_array_size(json_object_get(line, "impacts")) > 0);
        check_table(table, &body, json_object_get(line, "phases"), &worst);
        json_decref(line);
        run_free(&run);
    }
    print_message("%d %s throws, %d to rest, %d rows: depth %.2g, gain %.2g; in flight: energy "
                  "%.2g, momentum %.2g; in contact: depth %.2g, energy %.2g\n",
                  count, model, rest, worst.rows, worst.depth, worst.gain, worst.flight,
                  worst.momentum, worst.sunk, worst.rise);
    assert_int_equal(rest + over, count);
    assert_true(rest > count / 2 || count < 20); /* measured 65 of 100 */
    check_close(worst.depth, 0, 3e-14);          /* measured 1.4e-15 */
    check_close(worst.gain, 0, 1e-14);           /* 8.0e-16 */
    check_close(worst.flight, 0, 1e-12);         /* 4.8e-14, the sum of many short flights */
    check_close(worst.momentum, 0, 1e-12);       /* 7.8e-14, likewise */
    check_close(worst.sunk, 0, 1e-7);            /* 9.7e-9 */
    check_close(worst.rise, 0, 5e-7);            /* 6.6e-8, of interpolations between steps */
}

static void test_throws(void **state) {
    (void)state;
    check_throws("rigid", scaled(100), 81);
    check_throws("compliant", scaled(100), 82);
}

/* Rows at the rate asked for, and those beside the bounces. */
static void test_rate(void **state) {
    (void)state;
    const char *table = work_path("rate.csv");
    static const char scene[] =
        "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[{\"mass\":2,\"inertia\":[1,1,1],"
        "\"position\":[0,0,3],\"shape\":{\"ball\":1}}],\"gravity\":[0,0,-10],"
        "\"contacts\":[{\"mu\":0.3,\"e\":0.6}],\"simulate\":{\"time\":1}}";
    Run run = program_run(scene, "simulate", "--trajectory", table, "--rate", "8", "-", NULL);
    assert_int_equal(run.status, 0);
    run_free(&run);
    size_t size;
    char *text = file_read(table, &size), *at = strchr(text, '\n') + 1;
    /* 0, 1/8 to 5/8, the bounce at sqrt(0.4) twice, 6/8, 7/8, 1 */
    static const int bounces[] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
    const double times[] = {0,         0.125,     0.25, 0.375, 0.5, 0.625,
                            sqrt(0.4), sqrt(0.4), 0.75, 0.875, 1};
    Sample sample;
    for (size_t i = 0; i < 11; i++) {
        assert_true(read_sample(&at, &sample));
        check_close(sample.t, times[i], 1e-15);
        assert_int_equal(sample.bounce, bounces[i]);
    }
    assert_false(read_sample(&at, &sample));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_throws), cmocka_unit_test(test_rate)};
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
