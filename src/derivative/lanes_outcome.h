/* The derivatives of the outcome of MANY rigid impacts from those of their paths: rows, the checks,
 * the nearest kink, and the caller's units. The equations are those of rigid_follow.c,
 * rigid_slope.c and frame_turn.h. */
#ifndef CAROM_DERIVATIVE_LANES_OUTCOME_H
#define CAROM_DERIVATIVE_LANES_OUTCOME_H

#include <carom/derivative.h>

#include "contact/check.h"
#include "derivative/lanes_path.h"
#include "derivative/one.h"

#ifdef CAROM_LANES

/* By inputs up to e; those by stiffness are 0. */
enum { LANE_ROW = 12 };

/* Largest error of the identities, as RIGID_PLAIN in rigid_slope.c: beyond, log-time is tried. */
static const double LANES_MISMATCH = 2e-12;

/* An impact at its end, in its own units. */
typedef struct ManyOutcome {
    ManySetting setting;
    ManyProblem problem;
    ManyState state;
    ManyPath path;
    Many constants[3][5];        /* of k and K by w11, w12, w13, w22, w23 */
    Many end[LANE_COUNT], end_e; /* of the p of the end */
    Many rise;                   /* v_n' */
    Many rows[6][LANE_ROW];
    ManyMask good;
    /* units of the caller */
    Many axis[2], velocity, impulse;
} ManyOutcome;

INLINE void outcome_constants(ManyOutcome *out) {
    const Many *B = out->problem.B, *K = out->setting.K, none = B[0] - B[0];
    Many over = 1 / (B[0] * B[2] - B[1] * B[1]);
    const Many change[5][2] = {
        {-K[0], none}, {-K[1], -K[0]}, {none + 1, none}, {none, -K[1]}, {none, none + 1}};
    for (int j = 0; j < 5; j++) {
        const Many *y = change[j];
        out->constants[0][j] = -(y[0] * K[0] + y[1] * K[1]);
        out->constants[1][j] = (B[2] * y[0] - B[1] * y[1]) * over;
        out->constants[2][j] = (B[0] * y[1] - B[1] * y[0]) * over;
    }
    out->constants[0][2] -= K[0];
    out->constants[0][4] -= K[1];
}

/* From the path to the inputs. */
static inline void outcome_spread(const ManyOutcome *out, const Many by[LANE_COUNT], Many e,
                                  Many row[LANE_ROW]) {
    static const int inputs[5] = {ONE_W11, ONE_W12, ONE_W13, ONE_W22, ONE_W23};
    const Many *b = by + 4, *B = out->problem.B, mu = out->problem.mu;
    row[ONE_W11] = mu * b[0];
    row[ONE_W12] = mu * b[1];
    row[ONE_W13] = by[LANE_D];
    row[ONE_W22] = mu * b[2];
    row[ONE_W23] = by[LANE_D + 1];
    for (int j = 0; j < 5; j++) {
        row[inputs[j]] +=
            by[LANE_K] * out->constants[0][j] +
            (by[LANE_K + 1] * out->constants[1][j] + by[LANE_K + 2] * out->constants[2][j]);
    }
    row[ONE_W33] = by[LANE_K];
    row[ONE_V] = by[0];
    row[ONE_V + 1] = by[1];
    row[ONE_V + 2] = by[LANE_VN];
    row[ONE_MU] = B[0] * b[0] + (B[1] * b[1] + B[2] * b[2]);
    row[ONE_MU_STATIC] = mu - mu;
    row[ONE_E] = e;
}

/* The gradient of v_n at fixed p. */
INLINE void outcome_normal(const ManyOutcome *out, Many normal[LANE_COUNT]) {
    const Many *K = out->setting.K, *B = out->problem.B, *d = out->problem.d;
    const ManyState *state = &out->state;
    for (int j = 0; j < LANE_INPUTS; j++) {
        normal[j] = K[0] * out->path.by[0][j] + K[1] * out->path.by[1][j];
    }
    normal[LANE_K] = state->p;
    for (int i = 0; i < 2; i++) {
        normal[LANE_K + 1 + i] = state->p * d[i] + (B[i] * state->J[0] + B[i + 1] * state->J[1]);
    }
    normal[LANE_VN] = many_all(1);
}

