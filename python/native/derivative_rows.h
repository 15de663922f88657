/* Memory of a thread that differentiates. */
#ifndef CAROM_PYTHON_DERIVATIVE_ROWS_H
#define CAROM_PYTHON_DERIVATIVE_ROWS_H

#include "rows.h"

/* All numbers are one block; NULL: no memory. */
typedef struct DerivativeRoom {
    double *numbers;
    CaromContact *contacts;
    double *workspace, *impulse_by, *velocity_by, *impulse, *gradient;
} DerivativeRoom;

/* For problems; columns 1: with the matrices by all inputs. */
DerivativeRoom derivative_room_take(const Problems *problems, int columns);
void derivative_room_give(DerivativeRoom *room);

#endif
