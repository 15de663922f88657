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

/* Slip at the nodes of a piece, as RigidNodes has it for one impact. */
typedef struct ManyNodes {
    Many s[RIGID_NODES][2], r[RIGID_NODES], pace[RIGID_NODES], speed;
} ManyNodes;

/* Functions at the nodes. */
typedef Many ChainRows[CHAIN_OUT][RIGID_NODES];

/* The rule of slip_nodes.c by symmetry: the integral to node i is half of that of all the piece
 * plus an odd and an even part, from the even and the odd part of the function. */
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
            if (j == 2) {
                u += r * slip.rest[i] * K[0];
                v += r * slip.rest[i] * K[1];
            } else {
                *(j ? &v : &u) += r;
            }
            u *= by;
            v *= by;
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

#endif

#endif
