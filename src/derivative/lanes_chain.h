/* Slip of MANY impacts next to an invariant direction, where X^-1 loses digits: the variational
 * equations in log-time sigma of slip_nodes.c, gone through backwards.
 *
 * To int W.(d delta gamma), W any function along a piece, the data y and the start add
 *
 *   int (r W + l s + h s_perp).y dsigma + l_0 delta log r_0 + h_0 delta theta_0
 *
 *   a = int_sigma^end g W.b s_perp,   l = int_sigma^end r a,
 *   h = e^(-int G) int_sigma^end e^(int G) (f_theta l - r W.b s_perp)
 *
 * W = (1, 0) and (0, 1) are the two parts of delta gamma at the end, W = K int_sigma^end r is the
 * change of K.int gamma dp: three functions to go back with instead of seven inputs to go forward
 * with. The integrals are those of the polynomials through Gauss's nodes. */
#ifndef CAROM_DERIVATIVE_LANES_CHAIN_H
#define CAROM_DERIVATIVE_LANES_CHAIN_H

#include <string.h>

#include "derivative/lanes_nodes.h"
#include "derivative/slip_nodes.h"

#ifdef CAROM_LANES

enum { CHAIN_OUT = 3 }; /* the two parts of delta gamma, and the work */

/* Straight slip is a single piece as long as nothing changes by more than e^STRAIGHT_MOST. */
static const double STRAIGHT_MOST = 6;

/* Slip at the nodes of a piece, as RigidNodes has it for one impact. */
typedef struct ManyNodes {
    Many s[RIGID_NODES][2], r[RIGID_NODES], pace[RIGID_NODES], speed;
} ManyNodes;

/* Functions at the nodes. */
typedef Many ChainRows[CHAIN_OUT][RIGID_NODES];

/* The rule of slip_nodes.c by symmetry: the integral to node i is half of that of all the piece plus
 * an odd and an even part, from the even and the odd part of the function. */
enum { CHAIN_HALF = RIGID_NODES / 2 };
typedef struct ChainRule {
    double node[RIGID_NODES], weight[RIGID_NODES];
    double even[CHAIN_HALF][CHAIN_HALF], odd[CHAIN_HALF][CHAIN_HALF];
} ChainRule;

static void chain_rule_make(ChainRule *out) {
    SlopeRule rule;
    const int last = RIGID_NODES - 1;
    crm_slope_rule(&rule);
    memcpy(out->node, rule.node, sizeof out->node);
    memcpy(out->weight, rule.weight, sizeof out->weight);
    for (int i = 0; i < CHAIN_HALF; i++) {
        for (int k = 0; k < CHAIN_HALF; k++) {
            double near = rule.integral[i][k], far = rule.integral[i][last - k];
            out->even[i][k] = 0.5 * (near + far - rule.weight[k]);
            out->odd[i][k] = 0.5 * (near - far);
        }
    }
}

/* The integrals from each node to the end, and of all the piece. Speed: two pairs of nodes, all
 * functions at once. */
static inline void chain_back(const ChainRule *rule, ChainRows from, ChainRows to,
                              Many total[CHAIN_OUT]) {
    const int last = RIGID_NODES - 1;
    ChainRows even, odd; /* the first half */
    for (int j = 0; j < CHAIN_OUT; j++) {
        total[j] = many_all(0);
        for (int k = 0; k < CHAIN_HALF; k++) {
            even[j][k] = from[j][k] + from[j][last - k];
            odd[j][k] = from[j][k] - from[j][last - k];
            total[j] += rule->weight[k] * even[j][k];
        }
    }
    for (int i = 0; i < CHAIN_HALF; i += 2) {
        Many u[2][CHAIN_OUT] = {{{0}}}, v[2][CHAIN_OUT] = {{{0}}};
        for (int k = 0; k < CHAIN_HALF; k++) {
            for (int n = 0; n < 2; n++) {
                for (int j = 0; j < CHAIN_OUT; j++) {
                    u[n][j] += rule->even[i + n][k] * even[j][k];
                    v[n][j] += rule->odd[i + n][k] * odd[j][k];
                }
            }
        }
        for (int n = 0; n < 2; n++) {
            for (int j = 0; j < CHAIN_OUT; j++) {
                to[j][i + n] = 0.5 * total[j] - v[n][j] - u[n][j];
                to[j][last - i - n] = 0.5 * total[j] - v[n][j] + u[n][j];
            }
        }
    }
}

