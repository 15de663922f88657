/* The ellipse between glass sheets: every model with its own best coefficients, found on one half
 * of the impacts, judged on the other. */
#include "parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ours.h"
#include "search.h"

enum { ROWS_MAX = 4000, COLUMNS = 20, RESAMPLES = 2000, MODELS_MAX = 10 };

typedef struct Set {
    int count;
    Impact impacts[ROWS_MAX];
} Set;

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
                         .r = {x[15], x[18]},
                         .before = {x[4], x[5], x[6]},
                         .measured = {x[10], x[11], x[12]}};
        if (half->count < ROWS_MAX) {
            half->impacts[half->count++] = impact;
        }
    }
    fclose(file);
    return halves[0].count > 0 && halves[1].count > 0;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *x, int n) {
    double sorted[ROWS_MAX];
    memcpy(sorted, x, (size_t)n * sizeof *x);
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    return sorted[n / 2];
}

/* The standard error of a mean by resampling, with a fixed seed. */
static double bootstrap(const double *x, int n) {
    unsigned long long state = 88172645463325252ULL;
    double sum = 0, squares = 0;
    for (int i = 0; i < RESAMPLES; i++) {
        double mean = 0;
        for (int k = 0; k < n; k++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            mean += x[state % (unsigned)n] / n;
        }
        sum += mean;
        squares += mean * mean;
    }
    return sqrt(squares / RESAMPLES - sum / RESAMPLES * sum / RESAMPLES);
}

/* The part of the measured change that no impulse at the contact explains, over the change: what is
 * left by every model whatever its law. */
static double unexplained(const Impact *impact) {
    double k = impact->gyration, change[3], t[3], n[3];
    for (int i = 0; i < 3; i++) {
        change[i] = (impact->measured[i] - impact->before[i]) * (i == 2 ? k : 1);
    }
    t[0] = 1, t[1] = 0, t[2] = -impact->r[1] / k;
    n[0] = 0, n[1] = 1, n[2] = impact->r[0] / k;
    double normal[3] = {t[1] * n[2] - t[2] * n[1], t[2] * n[0] - t[0] * n[2],
                        t[0] * n[1] - t[1] * n[0]};
    double size = 0, dot = 0, length = 0;
    for (int i = 0; i < 3; i++) {
        size += normal[i] * normal[i];
        dot += normal[i] * change[i];
        length += change[i] * change[i];
    }
    return fabs(dot) / sqrt(size * length);
}

/* One model: search, predict, report. errors: of the half that was kept back. */
static void judge(const Model *model, const Set *halves, double *errors, const double *best,
                  FILE *data) {
    double c[COEFFICIENTS_MAX] = {0}, difference[ROWS_MAX];
    const Set *test = &halves[1];
    int gains = 0;
    double most = 0;
    double train = search_best(model, halves[0].impacts, halves[0].count, c);
    double mean = search_error(model, test->impacts, test->count, c, errors);
    for (int i = 0; i < test->count; i++) {
        double after[3];
        difference[i] = errors[i] - best[i];
        if (model->strike(&test->impacts[i], c, after)) {
            double gain = impact_energy(&test->impacts[i], after) - 1;
            gains += gain > 1e-6;
            most = fmax(most, gain);
        }
    }
    printf("| %s | ", model->name);
    for (int k = 0; k < model->count; k++) {
        printf("%s%s %.3f", k ? ", " : "", model->names[k], c[k]);
    }
    double worse = 0;
    for (int i = 0; i < test->count; i++) {
        worse += difference[i] / test->count;
    }
    printf(" | %.2f | %.2f +- %.2f | %.2f | %+.2f +- %.2f | %d |\n", 100 * train, 100 * mean,
           100 * bootstrap(errors, test->count), 100 * median(errors, test->count), 100 * worse,
           100 * bootstrap(difference, test->count), gains);
    if (gains > 0) {
        printf("  (most energy created: %.2g %%)\n", 100 * most);
    }
    fprintf(data, "\"%s\" %.4f %.4f\n", model->name, 100 * mean,
            100 * bootstrap(errors, test->count));
}

/* What is left, by kind of impact. */
static void explain(const Model *model, const Set *halves) {
    static const char *const kinds[] = {"slips throughout", "slip stops"};
    double c[COEFFICIENTS_MAX] = {0}, sums[2] = {0}, floors[2] = {0}, all[ROWS_MAX];
    int counts[2] = {0};
    const Set *test = &halves[1];
    search_best(model, halves[0].impacts, halves[0].count, c);
    for (int i = 0; i < test->count; i++) {
        double after[3];
        int kind = ours_slip_stops(&test->impacts[i], c);
        model->strike(&test->impacts[i], c, after);
        sums[kind] += impact_error(&test->impacts[i], after);
        all[i] = unexplained(&test->impacts[i]);
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
           100 * median(all, test->count));
}

bool part_ellipse(const char *directory, FILE *data) {
    static Set halves[2];
    static double errors[ROWS_MAX], best[ROWS_MAX];
    Model models[MODELS_MAX];
    int ours = ours_models(models), count = ours;
    double c[COEFFICIENTS_MAX] = {0};
    if (!read_set(directory, halves)) {
        printf("\n## Ellipse\n\nskipped: %s/ellipse.csv is not there\n", directory);
        return false;
    }
    count += engine_ode(&models[count]);
    count += engine_bullet(&models[count]);
    count += engine_box2d(&models[count]);
    count += engine_mujoco(&models[count]);
    search_best(&models[0], halves[0].impacts, halves[0].count, c);
    search_error(&models[0], halves[1].impacts, halves[1].count, c, best);
    printf("\n## Ellipse\n\n%d impacts to find the coefficients, %d kept back. Errors in per cent "
           "of the change of velocity, in\nthe norm of the kinetic energy; +- by resampling.\n\n"
           "| model | best coefficients | on the first half | kept back, mean | median | above the "
           "first | energy created |\n|---|---|---|---|---|---|---|\n",
           halves[0].count, halves[1].count);
    for (int i = 0; i < count; i++) {
        judge(&models[i], halves, errors, best, data);
    }
    if (count < ours + 4) {
        printf("\n%d of 4 engines (ODE, Bullet, Box2D, MuJoCo) are not installed\n",
               ours + 4 - count);
    }
    explain(&models[0], halves);
    return true;
}
