/* Problems of several contacts for the tests: where they come from, the library's answers, and how
 * far two answers are apart. */
#ifndef CAROM_TEST_MULTIPLE_PROBLEMS_H
#define CAROM_TEST_MULTIPLE_PROBLEMS_H

#include <stdint.h>

#include <carom/carom.h>

#include "support/math/larger.h"

/* Largest number of contacts: a rack of 15 balls and the cue ball have 31. */
#define MULTIPLE_CONTACTS 36
#define MULTIPLE_ROWS (3 * MULTIPLE_CONTACTS)

/* Several contacts; W, v and everything that is per row are packed, rows * count numbers. */
typedef struct MultipleProblem {
    int count;  /* contacts */
    int planar; /* two rows per contact instead of three */
    CaromLaw law;
    double W[MULTIPLE_ROWS * MULTIPLE_ROWS];
    double v[MULTIPLE_ROWS];
    CaromContact contacts[MULTIPLE_CONTACTS];
    const char *tag; /* the class it was drawn from; a constant string */
} MultipleProblem;

/* Rows of W. */
int multiple_rows(const MultipleProblem *problem);

/* Normals only: W from a count x count matrix, the tangents decoupled. */
void multiple_frictionless(MultipleProblem *problem, int count, const double *A, const double *v);

/* An ordinary problem of two contacts with friction, to spoil. */
void multiple_ordinary(MultipleProblem *problem);

#define MULTIPLE_EVENTS 96

/* An event at a contact, and the state of all contacts at that time. */
typedef struct MultipleEvent {
    CaromEventKind kind;
    int contact;
    double impulse[MULTIPLE_ROWS];    /* I so far, packed as the problem's v */
    double velocity[MULTIPLE_ROWS];   /* likewise */
    double stored[MULTIPLE_CONTACTS]; /* normal energies just after it */
} MultipleEvent;

/* The answer of an oracle or of the library. */
typedef struct MultipleAnswer {
    int ok;
    const char *message; /* library only: the error message, or "" */
    double impulse[MULTIPLE_ROWS], velocity[MULTIPLE_ROWS];
    CaromEnergy energy;
    double error;    /* library only: its own estimate */
    int work;        /* pieces or steps */
    int latched;     /* how often a contact latched */
    int ambiguous;   /* oracle only: forces of latched contacts were not unique (W singular) */
    int capped;      /* oracle only: contacts whose stiffness was not let grow any more */
    int event_count; /* all that happened; the first MULTIPLE_EVENTS of them are kept */
    MultipleEvent events[MULTIPLE_EVENTS];
} MultipleAnswer;

/* The library's answer; ok if the status is not a failure. */
void multiple_library(const MultipleProblem *problem, MultipleAnswer *answer);

/* As CaromProblem, pointing into the problem. */
CaromProblem multiple_as_problem(const MultipleProblem *problem);

/* |I - I*| over the largest |I*_i|, or the same of v over the largest |v-| + |W| |I*|: the larger.
 * Infinite if there is no answer. */
double multiple_error(const MultipleProblem *problem, const MultipleAnswer *answer,
                      const MultipleAnswer *truth);

/* The second of the two alone: all that is defined where forces are not unique. */
double multiple_velocity_error(const MultipleProblem *problem, const MultipleAnswer *answer,
                               const MultipleAnswer *truth);

/* 1 if the same happened at each contact, in the same order there (as far as events are kept; how
 * what happens at once at several contacts is ordered does not matter). *error, if not NULL: the
 * largest difference of the impulses at these events, over the largest impulse. */
int multiple_same_events(const MultipleProblem *problem, const MultipleAnswer *answer,
                         const MultipleAnswer *truth, double *error);

/* Print a problem as a scene, on standard error, to reproduce a failure. */
void multiple_print(const MultipleProblem *problem);

/* Print the events of an answer on standard error. */
void multiple_print_events(const char *who, const MultipleProblem *problem,
                           const MultipleAnswer *answer);

#endif
