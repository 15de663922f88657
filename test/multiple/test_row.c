/* Rows of balls, which have a solver of their own (src/multiple/row.h), and racks.
 *
 * Oracle: the general series. carom_trace() does not use the solver for rows, so that its result is
 * the answer of other code to the same problem. Besides: orders of the contacts, bounds that hold
 * for every frictionless impact, and rows that are too long for the general series. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <carom/carom.h>

#include "support/math/larger.h"
#include "support/math/random.h"

static const uint64_t SEED = 1717;
enum { EVENTS = 20000 };

/* A row in the plane: 2 rows per contact, of which the first do not matter. */
typedef struct Line {
    int count;
    CaromLaw law;
    CaromContact *contacts;
    double *W, *v, *I, *after;
    CaromEvent *events;
} Line;

static void *room(size_t count, size_t size) {
    void *memory = calloc(count, size);
    assert_non_null(memory);
    return memory;
}

static Line line_create(int count) {
    size_t n = (size_t)count;
    Line line = {.count = count,
                 .contacts = room(n, sizeof *line.contacts),
                 .W = room(4 * n * n, sizeof(double)),
                 .v = room(2 * n, sizeof(double)),
                 .I = room(2 * n, sizeof(double)),
                 .after = room(2 * n, sizeof(double)),
                 .events = room(EVENTS, sizeof *line.events)};
    for (int i = 0; i < count; i++) {
        line.W[2 * i * (2 * count + 1)] = 1;
        line.contacts[i] = carom_contact_default();
    }
    return line;
}

static void line_destroy(Line *line) {
    free(line->contacts);
    free(line->W);
    free(line->v);
    free(line->I);
    free(line->after);
    free(line->events);
}

/* Coupling of the normals of two contacts. */
static double *normal_entry(Line *line, int i, int j) {
    return &line->W[(2 * i + 1) * 2 * line->count + 2 * j + 1];
}

/* Balls with these inverse masses, one more than contacts; a wall has 0. The first one arrives. */
static void set_balls(Line *line, const double *inverse) {
    for (int i = 0; i < line->count; i++) {
        *normal_entry(line, i, i) = inverse[i] + inverse[i + 1];
        if (i > 0) {
            *normal_entry(line, i, i - 1) = *normal_entry(line, i - 1, i) = -inverse[i];
        }
    }
    line->v[1] = -1;
}

/* Balls and contacts all different; e < 0: different, too. */
static void set_random(Line *line, Random *random, double e, int walls) {
    double *inverse = room((size_t)line->count + 1, sizeof *inverse);
    for (int i = 0; i <= line->count; i++) {
        inverse[i] = random_between(random, 0.2, 5);
    }
    inverse[line->count] *= walls == 0;
    inverse[0] *= walls < 2;
    for (int i = 0; i < line->count; i++) {
        line->contacts[i].stiffness = random_between(random, 0.2, 5);
        line->contacts[i].e = e < 0 ? random_between(random, 0, 1) : e;
    }
    set_balls(line, inverse);
    /* between two walls, which makes W singular, a ball moves towards the first one */
    line->v[3] = walls == 2;
    free(inverse);
}

static CaromProblem as_problem(const Line *line) {
    return (CaromProblem){.model = CAROM_MODEL_COMPLIANT,
                          .law = line->law,
                          .contact_count = line->count,
                          .inverse_inertia = line->W,
                          .velocity = line->v,
                          .contacts = line->contacts,
                          .planar = 1};
}

static CaromResult solve(Line *line, int events) {
    CaromProblem problem = as_problem(line);
    CaromResult result = {.impulse = line->I, .velocity = line->after};
    if (events) {
        result.events = line->events;
        result.event_capacity = EVENTS;
    }
    carom_solve(&problem, NULL, &result);
    if (result.status != CAROM_OK) {
        print_error("%d contacts: %s\n", line->count, result.message);
        fail();
    }
    return result;
}

static double difference(const double *a, const double *b, int size) {
    double worst = 0;
    for (int i = 0; i < size; i++) {
        worst = larger(worst, fabs(a[i] - b[i]));
    }
    return worst;
}

/* The events of each contact: the same in the same order; the largest difference of impulses. */
static double same_events(const Line *line, const CaromResult *a, const CaromResult *b) {
    double worst = 0;
    assert_int_equal(a->event_count, b->event_count);
    assert_true(a->event_count <= EVENTS);
    for (int contact = 0; contact < line->count; contact++) {
        int j = 0;
        for (int i = 0; i < a->event_count; i++) {
            if (a->events[i].contact != contact) {
                continue;
            }
            while (b->events[j].contact != contact) {
                j++;
            }
            assert_int_equal(a->events[i].kind, b->events[j].kind);
            worst = larger(worst, fabs(a->events[i].impulse[2] - b->events[j].impulse[2]));
            j++;
        }
    }
    return worst;
}

