/* A factorisation of the held links; their effect on those that act. */
#include "derivative/plain_links.h"

#include <string.h>

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

void crm_plain_solve_held(const PlainBack *back, double *x) {
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

/* W of A as it is, and where it is not 0. */
static void take_acting(PlainBack *back) {
    int acts = back->act_count;
    memset(back->W, 0, (size_t)(acts * acts) * sizeof *back->W);
    for (int i = 0; i < acts; i++) {
        const double *W = row_of_W(back->given, back->acts[i]);
        int first, end = columns_end(back->given, back->acts[i], &first);
        back->first[i] = i;
        back->end[i] = i + 1;
        int from = i;
        while (from > 0 && back->acts[from - 1] >= first) {
            from--;
        }
        for (int j = from; j < acts && back->acts[j] < end; j++) {
            double w = back->W[i * acts + j] = W[back->acts[j]];
            back->first[i] = w != 0 && j < back->first[i] ? j : back->first[i];
            back->end[i] = w != 0 && j >= back->end[i] ? j + 1 : back->end[i];
        }
    }
}

/* C = W_HH^-1 W_HA, and W' = W - W_AH C. */
static void take_out_held(PlainBack *back) {
    int acts = back->act_count, holds = back->hold_count;
    double *x = back->column;
    for (int j = 0; j < acts; j++) {
        int coupled = 0;
        for (int h = 0; h < holds; h++) {
            x[h] = row_of_W(back->given, back->holds[h])[back->acts[j]];
            coupled |= x[h] != 0;
        }
        if (coupled) {
            crm_plain_solve_held(back, x);
        }
        for (int h = 0; h < holds; h++) {
            back->C[h * acts + j] = x[h];
        }
        for (int i = 0; i < acts && coupled; i++) {
            const double *W = row_of_W(back->given, back->acts[i]);
            int first, end = columns_end(back->given, back->acts[i], &first), h = 0;
            double sum = 0;
            while (h < holds && back->holds[h] < first) {
                h++;
            }
            for (; h < holds && back->holds[h] < end; h++) {
                sum += W[back->holds[h]] * x[h];
            }
            if (sum != 0) {
                back->W[i * acts + j] -= sum;
                back->first[i] = j < back->first[i] ? j : back->first[i];
                back->end[i] = j >= back->end[i] ? j + 1 : back->end[i];
            }
        }
    }
}

int crm_plain_choose(PlainBack *back, const PlainLink *links) {
    back->act_count = back->hold_count = 0;
    for (int i = 0; i < back->given->count; i++) {
        if (is_sprung(links[i].phase)) {
            back->acts[back->act_count++] = i;
        } else if (links[i].pushes) {
            back->holds[back->hold_count++] = i;
        }
    }
    size_t bytes = (size_t)back->hold_count * sizeof *back->holds;
    take_acting(back);
    if (back->hold_count == 0) {
        return 1;
    }
    if (back->hold_count != back->factored_count ||
        memcmp(back->holds, back->factored, bytes) != 0) {
        back->factored_count = back->hold_count;
        memcpy(back->factored, back->holds, bytes);
        if (!factor_held(back)) {
            return 0;
        }
    }
    take_out_held(back);
    return 1;
}