/* What the chain needs at the nodes; force: b s_perp. */
typedef struct ChainSlip {
    Many g[RIGID_NODES], bend[RIGID_NODES], growth[RIGID_NODES], rest[RIGID_NODES];
    ChainRows force; /* W.b s_perp */
} ChainSlip;

static inline void chain_slip(const ManySetting *setting, const ChainRule *rule,
                              const ManyNodes *nodes, ChainSlip *slip) {
    const ManyProblem *problem = setting->problem;
    const Many *b = problem->b, *K = setting->K;
    Many rate[RIGID_NODES], total[CHAIN_OUT];
    ChainRows whole, left;
    for (int i = 0; i < RIGID_NODES; i++) {
        Many x = nodes->s[i][0], y = nodes->s[i][1], to[2];
        path_rate(problem, nodes->s[i], to);
        Many u = b[1] * x - b[0] * y, v = b[2] * x - b[1] * y;
        slip->g[i] = x * to[1] - y * to[0];
        slip->bend[i] = slip->g[i] - (x * u + y * v);
        slip->force[0][i] = u;
        slip->force[1][i] = v;
        rate[i] = -(x * to[0] + y * to[1] + (x * v - y * u)) * nodes->pace[i];
    }
    /* both integrals from the nodes to the end */
    for (int i = 0; i < RIGID_NODES; i++) {
        whole[0][i] = rate[i];
        whole[1][i] = nodes->r[i] * nodes->pace[i];
        whole[2][i] = many_all(0);
    }
    chain_back(rule, whole, left, total);
    for (int i = 0; i < RIGID_NODES; i++) {
        Many rest = left[1][i];
        slip->growth[i] = many_exp(total[0] - left[0][i]);
        slip->rest[i] = rest;
        slip->force[2][i] = rest * (K[0] * slip->force[0][i] + K[1] * slip->force[1][i]);
    }
}

/* The outcomes by delta theta and delta log r at the start, and by the data. */
typedef struct ChainSums {
    Many angle[CHAIN_OUT], speed[CHAIN_OUT], data[CHAIN_OUT][5];
} ChainSums;

static inline void chain_sums(const ManySetting *setting, const ChainRule *rule,
                              const ManyNodes *nodes, ChainSums *sums) {
    const Many *K = setting->K;
    ChainSlip slip;
    ChainRows source, late, by_speed, by_angle;
    Many total[CHAIN_OUT];
    chain_slip(setting, rule, nodes, &slip);
    for (int j = 0; j < CHAIN_OUT; j++) {
        for (int i = 0; i < RIGID_NODES; i++) {
            source[j][i] = slip.force[j][i] * slip.g[i] * nodes->pace[i];
        }
    }
    chain_back(rule, source, late, total);
    for (int j = 0; j < CHAIN_OUT; j++) {
        for (int i = 0; i < RIGID_NODES; i++) {
            source[j][i] = late[j][i] * nodes->r[i] * nodes->pace[i];
        }
    }
    chain_back(rule, source, by_speed, sums->speed);
    for (int j = 0; j < CHAIN_OUT; j++) {
        for (int i = 0; i < RIGID_NODES; i++) {
            Many now = slip.bend[i] * by_speed[j][i] - nodes->r[i] * slip.force[j][i];
            source[j][i] = now * slip.growth[i] * nodes->pace[i];
        }
    }
    chain_back(rule, source, by_angle, sums->angle);
    for (int j = 0; j < CHAIN_OUT; j++) {
        Many *sum = sums->data[j];
        sum[0] = sum[1] = sum[2] = sum[3] = sum[4] = many_all(0);
        for (int i = 0; i < RIGID_NODES; i++) {
            Many x = nodes->s[i][0], y = nodes->s[i][1], r = nodes->r[i];
            Many h = by_angle[j][i] / slip.growth[i], l = by_speed[j][i];
            Many u = l * x - h * y, v = l * y + h * x, by = rule->weight[i] * nodes->pace[i];
            u = by * (u + (j == 0 ? r : j == 1 ? 0 * r : r * slip.rest[i] * K[0]));
            v = by * (v + (j == 0 ? 0 * r : j == 1 ? r : r * slip.rest[i] * K[1]));
            sum[0] += u;
            sum[1] += v;
            sum[2] -= u * x;
            sum[3] -= u * y + v * x;
            sum[4] -= v * y;
        }
    }
}

