/* Stretches of slip of MANY impacts, followed: in pieces, to the end of compression, to the end of
 * the stretch, or down to zero.
 *
 * Pieces by the closed form (lanes_nodes.h); where that is not to be had, because slip is next to
 * an invariant direction, by the chain in log-time (lanes_chain.h), and straight once slip has
 * settled on the direction (lanes_slide.h). */
#ifndef CAROM_DERIVATIVE_LANES_STRETCH_H
#define CAROM_DERIVATIVE_LANES_STRETCH_H

#include "derivative/lanes_slide.h"

#ifdef CAROM_LANES

/* As CURVED_TURN, SLOPE_FADED and SLOPE_FADED_TURN in slip_slope.c. */
static const double LANES_TURN = 1e-5, LANES_FADED = 1e-7, LANES_FADED_TURN = 1e-5;

/* From this q on z^q underflows at nodes near 0, whose weights count. */
static const double LANES_STEEPEST = 40;

/* The longest piece of an arrival, in log z by the closed form and by the chain, and in q log z. */
static const double LANES_LOG = 2.4, LANES_CHAIN_LOG = 3, LANES_FALL = 5;

/* Below this log z the other singularities are far, and pieces twice as long. */
static const double LANES_ALONE = -1.2;

/* On an arrival what is left to turn goes like z^(1+q): below e^-LANES_SETTLED slip is straight. */
static const double LANES_SETTLED = 37;

/* A step and what it takes to follow it. */
typedef struct Follow {
    ManyProblem problem;
    ManyState from;
    ManySetting setting;
    ManyPath path;
    const ChainRule *rule; /* NULL: closed form */
} Follow;

/* Is slip slow after an impulse P? */
static ManyMask is_slow(const ManyProblem *problem, Many P, const Many gamma[2]) {
    const Many *d = problem->d, *b = problem->b;
    Many slow =
        LANES_FADED * (problem->speed + (many_abs(d[0]) + many_abs(d[1]) + b[0] + b[2]) * P);
    return (P > 0) & (gamma[0] * gamma[0] + gamma[1] * gamma[1] < slow * slow);
}

/* The turning rate at a point over its scale, and whether slip is so slow and straight there that
 * it counts as stopping. */
static Many turn_at(const Follow *follow, const ManyMark *at, ManyMask *faded) {
    const ManyProblem *problem = &follow->problem;
    const Many *s = at->s;
    Many rate[2];
    path_rate(problem, s, rate);
    Many g = many_abs(s[0] * rate[1] - s[1] * rate[0]), f = s[0] * rate[0] + s[1] * rate[1];
    *faded = is_slow(problem, follow->from.p + at->p, at->gamma) & (g < -LANES_FADED_TURN * f);
    return g / problem->rate;
}

static void follow_lose(Follow *follow, ManyMask where) {
    follow->path.lost = many_choose(where, many_all(1), follow->path.lost);
}

static void follow_rate(Follow *follow, ManyMask where, const Many s[2]) {
    Many rate[2];
    path_rate(&follow->problem, s, rate);
    for (int i = 0; i < 2; i++) {
        follow->path.rate[i] = many_choose(where, rate[i], follow->path.rate[i]);
    }
}

/* One piece between two points in log-time. */
static void lanes_chain(Follow *follow, const ManyTrack *track, ManyMask where,
                        const ManyMark *from, const ManyMark *to) {
    ManyNodes nodes;
    ManyPath *path = &follow->path;
    track_nodes(track, follow->rule, from, to, &nodes);
    Many p = chain_follow(&follow->setting, follow->rule, where, follow->from.p + from->p, from->s,
                          &nodes, path);
    follow_rate(follow, where, to->s);
    Many missed = many_most(path->missed, many_abs(p - (to->p - from->p)));
    path->missed = many_choose(where, missed, path->missed);
}

/* One piece between two points. */
static void lanes_piece(Follow *follow, const ManyTrack *track, ManyMask where,
                        const ManyMark *from, const ManyMark *to) {
    ManyIntegrals sums;
    ManyMask faded, ends;
    ManyPath *path = &follow->path;
    Many first = turn_at(follow, from, &faded), last = turn_at(follow, to, &ends);
    Many p = to->p - from->p;
    ManyMask lost = faded | ~(many_least(first, last) > LANES_TURN) | ~(p > 0);
    path->lost = many_choose(where & lost, many_all(1), path->lost);
    track_integrate(track, from, to, &sums);
    path_curve(&follow->setting, where, from, to, &sums, path);
    path_count(where, follow->from.p + from->p, p, follow->problem.speed, sums.gamma, path);
    Many missed = many_most(path->missed, many_abs(sums.p - p));
    path->missed = many_choose(where, missed, path->missed);
}

