/* MANY rigid impacts, differentiated along their paths: the state, and pieces of slip and stick.
 *
 * The equations are those of slip_slope.c. The state of each impact is in slots, as that of the
 * lanes (rigid_lanes/slots.h): the derivatives of eta and of E at fixed p by what slip depends on,
 * gamma- (2), d (2) and b (3); those of E also by k, K and v_n- beside (rigid_follow.h). E loses
 * 1 - e^2 of itself, and of its derivatives, where compression ends. */
#ifndef CAROM_DERIVATIVE_LANES_PATH_H
#define CAROM_DERIVATIVE_LANES_PATH_H

#include "rigid_lanes/lanes_visit.h"

#ifdef CAROM_LANES

enum { LANE_INPUTS = 7, LANE_D = 2, LANE_K = LANE_INPUTS, LANE_VN = LANE_K + 3, LANE_COUNT };

typedef struct ManyPath {
    Many by[2][LANE_INPUTS]; /* of eta, at fixed p */
    Many energy[LANE_COUNT]; /* of E, at fixed p */
    Many peak;               /* E where compression ended, or 0 */
    Many rate[2];            /* gamma' at the end of the last piece */
    Many missed;             /* largest error of p in the sums of a curve */
    Many lost;               /* not 0: left to the program for one impact */
    Many faded;              /* not 0: slip counts as stopped, though it has not yet */
    Many turn;           /* of slip where it stops, if that is not yet in a fixed direction: g/f */
    Many stop_p, sticks; /* of the stop, or 0 */
    Many stop[LANE_INPUTS];
} ManyPath;

enum { PATH_FIELDS = sizeof(ManyPath) / sizeof(Many) };

typedef struct PathSlots {
    double at[PATH_FIELDS][SLOT_STRIDE];
} PathSlots;

static inline void path_load(const PathSlots *slots, const short slot[MANY], ManyPath *path) {
    Many *fields = (Many *)path;
    for (int i = 0; i < PATH_FIELDS; i++) {
        for (int j = 0; j < MANY; j++) {
            fields[i][j] = slots->at[i][slot[j]];
        }
    }
}

/* Store one element. */
static inline void path_keep(PathSlots *slots, int slot, const ManyPath *path, int lane) {
    const Many *fields = (const Many *)path;
    for (int i = 0; i < PATH_FIELDS; i++) {
        slots->at[i][slot] = fields[i][lane];
    }
}

/* What follows from the problem alone: K = B^-1 d and k = 1 - K.d. */
typedef struct ManySetting {
    const ManyProblem *problem;
    Many K[2], k;
} ManySetting;

INLINE void setting_make(const ManyProblem *problem, ManySetting *setting) {
    const Many *B = problem->B, *d = problem->d;
    Many det = B[0] * B[2] - B[1] * B[1];
    setting->problem = problem;
    setting->K[0] = (B[2] * d[0] - B[1] * d[1]) / det;
    setting->K[1] = (B[0] * d[1] - B[1] * d[0]) / det;
    setting->k = 1 - (setting->K[0] * d[0] + setting->K[1] * d[1]);
}

/* gamma' of slip in a direction. */
INLINE void path_rate(const ManyProblem *problem, const Many s[2], Many rate[2]) {
    const Many *d = problem->d, *b = problem->b;
    rate[0] = d[0] - (b[0] * s[0] + b[1] * s[1]);
    rate[1] = d[1] - (b[1] * s[0] + b[2] * s[1]);
}

/* A point of a stretch: impulses and normal work since its start, the state; x of a regular stretch
 * or z of an arrival, and the parameter t of the nodes, x or log z. */
typedef struct ManyMark {
    Many t, z, p, J[2], A, gamma[2], vn, s[2];
} ManyMark;

INLINE void mark_choose(ManyMask where, const ManyMark *yes, ManyMark *no) {
    const Many *from = (const Many *)yes;
    Many *to = (Many *)no;
    for (size_t i = 0; i < sizeof *yes / sizeof(Many); i++) {
        to[i] = many_choose(where, from[i], to[i]);
    }
}

/* The integrals along a piece (rigid/rigid_visit.h), by d (2) and b (3); of gamma. */
typedef struct ManyIntegrals {
    Many sum[3][5], gamma[2], p;
} ManyIntegrals;

