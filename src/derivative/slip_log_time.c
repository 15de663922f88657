/* The variational equations of slip in log-time sigma, d sigma = dp/r (slip_log_time.h).
 *
 *   s' = g s_perp    r' = f r    p' = r         (' = d/dsigma; f, g: parts of d - b s along s,
 * s_perp) (delta gamma)' = -b s_perp (s_perp.delta gamma) + r (delta d - delta b s)
 *
 * Nothing is divided by g or r, so that invariant directions, g = 0, do no harm: X^-1, on which
 * slip_slope.c relies, has a rounding error of eps/g. All right sides are products of known series:
 * Taylor series over steps that are short beside 1/(|d| + |b|), with which everything changes. It
 * takes some hundred times as long as the closed form. */
#include "derivative/slip_log_time.h"

#include <string.h>

#include "math/functions.h"
#include "math/vec2.h"

/* Terms of the series, and the step times |d| + |b|: singularities are at 1.5 or more, so that the
 * last term is some 1e-16 of the first. */
enum { LOG_TERMS = 24, LOG_STEPS = 2000 };
static const double LOG_STEP = 0.35;

/* Slip that falls to zero counts as straight where g r is below this part of its scale. */
static const double LOG_STRAIGHT = 1e-15;

typedef double LogTerms[LOG_TERMS + 1];

typedef struct LogSeries {
    LogTerms s[2], rate[2], f, g, r, p;
    LogTerms gamma[2], H[2];
    LogTerms force[2]; /* b s_perp */
    LogTerms eta[2][SLOPE_COUNT], along[SLOPE_COUNT], across[SLOPE_COUNT], work[SLOPE_COUNT];
} LogSeries;

/* Term n of a product. */
static double log_product(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i <= n; i++) {
        sum += a[i] * b[n - i];
    }
    return sum;
}

/* Term n of what follows from the state. */
static void log_set_rates(const Slope *slope, int n, LogSeries *at) {
    const double *b = slope->b, *d = slope->d, x = at->s[0][n], y = at->s[1][n];
    at->rate[0][n] = (n == 0 ? d[0] : 0) - (b[0] * x + b[1] * y);
    at->rate[1][n] = (n == 0 ? d[1] : 0) - (b[1] * x + b[2] * y);
    at->f[n] = log_product(at->s[0], at->rate[0], n) + log_product(at->s[1], at->rate[1], n);
    at->g[n] = log_product(at->s[0], at->rate[1], n) - log_product(at->s[1], at->rate[0], n);
    at->force[0][n] = b[1] * x - b[0] * y;
    at->force[1][n] = b[2] * x - b[1] * y;
    at->gamma[0][n] = log_product(at->r, at->s[0], n);
    at->gamma[1][n] = log_product(at->r, at->s[1], n);
}

/* Term n + 1 of the state; by = h/(n + 1). */
static void log_advance_state(int n, double by, LogSeries *at) {
    at->s[0][n + 1] = -by * log_product(at->g, at->s[1], n);
    at->s[1][n + 1] = by * log_product(at->g, at->s[0], n);
    at->r[n + 1] = by * log_product(at->f, at->r, n);
    at->p[n + 1] = by * at->r[n];
    at->H[0][n + 1] = by * log_product(at->r, at->gamma[0], n);
    at->H[1][n + 1] = by * log_product(at->r, at->gamma[1], n);
}

/* Term n + 1 of a row. */
static void log_advance_row(const Slope *slope, int j, int n, double by, LogSeries *at) {
    double r = at->r[n], x = at->gamma[0][n], y = at->gamma[1][n];
    const double push[SLOPE_COUNT][2] = {{0, 0},  {0, 0},   {r, 0}, {0, r},
                                         {-x, 0}, {-y, -x}, {0, -y}};
    const double start[2] = {-at->s[1][n], at->s[0][n]}; /* s_perp.gamma- */
    at->along[j][n] = slope->K[0] * at->eta[0][j][n] + slope->K[1] * at->eta[1][j][n];
    at->across[j][n] = log_product(at->s[0], at->eta[1][j], n) -
                       log_product(at->s[1], at->eta[0][j], n) + (j < 2 ? start[j] : 0);
    for (int i = 0; i < 2; i++) {
        at->eta[i][j][n + 1] = by * (push[j][i] - log_product(at->force[i], at->across[j], n));
    }
    at->work[j][n + 1] = by * log_product(at->r, at->along[j], n);
}

