/* Oblique impacts of alumina spheres on glass (Kharaz, Gorham, Salman 2001): rigid and compliant,
 * with the stiffness ratio from Poisson's ratio and fitted. */
#include "parts.h"

#include <math.h>
#include <string.h>

#include <carom/carom.h>
#include <carom/fit.h>

enum { ROWS_MAX = 100 };

/* 5 mm spheres at 3.9 m/s; e as measured by the authors; the ratio of alumina and glass. */
#define RADIUS 0.0025
#define SPEED 3.9
#define E 0.98
#define NU 0.23

/* Uncertainties that the digitised points may have: 0.02 of e_t, 15 rad/s of the spin. */
#define SIGMA_E_T 0.02
#define SIGMA_SPIN 15

typedef struct Point {
    bool spin; /* else e_t */
    double angle, value;
} Point;

typedef struct Points {
    int count;
    CaromModel model;
    double ratio; /* 0: fitted */
    Point points[ROWS_MAX];
} Points;

/* W of a ball of mass 1; the measured number is linear in the tangential impulse. */
static void read_row(const void *source, size_t index, CaromFitRow *row) {
    static const double W[4] = {3.5, 0, 0, 1};
    const Points *points = source;
    const Point *point = &points->points[index];
    double angle = point->angle * acos(-1) / 180, *numbers = row->numbers;
    numbers[0] = SPEED * sin(angle);
    numbers[1] = -SPEED * cos(angle);
    /* centre over before: 1 + I/v; spin: 5/2 |I|/r */
    numbers[2] = point->spin ? 0 : 1;
    numbers[3] = point->spin ? -2.5 / RADIUS : 1 / numbers[0];
    numbers[4] = 0;
    numbers[5] = point->value;
    numbers[6] = point->spin ? SIGMA_SPIN : SIGMA_E_T;
    row->contact = (CaromContact){.mu = 0.1, .e = E, .stiffness_ratio = points->ratio};
    row->problem = (CaromProblem){.model = points->model,
                                  .contact_count = 1,
                                  .inverse_inertia = W,
                                  .velocity = numbers,
                                  .contacts = &row->contact,
                                  .planar = 1};
    row->count = 1;
    row->offset = numbers + 2;
    row->gain = numbers + 3;
    row->value = numbers + 5;
    row->sigma = numbers + 6;
    row->velocity_sigma = NULL;
}

static bool read_points(const char *directory, Points *points) {
    char path[4096], line[256], what[64];
    snprintf(path, sizeof path, "%s/kharaz.csv", directory);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file) && points->count < ROWS_MAX) {
        Point *point = &points->points[points->count];
        if (sscanf(line, "%63[^,],%lf,%lf", what, &point->angle, &point->value) == 3) {
            point->spin = strncmp(what, "spin", 4) == 0;
            points->count++;
        }
    }
    if (file) {
        fclose(file);
    }
    return points->count > 0;
}

/* Fit and predict; values: mu and the ratio. */
static void fit(Points *points, const char *name, CaromModel model, double ratio, bool free,
                double *predicted) {
    const CaromFitParameter list[2] = {carom_fit_parameter(CAROM_COEFFICIENT_MU, 0),
                                       carom_fit_parameter(CAROM_COEFFICIENT_STIFFNESS_RATIO, 0)};
    CaromFitResult result;
    double values[2];
    points->model = model;
    points->ratio = ratio;
    const CaromFitData data = {(size_t)points->count, read_row, points, 0};
    if (carom_fit(&data, list, free ? 2 : 1, NULL, NULL, &result) < 0) {
        printf("| %s | %s |\n", name, result.message);
        return;
    }
    for (int k = 0; k < 2; k++) {
        values[k] = result.parameters[k].value;
    }
    for (int i = 0; i < points->count; i++) {
        CaromFitRow row;
        read_row(points, (size_t)i, &row);
        carom_fit_predict(&row, list, free ? 2 : 1, values, &predicted[i], NULL);
    }
    printf("| %s | %.4f +- %.4f | ", name, values[0], result.parameters[0].standard_error);
    if (free) {
        printf("%.3f +- %.3f, 95 %% %.2f to %.2f", values[1], result.parameters[1].standard_error,
               result.parameters[1].low, result.parameters[1].high);
    } else if (model == CAROM_MODEL_COMPLIANT) {
        printf("%.3f", ratio);
    }
    printf(" | %.1f |\n", result.chi2);
}

bool part_spheres(const char *directory) {
    static Points points;
    double predicted[3][ROWS_MAX];
    if (!read_points(directory, &points)) {
        printf("\n## Oblique spheres\n\nskipped: %s/kharaz.csv is not there\n", directory);
        return false;
    }
    printf("\n## Oblique spheres\n\ne = %.2f as measured by the authors; chi^2 with sigmas of %.2f "
           "(e_t) and %d rad/s (spin), %d points\n\n| model | mu | stiffness ratio | chi^2 |\n"
           "|---|---|---|---|\n",
           E, SIGMA_E_T, SIGMA_SPIN, points.count);
    fit(&points, "rigid", CAROM_MODEL_RIGID, 0, false, predicted[0]);
    fit(&points, "compliant, ratio from Poisson's ratio 0.23", CAROM_MODEL_COMPLIANT,
        carom_stiffness_ratio(NU), false, predicted[1]);
    fit(&points, "compliant, ratio fitted", CAROM_MODEL_COMPLIANT, 1, true, predicted[2]);
    printf("\n| quantity | angle | measured | rigid | compliant, Poisson | compliant, fitted |\n"
           "|---|---|---|---|---|---|\n");
    for (int i = 0; i < points.count; i++) {
        const Point *point = &points.points[i];
        printf("| %s | %.1f | %.4g | %.4g | %.4g | %.4g |\n", point->spin ? "spin, rad/s" : "e_t",
               point->angle, point->value, predicted[0][i], predicted[1][i], predicted[2][i]);
    }
    return true;
}
