/* Records of equal length: moment, trigger, v, links. Of the first pieces the series as well: to
 * expand them again takes as long as the solution did. */
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

/* Pieces whose series fit: those of most impacts. */
static int series_pieces(int contact_count) {
    return contact_count == 1 ? 0 : 64;
}

/* The series of a piece: of v and F... */
typedef struct SeriesHead {
    int recorded, closing;
    double step, pace[PACE_ROOT], scale[TERMS];
} SeriesHead;

/* ...and of the directions of slip. */
typedef struct SeriesLink {
    Pair s[TERMS];
    double N; /* at the start */
    LinkPhase phase;
    LinkFriction friction;
    HoldRole role;
} SeriesLink;

static size_t series_bytes(int links, int rows) {
    size_t terms = 2 * TERMS * (size_t)(rows + rows % 2) * sizeof(double);
    return rounded(sizeof(SeriesHead)) + (size_t)links * sizeof(SeriesLink) + rounded(terms);
}

/* Jumps along a path: few impacts have more than two. */
enum { JUMPS_MOST = 8 };

size_t crm_tape_bytes(int contact_count) {
    int n = contact_count;
    return (size_t)tape_pieces(n) * record_bytes(n, 3 * n) +
           (size_t)series_pieces(n) * series_bytes(n, 3 * n) +
           (size_t)JUMPS_MOST * (size_t)n * sizeof(Link);
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

/* The series of a piece, NULL: no room. */
static SeriesHead *piece_series(const Tape *tape, const Given *given, int piece) {
    char *start = tape->start + (size_t)tape->capacity * record_bytes(given->count, given->size);
    return piece < series_pieces(given->count)
               ? (SeriesHead *)(start + (size_t)piece * series_bytes(given->count, given->size))
               : NULL;
}

static SeriesLink *series_links(SeriesHead *head) {
    return (SeriesLink *)((char *)head + rounded(sizeof *head));
}

static double *series_terms(SeriesHead *head, const Given *given) {
    return (double *)((char *)series_links(head) + (size_t)given->count * sizeof(SeriesLink));
}

static void note_series(const Network *network, SeriesHead *head) {
    const Given *given = &network->given;
    const Piece *piece = &network->piece;
    size_t terms = TERMS * (size_t)given->stride;
    *head = (SeriesHead){piece->kind == GENERAL, piece->closing, piece->step, {0}, {0}};
    memcpy(head->pace, piece->pace, sizeof head->pace);
    memcpy(head->scale, piece->scale, sizeof head->scale);
    memcpy(series_terms(head, given), piece->terms_v, terms * sizeof(double));
    memcpy(series_terms(head, given) + terms, piece->terms_f, terms * sizeof(double));
    for (int i = 0; i < given->count; i++) {
        const LinkPiece *own = &piece->links[i];
        SeriesLink *to = &series_links(head)[i];
        to->N = own->N[0];
        to->phase = own->phase;
        to->friction = own->friction;
        to->role = own->role;
        if (is_slipping(own->friction)) {
            memcpy(to->s, own->s, sizeof to->s);
        }
    }
}

static void take_series(Network *network, SeriesHead *head) {
    const Given *given = &network->given;
    Piece *piece = &network->piece;
    size_t terms = TERMS * (size_t)given->stride;
    piece->kind = GENERAL;
    piece->closing = head->closing;
    piece->step = head->step;
    memcpy(piece->pace, head->pace, sizeof head->pace);
    memcpy(piece->scale, head->scale, sizeof head->scale);
    memcpy(piece->terms_v, series_terms(head, given), terms * sizeof(double));
    memcpy(piece->terms_f, series_terms(head, given) + terms, terms * sizeof(double));
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        const SeriesLink *from = &series_links(head)[i];
        own->N[0] = from->N;
        own->phase = from->phase;
        own->friction = from->friction;
        own->role = from->role;
        own->written = 1; /* forces that the next expansion has to clear */
        if (is_slipping(own->friction)) {
            memcpy(own->s, from->s, sizeof from->s);
        }
    }
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

/* Growth of a stiffness that is far. */
static const double FAR_STIFFER = 1e3;

static void tape_note_piece(void *context, const Network *network) {
    Tape *tape = context;
    if (tape->count++ >= tape->capacity) {
        return;
    }
    const Piece *piece = &network->piece;
    SeriesHead *series = piece_series(tape, &network->given, tape->count - 1);
    if (series) {
        note_series(network, series);
    }
    RecordHead *head = (RecordHead *)record_at(tape, network, tape->count - 1);
    double now = piece->moment * (1 + AT_ONCE);
    *head = (RecordHead){.moment = piece->moment, .end = {.stops = -1, .cone = -1}};
    for (int i = 0; i < network->given.count; i++) {
        const LinkPiece *own = &piece->links[i];
        int pushes = own->phase == HELD && own->role == HOLD_PUSHES;
        tape->magnifies |=
            pushes || network->state.links[i].k > FAR_STIFFER * network->given.materials[i].k;
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

/* The links before a jump. */
static Link *jump_links(const Tape *tape, const Given *given, int jump) {
    size_t pieces = (size_t)tape->capacity * record_bytes(given->count, given->size);
    size_t series = (size_t)series_pieces(given->count) * series_bytes(given->count, given->size);
    return (Link *)(tape->start + pieces + series) + (size_t)jump * (size_t)given->count;
}

static void tape_note_jump(void *context, const Network *network) {
    Tape *tape = context;
    if (tape->count == 0 || tape->count > tape->capacity) {
        return;
    }
    PieceEnd *end = &((RecordHead *)record_at(tape, network, tape->count - 1))->end;
    if (end->jumps++ == 0 && tape->jumps < JUMPS_MOST) {
        Link *links = jump_links(tape, &network->given, tape->jumps++);
        memcpy(links, network->state.links, (size_t)network->given.count * sizeof *links);
        end->jumped = links;
    }
}

void crm_tape_begin(Tape *tape, int contact_count, void *memory) {
    *tape = (Tape){.start = memory,
                   .capacity = tape_pieces(contact_count),
                   .visitor = {.context = tape,
                               .detailed = 1,
                               .begin = tape_note_state,
                               .piece = tape_note_piece,
                               .run_away = tape_note_run_away,
                               .jump = tape_note_jump}};
}

PieceEnd crm_tape_restore(const Tape *tape, int piece, Network *network) {
    const Given *given = &network->given;
    char *record = record_at(tape, network, piece);
    const RecordHead *head = (const RecordHead *)record;
    memcpy(network->state.v, record_v(record), (size_t)given->stride * sizeof(double));
    memcpy(network->state.links, record_links(record, given), (size_t)given->count * sizeof(Link));
    SeriesHead *series = piece_series(tape, given, piece);
    if (series && series->recorded) {
        take_series(network, series);
    } else {
        crm_expand(network);
    }
    network->piece.moment = head->moment;
    return head->end;
}
