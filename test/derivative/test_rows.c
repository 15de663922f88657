/* Derivatives of rows of balls without friction, in reverse, against differences along random
 * changes of all inputs: contacts become held one after another, a few of them are much stiffer
 * than the others, and most pieces count in few of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "support/check.h"
#include "support/math/random.h"
#include "support/scale.h"

static const uint64_t SEED = 19700;

static const double WORST_BOUND = 1e-6; /* MEASURED */

/* Differences of two steps that do not agree to this belong to a kink. */
static const double STEPS_AGREE = 1e-7;

enum { LINKS_MOST = 44, ROWS_MOST = 3 * LINKS_MOST };

typedef struct Row {
    int links;
    double W[ROWS_MOST * ROWS_MOST], v[ROWS_MOST];
    CaromContact contacts[LINKS_MOST];
} Row;

static CaromProblem as_problem(const Row *row) {
    return (CaromProblem){
        CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, row->links, row->W, row->v, row->contacts, 0};
}

/* Balls of unequal masses in a row; the first one strikes, the others are apart by little. */
static void draw_row(Random *random, int links, int elastic, Row *row) {
    int m = 3 * links;
    double light = random_between(random, 0.5, 2);
    memset(row, 0, sizeof *row);
    row->links = links;
    for (int i = 0; i < links; i++) {
        double other = random_between(random, 0.5, 2);
        int at = 3 * i + 2;
        row->W[at * m + at] = light + other;
        if (i + 1 < links) {
            row->W[at * m + at + 3] = row->W[(at + 3) * m + at] = -other;
        }
        for (int k = 0; k < 2; k++) {
            row->W[(3 * i + k) * (m + 1)] = 1;
        }
        row->v[at] = i == 0 ? -1 : random_between(random, -0.01, 0);
        row->contacts[i] = carom_contact_default();
        row->contacts[i].mu = 0;
        row->contacts[i].e = elastic ? 1 : random_between(random, 0.3, 0.8);
        row->contacts[i].stiffness = random_between(random, 0.5, 2);
        light = other;
    }
}

/* weight.I of the row, this far along a change of normal W, v, e and stiffness. */
static double outcome(const Row *row, const Row *change, const double *weight, double far) {
    static Row moved;
    int m = 3 * row->links;
    double I[ROWS_MOST], sum = 0;
    CaromResult result = {.impulse = I};
    moved = *row;
    for (int i = 0; i < m * m; i++) {
        moved.W[i] += far * change->W[i];
    }
    for (int i = 0; i < m; i++) {
        moved.v[i] += far * change->v[i];
    }
    for (int i = 0; i < row->links; i++) {
        moved.contacts[i].e += far * change->contacts[i].e;
        moved.contacts[i].stiffness += far * change->contacts[i].stiffness;
    }
    CaromProblem problem = as_problem(&moved);
    assert_true(carom_solve(&problem, NULL, &result) >= 0);
    for (int i = 0; i < m; i++) {
        sum += weight[i] * I[i];
    }
    return sum;
}

/* Where contacts are held without a force, changes of W that are no row open some of them. */
static void draw_change(Random *random, int links, int elastic, Row *change) {
    int m = 3 * links;
    memset(change, 0, sizeof *change);
    change->links = links;
    for (int i = 0; i < links; i++) {
        for (int j = i; j < links && (elastic || j <= i + 1); j++) {
            int a = 3 * i + 2, b = 3 * j + 2;
            change->W[a * m + b] = change->W[b * m + a] = random_between(random, -1, 1);
        }
        change->v[3 * i + 2] = random_between(random, -1, 1);
        change->contacts[i].e = elastic ? 0 : random_between(random, -1, 1);
        change->contacts[i].stiffness = random_between(random, -1, 1);
    }
}

/* The gradient along the change. */
static double along(const Row *change, const double *gradient) {
    CaromInputs inputs = carom_inputs(change->links, 0);
    int m = inputs.rows;
    double sum = 0;
    for (int i = 0; i < m; i++) {
        for (int j = i; j < m; j++) {
            double by = change->W[i * m + j];
            sum += by != 0 ? by * gradient[carom_input_W(&inputs, i, j)] : 0;
        }
        sum += change->v[i] * gradient[inputs.v + i];
    }
    for (int i = 0; i < change->links; i++) {
        const CaromContact *contact = &change->contacts[i];
        int e = carom_input_coefficient(&inputs, i, CAROM_COEFFICIENT_E);
        int k = carom_input_coefficient(&inputs, i, CAROM_COEFFICIENT_STIFFNESS);
        sum += contact->e * gradient[e] + contact->stiffness * gradient[k];
    }
    return sum;
}

static double difference(const Row *row, const Row *change, const double *weight, double h) {
    double one = outcome(row, change, weight, h) - outcome(row, change, weight, -h);
    double two = outcome(row, change, weight, 2 * h) - outcome(row, change, weight, -2 * h);
    return (8 * one - two) / (12 * h);
}

static void rows_agree(void **state) {
    (void)state;
    static const int lengths[] = {9, 19, 30, LINKS_MOST};
    static Row row, change;
    double *gradient = malloc((size_t)carom_inputs(LINKS_MOST, 0).count * sizeof *gradient);
    double *work = malloc(carom_derivative_workspace(LINKS_MOST) * sizeof *work);
    double weight[ROWS_MOST], worst = 0;
    int compared = 0, count = scaled(8);
    for (int i = 0; i < count; i++) {
        Random random = random_start(SEED, (uint64_t)i);
        int elastic = i / 4 % 2;
        draw_row(&random, lengths[i % 4], elastic, &row);
        draw_change(&random, row.links, elastic, &change);
        for (int k = 0; k < 3 * row.links; k++) {
            weight[k] = k % 3 == 2 ? random_between(&random, -1, 1) : 0;
        }
        CaromProblem problem = as_problem(&row);
        assert_true(
            carom_differentiate_reverse(&problem, weight, NULL, work, NULL, NULL, gradient) >= 0);
        double by = along(&change, gradient), far = difference(&row, &change, weight, 4e-6);
        double near = difference(&row, &change, weight, 2e-6);

        if (fabs(far - near) <= STEPS_AGREE * fabs(by)) {
            worst = fmax(worst, fabs(near - by) / fabs(by));
            compared++;
        }
    }
    print_message("%d of %d rows compared, worst %.1e\n", compared, count, worst);
    assert_true(worst < WORST_BOUND);
    assert_true(compared > count / 2);
    free(gradient);
    free(work);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
