/* See motion.h and oracle.h. */
#include "support/multiple/motion.h"

#include <math.h>
#include <string.h>

_Static_assert(MOTION_SIZE <= EXTRAPOLATION_SIZE, "too many contacts");

/* W among held contacts counts as singular if a pivot is smaller than this part of its diagonal. */
static const Real SINGULAR = 1e-11L;

/* ---- forces ---- */

/* Force of a spring; s is the direction of slip. */
static void spring_force(const Motion *m, const Real *y, int i, const Real *s, Real F[3]) {
    Real N = y[at_force(m, i)];
    const Real *t = y + at_tangent(m, i);
    F[0] = F[1] = 0;
    F[2] = N;
    if (m->mode[i] == MODE_STICK) {
        F[0] = t[0];
        F[1] = t[1];
    } else if (mode_slips(m->mode[i])) {
        F[0] = -m->mu[i] * N * s[0];
        F[1] = -m->mu[i] * N * s[1];
    }
}

/* Constraint forces that keep v_n of the held contacts, given all others. */
static void hold_forces(const Motion *m, Real *F) {
    Real push[MULTIPLE_CONTACTS];
    for (int a = 0; a < m->held_count; a++) {
        const Real *row = m->W + (3 * m->held[a] + 2) * 3 * m->n;
        push[a] = 0;
        for (int j = 0; j < 3 * m->n; j++) {
            push[a] += row[j] * F[j];
        }
    }
    for (int a = 0; a < m->held_count; a++) {
        Real force = 0;
        for (int b = 0; b < m->held_count; b++) {
            force -= m->inverse[a * m->held_count + b] * push[b];
        }
        F[3 * m->held[a] + 2] = force;
    }
}

static void all_forces(const Motion *m, const Real *y, Real (*s)[2], Real *F) {
    for (int i = 0; i < m->n; i++) {
        if (mode_acts(m->mode[i])) {
            spring_force(m, y, i, s[i], F + 3 * i);
        } else {
            F[3 * i] = F[3 * i + 1] = F[3 * i + 2] = 0;
        }
    }
    if (m->held_count > 0) {
        hold_forces(m, F);
    }
}

/* Directions of all that slip; those that follow v_t lag behind it by rho/|v_t| times its turn. */
static void all_directions(const Motion *m, const Real *y, Real (*s)[2]) {
    int follows = 0;
    Real F[MULTIPLE_ROWS], a[MULTIPLE_ROWS];
    for (int i = 0; i < m->n; i++) {
        const Real *v = y + at_velocity(i), *t = y + at_tangent(m, i);
        Real size = m->mode[i] == MODE_FOLLOW ? sqrtl(dot2(v, v)) : 1;
        const Real *from = m->mode[i] == MODE_FOLLOW ? v : t;
        s[i][0] = from[0] / size;
        s[i][1] = from[1] / size;
        follows |= m->mode[i] == MODE_FOLLOW;
    }
    if (!follows) {
        return;
    }
    all_forces(m, y, s, F);
    motion_acceleration(m, F, a);
    for (int i = 0; i < m->n; i++) {
        if (m->mode[i] == MODE_FOLLOW) {
            const Real *v = y + at_velocity(i), *b = a + 3 * i;
            Real size2 = dot2(v, v), rho = m->mu[i] * y[at_force(m, i)] / m->kt[i];
            Real lag = -rho / sqrtl(size2) * (v[0] * b[1] - v[1] * b[0]) / size2;
            Real norm = sqrtl(1 + lag * lag), x = s[i][0], z = s[i][1];
            s[i][0] = (x - lag * z) / norm;
            s[i][1] = (z + lag * x) / norm;
        }
    }
}

void motion_forces(const Motion *m, const Real *y, Real *F) {
    Real s[MULTIPLE_CONTACTS][2];
    all_directions(m, y, s);
    all_forces(m, y, s, F);
}