/* Add the part of a piece that is the same for all kinds, where it holds: P is the impulse at its
 * start. */
INLINE void path_count(ManyMask where, Many P, Many p, Many speed, const Many gamma[2],
                       ManyPath *path) {
    Many *energy = path->energy;
    energy[LANE_K] -= many_where(where, p * (P + 0.5 * p));
    energy[LANE_K + 1] -= many_where(where, gamma[0] - speed * p);
    energy[LANE_K + 2] -= many_where(where, gamma[1]);
    energy[LANE_VN] -= many_where(where, p);
}

/* Curved slip from one point to another. */
static inline void path_curve(const ManySetting *setting, ManyMask where, const ManyMark *from,
                              const ManyMark *to, const ManyIntegrals *sums, ManyPath *path) {
    const ManyProblem *problem = setting->problem;
    const Many *K = setting->K, *B = problem->B, *d = problem->d, *s = from->s;
    Many p = to->p - from->p, J[2] = {to->J[0] - from->J[0], to->J[1] - from->J[1]};
    Many rate[2], last[2];
    path_rate(problem, s, rate);
    path_rate(problem, to->s, last);
    Many r = from->gamma[0] * s[0] + from->gamma[1] * s[1];
    Many by = -1 / (r * (s[0] * rate[1] - s[1] * rate[0]));
    const Many X[2][2] = {{s[1] * r * by, -(s[0] * r * by)}, {-(by * rate[1]), by * rate[0]}};
    Many change = d[0] * J[0] + d[1] * J[1] + (1 - setting->k) * p;
    Many area = (to->A - from->A) + p * (from->vn + 0.5 * setting->k * p);
    Many scaling = p * (K[0] * from->gamma[0] + K[1] * from->gamma[1]);
    Many trapezoid = -(p * change) - 2 * area, both = scaling + trapezoid;
    Many curvature = change - p * (K[0] * rate[0] + K[1] * rate[1]);
    for (int j = 0; j < LANE_INPUTS; j++) {
        Many x = path->by[0][j], y = path->by[1][j], c[3] = {x - x, x - x, x - x};
        Many all[2] = {j == 0 ? x + 1 : x, j == 1 ? y + 1 : y};
        Many first[2] = {X[0][0] * all[0] + X[0][1] * all[1], X[1][0] * all[0] + X[1][1] * all[1]};
        for (int i = 0; i < 3 && j >= LANE_D; i++) {
            c[i] = sums->sum[i][j - LANE_D];
        }
        Many work = p * (K[0] * x + K[1] * y) + (curvature * first[0] + trapezoid * first[1]) +
                    (change * c[0] + both * c[1]) - c[2];
        path->energy[j] -= many_where(where, work);
        for (int i = 0; i < 2; i++) {
            Many turn = d[i] * p + (B[i] * J[0] + B[i + 1] * J[1]), now = last[i];
            Many moved = (now - rate[i]) * first[0] + (turn - p * now) * first[1] +
                         (now * (c[0] - p * c[1]) + to->gamma[i] * c[1]);
            path->by[i][j] += many_where(where, moved);
        }
    }
    for (int i = 0; i < 2; i++) {
        path->rate[i] = many_choose(where, last[i], path->rate[i]);
    }
}

