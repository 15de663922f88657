/* Straight lines in closed form: the rest of an impact whose slip is 0, or that has no friction;
 * slip that does not turn any more.
 *
 * At zero slip the contact sticks if |B^-1 d| <= mu_static, J' = -B^-1 d. Otherwise it slips along
 * the direction s = x/|x|, x = (b + lambda)^-1 d, with |x| = 1 and lambda > 0, the rate of the
 * slip. 1/|x| is a concave function of lambda, so Newton's method from 0 rises to the solution. */
#ifndef CAROM_LANES_ZERO_H
#define CAROM_LANES_ZERO_H

#include "rigid_lanes/slots.h"

#ifdef CAROM_LANES

/* x = (B + add)^-1 y */
INLINE void solve_shifted(const Many B[3], Many add, const Many y[2], Many x[2]) {
    Many B0 = B[0] + add, B2 = B[2] + add, det = B0 * B2 - B[1] * B[1];
    x[0] = (B2 * y[0] - B[1] * y[1]) / det;
    x[1] = (B0 * y[1] - B[1] * y[0]) / det;
}

/* The direction and rate of slip that starts from 0. Returns where it was found. */
static inline ManyMask slide_off(const ManyProblem *problem, Many s[2], Many *rate) {
    Many lambda = many_all(0), step = lambda, x[2], y[2];
    for (int i = 0; i < 8; i++) {
        solve_shifted(problem->b, lambda, problem->d, x);
        solve_shifted(problem->b, lambda, x, y);
        Many square = x[0] * x[0] + x[1] * x[1], size = many_sqrt(square);
        step = square * (size - 1) / (x[0] * y[0] + x[1] * y[1]);
        lambda += step;
    }
    solve_shifted(problem->b, lambda, problem->d, x);
    Many inverse = 1 / many_sqrt(x[0] * x[0] + x[1] * x[1]);
    s[0] = x[0] * inverse;
    s[1] = x[1] * inverse;
    *rate = lambda;
    return (lambda > 0) & (many_abs(step) <= 1e-15 * problem->rate);
}

/* Go to the end with constant J' = j, gamma' and v_n' = a > 0. Letters: in *compressed. */
INLINE void straight_to_end(const ManyProblem *problem, const Many j[2], const Many rate[2], Many a,
                            ManyState *state, ManyMask *compressed) {
    Many vn = state->vn, inverse = 1 / a, e = problem->e;
    ManyMask opening = state->opening > 0;
    Many peak = state->E + 0.5 * vn * vn * inverse, left = e * e * peak;
    Many closing_y = -vn * inverse, opening_y = many_sqrt(2 * left * inverse);
    Many y = many_choose(opening, 2 * state->E / (vn + many_sqrt(vn * vn + 2 * a * state->E)),
                         closing_y + opening_y);
    *compressed = ~opening;
    state->loss += many_where(~opening, (1 - e) * (1 + e) * peak);
    state->vn = many_choose(opening, vn + a * y, a * opening_y);
    state->p += y;
    for (int i = 0; i < 2; i++) {
        state->J[i] += j[i] * y;
        state->gamma[i] += rate[i] * y;
    }
    state->E = many_all(0);
}

/* Go on with constant J' = -mu s, s the direction of slip now, until the slip stops or the impact
 * ends. Returns where that is right; *stops, *compressed: what happens. */
static inline ManyMask straight_run(const ManyProblem *problem, ManyState *state,
                                    ManyMask *compressed, ManyMask *stops) {
    ManySlip now;
    slip_now(problem, state, &now);
    Many vn = state->vn, a = now.a, e = problem->e, none = many_all(0);
    ManyMask opening = state->opening > 0;
    Many far = many_choose(now.f < 0, -now.r / now.f, many_all(INFINITY));
    /* where v_n is, or was, 0, with E there */
    Many middle = -vn / a, peak = state->E + 0.5 * vn * vn / a;
    Many left = many_choose(opening, peak, e * e * peak), end = middle + many_sqrt(2 * left / a);
    ManyMask closes = ~opening & (far < middle);
    *stops = far < end;
    *compressed = ~opening & ~closes;
    Many y = many_choose(*stops, far, end), since = y - middle;
    state->E = many_choose(closes, peak, left) - 0.5 * a * since * since;
    state->E = many_where(*stops, state->E);
    state->loss += many_where(*compressed, (1 - e) * (1 + e) * peak);
    state->vn = many_choose(*compressed, a * since, vn + a * y);
    state->opening = many_choose(closes, none, many_all(1));
    state->p += y;
    /* all of gamma', though that across is next to nothing: what is left of gamma where the slip
     * stops is removed with the impulse that this takes, by zero_run() */
    const Many rate[2] = {now.f * now.s[0] - now.g * now.s[1], now.f * now.s[1] + now.g * now.s[0]};
    for (int i = 0; i < 2; i++) {
        state->J[i] -= problem->mu * now.s[i] * y;
        state->gamma[i] += rate[i] * y;
    }
    return (a > 0) & (y >= 0) & (y < INFINITY) & ((state->E > 0) | ~*stops);
}

/* From zero slip (but for rounding) to the end. Returns where that is right. */
static inline ManyMask zero_run(const ManyProblem *problem, ManyState *state,
                                ManyMask *compressed) {
    const Many *d = problem->d, none = many_all(0);
    Many change[2], stick[2], j[2], rate[2], s[2], lambda = none;
    solve_shifted(problem->B, none, state->gamma, change);
    solve_shifted(problem->B, none, d, stick);
    /* make gamma exactly 0, with the impulse that this takes */
    for (int i = 0; i < 2; i++) {
        state->J[i] -= change[i];
        state->gamma[i] = none;
    }
    state->vn -= d[0] * change[0] + d[1] * change[1];
    ManyMask sticks = many_sqrt(stick[0] * stick[0] + stick[1] * stick[1]) <= problem->mu_static,
             good = sticks;
    s[0] = s[1] = none;
    if (many_any(~sticks)) {
        good |= slide_off(problem, s, &lambda);
    }
    for (int i = 0; i < 2; i++) {
        j[i] = many_choose(sticks, -stick[i], -problem->mu * s[i]);
        rate[i] = many_where(~sticks, lambda * s[i]);
    }
    Many a = 1 + (d[0] * j[0] + d[1] * j[1]);
    straight_to_end(problem, j, rate, a, state, compressed);
    return good & (a > 0);
}

#endif

#endif
