/* Stick: the three springs oscillate. Taylor series in time, of the force and the velocity,
 *
 *   N' = -k v_n    f' = V/eta^2    V' = N d - B f    v_n' = N - d.f
 *
 * on pieces so short that all frequencies are resolved. Stick lasts while G = (mu N)^2 - |f|^2 > 0,
 * another polynomial; where it begins on the cone G has a double zero, which is divided out. */
#ifndef CAROM_LANES_STICK_H
#define CAROM_LANES_STICK_H

#include "compliant_lanes/spring_slots.h"
#include "math/reciprocal.h"

#ifdef CAROM_LANES

/* Length of a piece times the highest frequency. The terms of the series fall below 1e-13, those of
 * G below 1e-5, which is enough to see whether it has a zero, and about where; N and f then say
 * where exactly. */
static const double STICK_REACH = 1.1, STICK_CONE = 2e-5;

enum { STICK_TERMS = ROOT_DEGREE + 1 };

typedef struct StickSeries {
    Many N[STICK_TERMS], vn[STICK_TERMS], f[2][STICK_TERMS], V[2][STICK_TERMS];
} StickSeries;

/* The series in t = h x. */
INLINE void stick_series(const SpringProblem *problem, const SpringState *state, Many h,
                         StickSeries *at) {
    const Many *B = problem->B, *d = problem->d;
    Many fall = -state->k * h, kt = problem->kt * h;
    const Many b[3] = {B[0] * h, B[1] * h, B[2] * h}, a[2] = {d[0] * h, d[1] * h};
    at->N[0] = state->N;
    at->vn[0] = state->vn;
    for (int i = 0; i < 2; i++) {
        at->f[i][0] = state->x[i];
        at->V[i][0] = state->V[i];
    }
    for (int n = 0; n < ROOT_DEGREE; n++) {
        double over = RECIPROCAL[n + 1];
        Many f0 = at->f[0][n], f1 = at->f[1][n], N = at->N[n];
        at->N[n + 1] = over * (fall * at->vn[n]);
        at->f[0][n + 1] = over * (kt * at->V[0][n]);
        at->f[1][n + 1] = over * (kt * at->V[1][n]);
        at->V[0][n + 1] = over * (N * a[0] - (b[0] * f0 + b[1] * f1));
        at->V[1][n + 1] = over * (N * a[1] - (b[1] * f0 + b[2] * f1));
        at->vn[n + 1] = over * (N * h - (a[0] * f0 + a[1] * f1));
    }
}

/* The integral up to x. */
INLINE Many stick_integral(const Many *a, Many x) {
    Many sum = a[ROOT_DEGREE] * RECIPROCAL[ROOT_DEGREE + 1];
    for (int i = ROOT_DEGREE - 1; i >= 0; i--) {
        sum = sum * x + a[i] * RECIPROCAL[i + 1];
    }
    return sum * x;
}

/* G; without its double zero where stick has just begun. */
static inline void stick_cone(const StickSeries *at, Many mu2, ManyMask fresh, Many *G) {
    for (int n = 0; n <= ROOT_LOW + 2; n++) {
        Many normal = many_all(0), x = normal, y = normal;
        for (int j = 0; j <= n; j++) {
            normal += at->N[j] * at->N[n - j];
            x += at->f[0][j] * at->f[0][n - j];
            y += at->f[1][j] * at->f[1][n - j];
        }
        G[n] = mu2 * normal - (x + y);
    }
    for (int n = 0; n <= ROOT_LOW; n++) {
        G[n] = many_choose(fresh, G[n + 2], G[n]);
    }
}

/* Newton's method for G = 0 from *x, by N and f. Returns where it has converged. */
static inline ManyMask stick_correct(const StickSeries *at, Many mu2, ManyMask due, Many *x) {
    ManyMask converged = due & ~due;
    for (int i = 0; i < 10 && many_any(due); i++) {
        Many N1, f1, g1, N = many_polynomial(at->N, *x, &N1),
                         f = many_polynomial(at->f[0], *x, &f1),
                         g = many_polynomial(at->f[1], *x, &g1);
        Many value = mu2 * N * N - (f * f + g * g), slope = 2 * (mu2 * N * N1 - (f * f1 + g * g1)),
             step = value / slope;
        *x = many_choose(due, *x - step, *x);
        ManyMask small = due & (many_abs(step) <= 1e-8);
        converged |= small;
        due &= ~small;
    }
    return converged & (*x > 0) & (*x <= 1);
}