/* Curved slip that ends at zero: the clock counts from there. */
static inline void path_arrive(const ManySetting *setting, ManyMask where, const ManyMark *from,
                               const ManyMark *to, const ManyIntegrals *sums, ManyPath *path) {
    const ManyProblem *problem = setting->problem;
    const Many *K = setting->K, *d = problem->d, *s = from->s, *gamma = from->gamma;
    Many p = to->p - from->p, J[2] = {to->J[0] - from->J[0], to->J[1] - from->J[1]};
    Many rate[2], last[2];
    path_rate(problem, s, rate);
    path_rate(problem, to->s, last);
    Many r = gamma[0] * s[0] + gamma[1] * s[1], by = -1 / (r * (s[0] * rate[1] - s[1] * rate[0]));
    Many u[2] = {gamma[0] + p * rate[0], gamma[1] + p * rate[1]};
    Many level = -(d[0] * J[0] + d[1] * J[1] + (1 - setting->k) * p);
    Many area = -((to->A - from->A) + p * (to->vn - 0.5 * setting->k * p));
    Many second = p * level - 2 * area;
    for (int j = 0; j < LANE_INPUTS; j++) {
        Many x = path->by[0][j], y = path->by[1][j], none = x - x;
        x = j == 0 ? x + 1 : x;
        y = j == 1 ? y + 1 : y;
        Many shift = by * (x * u[1] - y * u[0]), scale = by * (y * rate[0] - x * rate[1]);
        Many c = shift + (j < LANE_D ? none : sums->sum[0][j - LANE_D]);
        Many work =
            level * shift + second * scale + (j < LANE_D ? p * K[j] : sums->sum[2][j - LANE_D]);
        path->energy[j] += many_where(where, work);
        for (int i = 0; i < 2; i++) {
            Many now = last[i] * c - (i == j ? 1 : 0);
            path->by[i][j] = many_choose(where, now, path->by[i][j]);
        }
    }
    for (int i = 0; i < 2; i++) {
        path->rate[i] = many_choose(where, last[i], path->rate[i]);
    }
}

/* Slip has stopped; gamma = 0 is where the derivatives begin again. */
static inline void path_stop(Many p, ManyPath *path) {
    Many x = path->rate[0], y = path->rate[1], speed = many_sqrt(x * x + y * y);
    Many by = 1 / (speed * speed);
    for (int j = 0; j < LANE_INPUTS; j++) {
        Many u = path->by[0][j], v = path->by[1][j];
        path->stop[j] = -(((j == 0 ? u + 1 : u) * x + (j == 1 ? v + 1 : v) * y) * by);
        path->by[0][j] = many_all(j == 0 ? -1 : 0);
        path->by[1][j] = many_all(j == 1 ? -1 : 0);
    }
    path->stop_p = p;
    path->faded = many_all(0);
    path->lost = many_choose(speed > 0, path->lost, many_all(1));
}

/* Stick from an impulse y to z, counted from the stop. */
INLINE void path_stick(const ManySetting *setting, Many y, Many z, ManyPath *path) {
    for (int i = 0; i < 2; i++) {
        path->energy[i] += (z - y) * setting->K[i];
    }
}

/* Slip that starts from zero in direction s, gamma' = f s: from y to z likewise. */
static inline void path_slide(const ManySetting *setting, const Many s[2], Many f, Many y, Many z,
                              ManyPath *path) {
    const Many *K = setting->K, *b = setting->problem->b, none = y - y;
    Many across[2] = {-s[1], s[0]}, past = 0.5 * (z * z - y * y);
    Many bend = -(b[0] * s[0] * across[0] + b[1] * (s[0] * across[1] + s[1] * across[0]) +
                  b[2] * s[1] * across[1]);
    Many G = -f - (b[0] * s[1] * s[1] - 2 * b[1] * s[0] * s[1] + b[2] * s[0] * s[0]);
    for (int j = 0; j < LANE_INPUTS; j++) {
        /* y = delta d - delta b s along s and across */
        Many d0 = j == 2 ? none + 1 : none, d1 = j == 3 ? none + 1 : none;
        d0 -= j == 4 ? s[0] : j == 5 ? s[1] : none;
        d1 -= j == 5 ? s[0] : j == 6 ? s[1] : none;
        Many turn = -(across[0] * d0 + across[1] * d1) / G;
        Many faster = s[0] * d0 + s[1] * d1 + bend * turn, late = -path->stop[j], work = none;
        for (int i = 0; i < 2; i++) {
            Many rate = faster * s[i] + f * turn * across[i], first = f * s[i] * late;
            Many before = i == j ? first - 1 : first;
            work += K[i] * (before * (z - y) + rate * past);
            path->by[i][j] = before + rate * z;
        }
        path->energy[j] -= work;
    }
    path->rate[0] = f * s[0];
    path->rate[1] = f * s[1];
}

/* Take the loss at the end of compression. */
INLINE void path_lose(ManyMask where, Many e, Many peak, ManyPath *path) {
    for (int j = 0; j < LANE_COUNT; j++) {
        path->energy[j] *= many_choose(where, e * e, many_all(1));
    }
    path->peak = many_choose(where, peak, path->peak);
}

#endif

#endif
