/* One rigid contact, followed: events along the slope of slip (slip_slope.h), and the outcome.
 *
 * An event where h(p) = 0 moves by dp = -dh/h'. The stored energy E is extremal where compression
 * ends, so that its derivative at fixed p is the derivative there:
 *
 *   compression ends    v_n = 0;   E <- e^2 E
 *   energetic           E = 0;     dp_r = dE/v_n
 *   Poisson             p_r = (1 + e) p_c
 *   Newton              v_n = -e v_n-
 *
 * and then gamma+ = gamma(p_r), J = B^-1 (gamma+ - gamma- - p_r d). */
#include "derivative/rigid_follow.h"

#include <math.h>
#include <string.h>

#include "contact/check.h"
#include "derivative/frame_turn.h"
#include "math/vec2.h"

/* Below this e the end of restitution is expanded about the end of compression: (dE - dL)/v_n has a
 * rounding error of eps/e, the expansion an error of e. */
static const double SLOPE_SMALL_E = 1e-8;

/* v_n' below this part of 1 + mu |d| is a turn of v_n. */
static const double TURN_OF_VN = 1e-9;

/* From the seven numbers that slip depends on to the inputs; b = mu B. */
static void spread_slope(const Slope *slope, const double by[SLOPE_COUNT], double *out) {
    const double *b = by + SLOPE_B, *B = slope->B, mu = slope->mu;
    out[ONE_W11] = mu * b[0];
    out[ONE_W12] = mu * b[1];
    out[ONE_W13] = by[SLOPE_D];
    out[ONE_W22] = mu * b[2];
    out[ONE_W23] = by[SLOPE_D + 1];
    out[ONE_W33] = 0;
    out[ONE_V] = by[0];
    out[ONE_V + 1] = by[1];
    out[ONE_V + 2] = 0;
    out[ONE_MU] = B[0] * b[0] + B[1] * b[1] + B[2] * b[2];
    out[ONE_MU_STATIC] = out[ONE_E] = 0;
}

/* B^-1, like B. */
static void invert_B(const double B[3], double out[3]) {
    double over = 1 / (B[0] * B[2] - B[1] * B[1]);
    out[0] = B[2] * over;
    out[1] = -B[1] * over;
    out[2] = B[0] * over;
}

/* x = A (y1, y2), A symmetric. */
static inline void times_B(const double A[3], double y1, double y2, double x[2]) {
    x[0] = A[0] * y1 + A[1] * y2;
    x[1] = A[1] * y1 + A[2] * y2;
}

/* x = B^-1 (y1, y2) */
static void solve_B(const double B[3], double y1, double y2, double x[2]) {
    double inverse[3];
    invert_B(B, inverse);
    times_B(inverse, y1, y2, x);
}

/* The gradients of k and K. */
static void set_constants(RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    const double *K = slope->K;
    const double change[5][2] = {
        {-K[0], 0}, {-K[1], -K[0]}, {1, 0}, {0, -K[1]}, {0, 1}}; /* delta d - delta B K */
    double(*constants)[5] = rigid->constants, inverse[3];
    invert_B(slope->B, inverse);
    for (int j = 0; j < 5; j++) {
        double x[2];
        times_B(inverse, change[j][0], change[j][1], x);
        constants[0][j] = -dot2(change[j], K);
        constants[1][j] = x[0];
        constants[2][j] = x[1];
    }
    constants[0][2] -= K[0];
    constants[0][4] -= K[1];
}

/* From the path to the inputs. */
static void spread_path(const RigidSlope *rigid, const PathGradient *path, double *out) {
    static const int inputs[5] = {ONE_W11, ONE_W12, ONE_W13, ONE_W22, ONE_W23};
    const double *by = path->by + PATH_K;
    spread_slope(&rigid->slope, path->by, out);
    for (int j = 0; j < 5; j++) {
        const double(*constants)[5] = rigid->constants;
        out[inputs[j]] +=
            by[0] * constants[0][j] + (by[1] * constants[1][j] + by[2] * constants[2][j]);
    }
    out[ONE_W33] = by[0];
    out[ONE_V + 2] = path->by[PATH_VN];
    out[ONE_E] = path->e;
}

/* Slip that starts next to an invariant direction from which it turns away, but only after it has
 * almost stopped: on the direction itself it would stop before the end of the impact. */
