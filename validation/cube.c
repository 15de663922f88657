/* Cube tosses (Pfrommer, Halm, Posa, ContactNets): the first impact of each toss, extracted by
 * fitting the flights before and after it; coefficients from one half of the tosses, errors on the
 * other. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>
#include <carom/fit.h>
#include <carom/measure.h>

enum { FRAMES_MAX = 2000, IMPACTS_MAX = 1000, BEFORE = 16, AFTER_LEAST = 6, AFTER_MOST = 16 };

/* Lengths of the data are 2 % short: the centre rests at 51.2 mm, flights fall with 9.61 m/s^2. */
#define HALF 0.0512
#define GRAVITY 9.61
#define MASS 0.37
#define INERTIA 8.1e-4

/* In flight means at least so far above the table. */
#define CLEAR 0.002

/* Impacts of which no impulse at one corner explains more than this part of the change were none of
 * one corner alone. */
#define EXPLAINED 0.2

typedef struct Toss {
    int count;
    CaromTrackPoint frames[FRAMES_MAX];
} Toss;

/* One impact in contact space: (v, k omega) measured, k the radius of gyration. */
typedef struct Hit {
    double W[9], v[3], offset[6], gain[18], measured[6];
} Hit;

typedef struct Hits {
    int count;
    CaromModel model;
    CaromLaw law;
    const Hit *hits[IMPACTS_MAX];
} Hits;

/* Height of the lowest corner. */
static double gap_of(const CaromTrackPoint *p) {
    const double *q = p->orientation;
    double z[3] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                   1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    return p->position[2] - HALF * (fabs(z[0]) + fabs(z[1]) + fabs(z[2]));
}

/* The flights around the first touch. False: too short. */
static bool find_flights(const Toss *toss, int *first, int *touch, int *from, int *to) {
    int i = 0, n = toss->count;
    while (i < n && gap_of(&toss->frames[i]) > CLEAR) {
        i++;
    }
    *touch = i;
    *first = i > BEFORE ? i - BEFORE : 0;
    while (i < n && gap_of(&toss->frames[i]) <= CLEAR) {
        i++;
    }
    *from = i;
    while (i < n && i < *from + AFTER_MOST && gap_of(&toss->frames[i]) > CLEAR) {
        i++;
    }
    *to = i;
    return *touch - *first >= AFTER_LEAST && *to - *from >= AFTER_LEAST;
}

static CaromBody cube_at(const CaromTrackPoint *point, const CaromTrackTumble *tumble) {
    CaromBody body = carom_body_default();
    body.mass = MASS;
    for (int k = 0; k < 3; k++) {
        body.inertia[4 * k] = INERTIA;
        body.position[k] = point->position[k];
        body.velocity[k] = tumble->velocity[k].value;
        body.angular_velocity[k] = tumble->angular_velocity[k].value;
    }
    double length = 0;
    for (int k = 0; k < 4; k++) {
        length = hypot(length, point->orientation[k]);
    }
    for (int k = 0; k < 4; k++) {
        body.orientation[k] = point->orientation[k] / length;
    }
    return body;
}

static void write_numbers(const CaromBody *body, double *numbers) {
    double k = sqrt(INERTIA / MASS);
    for (int i = 0; i < 3; i++) {
        numbers[i] = body->velocity[i];
        numbers[3 + i] = k * body->angular_velocity[i];
    }
}

/* Contact space of the touch, and the numbers after as functions of the impulse. */
static bool fill_hit(const CaromTouch *touch, const CaromTrackTumble *after, Hit *hit) {
    const CaromSite site = {.first = 0,
                            .second = 1,
                            .point = {touch->point[0], touch->point[1], touch->point[2]},
                            .normal = {0, 0, 1}};
    CaromBody bodies[2] = {touch->body, carom_body_fixed()};
    if (carom_bodies_contact_space(bodies, 2, &site, 1, hit->W, hit->v, NULL) < 0 ||
        !(hit->v[2] < 0)) {
        return false;
    }
    write_numbers(&bodies[0], hit->offset);
    for (int j = 0; j < 3; j++) {
        double unit[3] = {0, 0, 0}, numbers[6];
        CaromBody moved[2] = {bodies[0], bodies[1]};
        unit[j] = 1;
        carom_bodies_apply(moved, &site, 1, unit);
        write_numbers(&moved[0], numbers);
        for (int i = 0; i < 6; i++) {
            hit->gain[3 * i + j] = numbers[i] - hit->offset[i];
        }
    }
    CaromBody end = bodies[0];
    for (int k = 0; k < 3; k++) {
        end.velocity[k] = after->velocity[k].value;
        end.angular_velocity[k] = after->angular_velocity[k].value;
    }
    write_numbers(&end, hit->measured);
    return true;
}

