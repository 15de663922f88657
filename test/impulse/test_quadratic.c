/* Quadratic programs of the descent: the conditions of Karush, Kuhn and Tucker, for ill-conditioned
 * models and degenerate constraints (no slack, twice the same, nearly parallel), also where
 * constraints are added to a solution. */
#include <stdio.h>
#include <string.h>

#include "impulse/quadratic.h"
#include "support/check.h"
#include "support/math/random.h"
#include "support/scale.h"

enum { D = 8, MOST = 24 };

static const uint64_t SEED = 141421;

typedef struct Program {
    Quadratic quadratic;
    double H[D * D], model[D * D], g[D], y[D], z[D], A[MOST * D], B[MOST * D], slack[MOST],
        lambda[MOST];
} Program;

static double signed_uniform(Random *random) {
    return 2 * random_uniform(random) - 1;
}

static void make_program(Random *random, Program *program) {
    double R[D][D], weight[D];
    for (int i = 0; i < D; i++) {
        weight[i] = random_log(random, 1e-5, 1);
        program->g[i] = signed_uniform(random);
        for (int j = 0; j < D; j++) {
            R[i][j] = signed_uniform(random);
        }
    }
    for (int i = 0; i < D; i++) {
        for (int j = 0; j < D; j++) {
            double sum = i == j ? 1e-5 : 0;
            for (int k = 0; k < D; k++) {
                sum += weight[k] * R[k][i] * R[k][j];
            }
            program->H[i * D + j] = program->model[i * D + j] = sum;
        }
    }
    program->quadratic = (Quadratic){.d = D,
                                     .most = MOST,
                                     .H = program->H,
                                     .g = program->g,
                                     .y = program->y,
                                     .z = program->z,
                                     .A = program->A,
                                     .B = program->B,
                                     .slack = program->slack,
                                     .lambda = program->lambda};
}

/* Another constraint: random, or the last one again, exactly or nearly. */
static void add_constraint(Random *random, Program *program) {
    double *row = crm_quadratic_row(&program->quadratic), kind = random_uniform(random);
    int again = program->quadratic.count > 0 && kind < 0.3;
    for (int a = 0; a < D; a++) {
        row[a] = again ? row[a - D] + (kind < 0.15 ? 0 : 1e-3 * signed_uniform(random))
                       : signed_uniform(random);
    }
    crm_quadratic_add(&program->quadratic, kind > 0.7 ? 0 : random_uniform(random));
}

/* Largest violation, relative to the sizes of the terms; start: size of y without constraints,
 * which rounding is relative to. */
static double violation(const Program *program, double start) {
    const Quadratic *quadratic = &program->quadratic;
    double most = 0, value = 0, terms = 0;
    for (int i = 0; i < D; i++) {
        double sum = program->g[i], size = fabs(sum);
        for (int j = 0; j < D; j++) {
            sum += program->model[i * D + j] * program->y[j];
            size += fabs(program->model[i * D + j] * program->y[j]);
        }
        value += program->y[i] * (sum + program->g[i]) / 2;
        terms += start * fabs(program->g[i]);
        for (int c = 0; c < quadratic->count; c++) {
            sum -= program->lambda[c] * program->A[c * D + i];
            size += fabs(program->lambda[c] * program->A[c * D + i]);
        }
        most = fmax(most, fabs(sum) / size);
    }
    for (int c = 0; c < quadratic->count; c++) {
        double sum = program->slack[c], size = sum;
        for (int a = 0; a < D; a++) {
            sum += program->A[c * D + a] * program->y[a];
            size += fabs(program->A[c * D + a]) * start;
        }
        most = fmax(most, -sum / size);
        most = fmax(most, -program->lambda[c]);
        most = fmax(most, program->lambda[c] > 0 ? sum / size : 0);
    }
    return fmax(most, value / terms); /* y = 0 is allowed: 0 or less */
}

static void test_conditions(void **state) {
    (void)state;
    int problems = scaled(3000), unsolved = 0;
    double worst = 0;
    for (int i = 0; i < problems; i++) {
        Random random = random_start(SEED, (uint64_t)i);
        Program program;
        make_program(&random, &program);
        assert_true(crm_quadratic_factor(&program.quadratic, 0));
        crm_quadratic_begin(&program.quadratic);
        int solved = 1;
        double start = 0;
        for (int a = 0; a < D; a++) {
            start = fmax(start, fabs(program.y[a]));
        }
        for (int round = 0; round < 3 && solved; round++) {
            for (int c = 0; c < MOST / 3; c++) {
                add_constraint(&random, &program);
            }
            solved = crm_quadratic_solve(&program.quadratic);
        }
        unsolved += !solved;
        worst = solved ? fmax(worst, violation(&program, start)) : worst;
    }
    printf("%d programs: unsolved %d, violation %.1e\n", problems, unsolved, worst);
    assert_true(unsolved <= problems / 100 + 2);
    /* measured 1.3e-4; 1.0 if an active constraint could become active once more */
    assert_true(worst < 1e-2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_conditions)};
    return cmocka_run_group_tests_name("impulse: quadratic programs", tests, NULL, NULL);
}
