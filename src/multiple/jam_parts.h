/* What the tests for jams have in common. */
#ifndef CAROM_MULTIPLE_JAM_PARTS_H
#define CAROM_MULTIPLE_JAM_PARTS_H

#include "multiple/jam_span.h"
#include "multiple/network.h"

/* Rows of some links, and what their impulses can do. */
typedef struct JamRows {
    int count, list[JAM_ROWS];
    JamSpan span; /* of W of these rows */
} JamRows;

/* The rows of links with in[i]: all of those with in[i] = 2, the normal of the others. */
void crm_jam_rows(const Given *given, const int *in, JamRows *rows);

/* The impulse in all rows that brings these to rest; the kinetic energy that it takes. */
double crm_jam_rest(const Network *network, const JamRows *rows, double *impulse);

/* Speed of a row after an impulse. */
double crm_jam_speed(const Network *network, int row, const double *impulse);

/* Factor the reactions of the links with held->pushes[i]; nothing slips. */
void crm_jam_factor(const Network *network);

/* Reactions of these links by a unit of the force in a row, one number per link in held->list. */
void crm_jam_reactions(const Network *network, int row, double *N);

#endif
