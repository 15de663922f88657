/* The ellipse between glass sheets: every model with its own best coefficients, found on one half
 * of the impacts, judged on the other. */
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "ours.h"

enum { COLUMNS = 20, MODELS_MAX = 12 };

/* row,x0,y0,theta0,vx0,vy0,omega0,x1,y1,theta1,vx1,vy1,omega1,n1,n2,n3,d1,d2,d3,flagged */
static bool read_set(const char *directory, Set *halves) {
    char path[4096], line[2048];
    int row = 0;
    snprintf(path, sizeof path, "%s/ellipse.csv", directory);
    FILE *file = fopen(path, "r");
    if (!file) {
        return false;
    }
    while (fgets(line, sizeof line, file)) {
        double x[COLUMNS];
        int count = 0;
        for (char *cell = strtok(line, ","); cell && count < COLUMNS; cell = strtok(NULL, ",")) {
            char *end;
            x[count] = strtod(cell, &end);
            count += end != cell;
        }
        if (count != COLUMNS || x[19] != 0) { /* the header, or flagged as bad by the authors */
            continue;
        }
        Set *half = &halves[row++ % 2];
        /* d3 has the wrong sign in the file: its velocities say so. v_t = vx - omega r_y */
        Impact impact = {.mass = 0.0364,
                         .gyration = 0.0192,
                         .planar = 1,
                         .count = 1,
                         .r = {{x[15], x[18], 0}},
                         .before = {x[4], x[5], 0, 0, 0, x[6]},
                         .measured = {x[10], x[11], 0, 0, 0, x[12]}};
        if (half->count < IMPACTS_MAX) {
            half->impacts[half->count++] = impact;
        }
    }
    fclose(file);
    return halves[0].count > 0 && halves[1].count > 0;
}

static void report(const Model *model, const Set *test, const Verdict *verdict, const double *best,
                   FILE *data) {
    double difference[IMPACTS_MAX];
    int n = test->count;
    for (int i = 0; i < n; i++) {
        difference[i] = verdict->errors[i] - best[i];
    }
    double mean = judge_mean(verdict->errors, n),
           error = judge_bootstrap(verdict->errors, n, judge_mean);
    printf("| %s | ", model->name);
    judge_print_coefficients(model, verdict->coefficients);
    printf(" | %.2f | %.2f +- %.2f | %.2f | %+.2f +- %.2f | %d |\n", 100 * verdict->train,
           100 * mean, 100 * error, 100 * judge_median(verdict->errors, n),
           100 * judge_mean(difference, n), 100 * judge_bootstrap(difference, n, judge_mean),
           verdict->gains);
    if (verdict->gains > 0) {
        printf("  (most energy created: %.2g %%)\n", 100 * verdict->most);
    }
    fprintf(data, "\"%s\" %.4f %.4f\n", model->name, 100 * mean, 100 * error);
}

/* What is left by the first model, by kind of impact. */
static void explain(const Set *test, const Verdict *verdict) {
    static const char *const kinds[] = {"slips throughout", "slip stops"};
    double sums[2] = {0}, floors[2] = {0}, all[IMPACTS_MAX];
    int counts[2] = {0};
    for (int i = 0; i < test->count; i++) {
        int kind = ours_slip_stops(&test->impacts[i], verdict->coefficients);
        sums[kind] += verdict->errors[i];
        all[i] = impact_unexplained(&test->impacts[i]);
        floors[kind] += all[i];
        counts[kind]++;
    }
    printf("\nWhat is left by the first model, by kind of impact; no impulse: the part of the "
           "measured change that no\nimpulse at the contact can make, whatever the law\n\n"
           "| kind | impacts | error, mean %% | no impulse, mean %% |\n|---|---|---|---|\n");
    for (int k = 0; k < 2; k++) {
        printf("| %s | %d | %.2f | %.2f |\n", kinds[k], counts[k], 100 * sums[k] / counts[k],
               100 * floors[k] / counts[k]);
    }
    printf("| all, median of the last column | %d | | %.2f |\n", test->count,
           100 * judge_median(all, test->count));
}

bool part_ellipse(const char *directory, FILE *data) {
    static Set halves[2];
    static Verdict first, verdict;
    Model models[MODELS_MAX];
    int ours = ours_models(models), count = ours;
    if (!read_set(directory, halves)) {
        printf("\n## Ellipse\n\nskipped: %s/ellipse.csv is not there\n", directory);
        return false;
    }
    count += engine_ode(&models[count]);
    count += engine_bullet(&models[count]);
    count += engine_box2d(&models[count]);
    count += engine_mujoco(&models[count]);
    printf("\n## Ellipse\n\n%d impacts to find the coefficients, %d kept back. Errors in per cent "
           "of the change of velocity, in\nthe norm of the kinetic energy; +- by resampling.\n\n"
           "| model | best coefficients | on the first half | kept back, mean | median | above the "
           "first | energy created |\n|---|---|---|---|---|---|---|\n",
           halves[0].count, halves[1].count);
    judge(&models[0], halves, &first);
    report(&models[0], &halves[1], &first, first.errors, data);
    for (int i = 1; i < count; i++) {
        judge(&models[i], halves, &verdict);
        report(&models[i], &halves[1], &verdict, first.errors, data);
        fflush(stdout);
    }
    if (count < ours + 4) {
        printf("\n%d of 4 engines (ODE, Bullet, Box2D, MuJoCo) are not installed\n",
               ours + 4 - count);
    }
    explain(&halves[1], &first);
    return true;
}
