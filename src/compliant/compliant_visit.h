/* The pieces of one compliant impact, for callers that follow the process: derivatives. */
#ifndef CAROM_COMPLIANT_VISIT_H
#define CAROM_COMPLIANT_VISIT_H

#include "compliant/process.h"

typedef struct CompliantVisitor {
    void *context;
    void (*begin)(void *context, const Process *process);
    /* A piece from process->now on: at(piece, x) for x in [0, end]. x is time in stick and the
     * normal impulse in slip, unless pace(piece, x) is dp/dx. */
    void (*piece)(void *context, const Process *process, MomentAt at, MomentPace pace,
                  const void *piece, double end);
    /* at the end of the last piece; the process has changed already but for k */
    void (*event)(void *context, const Process *process, CaromEventKind kind);
} CompliantVisitor;

#endif
