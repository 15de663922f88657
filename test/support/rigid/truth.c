/* See truth.h. Units inside: w = 1 and |v_n-| = 1, so the impulse p_c of a frictionless impact
 * is 1. A "piece" is one Taylor expansion or one linear stretch, cut at its first event. */
#include "support/rigid/truth.h"

#include <math.h>
#include <string.h>

#include "support/math/random.h"

typedef long double Real;

enum { ORDER = 30, NODES = 24, STEP_LIMIT = 6000 };

/* 10^(-21/30): the last Taylor term is 1e-21 of the first */
#define STEP_FRACTION 0.1995262314968879601L
/* direction settled: the angle that is left, a little above the rounding of g */
#define SETTLED 3e-18L
/* slip over: the normal impulse that is left */
#define ARRIVED 1e-24L

/* slip over whatever its direction may still do: part of its start */
#define DEAD 1e-300L
/* near miss: the normal impulse that is left, in double precision */
#define MISSED 1e-15L

typedef struct Run {
    Real B11, B12, B22, d1, d2, mu, mu_static, e;
    CaromLaw law;
    int stops;           /* a near miss of zero slip counts as reaching it */
    int all_centripetal; /* |B^-1 d| <= mu: wherever the slip goes it dies out */
    /* state */
    Real x, y, r, p, ix, iy, vn, E, F;
    int restitution, done;
    Real stop;        /* Poisson: p, Newton: v_n, at which the impact ends */
    Real lost;        /* at ends of compression */
    Real closest;     /* smallest r in curved slip */
    Real compression; /* p at the first of them */
    int restarts, letters, steps;
    char sequence[CAROM_SEQUENCE_SIZE];
} Run;

typedef struct Series {
    Real x[ORDER + 1], y[ORDER + 1], r[ORDER + 1], p[ORDER + 1], ix[ORDER + 1], iy[ORDER + 1],
        vn[ORDER + 1], E[ORDER + 1], F[ORDER + 1];
} Series;

static void letter(Run *run, char which) {
    if (run->letters + 1 < CAROM_SEQUENCE_SIZE) {
        run->sequence[run->letters++] = which;
    }
}

static Real rate_f(const Run *run, Real x, Real y) {
    Real Dx = run->d1 - run->mu * (run->B11 * x + run->B12 * y);
    Real Dy = run->d2 - run->mu * (run->B12 * x + run->B22 * y);
    return x * Dx + y * Dy;
}

/* in the form that is exactly 0 where symmetry makes it so */
static Real rate_g(const Run *run, Real x, Real y) {
    Real turning = run->B12 * (x * x - y * y) + (run->B22 - run->B11) * x * y;
    return x * run->d2 - y * run->d1 - run->mu * turning;
}

/* dg/dtheta */
static Real rate_dg(const Run *run, Real x, Real y) {
    Real across = run->B11 * y * y - 2 * run->B12 * x * y + run->B22 * x * x;
    return -rate_f(run, x, y) - run->mu * across;
}

static void compression_ends(Run *run) {
    Real kept = run->law == CAROM_LAW_ENERGETIC ? run->e * run->e * run->E : run->E;
    letter(run, 'c');
    if (run->compression < 0) {
        run->compression = run->p;
    }
    run->vn = 0;
    run->restitution = 1;
    run->lost += run->E - kept;
    run->E = kept;
    run->stop = run->law == CAROM_LAW_POISSON ? (1 + run->e) * run->p : run->e;
    run->done = run->e == 0;
    if (run->done) {
        letter(run, 'r');
    }
}

static void restitution_ends(Run *run) {
    letter(run, 'r');
    run->done = 1;
}

static void compression_restarts(Run *run) {
    run->vn = 0;
    run->restitution = 0;
    run->restarts++;
}

/* ---- linear stretches: I' = (kx, ky, 1), v_n' = a, r' = f ---- */

/* The next event along the stretch: how far away, and whether v_n changes sign there. */
static Real linear_event(const Run *run, Real a, int *turns) {
    *turns = 1;
    if (!run->restitution) {
        return a > 0 ? -run->vn / a : INFINITY;
    }
    Real falls = a < 0 ? -run->vn / a : INFINITY, stops = INFINITY;
    if (run->law == CAROM_LAW_ENERGETIC) {
        Real discriminant = run->vn * run->vn + 2 * a * run->E;
        if (discriminant >= 0) {
            stops = 2 * run->E / (run->vn + sqrtl(discriminant));
        }
    } else if (run->law == CAROM_LAW_POISSON) {
        stops = run->stop - run->p;
    } else if (a > 0) {
        stops = (run->stop - run->vn) / a;
    }
    *turns = falls < stops;
    return *turns ? falls : stops;
}