/* All rows. */
static inline void outcome_rows(ManyOutcome *out) {
    const ManyState *state = &out->state;
    const Many *B = out->problem.B, *d = out->problem.d, *J = state->J, *rate = out->path.rate;
    const Many none = J[0] - J[0];
    Many(*rows)[LANE_ROW] = out->rows, *end = rows[2], over = 1 / (B[0] * B[2] - B[1] * B[1]);
    Many normal[LANE_COUNT], eta[2][LANE_COUNT];
    outcome_normal(out, normal);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < LANE_COUNT; j++) {
            eta[i][j] = j < LANE_INPUTS ? out->path.by[i][j] : none;
        }
        outcome_spread(out, eta[i], none, rows[3 + i]);
    }
    outcome_spread(out, out->end, out->end_e, end);
    outcome_spread(out, normal, none, rows[5]);
    for (int j = 0; j < LANE_ROW; j++) {
        Many x = rows[3][j] + (rate[0] - d[0]) * end[j], y = rows[4][j] + (rate[1] - d[1]) * end[j];
        x -= j == ONE_W11 ? J[0] : j == ONE_W12 ? J[1] : j == ONE_W13 ? state->p : none;
        y -= j == ONE_W12 ? J[0] : j == ONE_W22 ? J[1] : j == ONE_W23 ? state->p : none;
        rows[0][j] = (B[2] * x - B[1] * y) * over;
        rows[1][j] = (B[0] * y - B[1] * x) * over;
        rows[3][j] += rate[0] * end[j];
        rows[4][j] += rate[1] * end[j];
        rows[5][j] += out->rise * end[j];
    }
    rows[3][ONE_V] += 1;
    rows[4][ONE_V + 1] += 1;
}

/* How far dI/dv.v = I and dI/dW.W = -I are off, as find_mismatch() in rigid_slope.c. */
static inline ManyMask outcome_agrees(const ManyOutcome *out) {
    const Many *B = out->problem.B, *d = out->problem.d;
    const ManyState *state = &out->state;
    const Many I[3] = {state->J[0], state->J[1], state->p};
    Many size = many_abs(I[0]) + many_abs(I[1]) + I[2];
    ManyMask good = out->path.missed <= LANES_MISMATCH * state->p;
    for (int i = 0; i < 3; i++) {
        const Many *row = out->rows[i];
        const Many terms[8] = {row[ONE_V] * out->problem.speed,
                               -row[ONE_V + 2],
                               row[ONE_W11] * B[0],
                               row[ONE_W12] * B[1],
                               row[ONE_W22] * B[2],
                               row[ONE_W13] * d[0],
                               row[ONE_W23] * d[1],
                               row[ONE_W33]};
        Many v = terms[0] + terms[1], W = I[i], all = size;
        Many own = size + many_abs(terms[0]) + many_abs(terms[1]);
        for (int k = 0; k < 8; k++) {
            W += k < 2 ? I[i] - I[i] : terms[k];
            all += many_abs(terms[k]);
        }
        Many off = many_abs(v - I[i]);
        good &= (off + many_abs(W) <= LANES_MISMATCH * all) & (0.1 * off <= LANES_MISMATCH * own);
    }
    return good;
}

/* The gradient of a number that is the same in both units, by the caller's inputs. */
INLINE void outcome_turn(const ManyOutcome *out, Many row[LANE_ROW]) {
    Many c = out->axis[0], s = out->axis[1], by_v = 1 / out->velocity, by_W = out->impulse * by_v;
    Many a = row[ONE_W11], h = 0.5 * row[ONE_W12], b = row[ONE_W22], x = row[ONE_W13],
         y = row[ONE_W23], vx = row[ONE_V], vy = row[ONE_V + 1], cc = c * c, ss = s * s, cs = c * s;
    row[ONE_W11] = by_W * (cc * a - 2 * cs * h + ss * b);
    row[ONE_W12] = 2 * by_W * (cs * (a - b) + (cc - ss) * h);
    row[ONE_W22] = by_W * (ss * a + 2 * cs * h + cc * b);
    row[ONE_W13] = by_W * (c * x - s * y);
    row[ONE_W23] = by_W * (s * x + c * y);
    row[ONE_W33] *= by_W;
    row[ONE_V] = by_v * (c * vx - s * vy);
    row[ONE_V + 1] = by_v * (s * vx + c * vy);
    row[ONE_V + 2] *= by_v;
}

static inline void outcome_turn_rows(ManyOutcome *out) {
    for (int k = 0; k < 6; k += 3) {
        Many(*rows)[LANE_ROW] = out->rows + k, unit = k ? out->velocity : out->impulse;
        Many c = unit * out->axis[0], s = unit * out->axis[1];
        for (int j = 0; j < LANE_ROW; j++) {
            Many x = rows[0][j], y = rows[1][j];
            rows[0][j] = c * x - s * y;
            rows[1][j] = s * x + c * y;
            rows[2][j] *= unit;
        }
        for (int i = 0; i < 3; i++) {
            outcome_turn(out, rows[i]);
        }
    }
}

/* ---- kinks ---- */

/* The nearest so far: kind as a number, -1 if there is none. */
typedef struct ManyKink {
    Many kind, happens, jumps, distance;
} ManyKink;

/* A kink where it exists, in the impact's own units; inputs: those of the caller. Returns its
 * distance. */
static inline Many kink_note(const ManyOutcome *out, const Many inputs[LANE_ROW], ManyMask exists,
                             int kind, ManyMask happens, ManyMask jumps, Many phi,
                             Many row[LANE_ROW], ManyKink *nearest) {
    Many reach = many_all(0), far = many_all(INFINITY), one = many_all(1);
    outcome_turn(out, row);
    for (int j = 0; j < LANE_ROW; j++) {
        reach = many_most(reach, many_abs(row[j] * inputs[j]));
    }
    phi = many_abs(phi);
    Many distance = many_choose(phi == 0, many_all(0), many_choose(reach > 0, phi / reach, far));
    distance = many_choose(exists, distance, far);
    exists &= (nearest->kind < 0) | (distance < nearest->distance);
    nearest->kind = many_choose(exists, many_all(kind), nearest->kind);
    nearest->happens = many_choose(exists, many_where(happens, one), nearest->happens);
    nearest->jumps = many_choose(exists, many_where(jumps, one), nearest->jumps);
    nearest->distance = many_choose(exists, distance, nearest->distance);
    return distance;
}