static void note_direction(RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    const double *b = slope->b, *d = slope->d, r = slope->first;
    double f = d[0] - b[0], g = d[1] - b[1], away = -f - b[2];
    if (r > 0 && slope->mu > 0 && away > 0 && r < -f * slope->p && !rigid->planar) {
        double *by = one_add_kink(rigid->out, CAROM_KINK_DIRECTION, g > 0, 0, g);
        by[ONE_W23] = 1;
        by[ONE_W12] = -slope->mu;
        by[ONE_MU] = -slope->B[1];
        by[ONE_V + 1] = away / r;
    }
}

void crm_follow_begin(void *context, const RigidSetting *setting) {
    RigidSlope *rigid = context;
    crm_slope_begin(&rigid->slope, setting, rigid->contact->mu);
    rigid->slope.careful = rigid->way == RIGID_LOG_TIME;
    if (rigid->way == RIGID_NODES_WAY) {
        crm_slope_rule(&rigid->rule);
        rigid->slope.rule = &rigid->rule;
    }
    rigid->units = setting->units;
    rigid->locked = setting->locked;
    rigid->wedged = setting->wedged;
    rigid->stopped = rigid->sticks = rigid->restitution = 0;
    rigid->E = rigid->compression = 0;
    rigid->stored = (PathGradient){.e = 0};
    rigid->out->kink_count = 0;
    set_constants(rigid);
}

/* eta = B J + p d */
static void find_eta(const Slope *slope, double eta[2]) {
    times_B(slope->B, slope->J[0], slope->J[1], eta);
    eta[0] += slope->p * slope->d[0];
    eta[1] += slope->p * slope->d[1];
}

/* The gradient of v_n at fixed p. */
static void normal_gradient(const RigidSlope *rigid, PathGradient *out) {
    const Slope *slope = &rigid->slope;
    double eta[2];
    find_eta(slope, eta);
    for (int j = 0; j < SLOPE_COUNT; j++) {
        out->by[j] = slope->K[0] * slope->by[0][j] + slope->K[1] * slope->by[1][j];
    }
    out->by[PATH_K] = slope->p;
    out->by[PATH_K + 1] = eta[0];
    out->by[PATH_K + 2] = eta[1];
    out->by[PATH_VN] = 1;
    out->e = 0;
}

/* The gradient of the stored energy at fixed p, times `by`. */
static void energy_gradient(const RigidSlope *rigid, double by, PathGradient *out) {
    const Slope *slope = &rigid->slope;
    double p = slope->since, middle = slope->p - p / 2;
    double work[PATH_COUNT];
    memcpy(work, slope->work, sizeof slope->work);
    work[PATH_K] = p * middle;
    work[PATH_K + 1] = slope->H[0];
    work[PATH_K + 2] = slope->H[1];
    work[PATH_VN] = p;
    for (int j = 0; j < PATH_COUNT; j++) {
        out->by[j] = by * (rigid->stored.by[j] - work[j]);
    }
    out->e = by * rigid->stored.e;
}

/* The stored energy; v_n- = -1. */
static double energy_now(const RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    double p = slope->since, middle = slope->p - p / 2;
    return rigid->E + p * (1 - middle * slope->k) - dot2(slope->K, slope->H);
}

/* v_n' */
static double normal_rise(const Slope *slope) {
    return slope->k + dot2(slope->K, slope->rate);
}

void crm_follow_piece(void *context, const RigidPiece *piece) {
    RigidSlope *rigid = context;
    Slope *slope = &rigid->slope;
    if (rigid->locked) {
        return;
    }
    crm_slope_piece(slope, piece);
    double steep = slope->mu * norm2(slope->d), rise = normal_rise(slope);
    if (steep > 1 && piece->kind == RIGID_PIECE_CURVE && fabs(rise) <= TURN_OF_VN * (1 + steep)) {
        /* a turn of v_n: restitution would turn into compression here, or has done so */
        int happens = slope->vn < 0, counts = rigid->restitution || rigid->compression > 0;
        if (rigid->out->wants_kinks && counts && rigid->law == CAROM_LAW_ENERGETIC) {
            PathGradient normal;
            normal_gradient(rigid, &normal);
            spread_path(rigid, &normal,
                        one_add_kink(rigid->out, CAROM_KINK_RESTART, happens, rigid->contact->e < 1,
                                     slope->vn));
        }
    }
}

/* Does the p of the end of compression count? Otherwise E is extremal there. */
static int needs_compression(const RigidSlope *rigid) {
    return rigid->law == CAROM_LAW_POISSON || rigid->contact->e < SLOPE_SMALL_E;
}

