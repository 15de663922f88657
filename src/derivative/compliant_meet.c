/* Events of one compliant contact (compliant_meet.h): at h = 0 the rows move by F dx, dx = -dh/h'.
 *
 * Bounces that accumulate end in a contact that is held (docs/compliance.md, section 5). N swings
 * about d.f/w with a constant amplitude, so that its lowest value is n = 2 d.f/w - N where
 * compression ends; if the bounces slip, n = |f|/mu. Both are limits of the rows as well: those at
 * the ends of compression converge like k^-1/2. */
#include "derivative/compliant_meet.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/vec2.h"

/* A held contact that begins on its cone, or is released by its grip, to rounding. */
static const double MEET_ROUNDING = 16 * DBL_EPSILON, GRIP_ROUNDING = 1e-9;

void crm_compliant_rows(const CompliantSlope *slope, Column V[2], Column vn) {
    const double *const J[2] = {slope->J[0], slope->J[1]};
    compliant_velocity(slope, &slope->now, J, slope->p, V);
    V[0][ONE_V] += 1;
    V[1][ONE_V + 1] += 1;
    if (slope->held) {
        compliant_pull(slope, &slope->now, V, vn);
    } else {
        memcpy(vn, slope->vn, sizeof slope->vn);
    }
}

/* Move the rows by dx, the change of the moment, at the rates of stick (in t). */
static void shift_stick(CompliantSlope *slope, const Process *process, const double *dx) {
    const Moment *now = &slope->now;
    double pull = dot2(slope->d, now->f), push = slope->held ? pull : now->N;
    for (int c = 0; c < COLUMNS; c++) {
        slope->p[c] += push * dx[c];
        slope->N[c] -= process->slide.k * now->vn * dx[c];
        slope->vn[c] += (now->N - pull) * dx[c];
        for (int i = 0; i < 2; i++) {
            slope->J[i][c] -= now->f[i] * dx[c];
            slope->f[i][c] += slope->kt * now->V[i] * dx[c];
        }
    }
}

/* V.s_perp/(mu eta^2 N^2), the rate at which slip turns. */
static double turn_rate(const CompliantSlope *slope, const double s[2]) {
    const Moment *now = &slope->now;
    double M = now->N * now->N;
    return M > 0 && !slope->flat ? cross2(s, now->V) / (slope->mu * slope->eta2 * M) : 0;
}

/* The same in slip (in p; held: in q). */
static void shift_slip(CompliantSlope *slope, const Process *process, const double s[2],
                       const double *dx) {
    const Moment *now = &slope->now;
    double turn = turn_rate(slope, s), pull = slope->mu * dot2(slope->d, s);
    double push = slope->held ? pull : 1;
    for (int c = 0; c < COLUMNS; c++) {
        slope->p[c] += push * dx[c];
        slope->M[c] -= 2 * process->slide.k * now->vn * dx[c];
        slope->vn[c] += (1 - pull) * dx[c];
        slope->phi[c] += turn * dx[c];
        for (int i = 0; i < 2; i++) {
            slope->J[i][c] -= slope->mu * s[i] * dx[c];
        }
    }
}

void crm_compliant_turn(CompliantSlope *slope, const Process *process, const double s[2]) {
    const Moment *now = &slope->now;
    int sticks = !slope->slips || slope->direct;
    double rise = sticks ? now->N - dot2(slope->d, now->f) : 1 - slope->mu * dot2(slope->d, s);
    Column dx;
    for (int c = 0; c < COLUMNS; c++) {
        dx[c] = -slope->vn[c] / rise;
    }
    if (sticks) {
        shift_stick(slope, process, dx);
    } else {
        shift_slip(slope, process, s, dx);
    }
    memset(slope->vn, 0, sizeof slope->vn);
}

void crm_compliant_stop(CompliantSlope *slope, const Process *process, const double s[2]) {
    const Moment *now = &slope->now;
    double mu = slope->mu, eta2 = slope->eta2, k = process->slide.k, drift[2];
    Column V[2], vn, sigma;
    crm_compliant_rows(slope, V, vn);
    slip_drift(process, s, drift);
    double across = cross2(s, now->V), stiff = mu * eta2 * k;
    double growth = dot2(drift, s) + stiff * slip_rise(process, s);
    if (!slope->flat) {
        growth += across * across / (mu * eta2 * now->N * now->N);
    }
    for (int c = 0; c < COLUMNS; c++) {
        sigma[c] = s[0] * V[0][c] + s[1] * V[1][c] + across * slope->phi[c] + stiff * vn[c] +
                   mu * eta2 * now->vn * slope->k[c];
    }
    sigma[COLUMN_MU] += eta2 * k * now->vn;
    sigma[COLUMN_RATIO] += mu * k * now->vn;
    for (int c = 0; c < COLUMNS; c++) {
        sigma[c] *= -1 / growth;
    }
    shift_slip(slope, process, s, sigma);
    for (int c = 0; c < COLUMNS; c++) {
        double N = slope->M[c] / (2 * now->N);
        slope->N[c] = N;
        slope->f[0][c] = mu * (s[0] * N - s[1] * now->N * slope->phi[c]);
        slope->f[1][c] = mu * (s[1] * N + s[0] * now->N * slope->phi[c]);
    }
    slope->f[0][COLUMN_MU] += now->N * s[0];
    slope->f[1][COLUMN_MU] += now->N * s[1];
}

