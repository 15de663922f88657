/* The upper triangle of a symmetric matrix, by rows. */
#ifndef CAROM_DERIVATIVE_PACKED_H
#define CAROM_DERIVATIVE_PACKED_H

static inline int packed_count(int rows) {
    return rows * (rows + 1) / 2;
}

static inline int packed_index(int rows, int i, int j) {
    int row = i < j ? i : j, column = i < j ? j : i;
    return row * rows - row * (row - 1) / 2 + (column - row);
}

#endif
