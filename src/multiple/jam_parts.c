#include "multiple/jam_parts.h"

#include <string.h>

#include "multiple/held.h"

void crm_jam_rows(const Given *given, const int *in, JamRows *rows) {
    double W[JAM_ROWS * JAM_ROWS];
    rows->count = 0;
    for (int i = 0; i < given->count; i++) {
        int n = normal_row(given, i);
        int first = in[i] == 2 && given->materials[i].rough ? given->materials[i].row : n;
        for (int row = first; row <= n && in[i]; row++) {
            rows->list[rows->count++] = row;
        }
    }
    for (int a = 0; a < rows->count; a++) {
        for (int b = 0; b < rows->count; b++) {
            W[a * rows->count + b] = row_of_W(given, rows->list[a])[rows->list[b]];
        }
    }
    crm_jam_span_find(rows->count, W, &rows->span);
}

double crm_jam_rest(const Network *network, const JamRows *rows, double *impulse) {
    double x[JAM_ROWS];
    memset(impulse, 0, (size_t)network->given.stride * sizeof *impulse);
    for (int a = 0; a < rows->count; a++) {
        x[a] = network->state.v[rows->list[a]];
    }
    double square = crm_jam_span_solve(&rows->span, x);
    for (int a = 0; a < rows->count; a++) {
        impulse[rows->list[a]] = -x[a];
    }
    return square / 2;
}

double crm_jam_speed(const Network *network, int row, const double *impulse) {
    const double *W = row_of_W(&network->given, row);
    double v = network->state.v[row];
    for (int i = 0; i < network->given.size; i++) {
        v += W[i] * impulse[i];
    }
    return v;
}

void crm_jam_factor(const Network *network) {
    Held *held = network->held;
    for (int i = 0; i < network->given.count; i++) {
        held->kind[i] = HELD_RESTRICTED;
        held->drag[2 * i] = held->drag[2 * i + 1] = 0;
    }
    crm_held_factor(&network->given, held);
}

void crm_jam_reactions(const Network *network, int row, double *N) {
    const Given *given = &network->given;
    const Held *held = network->held;
    int m = held->count;
    for (int p = 0; p < m; p++) {
        N[p] = 0;
        for (int q = 0; q < m; q++) {
            N[p] -= held->G[p * m + q] * row_of_W(given, normal_row(given, held->list[q]))[row];
        }
    }
}