static void slope_end_compression(RigidSlope *rigid) {
    Slope *slope = &rigid->slope;
    double e = rigid->contact->e;
    slope->vn = 0;
    rigid->compression = slope->p;
    if (needs_compression(rigid)) {
        double later = -1 / normal_rise(slope);
        normal_gradient(rigid, &rigid->end_of_compression);
        for (int j = 0; j < PATH_COUNT; j++) {
            rigid->end_of_compression.by[j] *= later;
        }
    }
    rigid->peak = energy_now(rigid);
    energy_gradient(rigid, e * e, &rigid->stored);
    rigid->stored.e += 2 * e * rigid->peak;
    rigid->E = e * e * rigid->peak;
    crm_slope_mark(slope);
    rigid->restitution = 1;
}

/* The gradient of the p at which restitution ends. */
static void slope_find_end(RigidSlope *rigid) {
    Slope *slope = &rigid->slope;
    double e = rigid->contact->e, rise = normal_rise(slope);
    PathGradient *end = &rigid->end;
    switch (rigid->law) {
    case CAROM_LAW_POISSON:
        for (int j = 0; j < PATH_COUNT; j++) {
            end->by[j] = (1 + e) * rigid->end_of_compression.by[j];
        }
        end->e = rigid->compression;
        return;
    case CAROM_LAW_NEWTON:
        normal_gradient(rigid, end);
        double per_rise = 1 / rise;
        for (int j = 0; j < PATH_COUNT; j++) {
            end->by[j] *= -per_rise;
        }
        end->e = 1 / rise;
        end->by[PATH_VN] -= e / rise;
        return;
    default:
        if (e < SLOPE_SMALL_E) {
            *end = rigid->end_of_compression;
            end->e += sqrt(2 * rigid->peak / rise);
            return;
        }
        energy_gradient(rigid, 1 / slope->vn, end);
    }
}

/* The gradient of a weighted sum of I and v+: with y = B^-1 w_J and a = y + w_gamma it is
 *
 *   a.(d eta + eta' dp) + w_gamma.d gamma- + w_n dv_n + w_p dp - y.(dB J + d dp + p dd) */
static void slope_find_gradient(RigidSlope *rigid, const double w[6]) {
    const Slope *slope = &rigid->slope;
    const double *d = slope->d, p = slope->p;
    const double *J = slope->J;
    double y[2], *row = rigid->rows[0];
    PathGradient sum;
    solve_B(slope->B, w[0], w[1], y);
    double a[2] = {y[0] + w[3], y[1] + w[4]}, n = w[5];
    double by_end = dot2(a, slope->rate) + n * normal_rise(slope) + w[2] - dot2(y, d);
    normal_gradient(rigid, &sum);
    for (int j = 0; j < PATH_COUNT; j++) {
        sum.by[j] = n * sum.by[j] + by_end * rigid->end.by[j];
    }
    for (int j = 0; j < SLOPE_COUNT; j++) {
        sum.by[j] += a[0] * slope->by[0][j] + a[1] * slope->by[1][j];
    }
    sum.e = by_end * rigid->end.e;
    spread_path(rigid, &sum, row);
    row[ONE_V] += w[3];
    row[ONE_V + 1] += w[4];
    row[ONE_W11] -= y[0] * J[0];
    row[ONE_W12] -= y[0] * J[1] + y[1] * J[0];
    row[ONE_W22] -= y[1] * J[1];
    row[ONE_W13] -= y[0] * p;
    row[ONE_W23] -= y[1] * p;
}

/* The gradients of the outcome, in the impact's own units. */
static void slope_find_outcome(RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    const double *B = slope->B, *d = slope->d, p = slope->p, rise = normal_rise(slope);
    const double *J = slope->J;
    Gradient *rows = rigid->rows;
    double *end = rows[2], inverse[3];
    PathGradient normal;
    normal_gradient(rigid, &normal);
    spread_path(rigid, &rigid->end, end);
    spread_slope(slope, slope->by[0], rows[3]);
    spread_slope(slope, slope->by[1], rows[4]);
    spread_path(rigid, &normal, rows[5]);
    for (int j = 0; j < RIGID_USED; j++) {
        rows[0][j] = rows[3][j] + (slope->rate[0] - d[0]) * end[j];
        rows[1][j] = rows[4][j] + (slope->rate[1] - d[1]) * end[j];
        rows[3][j] += slope->rate[0] * end[j];
        rows[4][j] += slope->rate[1] * end[j];
        rows[5][j] += rise * end[j];
    }
    rows[3][ONE_V] += 1;
    rows[4][ONE_V + 1] += 1;
    rows[0][ONE_W11] -= J[0];
    rows[0][ONE_W12] -= J[1];
    rows[1][ONE_W12] -= J[0];
    rows[1][ONE_W22] -= J[1];
    rows[0][ONE_W13] -= p;
    rows[1][ONE_W23] -= p;
    invert_B(B, inverse);
    for (int j = 0; j < RIGID_USED; j++) {
        double x[2];
        times_B(inverse, rows[0][j], rows[1][j], x);
        rows[0][j] = x[0];
        rows[1][j] = x[1];
    }
}

