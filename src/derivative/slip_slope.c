/* Derivatives along the pieces of slip (slip_slope.h).
 *
 * Curved slip. gamma' = d - b s is autonomous and homogeneous, so the shift of the clock, gamma',
 * and the scaling, gamma - p gamma', solve its linearisation. With X = [gamma', gamma - p gamma'],
 * y = delta d - delta b s and Xi = int X dp = [gamma - gamma_0, 2 int gamma dp - p gamma],
 *
 *   delta gamma(p)     = X(p) (c_0 + c(p)),  c_0 = X(0)^-1 delta gamma_0,  c = int_0^p X^-1 y dq
 *   K.int delta gamma  = K.Xi(p) (c_0 + c(p)) - int_0^p K.Xi(q) X^-1 y dq
 *
 * (docs/derivatives.md); p counts from the start of the piece. The solver gives the integrals
 * (rigid/rigid_visit.h).
 *
 * Straight slip: with log-time sigma = int dp/r and G = dg/dtheta,
 *
 *   delta theta = e^(G sigma) delta theta_0 + delta g (e^(G sigma) - 1)/G
 *   delta r' = delta f + (df/dtheta) delta theta */
#include "derivative/slip_slope.h"

#include <string.h>

#include "derivative/slip_log_time.h"
#include "derivative/slip_nodes.h"
#include "math/functions.h"
#include "math/gauss.h"
#include "math/lanes.h"
#include "math/vec2.h"

/* Below the first part of the scale of gamma' the turning rate g counts as 0: slip is straight,
 * with an error of g. Below the second X has too large a rounding error, eps/g. */
static const double STRAIGHT_TURN = 1e-15, CURVED_TURN = 1e-5;

/* Slip that ends below this part of its speed at the start of the piece has stopped. */
static const double SLOPE_STOPPED = 1e-7;

/* Slip that stops on an invariant direction turns by less than this part of its decay there. */
static const double STOP_TURN = 1e-6;

/* Slip below this part of its scale whose direction turns less than this while it falls to 0 counts
 * as straight down to zero: the rounding of gamma would count more. */
static const double SLOPE_FADED = 1e-7, SLOPE_FADED_TURN = 1e-5;

static void slope_rate(const Slope *slope, const double s[2], double rate[2]) {
    const double *b = slope->b, *d = slope->d;
    rate[0] = d[0] - b[0] * s[0] - b[1] * s[1];
    rate[1] = d[1] - b[1] * s[0] - b[2] * s[1];
}

void crm_slope_begin(Slope *slope, const RigidSetting *setting, double mu) {
    const double *B = setting->B, *d = setting->d;
    *slope = (Slope){.B = {B[0], B[1], B[2]},
                     .d = {d[0], d[1]},
                     .b = {mu * B[0], mu * B[1], mu * B[2]},
                     .mu = mu,
                     .K = {setting->K[0], setting->K[1]},
                     .k = setting->k,
                     .vn = -1,
                     .first = setting->speed,
                     .gamma = {setting->speed, 0}};
}

void crm_slope_mark(Slope *slope) {
    slope->since = slope->H[0] = slope->H[1] = 0;
    memset(slope->work, 0, sizeof slope->work);
}

/* ---- curved slip ---- */

/* The rows of X^-1 at the start of a piece. */
static void inverse_rows(const double s[2], double r, const double rate[2], double rows[2][2]) {
    double g = cross2(s, rate), by = -1 / (r * g);
    rows[0][0] = s[1] * r * by;
    rows[0][1] = -s[0] * r * by;
    rows[1][0] = -by * rate[1];
    rows[1][1] = by * rate[0];
}

/* a x + b y */
static inline Quad mix_four(double a, Quad x, double b, Quad y) {
    return quad_join(quad_all(a), x, quad_times(quad_all(b), y));
}

