/* A grid of cells over the box that the bodies fill. A cell is at least as wide as the largest
 * ball, so balls that touch are in the same cell or in neighbouring ones. The box is fitted anew
 * when the bodies have spread; bodies outside of it belong to the outermost cells. A cell changes
 * by an event of its own, which does not touch the motion: the paths do not depend on the grid. */
#include "world/cell_grid.h"

#include "flight/descent.h"
#include "math/functions.h"

static int *cell_head(CaromWorld *world, const int cell[3]) {
    const int *count = world->grid.count;
    size_t at = ((size_t)cell[2] * (size_t)count[1] + (size_t)cell[1]) * (size_t)count[0];
    return &world->grid.heads[at + (size_t)cell[0]];
}

static void cell_insert(CaromWorld *world, int body) {
    WorldBody *inserted = &world->bodies[body];
    int *head = cell_head(world, inserted->cell);
    inserted->before = -1;
    inserted->behind = *head;
    if (*head >= 0) {
        world->bodies[*head].before = body;
    }
    *head = body;
}

void crm_cell_grid_remove(CaromWorld *world, int body) {
    const WorldBody *removed = &world->bodies[body];
    if (removed->before >= 0) {
        world->bodies[removed->before].behind = removed->behind;
    } else {
        *cell_head(world, removed->cell) = removed->behind;
    }
    if (removed->behind >= 0) {
        world->bodies[removed->behind].before = removed->before;
    }
}

/* The box of all centres now, and the largest radius. */
static double bodies_box(const CaromWorld *world, double low[3], double high[3]) {
    double largest = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int i = 0; i < world->body_count; i++) {
        CaromMotion motion = world->bodies[i].motion;
        if (motion.phase == CAROM_PHASE_POCKETED) {
            continue;
        }
        carom_motion_advance(&motion, world->time);
        largest = fmax(largest, world->bodies[i].radius);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], motion.position[k]);
            high[k] = fmax(high[k], motion.position[k]);
        }
    }
    return largest;
}

/* Cells of at least a width, fewer than there is room for. */
static void choose_cells(CellGrid *grid, const double low[3], const double high[3], double width) {
    double total;
    do {
        total = 1;
        for (int k = 0; k < 3; k++) {
            double side = high[k] - low[k], cells = floor(side / width);
            /* an extent that is not finite or enormous gets one cell */
            cells = cells >= 1 && cells <= 1e6 ? cells : 1;
            grid->count[k] = (int)cells;
            grid->low[k] = low[k];
            grid->step[k] = side / cells;
            total *= cells;
        }
        width *= 1.25;
    } while (total > grid->room);
}

void crm_cell_grid_fit(CaromWorld *world) {
    CellGrid *grid = &world->grid;
    double low[3], high[3], largest = bodies_box(world, low, high);
    /* a little wider than the balls: rounding of positions does not matter */
    choose_cells(grid, low, high, 2.001 * largest);
    for (int i = 0; i < grid->count[0] * grid->count[1] * grid->count[2]; i++) {
        grid->heads[i] = -1;
    }
    for (int i = 0; i < world->body_count; i++) {
        WorldBody *body = &world->bodies[i];
        CaromMotion motion = body->motion;
        if (motion.phase == CAROM_PHASE_POCKETED) {
            continue;
        }
        carom_motion_advance(&motion, world->time);
        for (int k = 0; k < 3; k++) {
            double at = grid->step[k] > 0 ? (motion.position[k] - low[k]) / grid->step[k] : 0;
            at = fmin(fmax(floor(at), 0), grid->count[k] - 1);
            body->cell[k] = at > 0 ? (int)at : 0;
        }
        cell_insert(world, i);
    }
}

bool crm_cell_grid_is_stale(const CaromWorld *world) {
    const CellGrid *grid = &world->grid;
    double low[3], high[3], largest = bodies_box(world, low, high);
    for (int k = 0; k < 3; k++) {
        double side = grid->step[k] * grid->count[k], out = fmax(side / 4, 4 * largest);
        if (low[k] < grid->low[k] - out || high[k] > grid->low[k] + side + out ||
            high[k] - low[k] < side / 2 - 4 * largest) {
            return true;
        }
    }
    return false;
}

Awaited crm_cell_grid_leave(const CaromWorld *world, const WorldBody *body) {
    const CellGrid *grid = &world->grid;
    CaromMotion motion = body->motion;
    Awaited leave = {.time = INFINITY, .kind = AWAITED_NOTHING};
    /* from now: the piece may have begun in another cell */
    carom_motion_advance(&motion, world->time);
    for (int k = 0; k < 3; k++) {
        for (int side = -1; side <= 1; side += 2) {
            int beyond = body->cell[k] + side;
            if (beyond < 0 || beyond >= grid->count[k]) {
                continue;
            }
            double face = grid->low[k] + grid->step[k] * (body->cell[k] + (side > 0));
            double gap = fmax(side * (face - motion.position[k]), 0);
            double time = world->time + crm_descent_parabola(gap, -side * motion.velocity[k],
                                                             -side * motion.acceleration[k]);
            if (time < leave.time) {
                leave = (Awaited){.time = time, .kind = AWAITED_CELL, .axis = k, .side = side};
            }
        }
    }
    return leave;
}

void crm_cell_grid_cross(CaromWorld *world, int body, const Awaited *leave) {
    crm_cell_grid_remove(world, body);
    world->bodies[body].cell[leave->axis] += leave->side;
    cell_insert(world, body);
}

/* The next cell of the up to 27 around a body; false: it was the last. */
static bool next_cell(const CaromWorld *world, const WorldBody *body, CellWalk *walk) {
    const int *count = world->grid.count;
    for (int k = 0; k < 3; k++) {
        int low = body->cell[k] > 0 ? body->cell[k] - 1 : 0;
        int high = body->cell[k] + 1 < count[k] ? body->cell[k] + 1 : body->cell[k];
        if (!walk->begun) {
            walk->cell[k] = low;
        } else if (walk->cell[k] < high) {
            walk->cell[k]++;
            return true;
        } else {
            walk->cell[k] = low;
        }
    }
    bool first = !walk->begun;
    walk->begun = true;
    return first;
}

int crm_cell_grid_next(const CaromWorld *world, const WorldBody *body, CellWalk *walk) {
    if (walk->begun && walk->next >= 0) {
        int found = walk->next;
        walk->next = world->bodies[found].behind;
        return found;
    }
    while (next_cell(world, body, walk)) {
        const int *count = world->grid.count, *cell = walk->cell;
        size_t at = ((size_t)cell[2] * (size_t)count[1] + (size_t)cell[1]) * (size_t)count[0];
        int found = world->grid.heads[at + (size_t)cell[0]];
        if (found >= 0) {
            walk->next = world->bodies[found].behind;
            return found;
        }
    }
    walk->next = -1;
    return -1;
}
