/* Records of equal length: a head, then the links; a turn needs only its head. */
#include "derivative/plain_tape.h"

/* The next record, or NULL. */
static PlainHead *next_record(PlainTape *tape) {
    return tape->count++ < tape->capacity ? plain_head(tape, tape->count - 1) : NULL;
}

static void note_passed(void *context, const Network *network, double length) {
    PlainHead *head = next_record(context);
    if (!head) {
        return;
    }
    int single = network->piece.kind == SINGLE;
    *head = (PlainHead){length, single ? PLAIN_SINGLE : PLAIN_TIME, network->piece.single, 0};
    PlainLink *to = (PlainLink *)((char *)head + plain_links_offset());
    for (int i = 0; i < network->given.count; i++) {
        const Link *link = &network->state.links[i];
        int pushes = link->phase == HELD && network->piece.links[i].role == HOLD_PUSHES;
        to[i] = (PlainLink){network->state.v[i], link->N, link->k, link->peak, link->phase, pushes};
    }
}

static void note_turned(void *context, const Network *network, int link, double time) {
    PlainHead *head = next_record(context);
    if (head) {
        int ends = network->state.links[link].phase == LINK_RESTITUTION;
        *head = (PlainHead){time, PLAIN_TURN, link, ends};
    }
}

void crm_plain_tape_begin(PlainTape *tape, int contact_count, void *memory, size_t bytes) {
    size_t capacity = bytes / plain_record_bytes(contact_count);
    *tape = (PlainTape){.start = memory,
                        .bytes = bytes,
                        .links = contact_count,
                        .capacity = (int)capacity,
                        .visitor = {.context = tape, .passed = note_passed, .turned = note_turned}};
}