static void slope_curve(Slope *slope, const RigidPiece *piece) {
    const double *K = slope->K, *B = slope->B, *d = slope->d, *start = piece->gamma[0];
    const double p = piece->p, *J = piece->J, *end = piece->gamma[1];
    const RigidSums *sums = piece->sums;
    double rate[2], X[2][2];
    slope_rate(slope, piece->s[0], rate);
    slope_rate(slope, piece->s[1], slope->rate);
    inverse_rows(piece->s[0], dot2(start, piece->s[0]), rate, X);
    /* K.Xi at the end, and K.(Xi - p X(0)) for what was there */
    double change = dot2(d, J) + (1 - slope->k) * p;
    double area = piece->A + p * (piece->vn[0] + slope->k / 2 * p);
    double scaling = p * dot2(K, start), trapezoid = -p * change - 2 * area;
    double curvature = change - p * dot2(K, rate);
    const double turn[2] = {d[0] * p + B[0] * J[0] + B[1] * J[1],
                            d[1] * p + B[1] * J[0] + B[2] * J[1]};
    for (int h = 0; h < 2; h++) {
        double *by[2] = {slope->by[0] + 4 * h, slope->by[1] + 4 * h}, *work = slope->work + 4 * h;
        Quad x = quad_load(by[0]), y = quad_load(by[1]), first[2], c[2];
        Quad all[2] = {quad_plus(x, quad_make(1 - h, 0, 0, 0)),
                       quad_plus(y, quad_make(0, 1 - h, 0, 0))}; /* of gamma */
        for (int i = 0; i < 2; i++) {
            first[i] = mix_four(X[i][0], all[0], X[i][1], all[1]);
            c[i] = quad_load(sums->sum[i] + 4 * h);
        }
        Quad later = quad_join(quad_all(-p), c[1], c[0]);
        Quad sum = quad_plus(mix_four(curvature, first[0], trapezoid, first[1]),
                             mix_four(change, c[0], scaling + trapezoid, c[1]));
        sum = quad_minus(quad_join(quad_all(p), mix_four(K[0], x, K[1], y), sum),
                         quad_load(sums->sum[2] + 4 * h));
        quad_store(work, quad_plus(quad_load(work), sum));
        for (int i = 0; i < 2; i++) {
            /* X(p) - X(0) for what was there, X(p) for the data */
            double faster = slope->rate[i] - rate[i], wider = turn[i] - p * slope->rate[i];
            Quad moved = quad_plus(mix_four(faster, first[0], wider, first[1]),
                                   mix_four(slope->rate[i], later, end[i], c[1]));
            quad_store(by[i], quad_plus(i ? y : x, moved));
        }
    }
    slope->H[0] += sums->gamma[0] - slope->first * p;
    slope->H[1] += sums->gamma[1];
    slope->missed = piece->missed > slope->missed ? piece->missed : slope->missed;
}

/* Curved slip that ends at zero: the clock counts from there, X(end) = [gamma', 0]. */
static void slope_arrival(Slope *slope, const RigidPiece *piece) {
    const double *K = slope->K, *d = slope->d, *start = piece->gamma[0], p = piece->p;
    const RigidSums *sums = piece->sums;
    double rate[2], c[SLOPE_COUNT] = {0}, r = dot2(start, piece->s[0]);
    slope_rate(slope, piece->s[0], rate);
    slope_rate(slope, piece->s[1], slope->rate);
    double by = -1 / (r * cross2(piece->s[0], rate));
    /* gamma + p gamma', p to come */
    double u[2] = {start[0] + p * rate[0], start[1] + p * rate[1]};
    /* K.Xi at the start: K.gamma and 2 int gamma + p gamma, int from the end back */
    double level = -(dot2(d, piece->J) + (1 - slope->k) * p);
    double area = -(piece->A + p * (piece->vn[1] - slope->k / 2 * p));
    double xi[2] = {level, p * level - 2 * area};
    for (int j = 0; j < SLOPE_COUNT; j++) {
        double x = slope->by[0][j] + (j == 0), y = slope->by[1][j] + (j == 1);
        double shift = by * (x * u[1] - y * u[0]), scale = by * (y * rate[0] - x * rate[1]);
        c[j] = shift + sums->sum[0][j];
        /* int eta: minus int gamma- */
        slope->work[j] -= xi[0] * shift + xi[1] * scale + p * (j < 2 ? K[j] : 0) + sums->sum[2][j];
    }
    for (int j = 0; j < SLOPE_COUNT; j++) {
        slope->by[0][j] = slope->rate[0] * c[j] - (j == 0);
        slope->by[1][j] = slope->rate[1] * c[j] - (j == 1);
    }
    slope->H[0] += sums->gamma[0] - slope->first * p;
    slope->H[1] += sums->gamma[1];
}

