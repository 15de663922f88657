#include "toss.h"

#include <math.h>
#include <string.h>

enum { POINTS = 20, N = TOSS_COEFFICIENTS_MAX };

/* The distance of a toss counts at most so much, in edges. */
#define CAP 0.5

/* The box of the search at its smallest, of the ranges. */
#define SMALLEST 0.03

/* Angle between two orientations. */
static double angle_between(const double *p, const double *q) {
    double dot = 0, pp = 0, qq = 0;
    for (int k = 0; k < 4; k++) {
        dot += p[k] * q[k];
        pp += p[k] * p[k];
        qq += q[k] * q[k];
    }
    return 2 * acos(fmin(fabs(dot) / sqrt(pp * qq), 1));
}

/* The face that is up: 1, 2, 3 for x, y, z of the body, negative for the opposite ones. */
static int face_up(const double *q) {
    const double up[3] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                          q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]};
    int most = 0;
    for (int k = 1; k < 3; k++) {
        most = fabs(up[k]) > fabs(up[most]) ? k : most;
    }
    return up[most] > 0 ? most + 1 : -most - 1;
}

TossError toss_error(const TossModel *model, const Toss *toss, const double *coefficients) {
    static Pose poses[TOSS_FRAMES_MAX];
    TossError error = {0};
    int last = toss->count - 1;
    error.failed = !model->follow(toss, coefficients, poses);
    for (int i = 0; i <= last; i++) {
        const Pose *seen = &toss->frames[i];
        double square = 0, angle = angle_between(poses[i].orientation, seen->orientation);
        for (int k = 0; k < 3; k++) {
            double d = (poses[i].position[k] - seen->position[k]) / (2 * toss->half);
            square += d * d;
        }
        error.position_end = sqrt(square);
        error.rotation_end = angle * 180 / acos(-1);
        error.position += error.position_end / toss->count;
        error.rotation += error.rotation_end / toss->count;
        /* the corners of a cube turn by 2 sin(angle/2) sqrt(1/2) edges, rms */
        error.corners += hypot(error.position_end, sqrt(2) * sin(angle / 2)) / toss->count;
    }
    error.face = face_up(poses[last].orientation) == face_up(toss->frames[last].orientation);
    return error;
}

int toss_steps(double time) {
    return (int)fmax(lround(1480 * time), 1);
}

static double mean_error(const TossModel *model, const Toss *tosses, int count, const double *x,
                         double *coefficients) {
    double sum = 0;
    for (int k = 0; k < model->count; k++) {
        double low = model->low[k], high = model->high[k];
        coefficients[k] =
            model->factor[k] ? low * pow(high / low, x[k]) : low + x[k] * (high - low);
    }
    for (int i = 0; i < count; i++) {
        double corners = toss_error(model, &tosses[i], coefficients).corners;
        sum += corners < CAP ? corners : CAP; /* NaN, too */
    }
    return sum / count;
}

/* Number k of point i of a sequence that fills the cube evenly: multiples of powers of the root of
 * x^(n + 1) = x + 1. */
static double spread(int i, int k, int n) {
    double root = 1.5;
    for (int step = 0; step < 50; step++) {
        root = pow(1 + root, 1.0 / (n + 1));
    }
    double x = 0.5 + (i + 1) * pow(root, -(k + 1));
    return x - floor(x);
}

void toss_search(const TossModel *model, const Toss *tosses, int count, double *coefficients) {
    int n = model->count, points = POINTS * n, half = points / 2;
    double best[N] = {0}, least = INFINITY;
    for (int i = 0; i < points; i++) {
        double x[N] = {0}, tried[N];
        double width = i < half ? 1 : 0.5 * pow(SMALLEST / 0.5, (double)(i - half) / half);
        for (int k = 0; k < n; k++) {
            double at = spread(i, k, n);
            x[k] = i < half ? at : fmin(fmax(best[k] + width * (at - 0.5), 0), 1);
        }
        double error = mean_error(model, tosses, count, x, tried);
        if (error < least) {
            least = error;
            memcpy(best, x, sizeof x);
            memcpy(coefficients, tried, (size_t)n * sizeof *tried);
        }
    }
}
