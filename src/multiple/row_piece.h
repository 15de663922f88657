/* A piece of a row: its series in blocks of links, the zeros of these series, and the state at a
 * moment. Places count the links that are not held. */
#ifndef CAROM_MULTIPLE_ROW_PIECE_H
#define CAROM_MULTIPLE_ROW_PIECE_H

#include "multiple/network.h"
#include "multiple/row.h"

/* Links of a block. Arrays with one number per place have a block of zeros before and after. */
enum { ROW_BLOCK = 8, ROW_FOURS = ROW_BLOCK / 4 };

enum { ROW_POWERS = TERMS + 2 };

/* An event that may come: what happens, when, and at which place. */
typedef struct RowEvent {
    int place;
    LinkWatch what;
    double wait;
} RowEvent;

struct Row {
    double *numbers; /* all arrays with one number per place, and the terms */
    int *order;      /* the links by their positions in the row */
    /* the links that are not held; W' at a place and its neighbours */
    int count, blocks, stride;
    int *link;
    double *below, *at, *above;
    /* the positions of the held links, and their reactions from the forces at two places; -1: no
     * such place */
    int held_count, *held;
    int unlatched; /* not all of them have been reported */
    int *before, *after;
    double *from_before, *from_after, *offset; /* I = offset + the same of the impulses */
    /* the state at each place: y = -N/k, k = 0 where no force acts */
    double *v, *y, *k, *I;
    double *v_then, *y_then, *I_then; /* at another moment */
    double *sign;                     /* of v in this phase */
    double *w, *omega;                /* W_nn, sqrt(k W_nn) */
    LinkPhase *phase;
    unsigned char *elastic;
    /* the piece: W' rate, derivatives (order g of v at g + 1, x at 0), and which orders of a block
     * are not 0: now, and in memory */
    double unit, reach;
    double common;  /* the reach, but for links that hardly move yet */
    double longest; /* as far as the next piece may reach */
    double *least;  /* size of a term that counts */
    double *rate, *pull_below, *pull_at, *pull_above, *terms;
    unsigned *orders, *filled;
    double power[ROW_POWERS]; /* reach^g/g! */
    /* places that touch; events to come, the first one at moment, in units of the reach */
    int touching_count, *touching, event_count;
    RowEvent *events;
    double moment;
    int *turning; /* elastic links that may turn, and when */
    double *turn_wait;
    int grazing_count, *grazing; /* other links whose speeds come near 0 (graze.h)... */
    double *grazes;              /* ...with at least so much of N^2/k */
};

/* The series from the state; touching places are decided. */
void crm_row_expand(Network *network);
/* Events up to the first one, in the order of places; turns of elastic links are reported. */
void crm_row_watch(Network *network);
/* Go to the moment. */
void crm_row_advance(Network *network);
/* Write a state of the row to the links. */
void crm_row_store(Network *network, const double *v, const double *y, const double *I);

/* The same for the state now, if the next event is recorded. */
static inline void row_show(Network *network) {
    if (network->result->event_count < network->result->event_capacity) {
        crm_row_store(network, network->row->v, network->row->y, network->row->I);
    }
}

/* The reaction at a held link by these forces, or its impulse by these impulses. */
static inline double row_reaction(const struct Row *row, int i, const double *forces) {
    return (row->before[i] < 0 ? 0 : row->from_before[i] * forces[row->before[i]]) +
           (row->after[i] < 0 ? 0 : row->from_after[i] * forces[row->after[i]]);
}

static inline void row_set_phase(struct Row *row, int place, LinkPhase phase) {
    row->phase[place] = phase;
    row->sign[place] = phase == LINK_COMPRESSION ? -1 : 1;
}

#endif
