/* The variational equations of slip at the nodes of the solver's curve: for curves on which X^-1,
 * on which slip_slope.c relies, loses digits.
 *
 * At fixed log-time sigma, d sigma = dp/r, the angle of slip obeys an equation of its own, and the
 * others follow by integration (' = d/dsigma; f, g: parts of gamma' along s and s_perp; y = delta d
 * - delta b s):
 *
 *   (delta theta)' = G delta theta + s_perp.y,   G = dg/dtheta = -f - s_perp.b s_perp
 *   (delta log r)' = f_theta delta theta + s.y,  f_theta = df/dtheta = g - s.b s_perp
 *   (delta p)'     = r delta log r
 *
 * At fixed p the change across slip is then beta = r delta theta - g delta p, and
 *
 *   (delta gamma)' = r y - b s_perp beta.
 *
 * Nothing is divided by g. Each equation is solved by collocation at Gauss's nodes, the first with
 * its integrating factor e^(int G), so that one product with a constant matrix does for all inputs.
 */
#include "derivative/slip_nodes.h"

#include <string.h>

#include "math/functions.h"
#include "math/gauss.h"
#include "math/lanes.h"
#include "math/vec2.h"

typedef double NodeRows[RIGID_NODES][SLOPE_COUNT];

void crm_slope_rule(SlopeRule *rule) {
    double P[RIGID_NODES + 1][RIGID_NODES];
    for (int i = 0; i < RIGID_NODES; i++) {
        int low = i < RIGID_NODES / 2, at = low ? i : RIGID_NODES - 1 - i;
        rule->node[i] = low ? -GAUSS_16.node[at] : GAUSS_16.node[at];
        rule->weight[i] = GAUSS_16.weight[at];
        P[0][i] = 1;
        P[1][i] = rule->node[i];
    }
    for (int k = 2; k <= RIGID_NODES; k++) {
        for (int i = 0; i < RIGID_NODES; i++) {
            P[k][i] = ((2 * k - 1) * rule->node[i] * P[k - 1][i] - (k - 1) * P[k - 2][i]) / k;
        }
    }
    /* int P_k = (P_(k+1) - P_(k-1))/(2 k + 1) */
    for (int i = 0; i < RIGID_NODES; i++) {
        double *row = rule->integral[i];
        for (int j = 0; j < RIGID_NODES; j++) {
            row[j] = 1 + rule->node[i];
        }
        for (int k = 1; k < RIGID_NODES; k++) {
            double part = P[k + 1][i] - P[k - 1][i];
            for (int j = 0; j < RIGID_NODES; j++) {
                row[j] += part * P[k][j];
            }
        }
        for (int j = 0; j < RIGID_NODES; j++) {
            row[j] *= rule->weight[j] / 2;
        }
    }
}

/* to = first + the integrals of from, all along the piece. Speed: four nodes at once. */
static void integrate_rows(const SlopeRule *rule, NodeRows from, const double first[SLOPE_COUNT],
                           NodeRows to) {
    Quad start[2] = {quad_load(first), quad_load(first + 4)};
    for (int i = 0; i < RIGID_NODES; i += 4) {
        const double(*by)[RIGID_NODES] = rule->integral + i;
        Quad a0 = start[0], a1 = start[1], b0 = a0, b1 = a1, c0 = a0, c1 = a1, d0 = a0, d1 = a1;
        for (int k = 0; k < RIGID_NODES; k++) {
            Quad x = quad_load(from[k]), y = quad_load(from[k] + 4);
            Quad a = quad_all(by[0][k]), b = quad_all(by[1][k]), c = quad_all(by[2][k]),
                 d = quad_all(by[3][k]);
            a0 = quad_join(a, x, a0);
            a1 = quad_join(a, y, a1);
            b0 = quad_join(b, x, b0);
            b1 = quad_join(b, y, b1);
            c0 = quad_join(c, x, c0);
            c1 = quad_join(c, y, c1);
            d0 = quad_join(d, x, d0);
            d1 = quad_join(d, y, d1);
        }
        quad_store(to[i], a0);
        quad_store(to[i] + 4, a1);
        quad_store(to[i + 1], b0);
        quad_store(to[i + 1] + 4, b1);
        quad_store(to[i + 2], c0);
        quad_store(to[i + 2] + 4, c1);
        quad_store(to[i + 3], d0);
        quad_store(to[i + 3] + 4, d1);
    }
}

/* y along a direction at slip in direction (x, z). */
static void node_push(double x, double z, double along, double beside, double out[SLOPE_COUNT]) {
    out[0] = out[1] = out[SLOPE_COUNT - 1] = 0;
    out[SLOPE_D] = along;
    out[SLOPE_D + 1] = beside;
    out[SLOPE_B] = -x * along;
    out[SLOPE_B + 1] = -(z * along + x * beside);
    out[SLOPE_B + 2] = -z * beside;
}

/* Slip at the nodes. */
typedef struct SlipAtNodes {
    double f[RIGID_NODES], g[RIGID_NODES], bend[RIGID_NODES]; /* bend: f_theta */
    double growth[RIGID_NODES];                               /* e^(int G) */
    double force[RIGID_NODES][2];                             /* b s_perp */
} SlipAtNodes;

