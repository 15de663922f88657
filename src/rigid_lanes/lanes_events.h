/* The ends of compression and of restitution on a stretch.
 *
 * v_n rises all along, so each is the only zero of a monotone function of x: of v_n, and of E,
 * which falls by A from where restitution begins. A first guess inverts the cubic with the right
 * values and slopes at both ends; Newton's method on the series follows. For E the clock of the
 * guess is the speed that v_n would have if it rose steadily. */
#ifndef CAROM_LANES_EVENTS_H
#define CAROM_LANES_EVENTS_H

#include "rigid_lanes/lanes_arrival.h"
#include "rigid_lanes/lanes_regular.h"

#ifdef CAROM_LANES

/* A last step of Newton's method, relative to the stretch: its square is below rounding. */
static const double EVENT_LAST = 3e-9;
/* For E at its peak, the third power is. */
static const double PEAK_LAST = 5e-6;
enum { EVENT_STEPS = 7 };

/* Below this e, restitution is expanded anew from the end of compression: E, e^2 of its peak, would
 * lose digits. */
static const double LANES_SMALL_E = 0.1;

/* What happens on a stretch. */
typedef struct ManyEvents {
    ManyMask compressed; /* compression ends */
    ManyMask waits;      /* there the stretch ends: e is small */
    ManyMask ends;       /* restitution ends */
    ManyMask failed;     /* left to the solver for one impact */
    Many peak;           /* E at the end of compression */
    Many since;          /* A since then, or since the start, at the end of the stretch */
    Many x[2];           /* where compression and restitution end, if they do */
    ManyPoint last;      /* the last event */
} ManyEvents;

/* The cubic from x0 to x1 with these slopes, at w from 0 to 1. */
INLINE Many cubic_at(Many x0, Many slope0, Many x1, Many slope1, Many w) {
    Many run = x1 - x0, rest = 1 - w;
    return x0 + w * (run * w * (3 - 2 * w) + rest * (slope0 * rest - slope1 * w));
}

/* dp/dx where v_n has the given slope. */
INLINE Many curve_pace(const ManyCurve *curve, ManyKind kind, Many x, Many slope) {
    Many z = x, y;
    if (kind == MANY_ARRIVAL) {
        arrival_yz(curve, x, &y, &z);
    }
    return slope * quadratic(curve->line.D, z) / quadratic(curve->line.K, z);
}

/* v_n at its extremum on a regular stretch: at the zero of K between the ends. */
INLINE Many curve_extremum(const ManyCurve *curve) {
    const Many *K = curve->line.K;
    Many root = many_sqrt(many_most(K[1] * K[1] - 4 * K[0] * K[2], many_all(0)));
    /* both zeros, without a difference of close numbers */
    Many sum = -0.5 * (K[1] + many_choose(K[1] > 0, root, -root));
    Many first = sum / K[2], second = K[0] / sum;
    Many x = many_choose(many_abs(second) <= 1, second, first);
    Many V = series_sum(curve->series.V + 1, curve->series.count, x);
    return curve->unit * (curve->series.V[0] + x * V);
}

/* Does v_n rise all along? Its rate has the sign of the quadratic K; first: the least z. */
INLINE ManyMask curve_rises(const ManyLine *line, double first) {
    const Many *K = line->K;
    ManyMask ends = (K[0] + first * (K[1] + first * K[2]) > 0) & (K[0] + K[1] + K[2] > 0);
    ManyMask lowest_inside = (K[2] > 0) & (-K[1] < 2 * K[2]) & (-K[1] > 2 * first * K[2]);
    return ends & ~(lowest_inside & (K[1] * K[1] * (1 + 1e-9) >= 4 * K[0] * K[2]));
}

/* Newton's method for both events: x[0] where v_n = 0, then x[1] where A has fallen by E. An
 * element that has converged stays, whatever its neighbours need. */
typedef struct ManySearch {
    Many x[2], A;            /* A at the end of compression, or 0 */
    ManyMask found[2], ends; /* ends: restitution ends on the stretch */
    Many E;                  /* where restitution begins */
} ManySearch;

/* A first guess of where E is used up, from x[0] on, where v_n = v and p has the slope dp. */
INLINE Many events_guess(const ManyCurve *curve, Many x, Many v, Many dp, Many E, Many fall) {
    Many last = curve->v[1], sum = last + v;
    Many speed = many_sqrt(many_most(v * v + E / fall * (last - v) * sum, many_all(0)));
    Many by = 2 * fall / sum,
         guess = cubic_at(x, by / dp, curve->to, by / curve->dp[1], (speed - v) / (last - v));
    return many_most(many_least(guess, curve->to), x);
}

