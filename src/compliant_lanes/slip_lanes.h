/* Slip: the series of compliant/turning_piece.h, whose symbols these are, and the closed form of
 * compliant/straight_slip.c where the direction stays.
 *
 *   V' = chi d - mu B u    v_n' = chi - mu d.u    M' = -2 k chi v_n,   M = N^2
 *   u' = (chi'/chi) u + omega u_perp              M omega = g (V_y u_x - V_x u_y) */
#ifndef CAROM_LANES_SLIP_H
#define CAROM_LANES_SLIP_H

#include "compliant_lanes/spring_slots.h"
#include "math/many_power.h"
#include "math/reciprocal.h"

#ifdef CAROM_LANES

/* Truncation, relative to the impulse; the root of the impulse left that measures the end, and what
 * is left of p where that begins: as for one impact. */
static const double SPRING_CUT = 1e-13, SPRING_CLOSING = 0.2;
enum { SPRING_ROOT = 4, SPRING_TERMS = ROOT_DEGREE + 1 };

/* Pull on the direction up to which lanes are used; the solver for one collocates from 24 on. */
static const double SPRING_PULL = 300;

typedef struct SpringSeries {
    Many V[2][SPRING_TERMS], u[2][SPRING_TERMS], omega[SPRING_TERMS], chi[SPRING_TERMS];
    Many M[SPRING_TERMS], vn[SPRING_TERMS];
    Many slide[SPRING_TERMS + 1]; /* chi sigma */
} SpringSeries;

/* What a piece starts with. */
typedef struct SpringNow {
    Many g, stiff; /* 1/(mu eta^2); d sigma/d v_n */
    Many drift[2], rise;
    Many M, speed;   /* N^2, |V| */
    Many left, chi0; /* of the impulse, about; the clock's unit */
    ManyMask closing;
} SpringNow;

INLINE Many many_dot(const Many a[2], const Many b[2]) {
    return a[0] * b[0] + a[1] * b[1];
}

INLINE Many many_cross(const Many a[2], const Many b[2]) {
    return a[0] * b[1] - a[1] * b[0];
}

INLINE void spring_drift(const SpringProblem *problem, const Many s[2], Many drift[2]) {
    const Many *B = problem->B, *d = problem->d;
    drift[0] = d[0] - problem->mu * (B[0] * s[0] + B[1] * s[1]);
    drift[1] = d[1] - problem->mu * (B[1] * s[0] + B[2] * s[1]);
}

/* Normal impulse up to the end of restitution, if v_n' stays. */
INLINE Many straight_rest(const SpringState *state, Many rise) {
    Many vn = state->vn, twice = state->N * state->N / state->k;
    return twice / (vn + many_sqrt(vn * vn + twice * rise));
}

static inline void slip_here(const SpringProblem *problem, const SpringState *state,
                             SpringNow *now) {
    const Many *s = state->x, one = many_all(1);
    ManyMask opening = state->opening > 0;
    now->g = 1 / (problem->mu * problem->eta2);
    now->stiff = problem->mu * problem->eta2 * state->k;
    spring_drift(problem, s, now->drift);
    now->rise = 1 - problem->mu * many_dot(problem->d, s);
    now->M = state->N * state->N;
    now->speed = many_sqrt(many_dot(state->V, state->V));
    now->left = many_choose(
        opening, many_least(straight_rest(state, many_most(now->rise, many_all(0))), 1 + state->p),
        one);
    now->closing = opening & (now->left < SPRING_CLOSING * state->p);
    now->chi0 = many_choose(now->closing, now->left, one);
}

/* May the direction be frozen for what is left? */
INLINE ManyMask slip_is_settled(const SpringProblem *problem, const SpringState *state,
                                const SpringNow *now) {
    Many drift = many_sqrt(many_dot(now->drift, now->drift));
    Many turn = (many_abs(many_cross(state->V, state->x)) + now->left * drift) / now->speed;
    return (state->opening > 0) & (state->vn > 0) & (now->rise > 0) &
           (problem->mu * now->left * many_least(turn, many_all(2)) <= SPRING_CUT * state->p);
}

/* ---- the series ---- */

INLINE void slip_series_start(const SpringState *state, const SpringNow *now, SpringSeries *at) {
    Many r = many_where(now->closing, many_all(1.0 / SPRING_ROOT)), chi = now->chi0;
    for (int n = 0; n <= ROOT_DEGREE; n++) {
        at->chi[n] = chi;
        chi *= r * ((n + 1 - SPRING_ROOT) * RECIPROCAL[n + 1]);
    }
    for (int i = 0; i < 2; i++) {
        at->V[i][0] = state->V[i];
        at->u[i][0] = state->x[i] * now->chi0;
    }
    at->M[0] = now->M;
    at->vn[0] = state->vn;
}