/* ---- straight slip ---- */

/* delta y = delta d - delta b s along a direction. */
static void push_along(const double s[2], const double direction[2], double out[SLOPE_COUNT]) {
    out[0] = out[1] = out[SLOPE_COUNT - 1] = 0;
    out[SLOPE_D] = direction[0];
    out[SLOPE_D + 1] = direction[1];
    out[SLOPE_B] = -s[0] * direction[0];
    out[SLOPE_B + 1] = -(s[1] * direction[0] + s[0] * direction[1]);
    out[SLOPE_B + 2] = -s[1] * direction[1];
}

/* Integrals over straight slip, with E = e^(G sigma) and L = (E - 1)/G. */
typedef struct StraightSums {
    double off;      /* r E/r_0 - 1 at the end */
    double last;     /* L at the end */
    double once[2];  /* int E dp, int L dp */
    double twice[2]; /* int int dp dp */
    double speed[2]; /* int (r E - r_0) dp, int r L dp */
} StraightSums;

static double growth_of(double rate, double sigma) {
    return rate == 0 ? sigma : expm1(rate * sigma) / rate;
}

/* Divided differences of exp over 0 and the points of the comments. */
typedef struct ExpDifferences {
    double a; /* x + y */
    double b; /* x, x + y */
    double c; /* x, 2x + y */
    double d; /* 2x, 2x + y */
    double e; /* x, 2x, 2x + y */
} ExpDifferences;

/* By their definition, if y and x + y are not small. */
static ExpDifferences far_differences(double x, double y) {
    double one = growth_of(x, 1), two = growth_of(2 * x, 1), both = growth_of(x + y, 1),
           last = growth_of(2 * x + y, 1), c = (last - one) / (x + y);
    return (ExpDifferences){both, (both - one) / y, c, (last - two) / y, (c - one * one / 2) / y};
}

/* By the series of exp: over 0, z_1, ..., z_n it is sum_k h_k/(n + k)! with h_k the sum of all
 * products of k of the z, h_k(z_1, ..., z_n) = h_k(z_1, ..., z_n-1) + z_n h_k-1(z_1, ..., z_n). */
static ExpDifferences near_differences(double x, double y) {
    double both = x + y, last = 2 * x + y, one = 1, two = 1, pair = 1;     /* x; 2x; x and 2x */
    double most = fmax(fabs(both), fmax(fabs(last), 2 * fabs(x))), by = 1; /* 1/(k + 1)! */
    ExpDifferences h = {1, 1, 1, 1, 1}, sum = {0};
    for (int k = 0, count = 18 + (int)(6 * most); k < count; k++) {
        double by2 = by / (k + 2), by3 = by2 / (k + 3);
        sum.a += by * h.a;
        sum.b += by2 * h.b;
        sum.c += by2 * h.c;
        sum.d += by2 * h.d;
        sum.e += by3 * h.e;
        one *= x;
        two *= 2 * x;
        pair = one + 2 * x * pair;
        h = (ExpDifferences){both * h.a, one + both * h.b, one + last * h.c, two + last * h.d,
                             pair + last * h.e};
        by = by2;
    }
    return sum;
}

/* Do y and x + y suit far_differences()? */
static int are_far(double x, double y) {
    return fabs(y) >= 1 && fabs(x + y) >= 1;
}

/* With x = f sigma and y = G sigma, over a log-time for which the differences can be had. */
static StraightSums straight_sums(double r, double f, double G, double sigma) {
    double x = f * sigma, y = G * sigma, square = r * sigma * r * sigma;
    ExpDifferences exps = are_far(x, y) ? far_differences(x, y) : near_differences(x, y);
    return (StraightSums){.off = (x + y) * exps.a,
                          .last = growth_of(G, sigma),
                          .once = {r * sigma * exps.a, r * sigma * sigma * exps.b},
                          .twice = {square * exps.c, square * sigma * exps.e},
                          .speed = {square * (f + G) * exps.c, square * exps.d}};
}

/* The number of steps in which straight slip is followed: the series serve up to 3. */
static int straight_steps(double f, double G, double sigma) {
    double fastest = fmax(2 * fabs(f), fmax(fabs(f + G), fabs(2 * f + G)));
    return are_far(f * sigma, G * sigma) ? 1 : 1 + (int)fmin(fastest * sigma / 3, 1000);
}