/* The rows of slip, from those of N and f on the cone. */
static void begin_slip(CompliantSlope *slope, const double s[2]) {
    const Moment *now = &slope->now;
    for (int c = 0; c < COLUMNS; c++) {
        slope->M[c] = 2 * now->N * slope->N[c];
        slope->phi[c] = (s[0] * slope->f[1][c] - s[1] * slope->f[0][c]) / norm2(now->f);
    }
}

void crm_compliant_yield(CompliantSlope *slope, const Process *process) {
    const Moment *now = &slope->now;
    double size = norm2(now->f), s[2] = {now->f[0] / size, now->f[1] / size}, mu = slope->mu;
    double rate = slope->kt * dot2(s, now->V) + mu * process->slide.k * now->vn;
    Column h;
    for (int c = 0; c < COLUMNS; c++) {
        h[c] = -(s[0] * slope->f[0][c] + s[1] * slope->f[1][c] - mu * slope->N[c]) / rate;
    }
    h[COLUMN_MU] += now->N / rate;
    shift_stick(slope, process, h);
    begin_slip(slope, s);
}

void crm_compliant_end(CompliantSlope *slope, const Process *process, const double s[2]) {
    const Moment *now = &slope->now;
    int sticks = slope->direct || (slope->held && !slope->slips);
    Column dx;
    for (int c = 0; c < COLUMNS; c++) {
        double fall = process->slide.k * now->vn;
        dx[c] = sticks ? slope->N[c] / fall : slope->M[c] / (2 * fall);
    }
    if (sticks) {
        shift_stick(slope, process, dx);
    } else {
        shift_slip(slope, process, s, dx);
    }
}

void crm_compliant_latch(CompliantSlope *slope, const Process *process) {
    const double *d = slope->d, kt = slope->kt, mu = slope->mu;
    Moment *now = &slope->now;
    double size = norm2(now->f);
    const double s[2] = {now->f[0] / size, now->f[1] / size};
    int on_cone = fabs(mu * process->now.N - size) <= MEET_ROUNDING * size;
    for (int c = 0; c < COLUMNS; c++) {
        double along = s[0] * slope->f[0][c] + s[1] * slope->f[1][c];
        double rest = d[0] * slope->f[0][c] + d[1] * slope->f[1][c];
        slope->N[c] = on_cone ? along / mu : 2 * rest - slope->N[c];
        slope->k[c] = 0;
    }
    if (on_cone) {
        slope->N[COLUMN_MU] -= size / (mu * mu);
    } else {
        slope->N[ONE_W13] += 2 * now->f[0];
        slope->N[ONE_W23] += 2 * now->f[1];
        slope->N[ONE_W33] -= 2 * dot2(d, now->f);
    }
    slope->k[COLUMN_RATIO] = -kt * kt;
    slope->held = 1;
    *now = process->now;
    now->vn = -dot2(d, now->V);
    begin_slip(slope, s);
}

void crm_compliant_release(CompliantSlope *slope, const Process *process, const double s[2]) {
    double mu = slope->mu, grip = mu * dot2(slope->d, s) - 1;
    double across = mu * (slope->d[1] * s[0] - slope->d[0] * s[1]);
    if (slope->slips && fabs(grip) <= GRIP_ROUNDING && across != 0) {
        double rate = across * turn_rate(slope, s);
        Column dx;
        for (int c = 0; c < COLUMNS; c++) {
            dx[c] = -across * slope->phi[c] / rate;
        }
        dx[ONE_W13] -= mu * s[0] / rate;
        dx[ONE_W23] -= mu * s[1] / rate;
        dx[ONE_W33] += mu * dot2(slope->d, s) / rate;
        dx[COLUMN_MU] -= dot2(slope->d, s) / rate;
        shift_slip(slope, process, s, dx);
    } else {
        crm_compliant_end(slope, process, s);
    }
}