/* Between two walls the forces that balance each other are not determined: only v is. */
static void compare_with_trace(Line *line, int walls, double *error, double *event_error) {
    CaromProblem problem = as_problem(line);
    CaromTrace trace = {.capacity = 2};
    Line other = line_create(line->count);
    CaromResult result = {.impulse = other.I,
                          .velocity = other.after,
                          .events = other.events,
                          .event_capacity = EVENTS};
    CaromResult own = solve(line, 1);
    assert_int_equal(carom_trace(&problem, NULL, &trace, &result), CAROM_OK);
    *error = larger(*error, difference(line->after, other.after, 2 * line->count));
    if (walls < 2) {
        *error = larger(*error, difference(line->I, other.I, 2 * line->count));
        *event_error = larger(*event_error, same_events(line, &own, &result));
    }
    line_destroy(&other);
}

/* A row whose last ball touches three others: the branch comes after the end that the search starts
 * from. It is no row, and the general series solves it. */
static void branch_is_no_row(void **state) {
    (void)state;
    enum { COUNT = 10, HUB = 7 };
    double error = 0, event_error = 0;
    Line line = line_create(COUNT);
    double inverse[COUNT + 1];
    for (int i = 0; i <= COUNT; i++) {
        inverse[i] = 1;
    }
    set_balls(&line, inverse);
    *normal_entry(&line, HUB, COUNT - 1) = *normal_entry(&line, COUNT - 1, HUB) = -0.01;
    compare_with_trace(&line, 0, &error, &event_error);
    line_destroy(&line);
    assert_true(error == 0 && event_error == 0);
}

static void rows_are_networks(void **state) {
    (void)state;
    static const double es[] = {0, 0.3, 0.5, 0.9, 1, -1};
    Random random = random_start(SEED, 0);
    double error = 0, event_error = 0;
    for (int k = 0; k < 66; k++) {
        Line line = line_create(8 + 3 * (k % 7));
        /* with one stiffness, or elastic between two walls, many bounce on for ever */
        int mono = k >= 54, walls = es[k % 6] < 1 && !mono ? k / 6 % 3 : k % 2;
        line.law = mono ? CAROM_LAW_MONO_STIFFNESS : CAROM_LAW_ENERGETIC;
        set_random(&line, &random, mono ? 0.9 : es[k % 6], walls);
        compare_with_trace(&line, walls, &error, &event_error);
        line_destroy(&line);
    }
    print_message("rows: largest difference %.1e, at events %.1e\n", error, event_error);
    assert_true(error <= 1e-11);       /* 4.2e-13 */
    assert_true(event_error <= 1e-10); /* 3.2e-12 */
}

/* Contacts of three levels of stiffness. */
static void rows_have_levels(void **state) {
    (void)state;
    Random random = random_start(SEED, 1);
    double error = 0, event_error = 0;
    for (int k = 0; k < 24; k++) {
        Line line = line_create(9 + k % 5);
        set_random(&line, &random, -1, k % 3);
        for (int i = 0; i < line.count; i++) {
            double level = random_between(&random, 0, 1);
            line.contacts[i].stiffness = level < 0.2   ? INFINITY
                                         : level < 0.4 ? CAROM_STIFFNESS_ZERO
                                                       : line.contacts[i].stiffness;
        }
        compare_with_trace(&line, k % 3, &error, &event_error);
        line_destroy(&line);
    }
    print_message("levels: largest difference %.1e, at events %.1e\n", error, event_error);
    assert_true(error <= 1e-11);       /* 0 */
    assert_true(event_error <= 1e-10); /* 0 */
}

/* Rows where the stiffness of a contact rests on the events at the front of the wave, while forces
 * are still 1e-19 of the largest: with those left out the answers are off by 3e-5 and 3e-4. */
static void front_of_the_wave_counts(void **state) {
    (void)state;
    static const uint64_t streams[] = {3484, 14628};
    double error = 0, event_error = 0;
    for (size_t k = 0; k < sizeof streams / sizeof *streams; k++) {
        Random random = random_start(SEED, streams[k]);
        Line line = line_create(36);
        set_random(&line, &random, 0.3, 0);
        for (int i = 0; i < line.count; i++) {
            line.contacts[i].stiffness = random_log(&random, 0.1, 10);
        }
        compare_with_trace(&line, 0, &error, &event_error);
        line_destroy(&line);
    }
    print_message("fronts: largest difference %.1e, at events %.1e\n", error, event_error);
    assert_true(error <= 1e-11);
    assert_true(event_error <= 1e-10);
}

/* The same row with its contacts in another order. */
static Line shuffled(const Line *line, const int *order) {
    Line other = line_create(line->count);
    for (int i = 0; i < line->count; i++) {
        other.contacts[i] = line->contacts[order[i]];
        other.v[2 * i + 1] = line->v[2 * order[i] + 1];
        for (int j = 0; j < line->count; j++) {
            *normal_entry(&other, i, j) = *normal_entry((Line *)line, order[i], order[j]);
        }
    }
    return other;
}

