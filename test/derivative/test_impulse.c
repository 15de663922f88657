/* Derivatives of several rigid contacts at impulse level against differences of the library's own
 * answer, which satisfies the law to rounding. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "support/check.h"
#include "support/derivative/errors.h"
#include "support/impulse/random.h"
#include "support/scale.h"

static const uint64_t SEED = 19300;

static const double MEDIAN_BOUND = 1e-8; /* 2e-10, of the differences */
static const double WORST_BOUND = 1e-5;

typedef struct Shift {
    double W[MULTIPLE_ROWS * MULTIPLE_ROWS], v[MULTIPLE_ROWS];
    CaromContact contacts[MULTIPLE_ROWS];
} Shift;

/* The problem with input j changed. */
static CaromProblem shifted(const CaromProblem *problem, const CaromInputs *inputs, int j,
                            double by, Shift *room) {
    int m = inputs->rows, n = problem->contact_count;
    memcpy(room->W, problem->inverse_inertia, sizeof(double) * (size_t)(m * m));
    memcpy(room->v, problem->velocity, sizeof(double) * (size_t)m);
    memcpy(room->contacts, problem->contacts, sizeof(CaromContact) * (size_t)n);
    for (int a = 0; a < m; a++) {
        for (int b = a; b < m; b++) {
            if (carom_input_W(inputs, a, b) == j) {
                room->W[a * m + b] += by;
                room->W[b * m + a] += a == b ? 0 : by;
            }
        }
    }
    if (j >= inputs->v && j < inputs->contact) {
        room->v[j - inputs->v] += by;
    }
    for (int i = 0; i < n; i++) {
        if (j == carom_input_coefficient(inputs, i, CAROM_COEFFICIENT_MU)) {
            room->contacts[i].mu += by;
        }
        if (j == carom_input_coefficient(inputs, i, CAROM_COEFFICIENT_E)) {
            room->contacts[i].e += by;
        }
    }
    CaromProblem out = *problem;
    out.inverse_inertia = room->W;
    out.velocity = room->v;
    out.contacts = room->contacts;
    return out;
}

static void check_problem(const CaromProblem *problem, Errors *errors, int *refused) {
    CaromInputs inputs = carom_inputs(problem->contact_count, problem->planar);
    int m = inputs.rows, count = inputs.count;
    double *work = malloc(sizeof(double) * carom_derivative_workspace(problem->contact_count));
    double *by_I = malloc(sizeof(double) * (size_t)(m * count));
    double *by_v = malloc(sizeof(double) * (size_t)(m * count));
    double *gradient = malloc(sizeof(double) * (size_t)count);
    double I[MULTIPLE_ROWS], v[MULTIPLE_ROWS], weight[MULTIPLE_ROWS], size = 0;
    CaromKink kinks[4] = {{.distance = INFINITY}};
    CaromResult result = {.impulse = I, .velocity = v};
    CaromDerivative derivative = {
        .impulse = by_I, .velocity = by_v, .kinks = kinks, .kink_capacity = 4};
    CaromStatus status = carom_differentiate(problem, work, &result, &derivative);
    *refused += status < 0;
    if (status < 0 || kinks[0].distance < 1e-3 || result.solutions != 1) {
        assert_true(status >= 0 || isnan(by_I[0]));
        free(work);
        free(by_I);
        free(by_v);
        free(gradient);
        return;
    }
    for (int i = 0; i < m; i++) {
        size += fabs(I[i]);
        weight[i] = i % 3 - 0.7;
    }
    for (int j = 0; j < count; j++) {
        static Shift room;
        double out[4][MULTIPLE_ROWS], h = 1e-5;
        int ok = 1;
        for (int k = 0; k < 4; k++) {
            static const double at[4] = {-2, -1, 1, 2};
            CaromProblem moved = shifted(problem, &inputs, j, at[k] * h, &room);
            CaromResult other = {.impulse = out[k]};
            ok &= carom_solve(&moved, NULL, &other) >= 0 && other.solutions == 1;
        }
        double off = 0, all = size, bend = 0;
        for (int i = 0; i < m && ok; i++) {
            bend += fabs((out[3][i] - out[2][i]) - (out[1][i] - out[0][i])) / h;
            double truth = (8 * (out[2][i] - out[1][i]) - (out[3][i] - out[0][i])) / (12 * h);
            off += fabs(truth - by_I[i * count + j]);
            all += fabs(truth);
        }
        /* both slopes differ where the input lies on a kink: v_n- = 0, entries of W that are 0 */
        if (ok && all > size && bend < 1e-4 * all) {
            errors_add(errors, off / all);
            if (off > WORST_BOUND * all) {
                print_error("%d contacts, planar %d, input %d (v from %d, contacts from %d): %.1e, "
                            "kink %d at %.1e\n",
                            problem->contact_count, problem->planar, j, inputs.v, inputs.contact,
                            off / all, (int)kinks[0].kind, kinks[0].distance);
            }
        }
    }
    /* reverse is the weighted sum of the rows; v+ = v- + W I */
    assert_true(carom_differentiate_reverse(problem, weight, weight, work, NULL, NULL, gradient) >=
                0);
    for (int j = 0; j < count; j++) {
        double sum = 0, all = 1e-300;
        for (int i = 0; i < m; i++) {
            double a = weight[i] * by_I[i * count + j], b = weight[i] * by_v[i * count + j];
            sum += a + b;
            all += fabs(a) + fabs(b);
        }
        assert_true(fabs(sum - gradient[j]) <= 1e-9 * all);
    }
    /* homogeneity in v */
    for (int i = 0; i < m; i++) {
        double sum = -I[i], all = size;
        for (int k = 0; k < m; k++) {
            sum += by_I[i * count + inputs.v + k] * problem->velocity[k];
            all += fabs(by_I[i * count + inputs.v + k] * problem->velocity[k]);
        }
        assert_true(fabs(sum) <= 1e-9 * all);
    }
    free(work);
    free(by_I);
    free(by_v);
    free(gradient);
}