/* Down to zero slip: f < 0, G + f < 0. */
static StraightSums stopping_sums(double r, double f, double G) {
    double m = -f, n = -G;
    StraightSums sums = {.once = {r / (m + n), r / (m * (m + n))},
                         .speed = {r * r / (2 * m + n), r * r / (2 * m * (2 * m + n))}};
    sums.twice[0] = sums.speed[0] / m;
    sums.twice[1] = sums.speed[1] / m;
    sums.speed[0] -= r * r / m;
    return sums;
}

/* Slip that starts from zero along an invariant direction. */
static void slope_from_zero(Slope *slope, const double s[2], double f, double G, double p) {
    const double across[2] = {-s[1], s[0]}, *K = slope->K, *b = slope->b;
    double bend = -(b[0] * s[0] * across[0] + b[1] * (s[0] * across[1] + s[1] * across[0]) +
                    b[2] * s[1] * across[1]); /* df/dtheta */
    double push[2][SLOPE_COUNT];
    push_along(s, s, push[0]);
    push_along(s, across, push[1]);
    for (int j = 0; j < SLOPE_COUNT; j++) {
        double turn = -push[1][j] / G, faster = push[0][j] + bend * turn;
        double rate[2] = {faster * s[0] + f * turn * across[0],
                          faster * s[1] + f * turn * across[1]};
        double late = -slope->stop[j];
        for (int i = 0; i < 2; i++) {
            double change = rate[i] * p + f * s[i] * late;
            slope->work[j] += K[i] * (slope->by[i][j] + f * s[i] * late + rate[i] * p / 2) * p;
            slope->by[i][j] += change;
        }
    }
}

/* Slip that stops may still turn a little: a delay dp is the change -gamma' dp, along s and across,
 * and gamma' turns with it. Both with gamma' before and after, along s 1 before. */
typedef struct Settling {
    double across[2], along;
} Settling;

static Settling settling_make(const double s[2], const double before[2], const double rate[2]) {
    double f = dot2(s, rate), went = dot2(s, before);
    const double *from = went < 0 ? before : rate; /* slip may begin here */
    double by = 1 / dot2(s, from);
    return (Settling){{cross2(s, from) * by, cross2(s, rate) / f}, f * by};
}

/* The changes over a length p of straight slip; settling: if it stops, else NULL. */
static void straight_step(Slope *slope, const double s[2], double r, double end, double p,
                          const Settling *settling, const StraightSums *sums) {
    const double across[2] = {-s[1], s[0]}, *b = slope->b;
    double bend = -(b[0] * s[0] * across[0] + b[1] * (s[0] * across[1] + s[1] * across[0]) +
                    b[2] * s[1] * across[1]);
    double along = dot2(slope->K, s), aside = dot2(slope->K, across), push[2][SLOPE_COUNT];
    push_along(s, s, push[0]);
    push_along(s, across, push[1]);
    for (int j = 0; j < SLOPE_COUNT; j++) {
        double *x = &slope->by[0][j], *y = &slope->by[1][j], g = push[1][j];
        double before[2] = {*x + (j == 0), *y + (j == 1)};
        double ahead = dot2(before, s), beside = dot2(before, across);
        double shift = settling ? beside - settling->across[0] * ahead : beside;
        double turn = shift / r, bends = bend * (turn * sums->once[0] + g * sums->once[1]);
        double longer = push[0][j] * p + bends, wider = shift * sums->off + end * g * sums->last;
        if (settling) {
            longer += (settling->along - 1) * ahead;
            wider = settling->across[1] * (ahead + longer) - beside;
        }
        double sum = push[0][j] * p * p / 2 + bend * (turn * sums->twice[0] + g * sums->twice[1]);
        double broad = turn * sums->speed[0] + g * sums->speed[1];
        slope->work[j] += p * (slope->K[0] * *x + slope->K[1] * *y) + along * sum + aside * broad;
        *x += longer * s[0] + wider * across[0];
        *y += longer * s[1] + wider * across[1];
    }
}