static void order_does_not_matter(void **state) {
    (void)state;
    static const double es[] = {0, 0.5, 0.9, 1, -1};
    Random random = random_start(SEED, 2);
    double worst = 0;
    int order[60];
    for (int k = 0; k < 40; k++) {
        Line line = line_create(10 + 5 * (k % 11));
        set_random(&line, &random, es[k % 5], k % 2);
        solve(&line, 0);
        for (int i = 0; i < line.count; i++) {
            order[i] = k % 4 == 0 ? line.count - 1 - i : i;
        }
        for (int i = line.count - 1; i > 0 && k % 4 > 0; i--) {
            int j = (int)random_between(&random, 0, i + 0.999), a = order[i];
            order[i] = order[j];
            order[j] = a;
        }
        Line other = shuffled(&line, order);
        solve(&other, 0);
        for (int i = 0; i < line.count; i++) {
            worst = larger(worst, fabs(other.I[2 * i + 1] - line.I[2 * order[i] + 1]));
        }
        line_destroy(&line);
        line_destroy(&other);
    }
    print_message("order: largest difference %.1e\n", worst);
    assert_true(worst <= 1e-10); /* 1.1e-13 */
}

/* Rows too long to compare: they have an answer, whose account closes and whose balls part. */
static void long_rows_have_answers(void **state) {
    (void)state;
    static const struct {
        int contacts;
        double e;
    } rows[] = {{100, 0.9}, {200, 0.9}, {200, 0}, {200, 0.5}, {200, 0.99}, {1000, 1}, {1000, 0}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Line line = line_create(rows[k].contacts);
        double inverse[1001], worst = 0;
        for (int i = 0; i < line.count; i++) {
            inverse[i] = 1;
            line.contacts[i].e = rows[k].e;
        }
        inverse[line.count] = 0;
        set_balls(&line, inverse);
        CaromResult result = solve(&line, 0);
        for (int i = 0; i < line.count; i++) {
            worst = larger(worst, -line.I[2 * i + 1]);
            worst = larger(worst, -line.after[2 * i + 1]);
        }
        print_message("%4d contacts, e = %4g: %6d pieces, residual %8.1e, below 0 by %.1e\n",
                      line.count, rows[k].e, result.work, result.energy.residual, worst);
        assert_true(fabs(result.energy.residual) <= 1e-12); /* 1.1e-13 */
        assert_true(worst <= 2e-12);                        /* 2.9e-13 */
        line_destroy(&line);
    }
}

/* A rack of 21 balls whose held contacts have reactions that are 0 up to rounding. */
static void rack_has_an_answer(void **state) {
    (void)state;
    enum { RACK_ROWS = 6, BALLS = 22, CONTACTS = 46 };
    static const double stiffness[CONTACTS] = {
        0.2, 1.4, 0.3, 0.1, 5.3, 0.4, 1.0, 4.2, 3.9, 2.0, 0.8, 4.5, 0.5, 0.9, 6.7, 1.1,
        0.2, 0.2, 4.1, 0.2, 0.5, 9.6, 3.5, 0.2, 4.3, 0.5, 0.1, 0.9, 0.3, 1.3, 6.9, 3.0,
        4.3, 0.1, 3.6, 0.3, 3.6, 0.4, 1.3, 2.7, 3.5, 0.4, 5.7, 0.2, 7.1, 0.1};
    double x[BALLS], y[BALLS], normal[CONTACTS][2];
    int first[CONTACTS], second[CONTACTS], balls = 0, count = 0;
    for (int row = 0; row < RACK_ROWS; row++) {
        for (int i = 0; i <= row; i++, balls++) {
            x[balls] = 2 * i - row;
            y[balls] = row * sqrt(3);
        }
    }
    x[balls] = 0;
    y[balls++] = -2;
    for (int i = 0; i < balls; i++) {
        for (int j = 0; j < balls; j++) {
            double dx = x[j] - x[i], dy = y[j] - y[i];
            int cue = i == balls - 1 && j == 0;
            if (fabs(dx * dx + dy * dy - 4) < 1e-9 && (cue || (j > i && j < balls - 1))) {
                first[count] = j;
                second[count] = i;
                normal[count][0] = dx / 2;
                normal[count++][1] = dy / 2;
            }
        }
    }
    assert_int_equal(count, CONTACTS);
    Line line = line_create(count);
    for (int i = 0; i < count; i++) {
        line.contacts[i].e = 0.1;
        line.contacts[i].stiffness = stiffness[i];
        for (int j = 0; j < count; j++) {
            int shared = (first[i] == first[j]) + (second[i] == second[j]) -
                         (first[i] == second[j]) - (second[i] == first[j]);
            *normal_entry(&line, i, j) =
                shared * (normal[i][0] * normal[j][0] + normal[i][1] * normal[j][1]);
        }
    }
    line.v[2 * count - 1] = -1;
    solve(&line, 0);
    line_destroy(&line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branch_is_no_row),      cmocka_unit_test(rows_are_networks),
        cmocka_unit_test(rows_have_levels),      cmocka_unit_test(front_of_the_wave_counts),
        cmocka_unit_test(order_does_not_matter), cmocka_unit_test(long_rows_have_answers),
        cmocka_unit_test(rack_has_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
