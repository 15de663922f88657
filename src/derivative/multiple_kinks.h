/* Several compliant contacts: where the sequence of events is about to change.
 *
 * Forces are continuous, so most changes of the sequence leave the first derivatives as they are.
 * These do not:
 *
 *   stick   mu N - |f| has a minimum: it would slip there. If it does, for a short while, the
 * length of that slip times kt takes the place of the minimum, with the gradient where it begins
 *   restart v_n has an extremum while the spring acts, 0 < e < 1: compression would end, or begin
 *           again, and the stiffness change: the outcome jumps
 *   touch   N of a held contact has a minimum: it would open, and its friction go */
#ifndef CAROM_DERIVATIVE_MULTIPLE_KINKS_H
#define CAROM_DERIVATIVE_MULTIPLE_KINKS_H

#include <carom/derivative.h>

#include "derivative/multiple_backwards.h"

/* A kink whose gradient is still to be found. */
typedef struct Candidate {
    Probe probe;
    CaromKinkKind kind;
    int happens, jumps;
    double phi;  /* in the network's units */
    double part; /* phi over its size in the process: the nearest are followed */
} Candidate;

/* Extremes of a number that is followed: the last two samples. */
typedef struct Valley {
    double value[2], x;
    int count, piece;
} Valley;

/* A link as far as it has been followed. */
typedef struct LinkScan {
    LinkPhase phase;
    enum { SCAN_IDLE, SCAN_STICK, SCAN_SLIP } friction;
    Valley cone, speed, crest, force;
    double slipped, push; /* kt times the length of slip since `yield`, and mu N there */
    Probe yield;          /* piece -1: slip did not begin with stick */
    double most;          /* largest |v_n| of the phase */
    Candidate crest_of;   /* ...where it was largest */
    double force_most;
} LinkScan;

/* Candidates that are kept. */
enum { CANDIDATES_MOST = 6 };

/* Go through the process and fill list with at most CANDIDATES_MOST, the latest first. scans: room
 * for all links. Returns their number. */
int crm_kinks_scan(const Tape *tape, Adjoint *adjoint, LinkScan *scans, Candidate *list);

#endif
