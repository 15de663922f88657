/* The kind of a column of texts (CSV), from its first rows. */
#ifndef CAROM_CLI_TABLE_TABLE_KIND_H
#define CAROM_CLI_TABLE_TABLE_KIND_H

#include "table/table.h"

/* What all cells so far are. */
typedef struct TableGuess {
    bool not_integer, not_number, not_empty;
    size_t longest;
} TableGuess;

void table_guess_cell(TableGuess *guess, const TableCell *cell);

/* The kind of all, a text with room for twice as long ones. */
void table_guess_kind(const TableGuess *guess, TableColumn *column);

#endif
