/* Rows of arrays, and doing all rows of a call over several threads. */
#include "rows.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "batch/crew.h"

/* Work below this is done by one thread: starting others takes some 50 microseconds each. */
enum { ALONE = 2000 };

/* Parts for each thread, so that they end at about the same time. */
enum { PARTS = 16 };

typedef struct Run {
    RowsWork *work;
    const void *context;
    int64_t count, part;
} Run;

static void do_part(int part, void *context) {
    const Run *run = context;
    int64_t from = part * run->part, to = from + run->part;
    run->work(run->context, from, to < run->count ? to : run->count);
}

void rows_run(const Shape *shape, int64_t cost, RowsWork *work, const void *context) {
    int64_t threads = shape->threads < shape->count ? shape->threads : shape->count;
    int alone = threads < 2 || shape->count < ALONE / (cost > 0 ? cost : 1);
    Crew *crew = alone ? NULL : crew_create((int)threads);
    if (!crew) {
        work(context, 0, shape->count);
        return;
    }
    Run run = {work, context, shape->count, shape->count / (threads * PARTS) + 1};
    crew_run(crew, (int)((run.count + run.part - 1) / run.part), do_part, &run);
    crew_free(crew);
}

void rows_nan(double *numbers, size_t size) {
    for (size_t i = 0; numbers && i < size; i++) {
        numbers[i] = NAN;
    }
}

/* Coefficient number k of a row. */
static double coefficient(const void *row, const Rows *rows, int k, double none) {
    return row ? *(const double *)(const void *)((const char *)row + k * rows->step) : none;
}

/* A field of CaromContact that is 0 has its default. Here it has one only if it is not given, so a
 * 0 that is given becomes a number that the library refuses, or, of a stiffness, the limit. */
static double given(const void *row, const Rows *rows, int k, double zero) {
    double x = coefficient(row, rows, k, 0);
    return row && x == 0 ? zero : x;
}

CaromProblem problems_at(const Shape *shape, const Problems *problems, int64_t row,
                         CaromContact *contacts) {
    const void *mu = rows_at(shape, &problems->mu, row), *e = rows_at(shape, &problems->e, row);
    const void *mu_static = rows_at(shape, &problems->mu_static, row);
    const void *stiffness = rows_at(shape, &problems->stiffness, row);
    const void *ratio = rows_at(shape, &problems->stiffness_ratio, row);
    const int32_t *model = rows_at(shape, &problems->model, row);
    const int32_t *law = rows_at(shape, &problems->law, row);
    for (int k = 0; k < problems->contacts; k++) {
        double friction = coefficient(mu, &problems->mu, k, 0);
        contacts[k] = (CaromContact){
            .mu = friction,
            .mu_static = given(mu_static, &problems->mu_static, k, friction > 0 ? -1 : 0),
            .e = coefficient(e, &problems->e, k, 1),
            .stiffness = given(stiffness, &problems->stiffness, k, CAROM_STIFFNESS_ZERO),
            .stiffness_ratio = given(ratio, &problems->stiffness_ratio, k, -1)};
    }
    return (CaromProblem){.model = (CaromModel)*model,
                          .law = (CaromLaw)*law,
                          .contact_count = problems->contacts,
                          .inverse_inertia = rows_at(shape, &problems->W, row),
                          .velocity = rows_at(shape, &problems->v, row),
                          .contacts = contacts,
                          .planar = problems->planar};
}

int64_t problems_cost(const Problems *problems) {
    int64_t n = problems->contacts;
    return n == 1 ? 3 : 20 * n * n;
}

/* Copy size numbers, if they are given. */
static void copy(const Shape *shape, const Rows *rows, int64_t row, size_t size, double *to) {
    const double *from = rows_at(shape, rows, row);
    if (from) {
        memcpy(to, from, size * sizeof *to);
    }
}

CaromBody bodies_at(const Shape *shape, const Bodies *bodies, int64_t row) {
    CaromBody body = carom_body_default();
    copy(shape, &bodies->mass, row, 1, &body.mass);
    copy(shape, &bodies->inertia, row, 9, body.inertia);
    copy(shape, &bodies->guide, row, 3, body.guide);
    copy(shape, &bodies->position, row, 3, body.position);
    copy(shape, &bodies->orientation, row, 4, body.orientation);
    copy(shape, &bodies->velocity, row, 3, body.velocity);
    copy(shape, &bodies->spin, row, 3, body.angular_velocity);
    return body;
}

CaromOptions settings_options(const Settings *settings) {
    return (CaromOptions){.method = (CaromMethod)settings->method,
                          .tolerance = settings->tolerance,
                          .scheme = {.absolute = settings->absolute,
                                     .step = settings->step,
                                     .h1 = settings->h1,
                                     .h2 = settings->h2,
                                     .epsilon = settings->epsilon,
                                     .straight = settings->straight,
                                     .zero = settings->zero,
                                     .stop_energy = settings->stop_energy,
                                     .as_printed = settings->as_printed}};
}
