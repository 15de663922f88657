/* Straight slip of MANY impacts: by the chain in log-time (lanes_chain.h) where that is short, else
 * in closed form. The equations are those of slip_slope.c: with x = f sigma and y = G sigma the
 * sums over e^(G sigma) are divided differences of exp, which lose no digits here. */
#ifndef CAROM_DERIVATIVE_LANES_SLIDE_H
#define CAROM_DERIVATIVE_LANES_SLIDE_H

#include "derivative/lanes_chain.h"

#ifdef CAROM_LANES

/* The chain serves as long as nothing changes by more than e^SLIDE_SHORT; the closed form has
 * exponentials up to e^SLIDE_LONG. */
static const double SLIDE_SHORT = 6, SLIDE_LONG = 600;

/* log(1 + x)/x */
INLINE Many many_log_part(Many x) {
    Many y = 1 + x, small = many_all(1e-9);
    Many far = (many_log(y) + (x - (y - 1)) / y) / x;
    return many_choose(many_abs(x) < small, 1 - 0.5 * x, far);
}

/* (e^x - 1)/x */
INLINE Many many_growth(Many x) {
    Many sum = 1 + x * RECIPROCAL[16];
    for (int n = 15; n >= 2; n--) {
        sum = 1 + x * RECIPROCAL[n] * sum;
    }
    return many_choose(many_abs(x) < 0.5, sum, (many_exp(x) - 1) / x);
}

/* Straight slip from a speed r, which changes at the rate f; s: its direction, G as in
 * slip_slope.c.
 */
typedef struct ManySlide {
    Many s[2], r, f, G;
} ManySlide;

INLINE void slide_make(const ManyProblem *problem, const Many s[2], Many r, ManySlide *out) {
    const Many *b = problem->b;
    Many rate[2];
    path_rate(problem, s, rate);
    out->s[0] = s[0];
    out->s[1] = s[1];
    out->r = r;
    out->f = s[0] * rate[0] + s[1] * rate[1];
    out->G = -out->f - (b[0] * s[1] * s[1] - 2 * b[1] * s[0] * s[1] + b[2] * s[0] * s[0]);
}

/* Integrals over straight slip, as StraightSums in slip_slope.c. */
typedef struct ManySlideSums {
    Many off, last, once[2], twice[2], speed[2];
} ManySlideSums;

/* As Settling in slip_slope.c. */
typedef struct ManySettling {
    Many across[2], along;
} ManySettling;

INLINE void slide_settling(const ManyProblem *problem, const Many s[2], const Many before[2],
                           ManySettling *out) {
    Many rate[2], went = s[0] * before[0] + s[1] * before[1];
    path_rate(problem, s, rate);
    const Many from[2] = {many_choose(went < 0, before[0], rate[0]),
                          many_choose(went < 0, before[1], rate[1])};
    Many f = s[0] * rate[0] + s[1] * rate[1], by = 1 / (s[0] * from[0] + s[1] * from[1]);
    out->across[0] = (s[0] * from[1] - s[1] * from[0]) * by;
    out->across[1] = (s[0] * rate[1] - s[1] * rate[0]) / f;
    out->along = f * by;
}

/* As straight_step() in slip_slope.c; end: the speed there; settling: if it stops, else NULL. */
static inline void slide_follow(const ManySetting *setting, ManyMask where, const ManySlide *line,
                                Many end, Many p, const ManySlideSums *sums,
                                const ManySettling *settling, ManyPath *path) {
    const Many *K = setting->K, *b = setting->problem->b, *s = line->s, none = p - p;
    const Many across[2] = {-s[1], s[0]}, r = line->r;
    Many bend = -(b[0] * s[0] * across[0] + b[1] * (s[0] * across[1] + s[1] * across[0]) +
                  b[2] * s[1] * across[1]);
    Many along = K[0] * s[0] + K[1] * s[1], aside = K[0] * across[0] + K[1] * across[1];
    for (int j = 0; j < LANE_INPUTS; j++) {
        Many x = path->by[0][j], y = path->by[1][j];
        Many d0 = j == 2 ? none + 1 : none, d1 = j == 3 ? none + 1 : none;
        d0 -= j == 4 ? s[0] : j == 5 ? s[1] : none;
        d1 -= j == 5 ? s[0] : j == 6 ? s[1] : none;
        Many push = s[0] * d0 + s[1] * d1, g = across[0] * d0 + across[1] * d1;
        Many u = j == 0 ? x + 1 : x, v = j == 1 ? y + 1 : y;
        Many ahead = u * s[0] + v * s[1], beside = u * across[0] + v * across[1];
        Many shift = settling ? beside - settling->across[0] * ahead : beside, turn = shift / r;
        Many longer = push * p + bend * (turn * sums->once[0] + g * sums->once[1]);
        Many wider = shift * sums->off + end * g * sums->last;
        if (settling) {
            longer += (settling->along - 1) * ahead;
            wider = settling->across[1] * (ahead + longer) - beside;
        }
        Many sum = 0.5 * push * p * p + bend * (turn * sums->twice[0] + g * sums->twice[1]);
        Many broad = turn * sums->speed[0] + g * sums->speed[1];
        Many work = p * (K[0] * x + K[1] * y) + along * sum + aside * broad;
        path->energy[j] -= many_where(where, work);
        path->by[0][j] += many_where(where, longer * s[0] + wider * across[0]);
        path->by[1][j] += many_where(where, longer * s[1] + wider * across[1]);
    }
}