static void node_slip(const Slope *slope, const RigidNodes *nodes, SlipAtNodes *slip) {
    const double *b = slope->b, *d = slope->d;
    double rate[RIGID_NODES];
    for (int i = 0; i < RIGID_NODES; i++) {
        double x = nodes->s[0][i], y = nodes->s[1][i];
        double gx = d[0] - b[0] * x - b[1] * y, gy = d[1] - b[1] * x - b[2] * y;
        double u = b[1] * x - b[0] * y, v = b[2] * x - b[1] * y;
        slip->f[i] = x * gx + y * gy;
        slip->g[i] = x * gy - y * gx;
        slip->bend[i] = slip->g[i] - (x * u + y * v);
        slip->force[i][0] = u;
        slip->force[i][1] = v;
        rate[i] = (-slip->f[i] - (x * v - y * u)) * nodes->pace[i];
    }
    for (int i = 0; i < RIGID_NODES; i++) {
        double sum = 0;
        for (int k = 0; k < RIGID_NODES; k++) {
            sum += slope->rule->integral[i][k] * rate[k];
        }
        slip->growth[i] = exp(sum);
    }
}

/* delta theta at the nodes, given that at the start, and the sources of delta log r. */
static void node_angles(const Slope *slope, const RigidNodes *nodes, const SlipAtNodes *slip,
                        const double first[SLOPE_COUNT], NodeRows angle, NodeRows source) {
    for (int i = 0; i < RIGID_NODES; i++) {
        double x = nodes->s[0][i], y = nodes->s[1][i], by = nodes->pace[i] / slip->growth[i];
        node_push(x, y, -y, x, source[i]);
        for (int j = 0; j < SLOPE_COUNT; j++) {
            source[i][j] *= by;
        }
    }
    integrate_rows(slope->rule, source, first, angle);
    for (int i = 0; i < RIGID_NODES; i++) {
        double x = nodes->s[0][i], y = nodes->s[1][i];
        node_push(x, y, x, y, source[i]);
        for (int j = 0; j < SLOPE_COUNT; j++) {
            angle[i][j] *= slip->growth[i];
            source[i][j] = (source[i][j] + slip->bend[i] * angle[i][j]) * nodes->pace[i];
        }
    }
}

void crm_slope_nodes(Slope *slope, const RigidPiece *piece) {
    const RigidNodes *nodes = piece->nodes;
    const SlopeRule *rule = slope->rule;
    const double *s = piece->s[0], *K = slope->K, *weight = rule->weight, p = piece->p;
    double angle0[SLOPE_COUNT], speed0[SLOPE_COUNT];
    static const double none[SLOPE_COUNT] = {0};
    NodeRows angle, speed, later, source, moved[2];
    SlipAtNodes slip;
    node_slip(slope, nodes, &slip);
    for (int j = 0; j < SLOPE_COUNT; j++) {
        double x = slope->by[0][j] + (j == 0), y = slope->by[1][j] + (j == 1);
        angle0[j] = (s[0] * y - s[1] * x) / nodes->speed;
        speed0[j] = (s[0] * x + s[1] * y) / nodes->speed;
    }
    node_angles(slope, nodes, &slip, angle0, angle, source);
    integrate_rows(rule, source, speed0, speed);
    for (int i = 0; i < RIGID_NODES; i++) {
        for (int j = 0; j < SLOPE_COUNT; j++) {
            source[i][j] = speed[i][j] * nodes->r[i] * nodes->pace[i];
        }
    }
    integrate_rows(rule, source, none, later);
    double change[2][SLOPE_COUNT] = {{0}, {0}}, length = 0;
    for (int i = 0; i < RIGID_NODES; i++) {
        double x = nodes->s[0][i], y = nodes->s[1][i], r = nodes->r[i];
        double dp = weight[i] * r * nodes->pace[i];
        node_push(x, y, 1, 0, moved[0][i]);
        node_push(x, y, 0, 1, moved[1][i]);
        for (int j = 0; j < SLOPE_COUNT; j++) {
            double beta = r * angle[i][j] - slip.g[i] * later[i][j];
            for (int k = 0; k < 2; k++) {
                moved[k][i][j] = (r * moved[k][i][j] - slip.force[i][k] * beta) * nodes->pace[i];
                change[k][j] += weight[i] * moved[k][i][j];
            }
            source[i][j] = K[0] * moved[0][i][j] + K[1] * moved[1][i][j];
        }
        length += dp;
        slope->H[0] += dp * (r * x - slope->first);
        slope->H[1] += dp * r * y;
    }
    integrate_rows(rule, source, none, later);
    for (int j = 0; j < SLOPE_COUNT; j++) {
        double work = p * (K[0] * slope->by[0][j] + K[1] * slope->by[1][j]);
        for (int i = 0; i < RIGID_NODES; i++) {
            work += weight[i] * nodes->r[i] * nodes->pace[i] * later[i][j];
        }
        slope->work[j] += work;
        slope->by[0][j] += change[0][j];
        slope->by[1][j] += change[1][j];
    }
    double missed = fabs(length - p);
    slope->missed = missed > slope->missed ? missed : slope->missed;
}
