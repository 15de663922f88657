/* The pieces of an impact of several contacts, recorded to be gone through backwards: the state at
 * the start of each, from which its series are computed again. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_TAPE_H
#define CAROM_DERIVATIVE_MULTIPLE_TAPE_H

#include <stddef.h>

#include "multiple/multiple_visit.h"

/* How a piece ended. */
typedef struct PieceEnd {
    int stops;          /* the link whose v_n came to 0, -1: none, -2: several */
    int cone;           /* likewise, whose friction has reached its cone */
    int ran_away;       /* then slip ran away */
    int jumps;          /* how often friction fell along a path (multiple_path.h)... */
    const Link *jumped; /* ...and the links before the first time, NULL: not known */
} PieceEnd;

typedef struct Tape {
    char *start; /* of the first record; 16 bytes aligned */
    int count, capacity;
    int ran_away; /* slip has run away before the first piece */
    int jumps;    /* paths recorded so far */
    /* contacts are held, or their stiffness grows far: errors on the way back count for more than
     * they seem to */
    int magnifies;
    MultipleVisitor visitor;
} Tape;

size_t crm_tape_bytes(int contact_count);

/* Record into memory of crm_tape_bytes(). The visitor's end() is the caller's to set; its context
 * is the tape. */
void crm_tape_begin(Tape *tape, int contact_count, void *memory);

/* Take the network back to the start of a piece, with its series. */
PieceEnd crm_tape_restore(const Tape *tape, int piece, Network *network);

#endif