void motion_force_rates(const Motion *m, const Real *y, Real *out) {
    Real s[MULTIPLE_CONTACTS][2];
    all_directions(m, y, s);
    memset(out, 0, (size_t)(3 * m->n) * sizeof *out);
    for (int i = 0; i < m->n; i++) {
        const Real *v = y + at_velocity(i);
        if (!mode_acts(m->mode[i])) {
            continue;
        }
        out[3 * i + 2] = -m->k[i] * v[2];
        if (m->mode[i] == MODE_STICK) {
            out[3 * i] = -m->kt[i] * v[0];
            out[3 * i + 1] = -m->kt[i] * v[1];
        } else if (mode_slips(m->mode[i])) {
            Real turn = m->mode[i] == MODE_SLIP ? -m->kt[i] * (v[1] * s[i][0] - v[0] * s[i][1]) : 0;
            Real along = m->mu[i] * m->k[i] * v[2];
            out[3 * i] = along * s[i][0] - turn * s[i][1];
            out[3 * i + 1] = along * s[i][1] + turn * s[i][0];
        }
    }
    if (m->held_count > 0) {
        hold_forces(m, out);
    }
}

void motion_direction(const Motion *m, const Real *y, int i, Real out[2]) {
    Real s[MULTIPLE_CONTACTS][2];
    all_directions(m, y, s);
    out[0] = s[i][0];
    out[1] = s[i][1];
}

void motion_acceleration(const Motion *m, const Real *F, Real *a) {
    int rows = 3 * m->n, columns[MULTIPLE_ROWS], count = 0;
    for (int j = 0; j < rows; j++) {
        a[j] = 0;
        if (F[j] != 0) {
            columns[count++] = j;
        }
    }
    for (int r = 0; r < m->live_count; r++) {
        int i = m->live[r];
        for (int c = 0; c < count; c++) {
            a[i] += m->W[i * rows + columns[c]] * F[columns[c]];
        }
    }
    for (int h = 0; h < m->held_count; h++) {
        a[3 * m->held[h] + 2] = 0;
    }
}

static Real speed_along(const Motion *m, const Real *y, int i, const Real s[2]) {
    const Real *v = y + at_velocity(i);
    return dot2(v, s) + m->mu[i] * m->k[i] / m->kt[i] * v[2];
}

Real motion_sliding_speed(const Motion *m, const Real *y, int i) {
    Real s[2];
    motion_direction(m, y, i, s);
    return speed_along(m, y, i, s);
}

int motion_hold(Motion *m, const int *list, int count) {
    Real A[MULTIPLE_CONTACTS][2 * MULTIPLE_CONTACTS];
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++) {
            A[a][b] = m->W[(3 * list[a] + 2) * 3 * m->n + 3 * list[b] + 2];
            A[a][count + b] = a == b;
        }
    }
    /* Gauss and Jordan; W is symmetric and positive: no pivots need be chosen */
    for (int a = 0; a < count; a++) {
        Real diagonal = m->W[(3 * list[a] + 2) * (3 * m->n + 1)], pivot = A[a][a];
        if (!(pivot > SINGULAR * diagonal)) {
            return -1;
        }
        for (int j = 0; j < 2 * count; j++) {
            A[a][j] /= pivot;
        }
        for (int b = 0; b < count; b++) {
            Real by = A[b][a];
            for (int j = 0; j < 2 * count && b != a; j++) {
                A[b][j] -= by * A[a][j];
            }
        }
    }
    m->held_count = count;
    for (int a = 0; a < count; a++) {
        m->held[a] = list[a];
        memcpy(m->inverse + a * count, A[a] + count, (size_t)count * sizeof(Real));
    }
    return 0;
}

/* ---- the clock ---- */