/* Follow a piece where it holds: P is the impulse and s the direction of slip at its start. Returns
 * its length. */
static inline Many chain_follow(const ManySetting *setting, const ChainRule *rule, ManyMask where,
                                Many P, const Many s[2], const ManyNodes *nodes, ManyPath *path) {
    const Many *K = setting->K;
    ChainSums sums;
    Many p = many_all(0), gamma[2] = {p, p}, by = 1 / nodes->speed;
    for (int i = 0; i < RIGID_NODES; i++) {
        Many dp = rule->weight[i] * nodes->pace[i] * nodes->r[i], flow = dp * nodes->r[i];
        p += dp;
        gamma[0] += flow * nodes->s[i][0];
        gamma[1] += flow * nodes->s[i][1];
    }
    chain_sums(setting, rule, nodes, &sums);
    for (int j = 0; j < LANE_INPUTS; j++) {
        Many x = path->by[0][j], y = path->by[1][j], change[CHAIN_OUT];
        Many u = j == 0 ? x + 1 : x, v = j == 1 ? y + 1 : y;
        Many angle = by * (s[0] * v - s[1] * u), speed = by * (s[0] * u + s[1] * v);
        for (int i = 0; i < CHAIN_OUT; i++) {
            change[i] = angle * sums.angle[i] + speed * sums.speed[i];
            change[i] += j < LANE_D ? 0 * p : sums.data[i][j - LANE_D];
        }
        path->energy[j] -= many_where(where, p * (K[0] * x + K[1] * y) + change[2]);
        path->by[0][j] += many_where(where, change[0]);
        path->by[1][j] += many_where(where, change[1]);
    }
    path_count(where, P, p, setting->problem->speed, gamma, path);
    return p;
}

/* ---- along a stretch ---- */

/* The speed of slip at z, whose y is z^q on an arrival, from the closed form r = G U: it keeps its
 * digits down to zero. Returns dsigma/dx, or dsigma/d log z. */
INLINE Many track_speed(const ManyTrack *track, Many z, Many y, Many U, Many *r) {
    const ManyCurve *curve = track->curve;
    const ManyLine *line = &curve->line;
    const Many *G = line->G;
    Many fall = G[1] + z * (G[2] + z * (G[3] + z * G[4]));
    if (track->kind == MANY_REGULAR) {
        fall = G[0] + z * fall;
    }
    *r = curve->unit / line->k * fall * U * y;
    return line->k * quadratic(line->D, z) / fall;
}

/* The nodes between two points. Speed: U at four at once. */
static inline void track_nodes(const ManyTrack *track, const ChainRule *rule, const ManyMark *from,
                               const ManyMark *to, ManyNodes *nodes) {
    const ManyLine *line = &track->curve->line;
    int arrives = track->kind == MANY_ARRIVAL;
    Many middle = 0.5 * (from->t + to->t), reach = 0.5 * (to->t - from->t), one = many_all(1);
    for (int i = 0; i <= RIGID_NODES; i += 4) {
        Many t[4], z[4], U[4];
        for (int j = 0; j < 4; j++) {
            t[j] = i < RIGID_NODES ? middle + reach * rule->node[i % RIGID_NODES + j] : from->t;
            z[j] = arrives ? many_exp(t[j]) : t[j];
            U[j] = track->u[track->count - 1];
        }
        for (int n = track->count - 2; n >= 0; n--) {
            for (int j = 0; j < 4; j++) {
                U[j] = U[j] * z[j] + track->u[n];
            }
        }
        for (int j = 0; j < 4; j++) {
            Many r, y = arrives ? many_exp(track->curve->q * t[j]) : one;
            Many pace = reach * track_speed(track, z[j], y, U[j], &r);
            if (i == RIGID_NODES) {
                nodes->speed = r;
                return;
            }
            Many inverse = 1 / quadratic(line->D, z[j]);
            nodes->s[i + j][0] = quadratic(line->A, z[j]) * inverse;
            nodes->s[i + j][1] = quadratic(line->C, z[j]) * inverse;
            nodes->r[i + j] = r;
            nodes->pace[i + j] = pace;
        }
    }
}

/* ---- along a line ---- */

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