/* ---- kinks ---- */

/* The gradient of the time from the stop to an event. */
static void spread_later(const RigidSlope *rigid, const PathGradient *event, double *out) {
    PathGradient later = *event;
    for (int j = 0; j < SLOPE_COUNT; j++) {
        later.by[j] -= rigid->stop[j];
    }
    spread_path(rigid, &later, out);
}

/* Slip stops before the end, or would have stopped soon after. */
static void note_stop(RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    double r = norm2(slope->gamma), f = r > 0 ? dot2(slope->gamma, slope->rate) / r : 0;
    if (rigid->stopped) {
        if (!(rigid->stop_p > 0)) {
            return;
        }
        spread_later(
            rigid, &rigid->end,
            one_add_kink(rigid->out, CAROM_KINK_SLIP_STOPS, 1, 0, slope->p - rigid->stop_p));
        if (rigid->law == CAROM_LAW_POISSON) {
            spread_later(rigid, &rigid->end_of_compression,
                         one_add_kink(rigid->out, CAROM_KINK_ORDER,
                                      rigid->stop_p < rigid->compression, 0,
                                      rigid->compression - rigid->stop_p));
        }
    } else if (f < 0) {
        double *by = one_add_kink(rigid->out, CAROM_KINK_SLIP_STOPS, 0, 0, r / -f);
        double s[2] = {slope->gamma[0] / (r * -f), slope->gamma[1] / (r * -f)};
        PathGradient later;
        for (int j = 0; j < PATH_COUNT; j++) {
            later.by[j] = -rigid->end.by[j];
        }
        for (int j = 0; j < SLOPE_COUNT; j++) {
            later.by[j] += s[0] * slope->by[0][j] + s[1] * slope->by[1][j];
        }
        later.e = -rigid->end.e;
        spread_path(rigid, &later, by);
        by[ONE_V] += s[0];
        by[ONE_V + 1] += s[1];
    }
}

/* Slip that has stopped sticks where |K| <= mu_static. */
static void note_stick(RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    double limit = contact_mu_static(rigid->contact), size = norm2(slope->K);
    if (!rigid->stopped) {
        return;
    }
    double *by = one_add_kink(rigid->out, CAROM_KINK_STICK_HOLDS, rigid->sticks, limit > slope->mu,
                              limit - size);
    if (size > 0) {
        const PathGradient path = {
            .by = {[PATH_K + 1] = -slope->K[0] / size, [PATH_K + 2] = -slope->K[1] / size}};
        spread_path(rigid, &path, by);
    }
    by[limit > slope->mu ? ONE_MU_STATIC : ONE_MU] += 1;
    if (rigid->sticks && size > slope->mu && slope->missed_zero) {
        /* it passes zero below rounding: in exact arithmetic it would not stop, nor stick */
        one_add_kink(rigid->out, CAROM_KINK_SLIP_STOPS, 1, 1, 0);
    }
}

void crm_follow_event(void *context, CaromEventKind kind) {
    RigidSlope *rigid = context;
    Slope *slope = &rigid->slope;
    if (rigid->locked) {
        return;
    }
    switch (kind) {
    case CAROM_EVENT_COMPRESSION_END:
        slope_end_compression(rigid);
        break;
    case CAROM_EVENT_COMPRESSION_RESTART:
        slope->vn = 0;
        rigid->restitution = 0;
        break;
    case CAROM_EVENT_STICK:
    case CAROM_EVENT_SLIP:
        rigid->stopped = 1;
        rigid->sticks = kind == CAROM_EVENT_STICK;
        rigid->stop_p = slope->p;
        crm_slope_stop(slope, rigid->sticks);
        memcpy(rigid->stop, slope->stop, sizeof rigid->stop);
        break;
    default:
        slope_find_end(rigid);
        if (rigid->out->weights) {
            turn_weights(&rigid->units, rigid->out->weights, rigid->weights);
            slope_find_gradient(rigid, rigid->weights);
        } else {
            slope_find_outcome(rigid);
        }
        if (rigid->out->wants_kinks) {
            note_direction(rigid);
            note_stop(rigid);
            note_stick(rigid);
        }
        break;
    }
}