/* What is left of an arrival that has settled: a line. */
static void lanes_slide(const Follow *follow, const ManyTrack *track, const ManyMark *from,
                        ManySlide *line) {
    Many r, U = series_sum(track->u, track->count, from->z);
    track_speed(track, from->z, many_exp(track->curve->q * from->t), U, &r);
    slide_make(&follow->problem, from->s, r, line);
}

/* To a point further on. */
static void lanes_straight(Follow *follow, const ManyTrack *track, ManyMask where,
                           const ManyMark *from, const ManyMark *to) {
    ManySlide line;
    lanes_slide(follow, track, from, &line);
    ManyMask suits = slide_run(&follow->setting, follow->rule, where, follow->from.p + from->p,
                               &line, to->p - from->p, &follow->path);
    follow_lose(follow, where & ~suits);
    follow_rate(follow, where, from->s);
}

/* Down to zero slip. */
static void lanes_settle(Follow *follow, const ManyTrack *track, ManyMask where,
                         const ManyMark *from) {
    ManySlide line;
    lanes_slide(follow, track, from, &line);
    Many p = track->curve->end.p - from->p;
    ManyMask suits = slide_stop(&follow->setting, where, &line, p, &follow->path);
    slide_count(&follow->setting, where, follow->from.p + from->p, &line, many_all(0), p,
                &follow->path);
    follow_lose(follow, where & ~suits);
    follow_rate(follow, where, from->s);
}

/* Down to zero slip. */
static void lanes_arrive(Follow *follow, const ManyTrack *track, ManyMask where,
                         const ManyMark *from) {
    const ManyCurve *curve = track->curve;
    const ManyLine *line = &curve->line;
    const ManyPoint *end = &curve->end;
    ManyIntegrals sums;
    ManyMask faded, ends;
    ManyPath *path = &follow->path;
    ManyMark to = {.p = end->p, .A = curve->A, .vn = end->vn};
    for (int i = 0; i < 2; i++) {
        to.J[i] = end->J[i];
        to.gamma[i] = end->gamma[i];
    }
    to.s[0] = line->A[0] / line->D[0];
    to.s[1] = line->C[0] / line->D[0];
    Many first = turn_at(follow, from, &faded);
    turn_at(follow, &to, &ends);
    ManyMask lost = faded | ~(first > LANES_TURN) | ~(curve->q < LANES_STEEPEST);
    path->lost = many_choose(where & lost, many_all(1), path->lost);
    track_arrive(track, where, from->z, &sums);
    path_arrive(&follow->setting, where, from, &to, &sums, path);
    path_count(where, follow->from.p + from->p, to.p - from->p, follow->problem.speed, sums.gamma,
               path);
}

/* The parameter of the nodes at an x: log z = log(1 - q x)/q. */
static Many track_parameter(const ManyTrack *track, Many x) {
    if (track->kind == MANY_ARRIVAL) {
        Many q = track->curve->q, part = -q * x, y = 1 + part;
        return (many_log(y) + (part - (y - 1)) / y) / q;
    }
    return x;
}

/* To the end of compression, where it comes, and to the end of the stretch. Each element goes at
 * its own pace: at[0] and at[1] hold the two points, where[0] and where[1] who goes there. From the
 * parameter `settled` on slip is straight. */
static void lanes_run(Follow *follow, const ManyTrack *track, const ManyEvents *events,
                      Many settled, ManyMask where[2], const ManyMark marks[2], ManyMark *at) {
    Many q = many_abs(track->curve->q), most = LANES_FALL / q;
    double unit = follow->rule ? LANES_CHAIN_LOG : LANES_LOG;
    while (many_any(where[0] | where[1])) {
        ManyMask all = where[0] | where[1], ends = all, straight = all & ~(at->t > settled);
        ManyMark to = marks[1];
        mark_choose(where[0], &marks[0], &to);
        if (track->kind == MANY_ARRIVAL) {
            Many length = many_choose(at->t < LANES_ALONE, many_all(2 * unit), many_all(unit));
            Many next = many_most(at->t - many_least(length, most), settled);
            ManyMark between[2];
            ends = straight | ~(next - to.t > 1e-4);
            if (many_any(all & ~ends)) {
                next = many_choose(all & ~ends, next, at->t);
                track_marks(track, next, next, between);
                mark_choose(~ends, &between[0], &to);
            }
        }
        if (many_any(straight)) {
            lanes_straight(follow, track, straight, at, &to);
        }
        if (many_any(all & ~straight)) {
            (follow->rule ? lanes_chain : lanes_piece)(follow, track, all & ~straight, at, &to);
        }
        mark_choose(all, &to, at);
        path_lose(where[0] & ends, follow->problem.e, events->peak, &follow->path);
        where[1] &= ~(ends & ~where[0]);
        where[0] &= ~ends;
    }
}

/* The parameter at which slip on an arrival has settled. */
static Many settled_at(const ManyCurve *curve) {
    Many by = 1 + many_where(curve->q > 0, curve->q);
    return -LANES_SETTLED / by;
}

#endif

#endif
