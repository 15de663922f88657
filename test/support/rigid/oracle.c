/* See oracle.h. Units inside: w = 1 and |v_n-| = 1. */
#include "support/rigid/oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum { ROOTS = 4 };

/* One of the two clocks: its own integrator and vectors, made once. */
typedef struct Clock {
    void *cvode;
    N_Vector y, tolerance;
    SUNNonlinearSolver solver;
} Clock;

struct Oracle {
    SUNContext context;
    double tolerance;
    Clock by_impulse; /* (gamma_x, gamma_y, I_x, I_y, E, F) */
    Clock by_log;     /* (theta, ln r, p, I_x, I_y, E, F) */
    /* the contact */
    double B11, B12, B22, d1, d2, mu, mu_static, e;
    CaromLaw law;
    int dies_out; /* |B^-1 d| <= mu: every slip ends */
    /* where the process is */
    double gamma[2], p, I[2], vn, E, F;
    double lost, first, stop;
    double start_log_r;   /* when log-time began */
    double switch_r, cut; /* speed at which the clock changes; ln r at which log-time looks up */
    int restitution, done, restarts;
    size_t letters;
    char sequence[CAROM_SEQUENCE_SIZE];
};

/* ---- the contact ---- */

static double rate_f(const Oracle *o, double x, double y) {
    return x * (o->d1 - o->mu * (o->B11 * x + o->B12 * y)) +
           y * (o->d2 - o->mu * (o->B12 * x + o->B22 * y));
}

static double rate_g(const Oracle *o, double x, double y) {
    double turning = o->B12 * (x - y) * (x + y) + (o->B22 - o->B11) * x * y;
    return x * o->d2 - y * o->d1 - o->mu * turning;
}

static double slope_g(const Oracle *o, double x, double y) {
    return -rate_f(o, x, y) - o->mu * (o->B11 * y * y - 2 * o->B12 * x * y + o->B22 * x * x);
}

static double normal_velocity(const Oracle *o, double p, double ix, double iy) {
    return -1 + p + o->d1 * ix + o->d2 * iy;
}

static double law_end(const Oracle *o, double p, double vn, double E) {
    if (!o->restitution) {
        return 1;
    }
    return o->law == CAROM_LAW_ENERGETIC ? E
           : o->law == CAROM_LAW_POISSON ? o->stop - p
                                         : o->stop - vn;
}

/* ---- right-hand sides and roots, for CVODE ---- */

static int impulse_rhs(realtype p, N_Vector state, N_Vector rate, void *data) {
    const Oracle *o = data;
    const double *y = N_VGetArrayPointer(state);
    double *out = N_VGetArrayPointer(rate);
    double r = hypot(y[0], y[1]), sx = y[0] / r, sy = y[1] / r;
    out[0] = o->d1 - o->mu * (o->B11 * sx + o->B12 * sy);
    out[1] = o->d2 - o->mu * (o->B12 * sx + o->B22 * sy);
    out[2] = -o->mu * sx;
    out[3] = -o->mu * sy;
    out[4] = -normal_velocity(o, p, y[2], y[3]);
    out[5] = o->mu * r;
    return 0;
}

static int impulse_roots(realtype p, N_Vector state, realtype *out, void *data) {
    const Oracle *o = data;
    const double *y = N_VGetArrayPointer(state);
    double r = hypot(y[0], y[1]);
    out[0] = normal_velocity(o, p, y[2], y[3]);
    out[1] = 1 - o->mu * (o->d1 * y[0] + o->d2 * y[1]) / r;
    out[2] = law_end(o, p, out[0], y[4]);
    out[3] = r - o->switch_r;
    return 0;
}

static int log_rhs(realtype sigma, N_Vector state, N_Vector rate, void *data) {
    const Oracle *o = data;
    const double *y = N_VGetArrayPointer(state);
    double *out = N_VGetArrayPointer(rate);
    double sx = cos(y[0]), sy = sin(y[0]), r = exp(y[1]);
    (void)sigma;
    out[0] = rate_g(o, sx, sy);
    out[1] = rate_f(o, sx, sy);
    out[2] = r;
    out[3] = -o->mu * sx * r;
    out[4] = -o->mu * sy * r;
    out[5] = -normal_velocity(o, y[2], y[3], y[4]) * r;
    out[6] = o->mu * r * r;
    return 0;
}

static int log_roots(realtype sigma, N_Vector state, realtype *out, void *data) {
    const Oracle *o = data;
    const double *y = N_VGetArrayPointer(state);
    (void)sigma;
    out[0] = normal_velocity(o, y[2], y[3], y[4]);
    out[1] = 1 - o->mu * (o->d1 * cos(y[0]) + o->d2 * sin(y[0]));
    out[2] = law_end(o, y[2], out[0], y[5]);
    out[3] = y[1] - o->cut;
    return 0;
}

