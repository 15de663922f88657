/* Pieces of a simulated motion: how they are kept, and the body at any time of one. */
#ifndef CAROM_CLI_SIMULATE_SIMULATE_PIECE_H
#define CAROM_CLI_SIMULATE_SIMULATE_PIECE_H

#include "simulate/simulate_run.h"

/* A new piece from the body at a time, with its first node if it is one of contact; NULL: no
 * memory. It ends where it begins until simulate_piece_end() is called. */
SimulatePiece *simulate_piece_add(SimulateRun *run, CaromPhase phase, double time,
                                  const CaromBody *body);

/* A further state of the last piece, which is one of contact. False: no memory. */
bool simulate_node_add(SimulateRun *run, double time, const CaromBody *body);

/* The last piece ends. */
void simulate_piece_end(SimulateRun *run, double time, const CaromBody *body);

/* A place on a piece that only goes forward. */
typedef struct SimulateCursor {
    const SimulatePiece *piece;
    double time;
    CaromBody body;
    size_t node; /* the last one that has been passed */
} SimulateCursor;

SimulateCursor simulate_cursor(const SimulatePiece *piece);

/* Go on to a time, which is not before the present one. In contact the states between two nodes
 * are cubic interpolations of place and orientation. False: a flight failed, see *message. */
bool simulate_cursor_advance(const SimulateScene *scene, const SimulateRun *run, double time,
                             SimulateCursor *cursor, const char **message);

#endif