static double log_series_at(const double *series, double x) {
    double sum = series[LOG_TERMS];
    for (int n = LOG_TERMS - 1; n >= 0; n--) {
        sum = sum * x + series[n];
    }
    return sum;
}

/* The part of the step at which p reaches its end; 1 if it does not. */
static double log_find_end(const LogSeries *at, double p) {
    double x = 1;
    if (log_series_at(at->p, 1) <= p) {
        return 1;
    }
    for (int i = 0; i < 60; i++) {
        double slope = 0;
        for (int n = LOG_TERMS; n > 0; n--) {
            slope = slope * x + n * at->p[n];
        }
        double step = (log_series_at(at->p, x) - p) / slope;
        x = fmin(fmax(x - step, 0), 1);
        if (!(fabs(step) > 1e-16)) {
            break;
        }
    }
    return x;
}

/* One step of log-time, not beyond an impulse p. Returns 1 if it arrived there. */
static int log_time_step(Slope *slope, double h, double p, LogTime *now) {
    LogSeries at;
    at.s[0][0] = now->s[0];
    at.s[1][0] = now->s[1];
    at.r[0] = now->r;
    at.p[0] = at.H[0][0] = at.H[1][0] = 0;
    for (int j = 0; j < SLOPE_COUNT; j++) {
        at.eta[0][j][0] = slope->by[0][j];
        at.eta[1][j][0] = slope->by[1][j];
        at.work[j][0] = 0;
    }
    for (int n = 0; n < LOG_TERMS; n++) {
        log_set_rates(slope, n, &at);
        log_advance_state(n, h / (n + 1), &at);
        for (int j = 0; j < SLOPE_COUNT; j++) {
            log_advance_row(slope, j, n, h / (n + 1), &at);
        }
    }
    double x = log_find_end(&at, p - now->p), length = log_series_at(at.p, x);
    for (int j = 0; j < SLOPE_COUNT; j++) {
        slope->by[0][j] = log_series_at(at.eta[0][j], x);
        slope->by[1][j] = log_series_at(at.eta[1][j], x);
        slope->work[j] += log_series_at(at.work[j], x);
    }
    slope->H[0] += log_series_at(at.H[0], x) - slope->first * length;
    slope->H[1] += log_series_at(at.H[1], x);
    now->s[0] = log_series_at(at.s[0], x);
    now->s[1] = log_series_at(at.s[1], x);
    double size = norm2(now->s);
    now->s[0] /= size;
    now->s[1] /= size;
    now->r = log_series_at(at.r, x);
    now->p += length;
    return x < 1;
}

int crm_slope_log_time(Slope *slope, const RigidPiece *piece, LogTime *at) {
    const double *d = slope->d, *b = slope->b;
    double scale = fabs(d[0]) + fabs(d[1]) + fabs(b[0]) + 2 * fabs(b[1]) + fabs(b[2]);
    double r = norm2(piece->gamma[0]), p = piece->stops ? INFINITY : piece->p;
    const Slope before = *slope;
    const double *s = slope->has_own ? slope->own_s : piece->s[0];
    *at = (LogTime){{s[0], s[1]}, slope->has_own ? slope->own_r : r, 0};
    for (int i = 0; i < LOG_STEPS; i++) {
        if (log_time_step(slope, LOG_STEP / scale, p, at)) {
            return 1;
        }
        double rate[2] = {d[0] - b[0] * at->s[0] - b[1] * at->s[1],
                          d[1] - b[1] * at->s[0] - b[2] * at->s[1]};
        if (piece->stops && fabs(cross2(at->s, rate)) * at->r <= LOG_STRAIGHT * scale * r) {
            return 1;
        }
    }
    *slope = before;
    return 0;
}
