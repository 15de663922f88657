/* The kind of a column of texts. */
#include "table/table_kind.h"

void table_guess_cell(TableGuess *guess, const TableCell *cell) {
    int64_t integer;
    double number;
    guess->longest = cell->length > guess->longest ? cell->length : guess->longest;
    guess->not_empty |= cell->length > 0;
    guess->not_integer |= !table_text_integer(cell->text, cell->length, &integer);
    guess->not_number |= cell->length > 0 && !table_cell_value(cell, &number);
}

void table_guess_kind(const TableGuess *guess, TableColumn *column) {
    column->kind = !guess->not_integer  ? TABLE_INTEGER
                   : !guess->not_number ? TABLE_NUMBER
                                        : TABLE_TEXT;
    column->width = 32 * (1 + 2 * guess->longest / 32);
}
