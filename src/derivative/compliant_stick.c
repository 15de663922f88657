/* Stick: the variational equations of the oscillator, by Taylor series.
 *
 *   p' = N    J' = -f    N' = -k v_n    f' = kt V
 *
 * The system is linear with constant coefficients, and so is its variation; series of order 20 over
 * steps of 1.5 over the fastest frequency are exact to rounding. */
#include "derivative/compliant_stick.h"

#include <math.h>
#include <string.h>

#include "math/vec2.h"

enum { STICK_ORDER = 20, STICK_TAYLOR_STEPS = 2000 };
static const double STICK_STEP = 1.5;

/* One term of the series: the state, and the rows of p, J, N, f. */
typedef struct StickTerm {
    Moment state;
    Column p, J[2], N, f[2];
} StickTerm;

/* The next term, times h/(n + 1). */
static void next_stick_term(const CompliantSlope *slope, double k, int n, double h,
                            const StickTerm *at, StickTerm *next) {
    double by = h / (n + 1), kt = slope->kt, slack = -kt * kt;
    const double *B = slope->B, *d = slope->d;
    const Moment *now = &at->state;
    Moment *then = &next->state;
    Column V[2], vn;
    const double *const J[2] = {at->J[0], at->J[1]};
    compliant_velocity(slope, now, J, at->p, V, vn);
    if (n == 0) {
        V[0][ONE_V] += 1;
        V[1][ONE_V + 1] += 1;
        vn[ONE_V + 2] += 1;
    }
    then->p = by * now->N;
    then->N = -by * k * now->vn;
    for (int i = 0; i < 2; i++) {
        then->J[i] = -by * now->f[i];
        then->f[i] = by * kt * now->V[i];
    }
    then->V[0] = d[0] * then->p + B[0] * then->J[0] + B[1] * then->J[1];
    then->V[1] = d[1] * then->p + B[1] * then->J[0] + B[2] * then->J[1];
    then->vn = then->p + dot2(d, then->J);
    for (int j = 0; j < COLUMNS; j++) {
        next->p[j] = by * at->N[j];
        next->N[j] = -by * (k * vn[j] + slope->k[j] * now->vn);
        for (int i = 0; i < 2; i++) {
            next->J[i][j] = -by * at->f[i][j];
            next->f[i][j] = by * kt * V[i][j];
        }
    }
    next->f[0][COLUMN_RATIO] += by * slack * now->V[0];
    next->f[1][COLUMN_RATIO] += by * slack * now->V[1];
}

static void stick_step(CompliantSlope *slope, double k, const Moment *start, double h) {
    StickTerm terms[2];
    StickTerm *at = &terms[0], *next = &terms[1];
    at->state = *start;
    memcpy(at->p, slope->p, sizeof at->p);
    memcpy(at->J, slope->J, sizeof at->J);
    memcpy(at->N, slope->N, sizeof at->N);
    memcpy(at->f, slope->f, sizeof at->f);
    for (int n = 0; n < STICK_ORDER; n++) {
        next_stick_term(slope, k, n, h, at, next);
        for (int j = 0; j < COLUMNS; j++) {
            slope->p[j] += next->p[j];
            slope->N[j] += next->N[j];
            for (int i = 0; i < 2; i++) {
                slope->J[i][j] += next->J[i][j];
                slope->f[i][j] += next->f[i][j];
            }
        }
        StickTerm *other = at;
        at = next;
        next = other;
    }
}

int crm_compliant_stick(CompliantSlope *slope, const Process *process, MomentAt at,
                        const void *piece, double from, double end) {
    const double *B = slope->B, length = end - from;
    double fastest = sqrt(slope->kt * (B[0] + B[2]) + process->k);
    double wanted = ceil(fastest * length / STICK_STEP);
    if (!(wanted <= STICK_TAYLOR_STEPS)) {
        return 0;
    }
    int steps = wanted < 1 ? 1 : (int)wanted;
    for (int i = 0; i < steps; i++) {
        double x = from + length * i / steps;
        Moment start = x > 0 ? at(piece, x) : process->now;
        stick_step(slope, process->k, &start, length / steps);
    }
    return 1;
}