/* Coefficient n of the products; omega_n is not known yet. */
typedef struct SpringProducts {
    Many along, across; /* V.u and V_y u_x - V_x u_y */
    Many turn[2];       /* omega u */
    Many fall, clock;   /* omega M and chi v_n */
} SpringProducts;

INLINE void slip_products(const SpringSeries *at, int n, SpringProducts *sum) {
    Many none = many_all(0), xx = none, xy = none, yx = none, yy = none, tx = none, ty = none,
         fall = none, clock = none;
    for (int j = 0; j < n; j++) {
        Many Vx = at->V[0][j], Vy = at->V[1][j], ux = at->u[0][n - j], uy = at->u[1][n - j],
             omega = at->omega[j];
        xx += Vx * ux;
        xy += Vx * uy;
        yx += Vy * ux;
        yy += Vy * uy;
        tx += omega * ux;
        ty += omega * uy;
        fall += omega * at->M[n - j];
        clock += at->chi[j] * at->vn[n - j];
    }
    Many Vx = at->V[0][n], Vy = at->V[1][n], ux = at->u[0][0], uy = at->u[1][0];
    xx += Vx * ux;
    xy += Vx * uy;
    yx += Vy * ux;
    yy += Vy * uy;
    clock += at->chi[n] * at->vn[0];
    *sum = (SpringProducts){xx + yy, yx - xy, {tx, ty}, fall, clock};
}

/* V, v_n and M of the next order. */
INLINE void slip_push(const SpringProblem *problem, Many k, int n, Many clock, SpringSeries *at) {
    const Many *B = problem->B, *d = problem->d;
    double over = RECIPROCAL[n + 1];
    Many x = problem->mu * at->u[0][n], y = problem->mu * at->u[1][n], chi = at->chi[n];
    at->V[0][n + 1] = over * (chi * d[0] - (B[0] * x + B[1] * y));
    at->V[1][n + 1] = over * (chi * d[1] - (B[1] * x + B[2] * y));
    at->vn[n + 1] = over * (chi - (d[0] * x + d[1] * y));
    at->M[n + 1] = over * (-2 * k * clock);
}

static inline void slip_series(const SpringProblem *problem, const SpringState *state,
                               const SpringNow *now, SpringSeries *at) {
    const Many *u0 = at->u[0], *u1 = at->u[1];
    Many r = many_where(now->closing, many_all(1.0 / SPRING_ROOT)),
         c = many_where(now->closing, 1 - r), over_M = 1 / now->M, before = many_all(0);
    slip_series_start(state, now, at);
    for (int n = 0;; n++) {
        SpringProducts sum;
        slip_products(at, n, &sum);
        at->slide[n] = sum.along + now->stiff * sum.clock;
        if (n == ROOT_DEGREE) {
            return;
        }
        Many omega = (now->g * (sum.across - r * before) - sum.fall) * over_M;
        Many shrink = n * r - c;
        before = sum.across;
        at->omega[n] = omega;
        at->u[0][n + 1] = RECIPROCAL[n + 1] * (shrink * u0[n] - (sum.turn[1] + omega * u1[0]));
        at->u[1][n + 1] = RECIPROCAL[n + 1] * (shrink * u1[n] + (sum.turn[0] + omega * u0[0]));
        slip_push(problem, state->k, n, sum.clock, at);
    }
}

/* From M = 0, with V along u; see build_start() in compliant/turning_series.c. */
static inline void slip_series_from_start(const SpringProblem *problem, const SpringState *state,
                                          const SpringNow *now, SpringSeries *at) {
    const Many *u0 = at->u[0], *u1 = at->u[1];
    SpringProducts sum;
    slip_series_start(state, now, at);
    slip_products(at, 0, &sum);
    at->slide[0] = sum.along + now->stiff * sum.clock;
    Many x = many_all(0), y = x;
    for (int n = 0; n < ROOT_DEGREE; n++) {
        double over = RECIPROCAL[n + 1];
        slip_push(problem, state->k, n, sum.clock, at);
        /* without omega_n first */
        at->u[0][n + 1] = over * x;
        at->u[1][n + 1] = over * y;
        at->omega[n] = many_all(0);
        slip_products(at, n + 1, &sum);
        Many omega = (now->g * sum.across - sum.fall) / (at->M[1] + now->g * now->speed * over);
        Many more_x = -omega * u1[0], more_y = omega * u0[0];
        at->omega[n] = omega;
        at->u[0][n + 1] += more_x * over;
        at->u[1][n + 1] += more_y * over;
        at->slide[n + 1] = sum.along + now->stiff * sum.clock;
        /* omega u_perp of the next order, with what omega_n adds */
        x = -(sum.turn[1] + omega * u1[1]);
        y = sum.turn[0] + omega * u0[1];
        if (n > 0) {
            x -= at->omega[0] * (more_y * over);
            y += at->omega[0] * (more_x * over);
        }
    }
}