/* before: gamma' at the end of the last piece. */
static void slope_straight(Slope *slope, const double s[2], double r, double f, double G,
                           const double before[2], const RigidPiece *piece) {
    double p = piece->p, end = r + f * p;
    int stops = f < 0 && (piece->stops || slope->fading || end <= SLOPE_STOPPED * r);
    if (stops && !(G + f < 0)) {
        slope->rough = 1; /* nearby slip turns away before it stops */
        G = 0;
    }
    if (stops) {
        StraightSums sums = stopping_sums(r, f, G);
        Settling settling = settling_make(s, before, slope->rate);
        straight_step(slope, s, r, end, slope->fading ? -r / f : p, &settling, &sums);
        return;
    }
    double sigma = f == 0 ? p / r : log1p(f * p / r) / f;
    int steps = straight_steps(f, G, sigma);
    sigma /= steps;
    for (int i = 0; i < steps; i++) {
        StraightSums sums = straight_sums(r, f, G, sigma);
        double part = steps == 1 ? p : r * growth_of(f, sigma);
        end = r + f * part;
        straight_step(slope, s, r, end, part, NULL, &sums);
        r = end;
    }
}

/* ---- no friction: gamma = gamma_0 + d p, and b s is only a change of it ---- */

/* int s dp and int int s dp dp along gamma_0 + d t, t from 0 to p. */
static void direction_sums(const double start[2], const double d[2], double p, double once[2],
                           double twice[2]) {
    double size = norm2(d), r = norm2(start);
    once[0] = once[1] = twice[0] = twice[1] = 0;
    if (!(size * p > 0.3 * r)) {
        for (int i = 0; i < 2 * GAUSS_20.count / 2 && r > 0; i++) {
            double node = (i % 2 ? 1 : -1) * GAUSS_20.node[i / 2], t = p / 2 * (1 + node);
            double gamma[2] = {start[0] + d[0] * t, start[1] + d[1] * t}, now = norm2(gamma);
            double weight = p / 2 * GAUSS_20.weight[i / 2] / now;
            for (int j = 0; j < 2; j++) {
                once[j] += weight * gamma[j];
                twice[j] += weight * gamma[j] * (p - t);
            }
        }
        return;
    }
    double e[2] = {d[0] / size, d[1] / size}, aside = cross2(e, start),
           first = dot2(e, start) / size;
    double last = first + p, far0 = hypot(aside, size * first), far1 = hypot(aside, size * last);
    double away = fabs(aside);
    double turn0 = away > 0 ? asinh(size * first / away) : 0;
    double turn1 = away > 0 ? asinh(size * last / away) : 0;
    /* along e: sqrt; across: asinh */
    double along = (far1 - far0) / size, across = aside / size * (turn1 - turn0);
    double area = (last * far1 - first * far0) / 2 + aside * aside / (2 * size) * (turn1 - turn0);
    double along2 = (area - far0 * p) / size;
    double across2 = aside / size * (last * turn1 - first * turn0 - along - turn0 * p);
    for (int j = 0; j < 2; j++) {
        double normal = j ? e[0] : -e[1];
        once[j] = along * e[j] + across * normal;
        twice[j] = along2 * e[j] + across2 * normal;
    }
}

static void slope_frictionless(Slope *slope, const RigidPiece *piece) {
    const double *K = slope->K, p = piece->p;
    double once[2], twice[2];
    direction_sums(piece->gamma[0], slope->d, p, once, twice);
    for (int j = 0; j < SLOPE_COUNT; j++) {
        slope->work[j] += (K[0] * slope->by[0][j] + K[1] * slope->by[1][j]) * p;
    }
    for (int i = 0; i < 2; i++) {
        slope->by[i][SLOPE_D + i] += p;
        slope->by[i][SLOPE_B + i] -= once[0];
        slope->by[i][SLOPE_B + 1 + i] -= once[1];
        slope->work[SLOPE_D + i] += K[i] * p * p / 2;
        slope->work[SLOPE_B + i] -= K[i] * twice[0];
        slope->work[SLOPE_B + 1 + i] -= K[i] * twice[1];
    }
}

