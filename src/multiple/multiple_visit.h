/* The pieces of an impact of several contacts, for callers that follow the process: derivatives. */
#ifndef CAROM_MULTIPLE_MULTIPLE_VISIT_H
#define CAROM_MULTIPLE_MULTIPLE_VISIT_H

#include "multiple/network.h"

typedef struct MultipleVisitor {
    void *context;
    /* it needs the series of each piece: no closed forms, no rows, no turns of elastic links inside
     * a piece, slip to its very end. Only then there are begin(), piece(), events(), run_away() and
     * jump() */
    int detailed;
    /* a piece begins: the state is as the events left it */
    void (*begin)(void *context, const Network *network);
    /* its series, its length and what ends it are known; the state is at its start */
    void (*piece)(void *context, const Network *network);
    /* the piece is over, and what ends it is about to happen */
    void (*events)(void *context, const Network *network);
    /* slip has run away: a jump that no mode of slip leads to */
    void (*run_away)(void *context, const Network *network);
    /* friction falls along a path that it leaves inside its cone; the state is as before */
    void (*jump)(void *context, const Network *network);
    /* otherwise: a piece is over, before what happens at its end; length is its time, or if one
     * link acts alone the impulse... */
    void (*passed)(void *context, const Network *network, double length);
    /* ...and an elastic link has turned back at this time of the piece to come */
    void (*turned)(void *context, const Network *network, int link, double time);
    /* the impact is over; the network may be used up */
    void (*end)(void *context, Network *network);
} MultipleVisitor;

static inline const MultipleVisitor *network_visitor(const Network *network) {
    return network->sampler ? network->sampler->multiple : NULL;
}

/* The visitor that needs series, or NULL. */
static inline const MultipleVisitor *network_observer(const Network *network) {
    const MultipleVisitor *visitor = network_visitor(network);
    return visitor && visitor->detailed ? visitor : NULL;
}

/* The one that does not, or NULL. */
static inline const MultipleVisitor *network_follower(const Network *network) {
    const MultipleVisitor *visitor = network_visitor(network);
    return visitor && !visitor->detailed ? visitor : NULL;
}

/* Are series needed that a plain solve does without? */
static inline int network_needs_series(const Network *network) {
    return network->sampler && !network_follower(network);
}

#endif
