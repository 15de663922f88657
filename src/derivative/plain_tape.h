/* The pieces of an impact of several contacts without friction, recorded to be gone through
 * backwards: how long each was, and the state at its end. */
#ifndef CAROM_DERIVATIVE_PLAIN_TAPE_H
#define CAROM_DERIVATIVE_PLAIN_TAPE_H

#include <stddef.h>

#include "multiple/multiple_visit.h"

typedef enum PlainKind {
    PLAIN_TIME,   /* a piece; length: its time */
    PLAIN_SINGLE, /* a piece in which one link acts; length: its impulse */
    PLAIN_TURN    /* before the piece in which it happens: an elastic link turns; length: when */
} PlainKind;

typedef struct PlainHead {
    double length;
    PlainKind kind;
    int link; /* that acts alone, or turns */
    int ends; /* a turn: compression ends there, or begins again */
} PlainHead;

/* A link at the end of a piece, before what happens there. */
typedef struct PlainLink {
    double v, N, k, peak;
    LinkPhase phase;
    int pushes; /* it is held and pushes */
} PlainLink;

typedef struct PlainTape {
    char *start; /* 16 bytes aligned */
    size_t bytes;
    int links, count, capacity;
    MultipleVisitor visitor;
} PlainTape;

/* Record into memory of so many bytes. The visitor's end() is the caller's to set; its context is
 * the tape. */
void crm_plain_tape_begin(PlainTape *tape, int contact_count, void *memory, size_t bytes);

static inline size_t plain_record_bytes(int links) {
    return (sizeof(PlainHead) + 15) / 16 * 16 + (size_t)links * sizeof(PlainLink);
}

static inline PlainHead *plain_head(const PlainTape *tape, int record) {
    return (PlainHead *)(tape->start + (size_t)record * plain_record_bytes(tape->links));
}

/* Bytes from the head of a record to its links. */
static inline size_t plain_links_offset(void) {
    return (sizeof(PlainHead) + 15) / 16 * 16;
}

static inline const PlainLink *plain_links(const PlainHead *head) {
    return (const PlainLink *)((const char *)head + plain_links_offset());
}

#endif