/* A step towards the end of compression. Returns dp/dx there. */
INLINE Many search_peak(const ManyProblem *problem, const ManyState *from, const ManyCurve *curve,
                        ManyKind kind, const ManyEvents *events, ManySearch *at) {
    Many v, dv, A, e = problem->e, length = many_abs(curve->to - curve->from);
    /* the place itself is needed only if the stretch ends there */
    Many limit = length * many_choose(events->waits, many_all(EVENT_LAST), many_all(PEAK_LAST));
    if (kind == MANY_REGULAR) {
        regular_values(curve, at->x[0], &v, &dv, &A);
    } else {
        arrival_values(curve, at->x[0], &v, &dv, &A);
    }
    /* A is at an extremum where compression ends: to the third power of the step */
    Many step = -v / dv, pace = curve_pace(curve, kind, at->x[0], dv);
    A -= 0.5 * v * pace * step;
    Many next = many_most(many_least(at->x[0] + step, curve->to), curve->from);
    at->x[0] = many_choose(at->found[0], at->x[0], next);
    at->A = many_choose(at->found[0], at->A, A);
    at->found[0] |= many_abs(step) <= limit;
    at->E = many_choose(events->compressed, e * e * (from->E + at->A), from->E);
    return pace;
}

/* A step towards the end of restitution, which is known only once that of compression is. */
INLINE void search_end(const ManyCurve *curve, ManyKind kind, ManySearch *at) {
    Many limit = EVENT_LAST * many_abs(curve->to - curve->from), dA, A;
    if (kind == MANY_REGULAR) {
        A = regular_work_at(curve, at->x[1], &dA);
    } else {
        A = arrival_work_at(curve, at->x[1], &dA);
    }
    Many step = -(at->E + (A - at->A)) / dA;
    Many next = many_most(many_least(at->x[1] + step, curve->to), curve->from);
    at->x[1] = many_choose(at->found[1], at->x[1], next);
    at->found[1] |= (many_abs(step) <= limit) & at->found[0];
}

/* Find both. In the first round the second is only guessed. */
INLINE void search_run(const ManyProblem *problem, const ManyState *from, const ManyCurve *curve,
                       ManyKind kind, const ManyEvents *events, ManySearch *at) {
    ManyMask opening = from->opening > 0;
    const Many *v = curve->v, *dv = curve->dv;
    Many change = v[1] - v[0], pace = curve->dp[0];
    at->found[0] = ~events->compressed;
    at->x[0] = cubic_at(curve->from, change / dv[0], curve->to, change / dv[1], -v[0] / change);
    at->x[0] = many_most(many_least(at->x[0], curve->to), curve->from); /* slopes may differ much */
    at->x[0] = many_choose(events->compressed, at->x[0], curve->from);
    if (many_any(events->compressed)) {
        pace = search_peak(problem, from, curve, kind, events, at);
        pace = many_choose(events->compressed, pace, curve->dp[0]);
    }
    at->ends &= at->E + (curve->A - at->A) <= 0;
    at->found[1] = ~at->ends;
    at->x[1] =
        events_guess(curve, at->x[0], many_where(opening, from->vn), pace, at->E, at->A - curve->A);
    for (int i = 1; i < EVENT_STEPS && many_any(~(at->found[0] & at->found[1])); i++) {
        if (many_any(~at->found[0])) {
            search_peak(problem, from, curve, kind, events, at);
        }
        if (many_any(~at->found[1])) {
            search_end(curve, kind, at);
        }
    }
}

/* The events on a stretch that starts in a state. */
INLINE void events_run(const ManyProblem *problem, const ManyState *from, const ManyCurve *curve,
                       ManyKind kind, ManyEvents *events) {
    ManyMask closing = ~(from->opening > 0),
             rising = curve_rises(&curve->line, kind == MANY_REGULAR ? -1 : 0);
    /* v_n that falls first, and then rises at most to 0, meets no event in compression; nor does
     * v_n that rises first, to less than 0, and then falls */
    ManyMask dips = closing & (curve->dv[0] <= 0) & (curve->v[1] < 0), good = curve->good;
    ManyMask peaks = closing & (curve->dv[0] > 0) & (curve->dv[1] <= 0) & (curve->v[1] < 0) & good;
    if (kind == MANY_REGULAR && many_any(peaks)) {
        dips |= peaks & (curve_extremum(curve) < -EVENT_LAST);
    }
    events->failed = ~(rising | dips);
    events->compressed = good & rising & closing & (curve->v[1] > 0);
    events->waits = events->compressed & (problem->e < LANES_SMALL_E);
    ManySearch at;
    at.A = many_all(0);
    at.E = from->E;
    at.ends = good & rising & (~closing | events->compressed) & ~events->waits;
    events->last = curve->end;
    events->x[0] = events->x[1] = curve->to;
    if (many_any(at.ends | events->waits)) {
        search_run(problem, from, curve, kind, events, &at);
        events->failed |= ~(at.found[0] & at.found[1]);
        events->x[0] = at.x[0];
        events->x[1] = at.x[1];
        Many x = many_choose(at.ends, at.x[1], at.x[0]), z = x, M[3];
        if (kind == MANY_REGULAR) {
            regular_moments(curve, x, M);
        } else {
            arrival_moments(curve, x, M, &z);
        }
        curve_state(problem, from, curve, M, &events->last);
        /* the check of the end again, here for the direction alone */
        const ManyLine *line = &curve->line;
        const Many *gamma = events->last.gamma;
        Many D = quadratic(line->D, z), A = quadratic(line->A, z), C = quadratic(line->C, z);
        events->failed |=
            (at.ends | events->waits) &
            ~curve_agrees(problem, from, &events->last, (gamma[0] * A + gamma[1] * C) / D, D, A, C);
    }
    events->ends = at.ends;
    events->peak = from->E + at.A;
    events->since = curve->A - at.A;
}

#endif

#endif
