/* The ways to an answer, and to all answers. */
#ifndef CAROM_IMPULSE_SEARCH_H
#define CAROM_IMPULSE_SEARCH_H

#include "impulse/answer.h"
#include "impulse/energy_descent.h"
#include "impulse/splitting.h"

/* Answers that are kept apart; more are counted as this many. */
enum { SEARCH_ANSWERS = 8 };

/* Everything a search works with; arrays of one workspace. */
typedef struct AnswerSearch {
    Strike strike; /* given */
    Strike soft;   /* the same with W + delta */
    ModeSystem system;
    Sharing sharing;
    Splitting splitting;
    EnergyDescent descent;
    StrikeState state, spare, best;
    int count;                       /* different answers so far; the one of least energy is best */
    double energy;                   /* of best */
    int redundant;                   /* contacts may share the impulse of best in several ways */
    int continuum;                   /* best is one of a continuum of answers */
    int descended;                   /* answers were found that share the load at more energy */
    double error;                    /* of best's impulse, relative */
    double drift;                    /* by velocities that redundant contacts cannot have */
    double *velocity;                /* SEARCH_ANSWERS x size: their velocities... */
    double energies[SEARCH_ANSWERS]; /* ...and energies */
    int work;                        /* systems of modes solved, and steps of splitting/25 */
    int hard;                        /* the first way did not lead to an answer, or in many steps */
    int from_stick;                  /* the first answer was found from all contacts sticking */
    int none;                        /* no answer was found, and none has to exist */
    int proved;                      /* all sets of modes were searched: there is none */
} AnswerSearch;

/* An answer of search->strike from modes, velocities and impulses of the softened problem in
 * search->state. 0: there is none nearby. */
int crm_search_complete(AnswerSearch *search);

/* Keep the answer in search->state if it is another than those known. */
void crm_search_keep(AnswerSearch *search);

/* Fill search->best with an answer. 0: none was found. */
int crm_search_first(AnswerSearch *search);

/* Look for other answers, unless friction is too weak for them: planar problems of a few contacts
 * among all modes, others at rest, and from other starts where friction couples contacts. */
void crm_search_others(AnswerSearch *search);

/* Least impulse, last digits and error of best. */
void crm_search_end(AnswerSearch *search);

/* How far away in the input another of several answers takes over, about: where it has the same
 * energy, or both have become the same, beyond which neither exists. Their energies differ by a
 * share of the distance that is their difference in velocity. */
double crm_search_distance(const AnswerSearch *search);

#endif