static void linear_advance(Run *run, Real dp, Real kx, Real ky, Real a, Real f, Real mu) {
    run->E -= dp * (run->vn + a * dp / 2);
    run->F += mu * dp * (run->r + f * dp / 2);
    run->vn += a * dp;
    run->r += f * dp;
    run->p += dp;
    run->ix += kx * dp;
    run->iy += ky * dp;
}

static void linear_stretch(Run *run, Real kx, Real ky, Real f, Real mu, Real limit) {
    Real a = 1 + run->d1 * kx + run->d2 * ky;
    while (!run->done) {
        int turns;
        Real dp = linear_event(run, a, &turns);
        if (!(dp < limit)) {
            linear_advance(run, limit, kx, ky, a, f, mu);
            return;
        }
        linear_advance(run, dp, kx, ky, a, f, mu);
        limit -= dp;
        if (!run->restitution) {
            compression_ends(run);
        } else if (turns) {
            compression_restarts(run);
        } else {
            restitution_ends(run);
        }
    }
}

/* |(mu B + lambda)^-1 d|, with the vector */
static Real resolvent(const Run *run, Real lambda, Real *x, Real *y) {
    Real a = run->mu * run->B11 + lambda, b = run->mu * run->B12, c = run->mu * run->B22 + lambda;
    Real determinant = a * c - b * b;
    *x = (c * run->d1 - b * run->d2) / determinant;
    *y = (a * run->d2 - b * run->d1) / determinant;
    return hypotl(*x, *y);
}