/* Straight slip from a speed r, which changes at the rate f; s: its direction, G as in slip_slope.c.
 */
typedef struct ManyStraight {
    Many s[2], r, f, G;
} ManyStraight;

INLINE void straight_make(const ManyProblem *problem, const Many s[2], Many r, ManyStraight *out) {
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
typedef struct ManyStraightSums {
    Many off, last, once[2], twice[2], speed[2];
} ManyStraightSums;

/* As straight_step() in slip_slope.c; end: the speed there. */
static inline void straight_follow(const ManySetting *setting, ManyMask where,
                                   const ManyStraight *line, Many end, Many p,
                                   const ManyStraightSums *sums, ManyPath *path) {
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
        Many shift = u * across[0] + v * across[1], turn = shift / r;
        Many longer = push * p + bend * (turn * sums->once[0] + g * sums->once[1]);
        Many wider = shift * sums->off + end * g * sums->last;
        Many sum = 0.5 * push * p * p + bend * (turn * sums->twice[0] + g * sums->twice[1]);
        Many broad = turn * sums->speed[0] + g * sums->speed[1];
        Many work = p * (K[0] * x + K[1] * y) + along * sum + aside * broad;
        path->energy[j] -= many_where(where, work);
        path->by[0][j] += many_where(where, longer * s[0] + wider * across[0]);
        path->by[1][j] += many_where(where, longer * s[1] + wider * across[1]);
    }
}

/* path_count() for straight slip; P: the impulse at its start. */
INLINE void straight_count(const ManySetting *setting, ManyMask where, Many P,
                           const ManyStraight *line, Many end, Many p, ManyPath *path) {
    Many area = 0.5 * (line->r + end) * p;
    const Many gamma[2] = {area * line->s[0], area * line->s[1]};
    path_count(where, P, p, setting->problem->speed, gamma, path);
}

/* Over a length p by the chain, for a short log-time sigma. */
static inline void straight_chain(const ManySetting *setting, const ChainRule *rule, ManyMask where,
                                  Many P, const ManyStraight *line, Many sigma, Many p,
                                  ManyPath *path) {
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
INLINE void straight_far(Many r, Many x, Many y, Many sigma, ManyStraightSums *sums) {
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
static inline ManyMask straight_run(const ManySetting *setting, const ChainRule *rule,
                                    ManyMask where, Many P, const ManyStraight *line, Many p,
                                    ManyPath *path) {
    Many r = line->r, f = line->f, part = f * p / r, sigma = p / r * many_log_part(part);
    Many x = f * sigma, y = line->G * sigma;
    Many fastest = many_most(2 * many_abs(x), many_most(many_abs(x + y), many_abs(2 * x + y)));
    ManyMask near = fastest < STRAIGHT_MOST, far = (many_abs(y) >= 1) & (many_abs(x + y) >= 1);
    ManyMask suits = (part > -1) & (near | (far & (fastest < 600)));
    where &= suits;
    if (many_any(where & near)) {
        straight_chain(setting, rule, where & near, P, line, sigma, p, path);
    }
    if (many_any(where & ~near)) {
        ManyStraightSums sums;
        straight_far(r, x, y, sigma, &sums);
        straight_follow(setting, where & ~near, line, r + f * p, p, &sums, path);
        straight_count(setting, where & ~near, P, line, r + f * p, p, path);
    }
    return suits;
}

/* Straight slip of length p down to zero, which is not counted yet: stopping_sums() in slip_slope.c.
 * Returns where it suits. */
static inline ManyMask straight_stop(const ManySetting *setting, ManyMask where,
                                     const ManyStraight *line, Many p, ManyPath *path) {
    Many r = line->r, m = -line->f, n = -line->G, over = 1 / (m + n), by = 1 / (2 * m + n);
    ManyStraightSums sums = {.off = many_all(-1), .last = many_all(0)};
    sums.once[0] = r * over;
    sums.once[1] = r * over / m;
    sums.speed[0] = r * r * by;
    sums.speed[1] = 0.5 * sums.speed[0] / m;
    sums.twice[0] = sums.speed[0] / m;
    sums.twice[1] = sums.speed[1] / m;
    sums.speed[0] -= r * r / m;
    straight_follow(setting, where, line, many_all(0), p, &sums, path);
    return (line->f < 0) & (line->f + line->G < 0);
}

#endif

#endif
