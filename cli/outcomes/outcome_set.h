/* The outcomes of one treatment of the contacts. */
#ifndef CAROM_CLI_OUTCOMES_OUTCOME_SET_H
#define CAROM_CLI_OUTCOMES_OUTCOME_SET_H

#include <stdbool.h>

#include <carom/carom.h>

/* Owns its arrays. */
typedef struct OutcomeSet {
    int size;           /* components of an outcome */
    int room;           /* outcomes that fit */
    int count;          /* outcomes */
    double *values;     /* a row per outcome */
    double *low, *high; /* of each component; infinite the wrong way round if there is none */
    int unsolved;       /* cases without an outcome... */
    CaromStatus status; /* ...and why, for the first of them */
    const char *message;
    bool complete; /* orders: all of them; stiffness: a grid. Else a random sample */
    int different; /* outcomes that differ by more than a tolerance */
} OutcomeSet;

/* False: out of memory. outcome_set_free() in any case. */
bool outcome_set_create(int size, int room, OutcomeSet *set);
void outcome_set_free(OutcomeSet *set);

/* Forget all outcomes. */
void outcome_set_clear(OutcomeSet *set);

/* The next row, to be filled; outcome_set_add() then counts it. */
double *outcome_set_next(OutcomeSet *set);
void outcome_set_add(OutcomeSet *set);

/* Count a case that was not solved. */
void outcome_set_fail(OutcomeSet *set, CaromStatus status, const char *message);

/* Count the different outcomes: two are the same if all components agree to their tolerance. */
void outcome_set_compare(OutcomeSet *set, const double *tolerance);

#endif