/* The state at x. */
INLINE void stick_advance(const StickSeries *at, Many h, Many x, SpringState *state) {
    state->p += h * stick_integral(at->N, x);
    for (int i = 0; i < 2; i++) {
        state->J[i] -= h * stick_integral(at->f[i], x);
        state->V[i] = many_sum(at->V[i], x);
        state->x[i] = many_sum(at->f[i], x);
    }
    state->N = many_sum(at->N, x);
    state->vn = many_sum(at->vn, x);
}

/* Put the force exactly onto the cone, by the one of N and f that has lost fewer digits; it becomes
 * the direction of slip. */
INLINE void stick_yield(const SpringProblem *problem, ManyMask where, SpringState *state) {
    const Many *V = state->V, *f = state->x, kt = problem->kt, k = state->k;
    Many size = many_sqrt(f[0] * f[0] + f[1] * f[1]);
    Many swing = many_sqrt(kt * (V[0] * V[0] + V[1] * V[1]) / (problem->B[0] + problem->B[2]));
    Many fall = many_abs(state->vn) * many_sqrt(k);
    ManyMask by_f = where & ((state->N + fall) * size > (size + swing) * state->N);
    state->N = many_choose(by_f, size / problem->mu, state->N);
    for (int i = 0; i < 2; i++) {
        state->x[i] = many_choose(where, f[i] / size, f[i]);
    }
}

/* Length of the next piece. */
INLINE Many stick_reach(const SpringProblem *problem, const SpringState *state, Many longest) {
    const Many *B = problem->B;
    Many half = 0.5 * (B[0] - B[2]);
    Many largest = 0.5 * (B[0] + B[2]) + many_sqrt(half * half + B[1] * B[1]);
    return STICK_REACH * longest / many_sqrt(state->k + problem->kt * largest);
}

/* Which part of a piece to try where nothing is known about a zero of G. Close to the end of the
 * impact N has a zero between two of G: a piece up to there has one of them, or it can go on to
 * just before it. */
INLINE Many stick_shorter(const StickSeries *at, const SpringState *state) {
    Many last = many_sum(at->N, many_all(1)), x = many_all(1);
    ManyMask passes = (state->opening > 0) & (last < 0);
    x = many_choose(many_abs(last) < 0.01 * at->N[0], 0.95 * x, 0.5 * x);
    if (many_any(passes)) {
        Many falls[STICK_TERMS];
        for (int n = 0; n < STICK_TERMS; n++) {
            falls[n] = -at->N[n];
        }
        Many to = at->N[0] / (at->N[0] - last);
        ManyMask found = many_newton(falls, passes, &to);
        x = many_choose(found & (many_abs(last) > 1e-9 * at->N[0]), to, x);
    }
    return x;
}

/* A piece of stick. */
INLINE void stick_run(const SpringProblem *problem, SpringState *state, Many longest,
                      SpringPiece *piece) {
    StickSeries at;
    Many G[ROOT_LOW + 3], one = many_all(1), mu2 = problem->mu * problem->mu;
    Many h = stick_reach(problem, state, longest), x = one;
    ManyRoot yield;
    ManyMask fresh = state->fresh > 0, lost;
    stick_series(problem, state, h, &at);
    stick_cone(&at, mu2, fresh, G);
    many_root_find(G, ROOT_LOW, STICK_CONE, &yield);
    Many last = many_sum(at.vn, one);
    ManyMask turns = ~(state->opening > 0) & (last > 0);
    ManyMask holds = spring_holds(problem, state, at.vn);
    piece->good = (yield.clear | yield.one) & holds;
    if (many_any(yield.one)) {
        x = many_choose(yield.one, yield.at, one);
        piece->good &= ~yield.one | stick_correct(&at, mu2, yield.one, &x);
        x = many_choose(piece->good, x, one);
    }
    if (many_any(turns)) {
        Many to = many_rise_to_zero(at.vn, last, turns, &lost);
        piece->good &= ~lost;
        turns &= to < x;
        x = many_choose(turns, to, x);
    }
    piece->again = ~piece->good & (holds | (longest > SPRING_RESTARTS));
    if (many_any(piece->again)) {
        piece->shorter = stick_shorter(&at, state);
    }
    stick_advance(&at, h, x, state);
    piece->yielded = yield.one & ~turns & piece->good;
    state->fresh = many_all(0);
    const Many f[2] = {state->x[0], state->x[1]};
    spring_compressed(problem, turns & piece->good, f, state, piece);
    if (many_any(piece->yielded)) {
        stick_yield(problem, piece->yielded, state);
    }
}

#endif

#endif