/* Size of the terms of order n, each relative to what it may be wrong by. */
INLINE Many slip_term(const SpringProblem *problem, const SpringNow *now, const SpringSeries *at,
                      int n) {
    Many mu = problem->mu, left = now->left;
    Many turn = (many_abs(at->u[0][n]) + many_abs(at->u[1][n])) * mu * (left / now->chi0);
    Many slide = (many_abs(at->V[0][n]) + many_abs(at->V[1][n]) + many_abs(at->vn[n])) /
                 (problem->speed + 1);
    Many force = many_abs(at->M[n]) * many_choose(now->M > 0, left / now->M, many_all(1));
    return many_most(many_most(turn, mu * many_abs(at->slide[n])), many_most(slide, force));
}

/* How far the series goes. */
INLINE Many slip_reach(const SpringProblem *problem, const SpringState *state, const SpringNow *now,
                       const SpringSeries *at) {
    const int n = ROOT_DEGREE;
    const Many tiny = many_all(1e-280);
    Many a = many_log(SPRING_CUT / many_most(slip_term(problem, now, at, n), tiny)) * RECIPROCAL[n],
         b = many_log(SPRING_CUT / many_most(slip_term(problem, now, at, n - 1), tiny)) *
             RECIPROCAL[n - 1];
    Many x = many_exp(many_least(a, b)),
         far = many_choose(now->closing, many_all(0.9 * SPRING_ROOT), 0.7 * now->left);
    return many_choose(state->opening > 0, many_least(x, far), x);
}

/* ---- events ---- */

/* Is an end of slip excluded within x? See compliant/turning_slip.c. */
INLINE ManyMask slip_goes_on(const SpringSeries *at, const SpringNow *now, Many x) {
    Many V = many_all(0), normal = V, power = x;
    for (int n = 1; n <= ROOT_DEGREE; n++) {
        V += (many_abs(at->V[0][n]) + many_abs(at->V[1][n])) * power;
        normal += many_where(many_all(n) > 1, many_abs(at->vn[n]) * power);
        power *= x;
    }
    return at->slide[0] > now->chi0 * (V + now->stiff * (normal + many_abs(at->vn[1] * x)));
}

/* A polynomial in x as one on [0, 1]. */
INLINE void slip_scale(const Many *a, Many x, Many *unit) {
    Many power = many_all(1);
    for (int n = 0; n <= ROOT_DEGREE; n++) {
        unit[n] = power * a[n];
        power *= x;
    }
}

/* The state after x, and the direction there. */
static inline void slip_advance(const SpringProblem *problem, const SpringNow *now,
                                const SpringSeries *at, Many x, SpringState *state) {
    const int n = ROOT_DEGREE;
    Many V0 = at->V[0][n], V1 = at->V[1][n], u0 = at->u[0][n], u1 = at->u[1][n], M = at->M[n],
         vn = at->vn[n], over = many_all(RECIPROCAL[n + 1]), J0 = u0 * over, J1 = u1 * over,
         work = at->slide[n] * over;
    for (int i = n - 1; i >= 0; i--) {
        V0 = V0 * x + at->V[0][i];
        V1 = V1 * x + at->V[1][i];
        u0 = u0 * x + at->u[0][i];
        u1 = u1 * x + at->u[1][i];
        M = M * x + at->M[i];
        vn = vn * x + at->vn[i];
        J0 = J0 * x + at->u[0][i] * RECIPROCAL[i + 1];
        J1 = J1 * x + at->u[1][i] * RECIPROCAL[i + 1];
        work = work * x + at->slide[i] * RECIPROCAL[i + 1];
    }
    Many size = many_sqrt(u0 * u0 + u1 * u1), tau = 1 - x * (1.0 / SPRING_ROOT), square = tau * tau;
    state->p += many_choose(now->closing, now->chi0 * (1 - square * square), x);
    state->N = many_sqrt(many_most(M, many_all(0)));
    state->vn = vn;
    state->V[0] = V0;
    state->V[1] = V1;
    state->J[0] -= problem->mu * J0 * x;
    state->J[1] -= problem->mu * J1 * x;
    state->x[0] = u0 / size;
    state->x[1] = u1 / size;
    state->friction += problem->mu * work * x;
}

/* From slip to stick, or through the end of compression. */
INLINE void slip_events(const SpringProblem *problem, ManyMask stops, ManyMask turns,
                        SpringState *state, SpringPiece *piece) {
    Many push = problem->mu * state->N, one = many_all(1);
    const Many f[2] = {push * state->x[0], push * state->x[1]};
    spring_compressed(problem, turns, f, state, piece);
    for (int i = 0; i < 2; i++) {
        state->x[i] = many_choose(stops, f[i], state->x[i]);
    }
    state->fresh = many_where(stops, one);
    piece->stuck = stops;
}

