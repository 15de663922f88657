/* The direction of slip where V and N do not begin with 0, which is frequent, order by order: from
 * V of order g - 1 and N up to g to omega_(g - 1), s_g and f_g. */
#ifndef CAROM_MULTIPLE_SLIP_TURN_H
#define CAROM_MULTIPLE_SLIP_TURN_H

#include "math/wide.h"
#include "multiple/network.h"

/* Sums over the orders so far, for s_(q + 1) and f_(q + 1); without V of order q. */
typedef struct TurnSums {
    Pair cross, bend, lag, push;
} TurnSums;

/* s and omega: of orders q and q - 1. */
INLINE void add_order(TurnSums *sums, const LinkPiece *own, const Pair *s, const Pair *omega,
                      int k) {
    Pair N = own->twice_N[k + 1];
    sums->cross = pair_join(own->cross_V[k], s[-k], sums->cross);
    sums->bend = pair_join(own->omega[k], s[-k], sums->bend);
    sums->push = pair_join(N, s[-k], sums->push);
    sums->lag = pair_join(N, omega[-k], sums->lag);
}

/* Even and odd terms apart, which do not wait for each other, and the latest s at the end. */
INLINE TurnSums sum_orders(const LinkPiece *own, int q) {
    TurnSums odd = {pair_make(0, 0), pair_make(0, 0), pair_make(0, 0), pair_make(0, 0)}, even = odd;
    const Pair *s = &own->s[q], *omega = &own->omega[q - 1];
    int k = 1;
    for (; k + 1 < q; k += 2) {
        add_order(&odd, own, s, omega, k);
        add_order(&even, own, s, omega, k + 1);
    }
    if (k < q) {
        add_order(&odd, own, s, omega, k);
    }
    add_order(&even, own, s, omega, 0);
    return (TurnSums){pair_plus(odd.cross, even.cross), pair_plus(odd.bend, even.bend),
                      pair_plus(odd.lag, even.lag), pair_plus(odd.push, even.push)};
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
    own->twice_N[q] = both(own->N[q]);
    if (q == 0) {
        own->per_N = 1 / N;
        own->pull = unit * material->kt / material->mu * own->per_N;
    } else {
        TurnSums sum = sum_orders(own, q);
        lag = own->pull * (LANE(sum.cross, 0) + LANE(sum.cross, 1)) - own->per_N * LANE(sum.lag, 0);
        bend = pair_times(turned(sum.bend), both(part));
        push = sum.push;
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
    own->cross_V[q] = cross;
    own->omega[q] = both(rate);
    own->s[g] = next;
    own->push = pair_join(both(N), next, push);
}

#endif
