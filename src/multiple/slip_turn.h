/* The direction of slip where V and N do not begin with 0, which is frequent, order by order: from
 * V of order g - 1 and N up to g to omega_(g - 1), s_g and f_g. */
#ifndef CAROM_MULTIPLE_SLIP_TURN_H
#define CAROM_MULTIPLE_SLIP_TURN_H

#include "math/wide.h"
#include "multiple/network.h"

/* Sums over the orders so far, for omega_q and s_(q + 1), without V of order q: of V_perp.s and
 * omega s, and of N s and N omega. */
typedef struct TurnSums {
    Four turn, push;
} TurnSums;

/* s, turned: of order q. */
INLINE void add_order(TurnSums *sums, const LinkPiece *own, const double (*s)[4],
                      const double (*turned)[4], int k) {
    sums->turn = four_plus(sums->turn, four_times(four_load(s[-k]), four_load(own->turner[k])));
    sums->push = four_plus(sums->push, four_scale(four_load(turned[-k]), own->N[k + 1]));
}

/* The latest s comes last. */
INLINE void sum_orders(TurnSums *sums, const LinkPiece *own, int q) {
    const double(*s)[4] = &own->twice_s[q], (*turned)[4] = &own->turned[q];
    *sums = (TurnSums){four_zero(), four_zero()};
    for (int k = 1; k < q; k++) {
        add_order(sums, own, s, turned, k);
    }
    add_order(sums, own, s, turned, 0);
}

INLINE Pair turned(Pair a) {
    return pair_make(-LANE(a, 1), LANE(a, 0));
}

/* Little is left to do once V is known: the next order waits for f. */
INLINE void turn_on(LinkPiece *own, const Material *material, double unit, int g, const double V[2],
                    double F[2]) {
    int q = g - 1;
    double part = RECIPROCAL[g], N = own->N[0];
    Pair s = own->s[0], across = pair_times(turned(s), both(part)), bend = both(0), push = bend;
    double lag = 0;
    if (q == 0) {
        own->per_N = 1 / N;
        own->pull = unit * material->kt / material->mu * own->per_N;
    } else {
        TurnSums sum;
        sum_orders(&sum, own, q);
        lag = own->pull * (FOUR_LANE(sum.turn, 0) + FOUR_LANE(sum.turn, 1)) -
              own->per_N * FOUR_LANE(sum.push, 2);
        bend = pair_times(pair_make(-FOUR_LANE(sum.turn, 3), FOUR_LANE(sum.turn, 2)), both(part));
        push = pair_make(FOUR_LANE(sum.push, 0), FOUR_LANE(sum.push, 1));
    }
    Pair f = pair_times(both(-material->mu),
                        pair_join(both(own->N[g]), s, pair_join(both(N), bend, push)));
    Pair rise = pair_times(both(-material->mu * N), across),
         pulled = pair_times(both(own->pull), s);
    Pair cross = pair_make(V[1], -V[0]), now = pair_times(cross, pulled);
    double rate = LANE(now, 0) + LANE(now, 1) + lag;
    Pair next = pair_join(both(rate), across, bend);
    f = pair_join(both(rate), rise, f);
    F[0] = LANE(f, 0);
    F[1] = LANE(f, 1);
    four_store(own->turner[q], four_make(LANE(cross, 0), LANE(cross, 1), rate, rate));
    four_store(own->twice_s[g],
               four_make(LANE(next, 0), LANE(next, 1), LANE(next, 0), LANE(next, 1)));
    four_store(own->turned[g], four_make(LANE(next, 0), LANE(next, 1), rate, rate));
    own->s[g] = next;
    own->push = pair_join(both(N), next, push);
}

#endif