static void differences_agree(void **state) {
    (void)state;
    static const ImpulseFamily families[] = {IMPULSE_PLANAR_MATRIX, IMPULSE_MATRIX, IMPULSE_BALLS,
                                             IMPULSE_CORNER};
    Errors errors = {0};
    int refused = 0, count = 8 + scaled(52);
    for (int i = 0; i < count; i++) {
        static MultipleProblem drawn;
        impulse_random(SEED, (uint64_t)i, families[i % 4], &drawn);
        CaromProblem problem = multiple_as_problem(&drawn);
        problem.model = CAROM_MODEL_RIGID;
        check_problem(&problem, &errors, &refused);
    }
    double median = errors_quantile(&errors, 0.5), worst = errors_quantile(&errors, 1);
    print_message("%d derivatives of %d problems: median %.1e, worst %.1e; %d refused\n",
                  errors.count, count, median, worst, refused);
    assert_true(errors.count > 10 * count);
    assert_true(median < MEDIAN_BOUND);
    assert_true(worst < WORST_BOUND);
    errors_free(&errors);
}

/* A box flat on four corners shares its load in many ways: no derivative, and said so. */
static void redundant_contacts_are_refused(void **state) {
    (void)state;
    double *work = malloc(sizeof(double) * carom_derivative_workspace(4)), by_I[12 * 110];
    int all_act = 0;
    for (int i = 0; i < 20; i++) {
        static MultipleProblem drawn;
        double I[12];
        impulse_random(SEED, (uint64_t)i, IMPULSE_BOX, &drawn);
        CaromProblem problem = multiple_as_problem(&drawn);
        problem.model = CAROM_MODEL_RIGID;
        CaromDerivative derivative = {.impulse = by_I};
        CaromResult result = {.impulse = I};
        CaromStatus status = carom_differentiate(&problem, work, &result, &derivative);
        if (result.status >= 0 && I[2] > 0 && I[5] > 0 && I[8] > 0 && I[11] > 0) {
            all_act++;
            assert_int_equal(status, CAROM_NOT_CONVERGED);
            assert_true(isnan(by_I[0]) && derivative.message[0]);
        }
        assert_int_equal(carom_differentiate(&problem, NULL, &result, &derivative),
                         CAROM_INVALID_INPUT);
    }
    assert_true(all_act > 2);
    free(work);
}

/* A box on four corners whose redundancy is disturbed a little: the derivatives are finite but
 * without digits, or there are none. */
static void nearly_redundant_contacts_are_refused_or_right(void **state) {
    (void)state;
    double *work = malloc(sizeof(double) * carom_derivative_workspace(4)), by_I[12 * 110];
    int refused = 0;
    for (int i = 0; i < 200; i++) {
        static MultipleProblem drawn;
        double I[12], size = 0;
        impulse_random(SEED, (uint64_t)(i / 10), IMPULSE_BOX, &drawn);
        for (int k = 0; k < 12; k++) {
            drawn.W[13 * k] *= 1 + ldexp(1 + k % 5, -20 - 3 * (i % 10));
        }
        CaromProblem problem = multiple_as_problem(&drawn);
        problem.model = CAROM_MODEL_RIGID;
        CaromDerivative derivative = {.impulse = by_I};
        CaromResult result = {.impulse = I};
        CaromStatus status = carom_differentiate(&problem, work, &result, &derivative);
        refused += status == CAROM_NOT_CONVERGED;
        for (int k = 0; k < 12 && status >= 0; k++) {
            size = fmax(size, fabs(I[k]));
        }
        for (int k = 0; k < 12 && status >= 0; k++) {
            double sum = -I[k];
            for (int j = 0; j < 12; j++) {
                sum += by_I[k * 110 + 78 + j] * problem.velocity[j];
            }
            assert_true(fabs(sum) <= 2e-8 * size);
        }
    }
    print_message("%d of 200 refused\n", refused);
    assert_true(refused > 20 && refused < 180);
    free(work);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_agree),
        cmocka_unit_test(redundant_contacts_are_refused),
        cmocka_unit_test(nearly_redundant_contacts_are_refused_or_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