/* Where slip turns by more than this where it stops, the distance of that kink is not right. */
static const double LANES_KINK_TURN = 1e-4;

/* As note_direction(), note_stop() and note_stick() in rigid_follow.c; slip that stops does so
 * along an invariant direction, or sticks in any case, so that it does not pass zero. Returns where
 * the nearest is known. */
static inline ManyMask outcome_kinks(const ManyOutcome *out, const Many inputs[LANE_ROW],
                                     ManyKink *nearest) {
    const ManyProblem *problem = &out->problem;
    const ManyPath *path = &out->path;
    const Many *b = problem->b, *d = problem->d, *K = out->setting.K, *gamma = out->state.gamma;
    Many none = b[0] - b[0], r = problem->speed, p = out->state.p, row[LANE_ROW];
    ManyMask never = none != 0, stopped = path->stop_p > 0;
    *nearest = (ManyKink){none - 1, none, none, many_all(INFINITY)};
    Many f = d[0] - b[0], g = d[1] - b[1], away = -f - b[2];
    for (int j = 0; j < LANE_ROW; j++) {
        row[j] = none;
    }
    row[ONE_W23] = none + 1;
    row[ONE_W12] = -problem->mu;
    row[ONE_MU] = -problem->B[1];
    row[ONE_V + 1] = away / r;
    kink_note(out, inputs, (away > 0) & (r < -f * p), CAROM_KINK_DIRECTION, g > 0, never, g, row,
              nearest);
    /* slip stops before the end, or would have stopped soon after */
    Many size = many_sqrt(gamma[0] * gamma[0] + gamma[1] * gamma[1]);
    Many fall = -(gamma[0] * path->rate[0] + gamma[1] * path->rate[1]) / size;
    Many s[2] = {gamma[0] / (size * fall), gamma[1] / (size * fall)}, later[LANE_COUNT];
    for (int j = 0; j < LANE_COUNT; j++) {
        Many to_come = -out->end[j], since = out->end[j];
        if (j < LANE_INPUTS) {
            since -= path->stop[j];
            to_come += s[0] * path->by[0][j] + s[1] * path->by[1][j];
            to_come += j < 2 ? s[j] : none;
        }
        later[j] = many_choose(stopped, since, to_come);
    }
    outcome_spread(out, later, many_choose(stopped, out->end_e, -out->end_e), row);
    Many distance =
        kink_note(out, inputs, stopped | (fall > 0), CAROM_KINK_SLIP_STOPS, stopped, never,
                  many_choose(stopped, p - path->stop_p, size / fall), row, nearest);
    /* slip that has stopped sticks where |K| <= mu_static */
    Many reach = many_sqrt(K[0] * K[0] + K[1] * K[1]), part = many_where(reach > 0, 1 / reach);
    ManyMask jumps = problem->mu_static > problem->mu;
    for (int j = 0; j < LANE_COUNT; j++) {
        later[j] = none;
    }
    later[LANE_K + 1] = -K[0] * part;
    later[LANE_K + 2] = -K[1] * part;
    outcome_spread(out, later, none, row);
    row[ONE_MU] += many_where(~jumps, many_all(1));
    row[ONE_MU_STATIC] += many_where(jumps, many_all(1));
    kink_note(out, inputs, stopped, CAROM_KINK_STICK_HOLDS, path->sticks > 0, jumps,
              problem->mu_static - reach, row, nearest);
    return (path->turn <= LANES_KINK_TURN) | (distance > 2 * nearest->distance);
}

/* Write one element. */
static inline void outcome_write(const ManyOutcome *out, const ManyKink *nearest, int lane,
                                 CaromCaseDerivative *to) {
    for (int i = 0; i < 6; i++) {
        double *row = (i < 3 ? to->impulse : to->velocity) + (i % 3) * CAROM_INPUTS_ONE;
        for (int j = 0; j < LANE_ROW; j++) {
            row[j] = out->rows[i][j][lane];
        }
        row[ONE_STIFFNESS] = row[ONE_RATIO] = 0;
    }
    double distance = nearest->distance[lane];
    int exists = nearest->kind[lane] >= 0;
    to->kink = (CaromKink){.distance = distance};
    if (exists) {
        to->kink.kind = (CaromKinkKind)nearest->kind[lane];
        to->kink.happens = nearest->happens[lane] > 0;
        to->kink.jumps = nearest->jumps[lane] > 0;
    }
    to->smoothness = exists && distance == 0 ? CAROM_ONE_SIDED : CAROM_SMOOTH;
}

#endif

#endif
