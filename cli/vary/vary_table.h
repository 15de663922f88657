/* The table of --vary: a row per value of the parameter. */
#ifndef CAROM_CLI_VARY_VARY_TABLE_H
#define CAROM_CLI_VARY_VARY_TABLE_H

#include <stdio.h>

#include "solve/solution.h"

/* The content of a column: a component of a body's velocity (0 to 2) or angular velocity (3 to 5),
 * its speed, the normal or tangential impulse of a contact, or a generalised speed. */
typedef enum VaryColumnKind {
    VARY_COLUMN_SPEED = 6,
    VARY_COLUMN_NORMAL = 7,
    VARY_COLUMN_TANGENTIAL = 8,
    VARY_COLUMN_COORDINATE = 9
} VaryColumnKind;

typedef struct VaryColumn {
    int kind;    /* VaryColumnKind, or a component */
    int index;   /* of the body, contact or generalised speed */
    bool wanted; /* its values change or are not 0 */
} VaryColumn;

typedef struct VaryRow {
    double value;
    CaromStatus status;
    bool solved;
    double loss; /* of kinetic energy in per cent; NaN: not known */
} VaryRow;

/* Owns what it points to, except the scene. */
typedef struct VaryTable {
    const Scene *scene;
    int column_count;
    VaryColumn *columns; /* all candidates */
    int row_count;
    VaryRow *rows;
    double *cells;            /* rows of column_count */
    double *lowest, *highest; /* of every component of the impulse */
    double largest;           /* impulse of a contact */
} VaryTable;

/* An empty table with room for rows; vary_table_free() it in any case. False: out of memory. */
bool vary_table_create(const Scene *scene, int rows, VaryTable *table);

/* Add a row: the scene with the value, and its solution. */
void vary_table_add(VaryTable *table, const Scene *scene, double value, const Solution *solution);

/* The table, and below it how much the impulse depends on the parameter. */
void vary_table_print(FILE *file, const VaryTable *table, const char *parameter);

/* Free what the table owns. */
void vary_table_free(VaryTable *table);

#endif
