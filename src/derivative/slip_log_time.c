/* The variational equations of slip in log-time sigma, d sigma = dp/r (slip_log_time.h).
 *
 *   s' = g s_perp    r' = f r    p' = r         (' = d/dsigma; f, g: parts of d - b s along s,
 * s_perp) (delta gamma)' = -b s_perp (s_perp.delta gamma) + r (delta d - delta b s)
 *
 * Nothing is divided by g or r, so that invariant directions, g = 0, do no harm: X^-1, on which
 * slip_slope.c relies, has a rounding error of eps/g. All right sides are products of known series:
 * Taylor series over steps that are short beside 1/(|d| + |b|), with which everything changes. It
 * takes far longer than the closed form. */
#include "derivative/slip_log_time.h"

#include <string.h>

#include "math/functions.h"
#include "math/vec2.h"

/* Terms of the series, and the least step times |d| + |b|: singularities are at 1.5 or more, so
 * that the last term is some 1e-16 of the first. */
enum { LOG_TERMS = 24, LOG_STEPS = 2000 };
static const double LOG_STEP = 0.35;

/* A step goes as much further as the last terms stay below the first of these parts of the largest,
 * but not beyond the second, where the terms of a decay are larger than their sum. Next to an
 * invariant direction everything is nearly an exponential, so this is the usual case. */
static const double LOG_LAST = 1e-17, LOG_FURTHEST = 6;

/* Slip that falls to zero counts as straight where g r is below this part of its scale. */
static const double LOG_STRAIGHT = 1e-15;

/* Slip below this part of its scale has stopped: its p is that of zero slip, to rounding. */
static const double LOG_STOPPED = 1e-17;

typedef double LogTerms[LOG_TERMS + 1];

/* Series of all rows side by side, so that compilers work on several at once; the last one is
 * empty. */
enum { LOG_ROWS = SLOPE_COUNT };
typedef double LogRows[LOG_TERMS + 1][LOG_ROWS];

typedef struct LogSeries {
    LogTerms s[2], rate[2], f, g, r, p;
    LogTerms gamma[2], H[2];
    LogTerms force[2]; /* b s_perp */
    LogRows eta[2], along, across, work;
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

/* sum += term n of the products of a series with all rows. */
static void log_add_product(const double *a, LogRows b, int n, double sum[LOG_ROWS]) {
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j < LOG_ROWS; j++) {
            sum[j] += a[i] * b[n - i][j];
        }
    }
}

/* Term n + 1 of all rows. */
static void log_advance_rows(const Slope *slope, int n, double by, LogSeries *at) {
    double r = at->r[n], x = at->gamma[0][n], y = at->gamma[1][n];
    const double push[2][LOG_ROWS] = {{0, 0, r, 0, -x, -y, 0}, {0, 0, 0, r, 0, -x, -y}};
    double left[LOG_ROWS] = {0}, right[LOG_ROWS] = {0}, work[LOG_ROWS] = {0};
    log_add_product(at->s[0], at->eta[1], n, left);
    log_add_product(at->s[1], at->eta[0], n, right);
    for (int j = 0; j < LOG_ROWS; j++) {
        at->along[n][j] = slope->K[0] * at->eta[0][n][j] + slope->K[1] * at->eta[1][n][j];
        at->across[n][j] = left[j] - right[j];
    }
    at->across[n][0] -= at->s[1][n]; /* s_perp.gamma- */
    at->across[n][1] += at->s[0][n];
    for (int i = 0; i < 2; i++) {
        double turned[LOG_ROWS] = {0};
        log_add_product(at->force[i], at->across, n, turned);
        for (int j = 0; j < LOG_ROWS; j++) {
            at->eta[i][n + 1][j] = by * (push[i][j] - turned[j]);
        }
    }
    log_add_product(at->r, at->along, n, work);
    for (int j = 0; j < LOG_ROWS; j++) {
        at->work[n + 1][j] = by * work[j];
    }
}

static double log_series_at(const double *series, double x) {
    double sum = series[LOG_TERMS];
    for (int n = LOG_TERMS - 1; n >= 0; n--) {
        sum = sum * x + series[n];
    }
    return sum;
}

/* The last two terms over the largest of a series, where that is more. */
static void log_note_last(const double *series, double last[2]) {
    double largest = 0;
    for (int n = 0; n <= LOG_TERMS; n++) {
        largest = fmax(largest, fabs(series[n]));
    }
    for (int k = 0; k < 2 && largest > 0; k++) {
        last[k] = fmax(last[k], fabs(series[LOG_TERMS - 1 + k]) / largest);
    }
}