/* The part of the measured change that no impulse at the corner explains. gain^T gain is W/m. */
static double unexplained(const Hit *hit) {
    double b[3] = {0}, A[3][4], left = 0, change = 0;
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 6; i++) {
            b[j] += hit->gain[3 * i + j] * (hit->measured[i] - hit->offset[i]);
        }
        for (int l = 0; l < 3; l++) {
            A[j][l] = 0;
            for (int i = 0; i < 6; i++) {
                A[j][l] += hit->gain[3 * i + j] * hit->gain[3 * i + l];
            }
        }
        A[j][3] = b[j];
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            double factor = i == k ? 0 : A[i][k] / A[k][k];
            for (int j = 0; j < 4; j++) {
                A[i][j] -= factor * A[k][j];
            }
        }
    }
    for (int i = 0; i < 6; i++) {
        double miss = hit->measured[i] - hit->offset[i];
        change += miss * miss;
        for (int j = 0; j < 3; j++) {
            miss -= hit->gain[3 * i + j] * A[j][3] / A[j][j];
        }
        left += miss * miss;
    }
    return sqrt(left / change);
}

static bool extract(const Toss *toss, Hit *hit) {
    static const double gravity[3] = {0, 0, -GRAVITY}, inertia[3] = {1, 1, 1};
    static const CaromPlane floor = {{0, 0, 0}, {0, 0, 1}};
    double corners[24];
    int first, touch, from, to;
    CaromTrackTumble before, after;
    CaromTouch found;
    for (int i = 0; i < 24; i++) {
        corners[i] = (i / 3) >> (i % 3) & 1 ? HALF : -HALF;
    }
    const CaromShape shape = carom_shape_vertices(corners, 8);
    if (!find_flights(toss, &first, &touch, &from, &to)) {
        return false;
    }
    const CaromTrackPoint *last = &toss->frames[touch - 1];
    if (carom_measure_tumble(toss->frames + first, touch - first, gravity, inertia, last->time,
                             &before, NULL) < 0) {
        return false;
    }
    CaromBody body = cube_at(last, &before);
    if (carom_flight_touch(&body, gravity, &shape, &floor, 0.1, &found, NULL) < 0 || !found.found) {
        return false;
    }
    return carom_measure_tumble(toss->frames + from, to - from, gravity, inertia,
                                last->time + found.time, &after, NULL) >= 0 &&
           fill_hit(&found, &after, hit);
}