/* The slip is zero: stick, or slip along the s with d - mu B s = lambda s, lambda > 0. */
static void from_zero_slip(Run *run) {
    Real determinant = run->B11 * run->B22 - run->B12 * run->B12;
    Real kx = -(run->B22 * run->d1 - run->B12 * run->d2) / determinant;
    Real ky = -(run->B11 * run->d2 - run->B12 * run->d1) / determinant;
    run->r = 0;
    letter(run, 's');
    if (hypotl(kx, ky) <= run->mu_static) {
        linear_stretch(run, kx, ky, 0, 0, INFINITY);
        run->x = run->y = 0;
        return;
    }
    Real low = 0, high = hypotl(run->d1, run->d2), x, y;
    for (int i = 0; i < 20000; i++) {
        Real middle = (low + high) / 2;
        if (middle <= low || middle >= high) {
            break;
        }
        if (resolvent(run, middle, &x, &y) > 1) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Real norm = resolvent(run, high, &x, &y);
    run->x = x / norm;
    run->y = y / norm;
    linear_stretch(run, -run->mu * run->x, -run->mu * run->y, high, run->mu, INFINITY);
}

/* Straight slip, exact from here on. */
static void straight_slip(Run *run) {
    Real f = rate_f(run, run->x, run->y);
    linear_stretch(run, -run->mu * run->x, -run->mu * run->y, f, run->mu,
                   f < 0 ? -run->r / f : INFINITY);
    if (!run->done) {
        from_zero_slip(run);
    }
}

/* ---- curved slip ---- */

static Real convolve(const Real *a, const Real *b, int k) {
    Real sum = 0;
    for (int i = 0; i <= k; i++) {
        sum += a[i] * b[k - i];
    }
    return sum;
}

static void expand(const Run *run, Series *s) {
    Real Dx[ORDER], Dy[ORDER], f[ORDER], g[ORDER], mu = run->mu;
    *s = (Series){.x = {run->x},
                  .y = {run->y},
                  .r = {run->r},
                  .p = {run->p},
                  .ix = {run->ix},
                  .iy = {run->iy},
                  .vn = {run->vn},
                  .E = {run->E},
                  .F = {run->F}};
    for (int k = 0; k < ORDER; k++) {
        Real n = k + 1;
        Dx[k] = (k == 0 ? run->d1 : 0) - mu * (run->B11 * s->x[k] + run->B12 * s->y[k]);
        Dy[k] = (k == 0 ? run->d2 : 0) - mu * (run->B12 * s->x[k] + run->B22 * s->y[k]);
        f[k] = convolve(s->x, Dx, k) + convolve(s->y, Dy, k);
        g[k] = convolve(s->x, Dy, k) - convolve(s->y, Dx, k);
        s->x[k + 1] = -convolve(g, s->y, k) / n;
        s->y[k + 1] = convolve(g, s->x, k) / n;
        s->r[k + 1] = convolve(f, s->r, k) / n;
        s->p[k + 1] = s->r[k] / n;
        s->ix[k + 1] = -mu * convolve(s->x, s->r, k) / n;
        s->iy[k + 1] = -mu * convolve(s->y, s->r, k) / n;
        s->vn[k + 1] = s->p[k + 1] + run->d1 * s->ix[k + 1] + run->d2 * s->iy[k + 1];
        s->E[k + 1] = -convolve(s->vn, s->r, k) / n;
        s->F[k + 1] = mu * convolve(s->r, s->r, k) / n;
    }
}

static Real step_size(const Series *s) {
    Real h = 4 * (1 + s->p[0]) / s->r[0];
    for (int k = ORDER - 1; k <= ORDER; k++) {
        Real direction = hypotl(s->x[k], s->y[k]), speed = fabsl(s->r[k] / s->r[0]);
        Real largest = direction > speed ? direction : speed;
        Real reach = largest > 0 ? STEP_FRACTION * powl(largest, -1.0L / k) : INFINITY;
        h = reach < h ? reach : h;
    }
    return h;
}

static Real value(const Real *c, Real t) {
    Real sum = c[ORDER];
    for (int k = ORDER - 1; k >= 0; k--) {
        sum = sum * t + c[k];
    }
    return sum;
}

/* dv_n/dp: v_n has its extrema where this vanishes */
static Real normal_rate(const Run *run, const Series *s, Real t) {
    return 1 - run->mu * (run->d1 * value(s->x, t) + run->d2 * value(s->y, t));
}

/* Positive once the phase is over: which = 0 v_n changes sign, 1 the law's end. */
static Real over(const Run *run, const Series *s, Real t, int which) {
    if (which == 0) {
        return run->restitution ? -value(s->vn, t) : value(s->vn, t);
    }
    switch (run->law) {
    case CAROM_LAW_ENERGETIC:
        return -value(s->E, t);
    case CAROM_LAW_POISSON:
        return value(s->p, t) - run->stop;
    default:
        return value(s->vn, t) - run->stop;
    }
}

static Real bisect(const Run *run, const Series *s, Real low, Real high, int which) {
    Real sign = which == 2 && normal_rate(run, s, low) > 0 ? -1 : 1;
    for (int i = 0; i < 200; i++) {
        Real middle = (low + high) / 2;
        if (middle <= low || middle >= high) {
            break;
        }
        Real at = which == 2 ? sign * normal_rate(run, s, middle) : over(run, s, middle, which);
        if (at > 0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

/* First event in (a, b], where v_n is monotone: its time, or infinity. Where v_n falls through 0
 * E has its minimum, so the law's end is looked for up to there. */
static Real first_event(const Run *run, const Series *s, Real a, Real b, int *which) {
    Real first = INFINITY;
    *which = 0;
    if (over(run, s, b, 0) > 0) {
        first = b = bisect(run, s, a, b, 0);
    }
    if (run->restitution && over(run, s, b, 1) > 0) {
        first = bisect(run, s, a, b, 1);
        *which = 1;
    }
    return first;
}

static void move_to(Run *run, const Series *s, Real t) {
    run->x = value(s->x, t);
    run->y = value(s->y, t);
    Real norm = hypotl(run->x, run->y);
    run->x /= norm;
    run->y /= norm;
    run->r = value(s->r, t);
    run->p = value(s->p, t);
    run->ix = value(s->ix, t);
    run->iy = value(s->iy, t);
    run->vn = value(s->vn, t);
    run->E = value(s->E, t);
    run->F = value(s->F, t);
}

static void curved_piece(Run *run) {
    Series s;
    expand(run, &s);
    Real h = step_size(&s), a = 0;
    for (int i = 1; i <= NODES; i++) {
        Real end = h * i / NODES;
        while (a < end) {
            Real b = end;
            int which = 0;
            if ((normal_rate(run, &s, a) > 0) != (normal_rate(run, &s, b) > 0)) {
                b = bisect(run, &s, a, b, 2);
            }
            Real t = first_event(run, &s, a, b, &which);
            if (t < INFINITY) {
                move_to(run, &s, t);
                if (!run->restitution) {
                    compression_ends(run);
                } else if (which == 0) {
                    compression_restarts(run);
                } else {
                    restitution_ends(run);
                }
                return;
            }
            a = b;
        }
    }
    move_to(run, &s, h);
}

static void slip(Run *run) {
    Real start = run->r;
    while (!run->done && run->steps++ < STEP_LIMIT) {
        Real f = rate_f(run, run->x, run->y), g = rate_g(run, run->x, run->y);
        Real dg = rate_dg(run, run->x, run->y);
        if (g == 0 && run->steps == 1) {
            letter(run, 'l');
            straight_slip(run);
            return;
        }
        if (dg < 0 && fabsl(g) <= -SETTLED * dg) {
            straight_slip(run);
            return;
        }
        int settled = dg < 0 && fabsl(g) <= -1e-6L * dg;
        if (run->stops && f < 0 && run->r <= -MISSED * f) {
            from_zero_slip(run);
            return;
        }
        if (f < 0 && run->r <= -ARRIVED * f &&
            (run->all_centripetal || settled || run->r < DEAD * start)) {
            from_zero_slip(run);
            return;
        }
        run->closest = run->r < run->closest ? run->r : run->closest;
        curved_piece(run);
    }
}

static Run run_of(const WideImpact *impact) {
    const Real *W = impact->W;
    Real w = W[8], unit = -impact->v[2];
    Run run = {.B11 = W[0] / w, .B12 = W[1] / w, .B22 = W[4] / w, .d1 = W[2] / w, .d2 = W[5] / w};
    run.mu = impact->mu;
    run.mu_static = impact->mu_static;
    run.e = impact->e;
    run.law = impact->law;
    run.r = hypotl(impact->v[0] / unit, impact->v[1] / unit);
    if (run.r > 0) {
        run.x = impact->v[0] / unit / run.r;
        run.y = impact->v[1] / unit / run.r;
    }
    run.vn = -1;
    run.compression = -1;
    run.closest = INFINITY;
    Real determinant = run.B11 * run.B22 - run.B12 * run.B12;
    Real kx = (run.B22 * run.d1 - run.B12 * run.d2) / determinant;
    Real ky = (run.B11 * run.d2 - run.B12 * run.d1) / determinant;
    run.all_centripetal = hypotl(kx, ky) <= run.mu;
    return run;
}

WideImpact truth_widen(const Impact *impact) {
    WideImpact wide = {.mu = impact->contact.mu,
                       .mu_static = impact_mu_static(impact),
                       .e = impact->contact.e,
                       .law = impact->law};
    for (int i = 0; i < 9; i++) {
        wide.W[i] = impact->W[i];
    }
    for (int i = 0; i < 3; i++) {
        wide.v[i] = impact->v[i];
    }
    return wide;
}

static Run run_wide(const WideImpact *impact, int stops) {
    Run run = run_of(impact);
    run.stops = stops;
    if (run.r == 0) {
        from_zero_slip(&run);
    } else {
        slip(&run);
    }
    return run;
}

int truth_solve_wide(const WideImpact *impact, WideAnswer *answer) {
    Run run = run_wide(impact, 0);
    Real unit = -impact->v[2] / impact->W[8];
    Real I[3] = {run.ix * unit, run.iy * unit, run.p * unit};
    for (int i = 0; i < 3; i++) {
        answer->impulse[i] = I[i];
        answer->velocity[i] = impact->v[i];
        for (int j = 0; j < 3; j++) {
            answer->velocity[i] += impact->W[3 * i + j] * I[j];
        }
    }
    memcpy(answer->sequence, run.sequence, sizeof answer->sequence);
    answer->restarts = run.restarts;
    return run.done;
}

static Answer solve(const Impact *impact, int stops) {
    WideImpact wide = truth_widen(impact);
    Run run = run_wide(&wide, stops);
    Answer answer = {0};
    Real speed = -(Real)impact->v[2], unit = speed / impact->W[8];
    Real I[3] = {run.ix * unit, run.iy * unit, run.p * unit};
    for (int i = 0; i < 3; i++) {
        Real v = impact->v[i];
        for (int j = 0; j < 3; j++) {
            v += (Real)impact->W[3 * i + j] * I[j];
        }
        answer.impulse[i] = (double)I[i];
        answer.velocity[i] = (double)v;
    }
    answer.ok = run.done;
    answer.first_compression = (double)(run.compression * unit);
    answer.normal_loss = (double)(run.lost * unit * speed);
    if (impact->law != CAROM_LAW_ENERGETIC) {
        /* the other laws stop with energy in the store (or with less than none) */
        answer.normal_loss = (double)(run.E * unit * speed);
    }
    answer.friction_loss = (double)(run.F * unit * speed);
    answer.restarts = run.restarts;
    Real rate = hypotl(run.d1, run.d2) + run.mu * (run.B11 + run.B22);
    answer.closest = (double)(run.closest / (rate * run.p));
    memcpy(answer.sequence, run.sequence, sizeof answer.sequence);
    return answer;
}

Answer truth_solve(const Impact *impact) {
    return solve(impact, 0);
}

Answer truth_solve_stopping(const Impact *impact) {
    return solve(impact, 1);
}

Distance truth_sensitivity(const Impact *impact, const Answer *truth, int count, uint64_t seed,
                           int *sequences_differ) {
    Distance largest = {0};
    char plain[CAROM_SEQUENCE_SIZE], other[CAROM_SEQUENCE_SIZE];
    sequence_without_l(truth->sequence, plain);
    for (int k = 0; k < count; k++) {
        Random random = random_start(seed, (uint64_t)k);
        Impact moved = impact_disturbed(impact, &random);
        Answer answer = truth_solve(&moved);
        largest = distance_max(largest, answer_distance(impact, &answer, truth));
        sequence_without_l(answer.sequence, other);
        if (sequences_differ != NULL && strcmp(plain, other) != 0) {
            *sequences_differ = 1;
        }
    }
    return largest;
}