static void log_note_last_rows(LogRows series, double last[2]) {
    double largest[LOG_ROWS] = {0};
    for (int n = 0; n <= LOG_TERMS; n++) {
        for (int j = 0; j < LOG_ROWS; j++) {
            double size = fabs(series[n][j]);
            largest[j] = size > largest[j] ? size : largest[j];
        }
    }
    for (int j = 0; j < SLOPE_COUNT; j++) {
        for (int k = 0; k < 2 && largest[j] > 0; k++) {
            last[k] = fmax(last[k], fabs(series[LOG_TERMS - 1 + k][j]) / largest[j]);
        }
    }
}

/* How far the series hold, in steps: at least 1. */
static double log_find_reach(LogSeries *at) {
    double last[2] = {0, 0}, reach = LOG_FURTHEST;
    log_note_last(at->r, last);
    log_note_last(at->p, last);
    log_note_last_rows(at->work, last);
    for (int i = 0; i < 2; i++) {
        log_note_last(at->s[i], last);
        log_note_last(at->H[i], last);
        log_note_last_rows(at->eta[i], last);
    }
    for (int k = 0; k < 2; k++) {
        if (last[k] > 0) {
            reach = fmin(reach, exp(log(LOG_LAST / last[k]) / (LOG_TERMS - 1 + k)));
        }
    }
    return fmax(reach, 1);
}

static void log_rows_at(LogRows series, double x, double sum[LOG_ROWS]) {
    memcpy(sum, series[LOG_TERMS], sizeof series[LOG_TERMS]);
    for (int n = LOG_TERMS - 1; n >= 0; n--) {
        for (int j = 0; j < LOG_ROWS; j++) {
            sum[j] = sum[j] * x + series[n][j];
        }
    }
}

/* The part of the step at which p reaches its end; the whole reach if it does not. */
static double log_find_end(const LogSeries *at, double p, double reach) {
    double x = reach;
    if (log_series_at(at->p, reach) <= p) {
        return reach;
    }
    for (int i = 0; i < 60; i++) {
        double slope = 0;
        for (int n = LOG_TERMS; n > 0; n--) {
            slope = slope * x + n * at->p[n];
        }
        double step = (log_series_at(at->p, x) - p) / slope;
        x = fmin(fmax(x - step, 0), reach);
        if (!(fabs(step) > 1e-16 * reach)) {
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
    for (int j = 0; j < LOG_ROWS; j++) {
        at.eta[0][0][j] = slope->by[0][j];
        at.eta[1][0][j] = slope->by[1][j];
        at.work[0][j] = 0;
    }
    for (int n = 0; n < LOG_TERMS; n++) {
        log_set_rates(slope, n, &at);
        log_advance_state(n, h / (n + 1), &at);
        log_advance_rows(slope, n, h / (n + 1), &at);
    }
    double reach = log_find_reach(&at), x = log_find_end(&at, p - now->p, reach);
    double length = log_series_at(at.p, x);
    double eta[2][LOG_ROWS], work[LOG_ROWS];
    log_rows_at(at.eta[0], x, eta[0]);
    log_rows_at(at.eta[1], x, eta[1]);
    log_rows_at(at.work, x, work);
    for (int j = 0; j < SLOPE_COUNT; j++) {
        slope->by[0][j] = eta[0][j];
        slope->by[1][j] = eta[1][j];
        slope->work[j] += work[j];
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
    return x < reach;
}

int crm_slope_log_time(Slope *slope, const RigidPiece *piece, LogTime *at) {
    const double *d = slope->d, *b = slope->b;
    double scale = fabs(d[0]) + fabs(d[1]) + fabs(b[0]) + 2 * fabs(b[1]) + fabs(b[2]);
    double r = norm2(piece->gamma[0]), p = piece->stops ? INFINITY : piece->p;
    const Slope before = *slope;
    const double *s = slope->has_own ? slope->own_s : piece->s[0];
    double least = LOG_STOPPED * (slope->first + scale * slope->p);
    *at = (LogTime){{s[0], s[1]}, slope->has_own ? slope->own_r : r, 0, piece->stops};
    for (int i = 0; i < LOG_STEPS; i++) {
        if (log_time_step(slope, LOG_STEP / scale, p, at)) {
            return 1;
        }
        double rate[2] = {d[0] - b[0] * at->s[0] - b[1] * at->s[1],
                          d[1] - b[1] * at->s[0] - b[2] * at->s[1]};
        at->stops |= at->r < least && dot2(at->s, rate) < 0;
        if (at->stops && fabs(cross2(at->s, rate)) * at->r <= LOG_STRAIGHT * scale * r) {
            return 1;
        }
    }
    *slope = before;
    return 0;
}