static void read_row(const void *source, size_t index, CaromFitRow *row) {
    const Hits *hits = source;
    const Hit *hit = hits->hits[index];
    row->contact = (CaromContact){.mu = 0.1, .e = 0.1};
    row->problem = (CaromProblem){.model = hits->model,
                                  .law = hits->law,
                                  .contact_count = 1,
                                  .inverse_inertia = hit->W,
                                  .velocity = hit->v,
                                  .contacts = &row->contact};
    row->count = 6;
    row->offset = hit->offset;
    row->gain = hit->gain;
    row->value = hit->measured;
    row->sigma = NULL;
    row->velocity_sigma = NULL;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Fit on one half, errors on the other. */
static void judge(const char *name, Hits *halves, CaromModel model, CaromLaw law, bool ratio) {
    const CaromFitParameter list[3] = {carom_fit_parameter(CAROM_COEFFICIENT_MU, 0),
                                       carom_fit_parameter(CAROM_COEFFICIENT_E, 0),
                                       carom_fit_parameter(CAROM_COEFFICIENT_STIFFNESS_RATIO, 0)};
    const CaromFitOptions options = {.loss = CAROM_FIT_HUBER};
    int count = ratio ? 3 : 2;
    CaromFitResult fit;
    double values[3], errors[IMPACTS_MAX], mean = 0;
    for (int k = 0; k < 2; k++) {
        halves[k].model = model;
        halves[k].law = law;
    }
    const CaromFitData data = {(size_t)halves[0].count, read_row, &halves[0]};
    if (carom_fit(&data, list, count, &options, NULL, &fit) < 0) {
        printf("| %s | %s | | |\n", name, fit.message);
        return;
    }
    printf("| %s | ", name);
    for (int k = 0; k < count; k++) {
        static const char *const names[] = {"mu", "e", "stiffness_ratio"};
        values[k] = fit.parameters[k].value;
        printf("%s%s %.3f", k ? ", " : "", names[k], values[k]);
        if (fit.parameters[k].identified) {
            printf(" +- %.3f", fit.parameters[k].standard_error);
        } else {
            printf(" (not identified)");
        }
    }
    for (int i = 0; i < halves[1].count; i++) {
        CaromFitRow row;
        double predicted[6], miss = 0, change = 0;
        read_row(&halves[1], (size_t)i, &row);
        carom_fit_predict(&row, list, count, values, predicted, NULL);
        for (int k = 0; k < 6; k++) {
            miss = hypot(miss, predicted[k] - row.value[k]);
            change = hypot(change, row.value[k] - row.offset[k]);
        }
        errors[i] = miss / change;
        mean += errors[i] / halves[1].count;
    }
    qsort(errors, (size_t)halves[1].count, sizeof *errors, compare);
    printf(" | %.1f | %.1f |\n", 100 * mean, 100 * errors[halves[1].count / 2]);
}

/* Reads the file toss by toss. */
static int read_hits(FILE *file, Hit *hits, int *tosses, int *single) {
    static Toss toss;
    char line[1024];
    int number = -1, count = 0;
    bool more = true;
    while (more) {
        CaromTrackPoint p;
        int of = -1;
        more = fgets(line, sizeof line, file) != NULL;
        bool good =
            more && sscanf(line, "%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &of, &p.time, &p.position[0],
                           &p.position[1], &p.position[2], &p.orientation[0], &p.orientation[1],
                           &p.orientation[2], &p.orientation[3]) == 9;
        if ((!more || (good && of != number)) && toss.count > 0) {
            ++*tosses;
            bool found = count < IMPACTS_MAX && extract(&toss, &hits[count]);
            *single += found;
            count += found && unexplained(&hits[count]) <= EXPLAINED;
            toss.count = 0;
        }
        if (good) {
            number = of;
            if (toss.count < FRAMES_MAX) {
                toss.frames[toss.count++] = p;
            }
        }
    }
    return count;
}

bool part_cube(const char *path) {
    static Hit hits[IMPACTS_MAX];
    static Hits halves[2];
    int tosses = 0, single = 0;
    FILE *file = fopen(path, "r");
    printf("\n## Cube tosses\n\n");
    if (!file) {
        printf("skipped: %s is not there\n", path);
        return false;
    }
    int count = read_hits(file, hits, &tosses, &single);
    fclose(file);
    for (int i = 0; i < count; i++) {
        Hits *half = &halves[i % 2];
        half->hits[half->count++] = &hits[i];
    }
    printf(
        "%d tosses; in %d the first impact lies between two flights; in %d of these an impulse at "
        "the corner explains at\nleast %d %% of the change. %d impacts to fit, %d kept back; "
        "errors "
        "in per cent of the change.\n\n| model | coefficients | mean | median "
        "|\n|---|---|---|---|\n",
        tosses, single, count, (int)(100 - 100 * EXPLAINED), halves[0].count, halves[1].count);
    judge("rigid, energetic", halves, CAROM_MODEL_RIGID, CAROM_LAW_ENERGETIC, false);
    judge("rigid, Poisson", halves, CAROM_MODEL_RIGID, CAROM_LAW_POISSON, false);
    judge("rigid, Newton", halves, CAROM_MODEL_RIGID, CAROM_LAW_NEWTON, false);
    judge("compliant, 17/14", halves, CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, false);
    judge("compliant, ratio fitted", halves, CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, true);
    return true;
}
