/* Cells that tell which balls are near each other. */
#ifndef CAROM_WORLD_CELL_GRID_H
#define CAROM_WORLD_CELL_GRID_H

#include "world/world_state.h"

/* Most cells for a number of bodies. */
static inline int cell_grid_room(int body_count) {
    return 2 * body_count + 8;
}

/* Fit the grid to where the bodies are now, and put them into their cells. */
void crm_cell_grid_fit(CaromWorld *world);

/* True if bodies have left the box of the grid, or fill less than half of one of its sides. */
bool crm_cell_grid_is_stale(const CaromWorld *world);

/* When, and through which face, a ball leaves its cell; INFINITY: never. */
Awaited crm_cell_grid_leave(const CaromWorld *world, const WorldBody *body);

/* Move a body through the face it leaves by. */
void crm_cell_grid_cross(CaromWorld *world, int body, const Awaited *leave);

/* Take a body out of its cell for good. */
void crm_cell_grid_remove(CaromWorld *world, int body);

/* The neighbours of a body: those in its cell and the cells around it, itself included. Start with
 * a zero walk; -1: no more. */
typedef struct CellWalk {
    int cell[3], next;
    bool begun;
} CellWalk;

int crm_cell_grid_next(const CaromWorld *world, const WorldBody *body, CellWalk *walk);

#endif
