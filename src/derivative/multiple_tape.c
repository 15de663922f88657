/* Records of equal length: moment, trigger, v, links. */
#include "derivative/multiple_tape.h"

#include <string.h>

#include "multiple/expand.h"

typedef struct RecordHead {
    double moment;
    PieceEnd end;
} RecordHead;

static size_t rounded(size_t bytes) {
    return (bytes + 15) / 16 * 16;
}

static size_t record_bytes(int links, int rows) {
    return rounded(sizeof(RecordHead)) + rounded((size_t)(rows + 1) * sizeof(double)) +
           rounded((size_t)links * sizeof(Link));
}

/* Pieces that fit: most impacts have fewer than 300; of many contacts as many as take some 30 MB,
 * of one what a stack holds. */
static int tape_pieces(int contact_count) {
    return contact_count == 1 ? 500 : contact_count <= 100 ? 2000 : 200000 / contact_count;
}

size_t crm_tape_bytes(int contact_count) {
    return (size_t)tape_pieces(contact_count) * record_bytes(contact_count, 3 * contact_count);
}

static char *record_at(const Tape *tape, const Network *network, int piece) {
    return tape->start + (size_t)piece * record_bytes(network->given.count, network->given.size);
}

static double *record_v(char *record) {
    return (double *)(record + rounded(sizeof(RecordHead)));
}

static Link *record_links(char *record, const Given *given) {
    return (Link *)((char *)record_v(record) + rounded((size_t)(given->size + 1) * sizeof(double)));
}

static void tape_note_state(void *context, const Network *network) {
    Tape *tape = context;
    const Given *given = &network->given;
    if (tape->count < tape->capacity) {
        char *record = record_at(tape, network, tape->count);
        memcpy(record_v(record), network->state.v, (size_t)given->stride * sizeof(double));
        memcpy(record_links(record, given), network->state.links,
               (size_t)given->count * sizeof(Link));
    }
}

static void tape_note_piece(void *context, const Network *network) {
    Tape *tape = context;
    if (tape->count++ >= tape->capacity) {
        return;
    }
    const Piece *piece = &network->piece;
    RecordHead *head = (RecordHead *)record_at(tape, network, tape->count - 1);
    double now = piece->moment * (1 + AT_ONCE);
    *head = (RecordHead){.moment = piece->moment, .end = {.stops = -1, .cone = -1}};
    for (int i = 0; i < network->given.count; i++) {
        for (int what = 0; what < WATCH_COUNT; what++) {
            head->end.events |= piece->links[i].wait[what] <= now;
        }
        if (piece->links[i].wait[WATCH_SPEED] <= now) {
            head->end.stops = head->end.stops == -1 ? i : -2;
        }
        if (piece->links[i].wait[WATCH_CONE] <= now) {
            head->end.cone = head->end.cone == -1 ? i : -2;
        }
    }
}

static void tape_note_run_away(void *context, const Network *network) {
    Tape *tape = context;
    if (tape->count == 0) {
        tape->ran_away = 1;
    } else if (tape->count <= tape->capacity) {
        ((RecordHead *)record_at(tape, network, tape->count - 1))->end.ran_away++;
    }
}

void crm_tape_begin(Tape *tape, int contact_count, void *memory) {
    *tape = (Tape){.start = memory,
                   .capacity = tape_pieces(contact_count),
                   .visitor = {.context = tape,
                               .detailed = 1,
                               .begin = tape_note_state,
                               .piece = tape_note_piece,
                               .run_away = tape_note_run_away}};
}

PieceEnd crm_tape_restore(const Tape *tape, int piece, Network *network) {
    const Given *given = &network->given;
    char *record = record_at(tape, network, piece);
    const RecordHead *head = (const RecordHead *)record;
    memcpy(network->state.v, record_v(record), (size_t)given->stride * sizeof(double));
    memcpy(network->state.links, record_links(record, given), (size_t)given->count * sizeof(Link));
    crm_expand(network);
    network->piece.moment = head->moment;
    return head->end;
}