/* ---- making and unmaking ---- */

static int clock_create(Oracle *o, Clock *clock, int size, CVRhsFn rhs, CVRootFn roots) {
    clock->y = N_VNew_Serial(size, o->context);
    clock->tolerance = N_VNew_Serial(size, o->context);
    clock->cvode = CVodeCreate(CV_ADAMS, o->context);
    if (clock->y == NULL || clock->tolerance == NULL || clock->cvode == NULL) {
        return -1;
    }
    N_VConst(1, clock->y);
    N_VConst(o->tolerance, clock->tolerance);
    clock->solver = SUNNonlinSol_FixedPoint(clock->y, 0, o->context);
    if (clock->solver == NULL || CVodeInit(clock->cvode, rhs, 0, clock->y) != CV_SUCCESS) {
        return -1;
    }
    CVodeSVtolerances(clock->cvode, o->tolerance, clock->tolerance);
    CVodeSetNonlinearSolver(clock->cvode, clock->solver);
    CVodeSetUserData(clock->cvode, o);
    CVodeRootInit(clock->cvode, ROOTS, roots);
    CVodeSetNoInactiveRootWarn(clock->cvode);
    CVodeSetMaxNumSteps(clock->cvode, 400000);
    CVodeSetErrFile(clock->cvode, NULL);
    return 0;
}

static void clock_destroy(Clock *clock) {
    CVodeFree(&clock->cvode);
    SUNNonlinSolFree(clock->solver);
    N_VDestroy(clock->y);
    N_VDestroy(clock->tolerance);
}

Oracle *oracle_create(double tolerance) {
    Oracle *o = calloc(1, sizeof *o);
    if (o == NULL || SUNContext_Create(NULL, &o->context) != 0) {
        free(o);
        return NULL;
    }
    o->tolerance = tolerance;
    if (clock_create(o, &o->by_impulse, 6, impulse_rhs, impulse_roots) != 0 ||
        clock_create(o, &o->by_log, 7, log_rhs, log_roots) != 0) {
        oracle_destroy(o);
        return NULL;
    }
    return o;
}

void oracle_destroy(Oracle *oracle) {
    if (oracle != NULL) {
        clock_destroy(&oracle->by_impulse);
        clock_destroy(&oracle->by_log);
        SUNContext_Free(&oracle->context);
        free(oracle);
    }
}

/* ---- events ---- */

static void letter(Oracle *o, char which) {
    if (o->letters + 1 < sizeof o->sequence) {
        o->sequence[o->letters++] = which;
    }
}

static void finish(Oracle *o) {
    letter(o, 'r');
    o->done = 1;
}

static void end_compression(Oracle *o) {
    letter(o, 'c');
    o->first = o->first < 0 ? o->p : o->first;
    o->restitution = 1;
    if (o->law == CAROM_LAW_ENERGETIC) {
        o->lost += (1 - o->e) * (1 + o->e) * o->E;
        o->E *= o->e * o->e;
    }
    o->stop = o->law == CAROM_LAW_POISSON ? o->p * (1 + o->e) : o->e;
    if (o->e == 0) {
        finish(o);
    }
}

static void restart_compression(Oracle *o) {
    o->restitution = 0;
    o->restarts++;
}

/* ---- linear in p: I' = (kx, ky, 1) for at most limit of normal impulse ---- */

static void straight(Oracle *o, double kx, double ky, double slip_rate, double mu, double limit) {
    double a = 1 + o->d1 * kx + o->d2 * ky, r = hypot(o->gamma[0], o->gamma[1]);
    while (!o->done && limit > 0) {
        double turn = -o->vn / a, end = INFINITY, root = o->vn * o->vn + 2 * a * o->E;
        turn = turn >= 0 && (o->restitution ? a < 0 : a > 0) ? turn : INFINITY;
        if (o->restitution && o->law == CAROM_LAW_ENERGETIC && root >= 0) {
            end = 2 * o->E / (o->vn + sqrt(root));
        } else if (o->restitution && o->law == CAROM_LAW_POISSON) {
            end = o->stop - o->p;
        } else if (o->restitution && o->law == CAROM_LAW_NEWTON && a > 0) {
            end = (o->stop - o->vn) / a;
        }
        double dp = fmin(limit, fmin(turn, end));
        o->E -= dp * (o->vn + a * dp / 2);
        o->F += mu * dp * (r + slip_rate * dp / 2);
        o->vn += a * dp;
        o->p += dp;
        o->I[0] += kx * dp;
        o->I[1] += ky * dp;
        r += slip_rate * dp;
        limit -= dp;
        if (dp == end) {
            finish(o);
        } else if (dp == turn) {
            o->vn = 0;
            (o->restitution ? restart_compression : end_compression)(o);
        }
    }
}

