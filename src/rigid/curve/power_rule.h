/* Gauss's rules for integrals over (0, 1) of z^(q-1), and of z^(2q-1), times a polynomial.
 *
 * At the nodes z_i of a rule of n nodes the weights are exact for polynomials of degree below n,
 * q > 0. With the shifted Legendre polynomials P_k the moments of z^(q-1) are m_0 = 1/q,
 * m_k = m_(k-1) (q - k)/(q + k), and
 *
 *   weight_i = (w_i/2) sum_k (2 k + 1) P_k(z_i) m_k. */
#ifndef CAROM_RIGID_POWER_RULE_H
#define CAROM_RIGID_POWER_RULE_H

#include "math/gauss.h"
#include "math/lanes.h"
#include "math/reciprocal.h"

enum { POWER_PAIRS = GAUSS_MOST / 4 };

/* upper[i] belongs to z = (1 + node[i])/2, lower[i] to (1 - node[i])/2; the first of a pair to q,
 * the second to 2q. */
typedef struct PowerRule {
    Pair upper[GAUSS_MOST / 2], lower[GAUSS_MOST / 2];
} PowerRule;

/* The sums over even and over odd k. Speed: both rules, and two nodes, at once. */
static inline void power_rule_make(const Gauss *rule, double q, PowerRule *out) {
    int pairs = rule->count / 4;
    Pair before[POWER_PAIRS], now[POWER_PAIRS], node[POWER_PAIRS], sum[2][2][POWER_PAIRS];
    Pair exponent = pair_make(q, 2 * q), moment = pair_over(both(1), exponent);
    for (int i = 0; i < pairs; i++) {
        node[i] = now[i] = pair_load(rule->node + 2 * i);
        before[i] = both(1);
    }
    for (int k = 0; k < 2; k++) {
        if (k) {
            moment = pair_times(
                moment, pair_over(pair_minus(exponent, both(1)), pair_plus(exponent, both(1))));
        }
        for (int i = 0; i < pairs; i++) {
            Pair P = k ? pair_times(both(3), now[i]) : before[i];
            sum[k][0][i] = pair_times(P, both(LANE(moment, 0)));
            sum[k][1][i] = pair_times(P, both(LANE(moment, 1)));
        }
    }
    for (int k = 2; k < rule->count; k++) {
        Pair order = both(k), a = both(2 - RECIPROCAL[k]), b = both(1 - RECIPROCAL[k]);
        moment =
            pair_times(moment, pair_over(pair_minus(exponent, order), pair_plus(exponent, order)));
        Pair by = pair_times(both(2 * k + 1), moment);
        for (int i = 0; i < pairs; i++) {
            Pair next =
                pair_minus(pair_times(pair_times(a, node[i]), now[i]), pair_times(b, before[i]));
            before[i] = now[i];
            now[i] = next;
            sum[k % 2][0][i] = pair_join(both(LANE(by, 0)), next, sum[k % 2][0][i]);
            sum[k % 2][1][i] = pair_join(both(LANE(by, 1)), next, sum[k % 2][1][i]);
        }
    }
    for (int i = 0; i < rule->count / 2; i++) {
        Pair half = both(rule->weight[i] / 2),
             even = pair_make(LANE(sum[0][0][i / 2], i % 2), LANE(sum[0][1][i / 2], i % 2)),
             odd = pair_make(LANE(sum[1][0][i / 2], i % 2), LANE(sum[1][1][i / 2], i % 2));
        out->upper[i] = pair_times(half, pair_plus(even, odd));
        out->lower[i] = pair_times(half, pair_minus(even, odd));
    }
}

#endif