void motion_set_clock(Motion *m) {
    Real sum = 0;
    int rows = 3 * m->n;
    for (int i = 0; i < m->n; i++) {
        const Real *v = m->y + at_velocity(i), *W = m->W + 3 * i * (rows + 1);
        m->fall[i] = 0;
        if (mode_acts(m->mode[i])) {
            Real tangents = m->mu[i] > 0 ? W[0] + W[rows + 1] : 0;
            /* friction couples the normal motion to the tangential one */
            Real coupling = mode_slips(m->mode[i]) ? m->mu[i] * hypotl(W[2], W[rows + 2]) : 0;
            sum +=
                m->k[i] * (W[2 * rows + 2] + coupling) + (m->mu[i] > 0 ? m->kt[i] * tangents : 0);
        }
        if (m->mode[i] == MODE_SLIP) {
            m->fall[i] = m->kt[i] / m->mu[i] * sqrtl(dot2(v, v)) + m->k[i] * fabsl(v[2]);
        }
    }
    m->omega = sqrtl(sum);
}

Real motion_clock(const Motion *m, const Real *y) {
    Real rate = m->omega;
    for (int i = 0; i < m->n; i++) {
        if (m->mode[i] == MODE_SLIP) {
            rate += m->fall[i] / y[at_force(m, i)];
        }
    }
    return 1 / rate;
}

/* ---- one step ---- */

static void rates(const void *system, const Real *y, Real *out) {
    const Motion *m = system;
    Real s[MULTIPLE_CONTACTS][2], F[MULTIPLE_ROWS], a[MULTIPLE_ROWS], work = 0;
    Real clock = motion_clock(m, y);
    all_directions(m, y, s);
    all_forces(m, y, s, F);
    motion_acceleration(m, F, a);
    for (int i = 0; i < m->n; i++) {
        const Real *v = y + at_velocity(i);
        Real *t = out + at_tangent(m, i), N = y[at_force(m, i)];
        for (int j = 0; j < 3; j++) {
            out[at_velocity(i) + j] = clock * a[3 * i + j];
            out[at_impulse(m, i) + j] = clock * F[3 * i + j];
        }
        out[at_force(m, i)] = mode_acts(m->mode[i]) ? -clock * m->k[i] * v[2] : 0;
        t[0] = t[1] = 0;
        if (m->mode[i] == MODE_STICK) {
            t[0] = -clock * m->kt[i] * v[0];
            t[1] = -clock * m->kt[i] * v[1];
        } else if (m->mode[i] == MODE_SLIP) {
            Real turn = clock * m->kt[i] / (m->mu[i] * N) * (v[1] * s[i][0] - v[0] * s[i][1]);
            t[0] = -turn * s[i][1];
            t[1] = turn * s[i][0];
        }
        if (mode_slips(m->mode[i])) {
            work += m->mu[i] * N * speed_along(m, y, i, s[i]);
        }
    }
    out[at_work(m)] = clock * work;
    out[at_time(m)] = clock;
}

/* v_n and N trade places: N ~ sqrt(k) v_n. */
static Real size_of(const Motion *m, int place, Real value) {
    int i = place / 3;
    if (place < 3 * m->n && place % 3 == 2 && mode_acts(m->mode[i])) {
        return 1 / sqrtl(fmaxl(1, m->k[i]));
    }
    return fmaxl(1, fabsl(value));
}

Real motion_advance(const Motion *m, Real h, Real *out) {
    Real lower[MOTION_SIZE], error = 0;
    int size = motion_size(m);
    extrapolate(rates, m, size, m->y, h, out, lower);
    for (int i = 0; i < size; i++) {
        if (i != at_time(m)) {
            error = fmaxl(error, fabsl(out[i] - lower[i]) / size_of(m, i, out[i]));
        }
    }
    for (int i = 0; i < m->n; i++) {
        if (m->mode[i] == MODE_SLIP) {
            Real *s = out + at_tangent(m, i), norm = sqrtl(dot2(s, s));
            s[0] /= norm;
            s[1] /= norm;
        }
    }
    return error;
}