/* Angle of the direction along which slip resumes: the zero of g with the largest f. */
static double slide_off(const Oracle *o) {
    enum { SCAN = 20000 };
    const double step = 2 * acos(-1) / SCAN;
    double best = NAN, best_rate = -INFINITY;
    for (int i = 0; i < SCAN; i++) {
        /* half a step off, so that a zero on an axis is inside an interval */
        double low = (i + 0.5) * step, high = (i + 1.5) * step;
        double at_low = rate_g(o, cos(low), sin(low));
        if ((at_low > 0) == (rate_g(o, cos(high), sin(high)) > 0)) {
            continue;
        }
        for (int k = 0; k < 60; k++) {
            double middle = (low + high) / 2;
            if ((rate_g(o, cos(middle), sin(middle)) > 0) == (at_low > 0)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double rate = rate_f(o, cos(low), sin(low));
        if (rate > best_rate) {
            best_rate = rate;
            best = low;
        }
    }
    return best;
}

static void from_rest(Oracle *o) {
    double determinant = o->B11 * o->B22 - o->B12 * o->B12;
    double kx = (o->B12 * o->d2 - o->B22 * o->d1) / determinant;
    double ky = (o->B12 * o->d1 - o->B11 * o->d2) / determinant;
    letter(o, 's');
    o->gamma[0] = o->gamma[1] = 0;
    if (hypot(kx, ky) <= o->mu_static) {
        straight(o, kx, ky, 0, 0, INFINITY);
        return;
    }
    double angle = slide_off(o), sx = cos(angle), sy = sin(angle);
    straight(o, -o->mu * sx, -o->mu * sy, rate_f(o, sx, sy), o->mu, INFINITY);
}

/* Slip along a direction that no longer turns. */
static void straight_slip(Oracle *o, double sx, double sy, double r) {
    double f = rate_f(o, sx, sy);
    o->gamma[0] = r * sx;
    o->gamma[1] = r * sy;
    straight(o, -o->mu * sx, -o->mu * sy, f, o->mu, f < 0 ? -r / f : INFINITY);
    if (!o->done) {
        from_rest(o);
    }
}

/* ---- driving CVODE ---- */

/* Handles a root. 1: the integration may go on as it is; 0: restart it. */
static int handle_roots(Oracle *o, Clock *clock) {
    int fired[ROOTS];
    CVodeGetRootInfo(clock->cvode, fired);
    if (fired[0] != 0 && (fired[0] > 0) == !o->restitution) {
        (o->restitution ? restart_compression : end_compression)(o);
        return 0;
    }
    if (fired[2] != 0 && o->restitution) {
        finish(o);
        return 0;
    }
    return fired[3] == 0;
}

/* E is small after an end of compression and decides when the impact ends: relative to itself. */
static void start_clock(Oracle *o, Clock *clock, double t, int energy_index) {
    double *tolerance = N_VGetArrayPointer(clock->tolerance);
    N_VConst(0.1 * o->tolerance, clock->tolerance);
    if (o->restitution && o->E > 0) {
        tolerance[energy_index] *= fmin(1, o->E);
    }
    CVodeSVtolerances(clock->cvode, o->tolerance, clock->tolerance);
    CVodeReInit(clock->cvode, t, clock->y);
}

static int by_impulse(Oracle *o) {
    double *y = N_VGetArrayPointer(o->by_impulse.y);
    int same = 0;
    while (!o->done && hypot(o->gamma[0], o->gamma[1]) > o->switch_r * (1 + 1e-9)) {
        if (!same) {
            const double start[6] = {o->gamma[0], o->gamma[1], o->I[0], o->I[1], o->E, o->F};
            memcpy(y, start, sizeof start);
            start_clock(o, &o->by_impulse, o->p, 4);
        }
        int flag = CVode(o->by_impulse.cvode, o->p + 1, o->by_impulse.y, &o->p, CV_ONE_STEP);
        if (flag < 0) {
            return -1;
        }
        o->gamma[0] = y[0];
        o->gamma[1] = y[1];
        o->I[0] = y[2];
        o->I[1] = y[3];
        o->E = y[4];
        o->F = y[5];
        o->vn = normal_velocity(o, o->p, y[2], y[3]);
        same = flag == CV_ROOT_RETURN ? handle_roots(o, &o->by_impulse) : 1;
    }
    return 0;
}

/* In log-time: 1 once the rest is linear. */
static int settled(const Oracle *o, double theta, double log_r) {
    double x = cos(theta), y = sin(theta), f = rate_f(o, x, y), slope = slope_g(o, x, y);
    double left = slope < 0 ? rate_g(o, x, y) / slope : INFINITY;
    if (fabs(left) < o->tolerance) {
        return 1;
    }
    /* e^-700: too little to matter again, whatever the direction still does */
    return f < 0 && log_r < log(-f * 1e-16) &&
           (o->dies_out || fabs(left) < 1e-6 || log_r < o->start_log_r - 700);
}

static int by_log(Oracle *o) {
    double *y = N_VGetArrayPointer(o->by_log.y), sigma = 0;
    const double start[7] = {atan2(o->gamma[1], o->gamma[0]),
                             log(hypot(o->gamma[0], o->gamma[1])),
                             o->p,
                             o->I[0],
                             o->I[1],
                             o->E,
                             o->F};
    const double span = 0.05 / o->switch_r;
    int same = 0;
    memcpy(y, start, sizeof start);
    o->start_log_r = start[1];
    while (!o->done) {
        if (settled(o, y[0], y[1])) {
            straight_slip(o, cos(y[0]), sin(y[0]), exp(y[1]));
            return 0;
        }
        if (!same) {
            o->cut = -INFINITY;
            start_clock(o, &o->by_log, sigma, 5);
        }
        /* one step at a time, to notice a settled direction before the problem turns stiff */
        int flag = CVode(o->by_log.cvode, sigma + span, o->by_log.y, &sigma, CV_ONE_STEP);
        if (flag < 0) {
            return -1;
        }
        o->p = y[2];
        o->I[0] = y[3];
        o->I[1] = y[4];
        o->E = y[5];
        o->F = y[6];
        o->vn = normal_velocity(o, o->p, y[3], y[4]);
        same = flag == CV_ROOT_RETURN ? handle_roots(o, &o->by_log) : 1;
        y[5] = o->E;
    }
    return 0;
}

static void load(Oracle *o, const Impact *impact) {
    const double *W = impact->W, w = W[8], speed = -impact->v[2];
    o->B11 = W[0] / w;
    o->B12 = W[1] / w;
    o->B22 = W[4] / w;
    o->d1 = W[2] / w;
    o->d2 = W[5] / w;
    o->mu = impact->contact.mu;
    o->mu_static = impact_mu_static(impact);
    o->e = impact->contact.e;
    o->law = impact->law;
    double determinant = o->B11 * o->B22 - o->B12 * o->B12;
    o->dies_out = hypot(o->B22 * o->d1 - o->B12 * o->d2, o->B11 * o->d2 - o->B12 * o->d1) <=
                  o->mu * determinant;
    o->gamma[0] = impact->v[0] / speed;
    o->gamma[1] = impact->v[1] / speed;
    o->p = o->I[0] = o->I[1] = o->E = o->F = o->lost = o->stop = 0;
    o->vn = o->first = -1;
    /* below this speed the impact may turn or stop the slip within its own duration */
    o->switch_r = 0.05 * (hypot(o->d1, o->d2) + o->mu * (o->B11 + o->B22));
    o->restitution = o->done = o->restarts = 0;
    o->letters = 0;
    memset(o->sequence, 0, sizeof o->sequence);
}

static int run(Oracle *o) {
    double r = hypot(o->gamma[0], o->gamma[1]);
    if (r == 0) {
        from_rest(o);
        return 0;
    }
    if (rate_g(o, o->gamma[0] / r, o->gamma[1] / r) == 0) {
        letter(o, 'l');
        straight_slip(o, o->gamma[0] / r, o->gamma[1] / r, r);
        return 0;
    }
    if (by_impulse(o) != 0) {
        return -1;
    }
    return o->done ? 0 : by_log(o);
}

Answer oracle_solve(Oracle *oracle, const Impact *impact) {
    Answer answer = {0};
    load(oracle, impact);
    answer.ok = run(oracle) == 0;
    double speed = -impact->v[2], unit = speed / impact->W[8];
    const double I[3] = {oracle->I[0] * unit, oracle->I[1] * unit, oracle->p * unit};
    for (int i = 0; i < 3; i++) {
        const double *row = impact->W + 3 * i;
        answer.impulse[i] = I[i];
        answer.velocity[i] = impact->v[i] + (row[0] * I[0] + row[1] * I[1] + row[2] * I[2]);
    }
    answer.first_compression = oracle->first * unit;
    answer.friction_loss = oracle->F * unit * speed;
    /* the other laws stop with energy in the store (or with less than none) */
    answer.normal_loss =
        (oracle->law == CAROM_LAW_ENERGETIC ? oracle->lost : oracle->E) * unit * speed;
    answer.restarts = oracle->restarts;
    memcpy(answer.sequence, oracle->sequence, sizeof answer.sequence);
    return answer;
}