/* ---- pieces ---- */

/* Along a fixed direction, to the next event: where `all`, to the end of the impact whatever the
 * sliding speed. */
static inline void straight_slip_run(const SpringProblem *problem, ManyMask all, SpringState *state,
                                     SpringPiece *piece) {
    const Many *s = state->x, mu = problem->mu, none = many_all(0), far = many_all(INFINITY);
    Many drift[2], rise = 1 - mu * many_dot(problem->d, s), stiff = mu * problem->eta2 * state->k;
    spring_drift(problem, s, drift);
    ManyMask opening = state->opening > 0;
    Many sigma = many_dot(state->V, s) + stiff * state->vn;
    Many growth = many_dot(drift, s) + stiff * rise;
    ManyMask slows = ~all & (mu > 0) & (growth < 0);
    Many stop = many_choose(slows, many_most(-sigma / growth, none), far);
    Many next = many_choose(opening, straight_rest(state, rise), -state->vn / rise);
    ManyMask stops = stop <= next;
    Many y = many_choose(stops, stop, next);
    Many E = state->N * state->N / (2 * state->k) - (state->vn + 0.5 * rise * y) * y;
    ManyMask ends = opening & ~stops;
    piece->good = (y >= 0) & (y < INFINITY) & (rise > 0);
    state->p += y;
    state->vn += rise * y;
    state->N = many_where(~ends, many_sqrt(2 * state->k * many_most(E, none)));
    for (int i = 0; i < 2; i++) {
        state->J[i] -= mu * s[i] * y;
        state->V[i] += drift[i] * y;
    }
    state->friction += mu * (sigma + 0.5 * growth * y) * y;
    piece->done = ends;
    slip_events(problem, stops, ~opening & ~stops, state, piece);
}

/* A piece of slip that turns. begin: from the start of the impact. */
INLINE void turning_run(const SpringProblem *problem, int begin, Many longest, SpringState *state,
                        SpringPiece *piece) {
    SpringNow now;
    SpringSeries at;
    slip_here(problem, state, &now);
    ManyMask settled = slip_is_settled(problem, state, &now);
    SpringState ended = *state;
    if (many_any(settled)) {
        straight_slip_run(problem, settled, &ended, piece);
    }
    if (begin) {
        slip_series_from_start(problem, state, &now, &at);
    } else {
        slip_series(problem, state, &now, &at);
    }
    Many x = slip_reach(problem, state, &now, &at), pull = many_all(0);
    if (!begin) {
        pull = now.chi0 * many_dot(state->V, state->x) * now.g / now.M;
        x = many_choose(pull > 0, many_least(x, ROOT_DEGREE / 3.0 / pull), x);
    }
    x *= longest;
    Many drift = many_sqrt(many_dot(now.drift, now.drift));
    Many pulls = pull * many_least(many_all(1), now.speed / (now.chi0 * drift));
    ManyMask goes_on = slip_goes_on(&at, &now, x), stops = settled & ~settled;
    piece->good = (x > 0) & (pulls < SPRING_PULL);
    piece->again = stops;
    Many to = x;
    if (many_any(~goes_on)) {
        Many unit[SPRING_TERMS];
        ManyRoot stop;
        slip_scale(at.slide, x, unit);
        many_root_find(unit, ROOT_DEGREE, SPRING_SMALL, &stop);
        stops = stop.one & ~goes_on;
        ManyMask seen = goes_on | stop.clear | many_newton(unit, stops, &stop.at);
        piece->again = piece->good & ~seen;
        piece->good &= seen;
        to = many_choose(stops & seen, stop.at * x, to);
    }
    Many vn[SPRING_TERMS];
    slip_scale(at.vn, to, vn);
    Many last = many_sum(vn, many_all(1));
    ManyMask turns = ~(state->opening > 0) & (last > 0), lost = turns & ~turns,
             holds = spring_holds(problem, state, vn);
    if (many_any(turns)) {
        to = many_choose(turns, to * many_rise_to_zero(vn, last, turns, &lost), to);
        stops &= ~turns;
    }
    piece->again |= piece->good & ~(holds & ~lost);
    piece->again &= holds | (longest > SPRING_RESTARTS);
    piece->good &= holds & ~lost;
    slip_advance(problem, &now, &at, to, state);
    piece->done = settled;
    slip_events(problem, stops & piece->good, turns & piece->good, state, piece);
    if (many_any(settled)) {
        Many *fields = &state->p;
        const Many *others = &ended.p;
        for (int i = 0; i < SPRING_STATE_FIELDS; i++) {
            fields[i] = many_choose(settled, others[i], fields[i]);
        }
        piece->good |= settled;
        piece->again &= ~settled;
        piece->done |= settled;
        piece->compressed &= ~settled;
        piece->stuck &= ~settled;
    }
}

#endif

#endif
