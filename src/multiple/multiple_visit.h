/* The pieces of an impact of several contacts, for callers that follow the process: derivatives. */
#ifndef CAROM_MULTIPLE_MULTIPLE_VISIT_H
#define CAROM_MULTIPLE_MULTIPLE_VISIT_H

#include "multiple/network.h"

typedef struct MultipleVisitor {
    void *context;
    /* a piece begins: the state is as the events left it */
    void (*begin)(void *context, const Network *network);
    /* its series, its length and what ends it are known; the state is at its start */
    void (*piece)(void *context, const Network *network);
    /* slip has run away: a jump that no mode of slip leads to */
    void (*run_away)(void *context, const Network *network);
    /* the impact is over; the network may be used up */
    void (*end)(void *context, Network *network);
} MultipleVisitor;

static inline const MultipleVisitor *network_visitor(const Network *network) {
    return network->sampler ? network->sampler->multiple : NULL;
}

#endif
