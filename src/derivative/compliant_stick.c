/* Stick: the variational equations of the oscillator, by Taylor series.
 *
 *   p' = N    J' = -f    N' = -k v_n    v_n' = N - d.f    f' = kt V
 *
 * and, where the contact is held, p' = d.f/w and v = -d.V/w with k = kt in the place of v_n. The
 * system is linear with constant coefficients, and so is its variation; series of order 20 over
 * steps of 1.5 over the fastest frequency are exact to rounding. */
#include "derivative/compliant_stick.h"

#include <math.h>
#include <string.h>

#include "math/vec2.h"

enum { STICK_ORDER = 20, STICK_TAYLOR_STEPS = 2000 };
static const double STICK_STEP = 1.5;

/* One term of the series: the state, and the rows of p, J, N, v_n, f. */
typedef struct StickTerm {
    Moment state;
    Column p, J[2], N, vn, f[2];
} StickTerm;

/* The next term of the state, times h/(n + 1). */
static void next_stick_state(const CompliantSlope *slope, double k, double by, const Moment *now,
                             Moment *then) {
    const double *B = slope->B, *d = slope->d;
    then->p = by * (slope->held ? dot2(d, now->f) : now->N);
    then->N = -by * k * now->vn;
    for (int i = 0; i < 2; i++) {
        then->J[i] = -by * now->f[i];
        then->f[i] = by * slope->kt * now->V[i];
    }
    then->V[0] = d[0] * then->p + B[0] * then->J[0] + B[1] * then->J[1];
    then->V[1] = d[1] * then->p + B[1] * then->J[0] + B[2] * then->J[1];
    then->vn = slope->held ? -dot2(d, then->V) : by * (now->N - dot2(d, now->f));
}

/* The next term, times h/(n + 1). */
static void next_stick_term(const CompliantSlope *slope, double k, int n, double h,
                            const StickTerm *at, StickTerm *next) {
    double by = h / (n + 1), kt = slope->kt, slack = -kt * kt;
    const Moment *now = &at->state;
    Column V[2], pull;
    const double *const J[2] = {at->J[0], at->J[1]};
    const double *const next_J[2] = {next->J[0], next->J[1]}, *vn = slope->held ? pull : at->vn;
    compliant_velocity(slope, now, J, at->p, V);
    if (n == 0) {
        V[0][ONE_V] += 1;
        V[1][ONE_V + 1] += 1;
    }
    if (slope->held) {
        compliant_pull(slope, now, V, pull);
    }
    next_stick_state(slope, k, by, now, &next->state);
    for (int j = 0; j < COLUMNS; j++) {
        next->N[j] = -by * (k * vn[j] + slope->k[j] * now->vn);
        for (int i = 0; i < 2; i++) {
            next->J[i][j] = -by * at->f[i][j];
            next->f[i][j] = by * kt * V[i][j];
        }
    }
    next->f[0][COLUMN_RATIO] += by * slack * now->V[0];
    next->f[1][COLUMN_RATIO] += by * slack * now->V[1];
    if (slope->held) {
        compliant_hold(slope, &next->state, next_J, next->p);
        return;
    }
    for (int j = 0; j < COLUMNS; j++) {
        next->p[j] = by * at->N[j];
    }
    compliant_normal(slope, &next->state, next_J, next->p, next->vn);
}

static void add_column(Column to, const Column more) {
    for (int j = 0; j < COLUMNS; j++) {
        to[j] += more[j];
    }
}

static void stick_step(CompliantSlope *slope, double k, const Moment *start, double h) {
    StickTerm terms[2] = {{.state = *start}};
    StickTerm *at = &terms[0], *next = &terms[1];
    at->state.vn = slope->held ? -dot2(slope->d, start->V) : start->vn;
    memcpy(at->p, slope->p, sizeof at->p);
    memcpy(at->J, slope->J, sizeof at->J);
    memcpy(at->N, slope->N, sizeof at->N);
    memcpy(at->vn, slope->vn, sizeof at->vn);
    memcpy(at->f, slope->f, sizeof at->f);
    for (int n = 0; n < STICK_ORDER; n++) {
        next_stick_term(slope, k, n, h, at, next);
        add_column(slope->p, next->p);
        add_column(slope->N, next->N);
        add_column(slope->vn, next->vn);
        for (int i = 0; i < 2; i++) {
            add_column(slope->J[i], next->J[i]);
            add_column(slope->f[i], next->f[i]);
        }
        StickTerm *other = at;
        at = next;
        next = other;
    }
}

int crm_compliant_stick(CompliantSlope *slope, const Process *process, MomentAt at,
                        const void *piece, double from, double end) {
    const double *B = process->slide.B, length = end - from, k = process->slide.k;
    double fastest = sqrt(slope->kt * (B[0] + B[2]) + (slope->held ? 0 : k));
    double wanted = ceil(fastest * length / STICK_STEP);
    if (!(wanted <= STICK_TAYLOR_STEPS)) {
        return 0;
    }
    int steps = wanted < 1 ? 1 : (int)wanted;
    for (int i = 0; i < steps; i++) {
        double x = from + length * i / steps;
        Moment start = x > 0 ? at(piece, x) : process->now;
        stick_step(slope, k, &start, length / steps);
    }
    return 1;
}