static void slope_line(Slope *slope, const RigidPiece *piece) {
    const double *gamma = piece->gamma[0], p = piece->p, *b = slope->b;
    double r = norm2(gamma), s[2] = {0, 0}, rate[2], push = norm2(piece->J);
    if (piece->kind == RIGID_PIECE_CURVE) {
        memcpy(s, piece->s[0], sizeof s);
    } else if (push > 0 && push > slope->mu / 2) {
        /* gamma has lost the digits of the direction where slip is slow */
        s[0] = -piece->J[0] / push;
        s[1] = -piece->J[1] / push;
    } else if (r > 0) {
        s[0] = gamma[0] / r;
        s[1] = gamma[1] / r;
    } else if (norm2(slope->d) > 0) {
        s[0] = slope->d[0] / norm2(slope->d);
        s[1] = slope->d[1] / norm2(slope->d);
    }
    slope_rate(slope, s, rate);
    double f = dot2(rate, s);
    double G = -f - (b[0] * s[1] * s[1] - 2 * b[1] * s[0] * s[1] + b[2] * s[0] * s[0]);
    const double before[2] = {slope->rate[0], slope->rate[1]};
    slope->H[0] += (gamma[0] - slope->first + rate[0] * p / 2) * p;
    slope->H[1] += (gamma[1] + rate[1] * p / 2) * p;
    slope->rate[0] = rate[0];
    slope->rate[1] = rate[1];
    if (r == 0) {
        slope_from_zero(slope, s, f, G, p);
    } else if (slope->mu == 0) {
        slope_frictionless(slope, piece);
    } else {
        slope_straight(slope, s, r, f, G, before, piece);
    }
}

/* The turning rate at the ends of a piece, the larger and the smaller one over their scale. */
static void find_turn(const Slope *slope, const RigidPiece *piece, double turn[2]) {
    const double *d = slope->d, *b = slope->b;
    double scale = fabs(d[0]) + fabs(d[1]) + fabs(b[0]) + fabs(b[1]) + fabs(b[2]), g[2];
    for (int i = 0; i < 2; i++) {
        double rate[2];
        slope_rate(slope, piece->s[i], rate);
        g[i] = fabs(cross2(piece->s[i], rate)) / scale;
    }
    turn[0] = fmax(g[0], g[1]);
    turn[1] = fmin(g[0], g[1]);
}

/* Curved slip close to an invariant direction: log-time, and the rest of a stop as a line. */
static int slope_careful(Slope *slope, const RigidPiece *piece) {
    LogTime at;
    if (!crm_slope_log_time(slope, piece, &at)) {
        return 0;
    }
    slope_rate(slope, at.s, slope->rate);
    slope->has_own = slope->careful && !at.stops;
    slope->fading = at.stops && !piece->stops;
    memcpy(slope->own_s, at.s, sizeof at.s);
    slope->own_r = at.r;
    if (at.stops) {
        RigidPiece rest = {.kind = RIGID_PIECE_LINE,
                           .gamma = {{at.r * at.s[0], at.r * at.s[1]}, {0, 0}},
                           .p = piece->p - at.p,
                           .stops = 1};
        slope_line(slope, &rest);
    }
    return 1;
}

/* Is slip slow? */
static int has_faded(const Slope *slope, const double gamma[2]) {
    const double *d = slope->d, *b = slope->b;
    double rate = fabs(d[0]) + fabs(d[1]) + b[0] + b[2];
    return norm2(gamma) < SLOPE_FADED * (slope->first + rate * slope->p);
}

/* Does it count as stopping from here on? */
static int is_fading(const Slope *slope, const RigidPiece *piece) {
    double rate[2];
    slope_rate(slope, piece->s[0], rate);
    double f = dot2(rate, piece->s[0]), g = cross2(piece->s[0], rate);
    return slope->p > 0 && piece->kind == RIGID_PIECE_CURVE && has_faded(slope, piece->gamma[0]) &&
           fabs(g) < -SLOPE_FADED_TURN * f;
}

/* The solver goes straight where slip has all but settled on an invariant direction: the outcome is
 * the same to rounding, the derivatives are off by what is left to turn. As a curve: */
static int slope_settling(Slope *slope, const RigidPiece *piece) {
    double r = norm2(piece->gamma[0]), turn[2];
    RigidPiece curve = *piece;
    if (!slope->careful || !(r > 0) || slope->mu == 0) {
        return 0;
    }
    for (int i = 0; i < 4; i++) {
        curve.s[i / 2][i % 2] = piece->gamma[0][i % 2] / r;
    }
    find_turn(slope, &curve, turn);
    curve.stops |= norm2(piece->gamma[1]) <= SLOPE_STOPPED * r;
    return turn[0] > STRAIGHT_TURN && slope_careful(slope, &curve);
}