/* path_count() for straight slip; P: the impulse at its start. */
INLINE void slide_count(const ManySetting *setting, ManyMask where, Many P, const ManySlide *line,
                        Many end, Many p, ManyPath *path) {
    Many area = 0.5 * (line->r + end) * p;
    const Many gamma[2] = {area * line->s[0], area * line->s[1]};
    path_count(where, P, p, setting->problem->speed, gamma, path);
}

/* Over a length p by the chain, for a short log-time sigma. */
static inline void slide_chain(const ManySetting *setting, const ChainRule *rule, ManyMask where,
                               Many P, const ManySlide *line, Many sigma, Many p, ManyPath *path) {
    ManyNodes nodes;
    nodes.speed = line->r;
    for (int i = 0; i < RIGID_NODES; i++) {
        nodes.s[i][0] = line->s[0];
        nodes.s[i][1] = line->s[1];
        nodes.pace[i] = 0.5 * sigma;
        nodes.r[i] = line->r * many_exp(0.5 * (1 + rule->node[i]) * (line->f * sigma));
    }
    Many length = chain_follow(setting, rule, where, P, line->s, &nodes, path);
    Many missed = many_most(path->missed, many_abs(length - p));
    path->missed = many_choose(where, missed, path->missed);
}

/* As far_differences() and straight_sums() in slip_slope.c: x and y are not small. */
INLINE void slide_far(Many r, Many x, Many y, Many sigma, ManySlideSums *sums) {
    Many one = many_growth(x), two = many_growth(2 * x), both = many_growth(x + y),
         last = many_growth(2 * x + y), square = r * sigma * r * sigma, over = 1 / y;
    Many c = (last - one) / (x + y);
    sums->off = (x + y) * both;
    sums->last = sigma * many_growth(y);
    sums->once[0] = r * sigma * both;
    sums->once[1] = r * sigma * sigma * (both - one) * over;
    sums->twice[0] = square * c;
    sums->twice[1] = square * sigma * (c - 0.5 * one * one) * over;
    sums->speed[0] = square / sigma * (x + y) * c;
    sums->speed[1] = square * (last - two) * over;
}

/* Straight slip of length p that does not stop, where it holds. Returns where it suits. */
static inline ManyMask slide_run(const ManySetting *setting, const ChainRule *rule, ManyMask where,
                                 Many P, const ManySlide *line, Many p, ManyPath *path) {
    Many r = line->r, f = line->f, part = f * p / r, sigma = p / r * many_log_part(part);
    Many x = f * sigma, y = line->G * sigma;
    Many fastest = many_most(2 * many_abs(x), many_most(many_abs(x + y), many_abs(2 * x + y)));
    ManyMask near = fastest < SLIDE_SHORT, far = (many_abs(y) >= 1) & (many_abs(x + y) >= 1);
    ManyMask suits = (part > -1) & (near | (far & (fastest < SLIDE_LONG)));
    where &= suits;
    if (many_any(where & near)) {
        slide_chain(setting, rule, where & near, P, line, sigma, p, path);
    }
    if (many_any(where & ~near)) {
        ManySlideSums sums;
        slide_far(r, x, y, sigma, &sums);
        slide_follow(setting, where & ~near, line, r + f * p, p, &sums, NULL, path);
        slide_count(setting, where & ~near, P, line, r + f * p, p, path);
    }
    return suits;
}

/* Straight slip of length p down to zero, which is not counted yet: stopping_sums() in
 * slip_slope.c; path->rate is that before it. Returns where it suits. */
static inline ManyMask slide_stop(const ManySetting *setting, ManyMask where, const ManySlide *line,
                                  Many p, ManyPath *path) {
    Many r = line->r, m = -line->f, n = -line->G, over = 1 / (m + n), by = 1 / (2 * m + n);
    ManySlideSums sums = {.off = many_all(-1), .last = many_all(0)};
    sums.once[0] = r * over;
    sums.once[1] = r * over / m;
    sums.speed[0] = r * r * by;
    sums.speed[1] = 0.5 * sums.speed[0] / m;
    sums.twice[0] = sums.speed[0] / m;
    sums.twice[1] = sums.speed[1] / m;
    sums.speed[0] -= r * r / m;
    ManySettling settling;
    slide_settling(setting->problem, line->s, path->rate, &settling);
    slide_follow(setting, where, line, many_all(0), p, &sums, &settling, path);
    return (line->f < 0) & (line->f + line->G < 0);
}

#endif

#endif
