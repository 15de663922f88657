/* A factorisation of the held links; their effect on the free ones. */
#include "derivative/plain_links.h"

#include <string.h>

#include "derivative/plain_integrals.h"
#include "derivative/plain_series.h"

/* A pivot this small, relative to its diagonal, is rounding. */
static const double PLAIN_SINGULAR = 1e-11;

/* W_HH = L D L^T, L from the first column that is not 0 on. 0: singular. */
static int factor_held(PlainBack *back) {
    int n = back->hold_count;
    for (int i = 0; i < n; i++) {
        const double *W = row_of_W(back->given, back->holds[i]);
        double *row = &back->factor[i * n], pivot = W[back->holds[i]];
        int first = 0;
        while (first < i && W[back->holds[first]] == 0) {
            first++;
        }
        back->begins[i] = first;
        for (int j = first; j < i; j++) {
            const double *other = &back->factor[j * n];
            double sum = W[back->holds[j]];
            for (int k = first > back->begins[j] ? first : back->begins[j]; k < j; k++) {
                sum -= row[k] * other[k];
            }
            row[j] = sum; /* L D */
        }
        for (int j = first; j < i; j++) {
            double by = row[j] / back->factor[j * n + j];
            pivot -= by * row[j];
            row[j] = by;
        }
        row[i] = pivot;
        if (!(pivot > PLAIN_SINGULAR * W[back->holds[i]])) {
            return 0;
        }
    }
    return 1;
}

/* x = W_HH^-1 x */
static void solve_held(const PlainBack *back, double *x) {
    int n = back->hold_count;
    for (int i = 0; i < n; i++) {
        for (int j = back->begins[i]; j < i; j++) {
            x[i] -= back->factor[i * n + j] * x[j];
        }
    }
    for (int i = 0; i < n; i++) {
        x[i] /= back->factor[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = back->begins[i]; j < i; j++) {
            x[j] -= back->factor[i * n + j] * x[i];
        }
    }
}

/* Columns of link i of W that are not 0, from *first on. */
static int columns_end(const Given *given, int i, int *first) {
    int row = given->caller_rows * (i + 1) - 1;
    *first = given->column_first[row];
    return given->column_end[row];
}

/* W of R as it is, and where it is not 0. */
static void take_free(PlainBack *back) {
    int frees = back->free_count;
    memset(back->W, 0, (size_t)(frees * frees) * sizeof *back->W);
    for (int i = 0; i < frees; i++) {
        const double *W = row_of_W(back->given, back->free[i]);
        int first, end = columns_end(back->given, back->free[i], &first);
        back->first[i] = i;
        back->end[i] = i + 1;
        int from = i;
        while (from > 0 && back->free[from - 1] >= first) {
            from--;
        }
        for (int j = from; j < frees && back->free[j] < end; j++) {
            double w = back->W[i * frees + j] = W[back->free[j]];
            back->first[i] = w != 0 && j < back->first[i] ? j : back->first[i];
            back->end[i] = w != 0 && j >= back->end[i] ? j + 1 : back->end[i];
        }
    }
}

/* A column of C, which is x, and W' = W - W_RH C. */
static void take_out_column(PlainBack *back, int j, const double *x) {
    int frees = back->free_count, holds = back->hold_count;
    for (int i = 0; i < frees; i++) {
        const double *W = row_of_W(back->given, back->free[i]);
        int first, end = columns_end(back->given, back->free[i], &first), h = 0;
        double sum = 0;
        while (h < holds && back->holds[h] < first) {
            h++;
        }
        for (; h < holds && back->holds[h] < end; h++) {
            sum += W[back->holds[h]] * x[h];
        }
        if (sum != 0) {
            back->W[i * frees + j] -= sum;
            back->first[i] = j < back->first[i] ? j : back->first[i];
            back->end[i] = j >= back->end[i] ? j + 1 : back->end[i];
        }
    }
}

/* C = W_HH^-1 W_HR, and W'. */
static void take_out_held(PlainBack *back) {
    int frees = back->free_count, holds = back->hold_count;
    double *x = back->column;
    for (int j = 0; j < frees; j++) {
        int coupled = 0;
        for (int h = 0; h < holds; h++) {
            x[h] = row_of_W(back->given, back->holds[h])[back->free[j]];
            coupled |= x[h] != 0;
        }
        if (coupled) {
            solve_held(back, x);
            take_out_column(back, j, x);
        }
        for (int h = 0; h < holds; h++) {
            back->C[h * frees + j] = x[h];
        }
    }
    for (int h = 0; h < holds; h++) {
        const double *C = &back->C[h * frees];
        int first = 0, end = frees;
        while (first < end && C[first] == 0) {
            first++;
        }
        while (end > first && C[end - 1] == 0) {
            end--;
        }
        back->reach[2 * h] = first;
        back->reach[2 * h + 1] = end;
    }
}

/* What the weights make of a on H, and of P on R. */
static void reduce_weights(PlainBack *back) {
    int frees = back->free_count, holds = back->hold_count, width = back->width;
    for (int r = 0; r < width && holds > 0; r++) {
        for (int h = 0; h < holds; h++) {
            back->column[h] = -back->weight[back->holds[h] * width + r];
        }
        solve_held(back, back->column);
        for (int h = 0; h < holds; h++) {
            back->held[h * width + r] = back->column[h];
        }
    }
    for (int i = 0; i < frees; i++) {
        const double *W = row_of_W(back->given, back->free[i]);
        double *push = &back->push[i * width];
        memcpy(push, &back->weight[back->free[i] * width], (size_t)width * sizeof *push);
        for (int h = 0; h < holds; h++) {
            double w = W[back->holds[h]];
            for (int r = 0; r < width && w != 0; r++) {
                push[r] += w * back->held[h * width + r];
            }
        }
    }
}

int crm_plain_choose(PlainBack *back, const PlainLink *links) {
    int n = back->given->count, holds = 0;
    for (int i = 0; i < n; i++) {
        if (!is_sprung(links[i].phase) && links[i].pushes) {
            back->list[holds++] = i;
        }
    }
    size_t bytes = (size_t)holds * sizeof *back->list;
    if (holds == back->hold_count && memcmp(back->list, back->holds, bytes) == 0) {
        return 1;
    }
    crm_plain_integrals_flush(back);
    memcpy(back->holds, back->list, bytes);
    back->hold_count = holds;
    back->free_count = 0;
    for (int i = 0, h = 0; i < n; i++) {
        if (h < holds && back->holds[h] == i) {
            h++;
        } else {
            back->free[back->free_count++] = i;
        }
    }
    if (!factor_held(back)) {
        return 0;
    }
    take_free(back);
    take_out_held(back);
    reduce_weights(back);
    crm_plain_series_begin(back);
    return 1;
}