static void follow_slip(Slope *slope, const RigidPiece *piece) {
    double turn[2] = {0, 0};
    int curved = piece->kind == RIGID_PIECE_CURVE;
    if (piece->nodes && !slope->fading) {
        slope_rate(slope, piece->s[1], slope->rate);
        crm_slope_nodes(slope, piece);
        return;
    }
    if (curved && !slope->fading) {
        find_turn(slope, piece, turn);
    }
    if (turn[0] <= STRAIGHT_TURN) {
        if (curved || !slope_settling(slope, piece)) {
            slope->has_own = 0;
            slope_line(slope, piece);
        }
    } else if (!slope->careful || !slope_careful(slope, piece)) {
        slope->missed = turn[piece->stops ? 0 : 1] > CURVED_TURN ? slope->missed : INFINITY;
        slope->has_own = 0;
        (piece->stops ? slope_arrival : slope_curve)(slope, piece);
    }
}

/* Where slip was going, for crm_slope_stop(). */
static void note_heading(Slope *slope, const RigidPiece *piece) {
    const double *from = piece->kind == RIGID_PIECE_CURVE ? piece->s[1] : piece->gamma[0];
    if (piece->kind != RIGID_PIECE_STICK) {
        slope->heading[0] = from[0];
        slope->heading[1] = from[1];
    }
}

/* Does slip turn where it stops? Only along an invariant direction it reaches zero. */
static int turns_at_stop(const Slope *slope) {
    double r = norm2(slope->heading), rate[2];
    if (!(r > 0)) {
        return 0;
    }
    const double s[2] = {slope->heading[0] / r, slope->heading[1] / r};
    slope_rate(slope, s, rate);
    return fabs(cross2(s, rate)) > STOP_TURN * fabs(dot2(s, rate));
}

void crm_slope_piece(Slope *slope, const RigidPiece *piece) {
    double p = piece->p;
    int faded = slope->fading;
    slope->fading = faded || (!slope->has_own && is_fading(slope, piece));
    if (piece->kind == RIGID_PIECE_STICK) {
        slope->rate[0] = slope->rate[1] = 0;
        slope->H[0] -= slope->first * p;
        for (int j = 0; j < SLOPE_COUNT; j++) {
            slope->work[j] += p * (slope->K[0] * slope->by[0][j] + slope->K[1] * slope->by[1][j]);
        }
    } else if (faded) {
        slope->H[0] -= slope->first * p;
        /* slip that does not stop: which way it goes on is below rounding */
        slope->rough |= !has_faded(slope, piece->gamma[1]);
    } else if (p > 0) {
        follow_slip(slope, piece);
    }
    for (int i = 0; i < 2; i++) {
        slope->J[i] += piece->kind == RIGID_PIECE_STICK  ? -slope->K[i] * p
                       : piece->kind == RIGID_PIECE_LINE ? piece->J[i] * p
                                                         : piece->J[i];
        slope->gamma[i] = piece->gamma[1][i];
    }
    note_heading(slope, piece);
    slope->vn = piece->vn[1];
    slope->p += p;
    slope->since += p;
}

void crm_slope_stop(Slope *slope, int sticks) {
    double speed = norm2(slope->rate), f = -speed, s[2] = {1, 0};
    if (speed > 0) {
        s[0] = -slope->rate[0] / speed;
        s[1] = -slope->rate[1] / speed;
    }
    for (int j = 0; j < SLOPE_COUNT; j++) {
        double change[2] = {slope->by[0][j] + (j == 0), slope->by[1][j] + (j == 1)};
        slope->stop[j] = speed > 0 ? -dot2(change, s) / f : 0;
        /* gamma = 0 from here on, if it sticks */
        slope->by[0][j] = j == 0 ? -1 : 0;
        slope->by[1][j] = j == 1 ? -1 : 0;
    }
    /* slip that starts from rest depends on the direction of its first change */
    slope->rough |= slope->p == 0 && !sticks;
    slope->missed_zero = turns_at_stop(slope);
    slope->fading = slope->has_own = 0;
    slope->gamma[0] = slope->gamma[1] = 0;
}
