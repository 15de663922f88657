/* Several contacts without friction, backwards: what the files plain_... share. */
#ifndef CAROM_DERIVATIVE_PLAIN_STATE_H
#define CAROM_DERIVATIVE_PLAIN_STATE_H

#include "derivative/plain_back.h"

/* Lanes with the process itself and what fills up a width that the compiler knows. */
enum { WIDTH_MOST = 8 };

/* Orders of the series: 2^26/26! is rounding. */
enum { PLAIN_ORDER = 26 };

struct PlainBack {
    const Given *given;
    Adjoint *adjoint;
    int lanes, width;
    /* links times width; the process is the last lane of a (N) and b (-v) */
    double *weight, *a, *b, *peak, *by_k, *by_e;
    /* the piece in hand: its links A and H; of A W' with H eliminated, not 0 in columns from first
     * to before end; C = W_HH^-1 W_HA; what a of all others and the weights make of P on A and of a
     * on H */
    int *acts, act_count, *holds, hold_count;
    int *first, *end;
    double *W, *C, *push, *held;
    double *factor;                         /* W_HH = L D L^T, L from column begins[] on... */
    int *begins, *factored, factored_count; /* ...of these links */
    double *column;                         /* room for a number per link */
    int *list;
    /* series (plain_series.h): k of A, W' by its diagonals, from -band to band, all orders of a
     * step, and of one lane the sums of P and b */
    double *stiffness, *diagonals, *terms_a, *terms_b, *term_P, *term_b;
    int band;
    double *nodes;  /* a of A at the nodes */
    double *before; /* a v at the end of the piece */
    /* integrals (plain_integrals.h): a of all links at the nodes, forces of A and H there, times
     * weights, int a v' of A, and int F_j a_k dt of all pieces */
    double *all_a, *all_F, *bend, *by_W;
    int vary_first, vary_end; /* links outside do not act and are not held; multiples of four */
    int *reach; /* of each held link: the first place of A where C is not 0, and the last one */
    /* slip without friction (plain_slide.h): W_tn of each link, two rows; V; what friction adds */
    double *tangent, *V, *S, *M, *later;
    int *slides, *turns_fast;
    const PlainLink *after; /* links at the end of the piece after... */
    LinkPhase *phase;       /* ...and at its start */
    PlainLink *nothing;     /* links after the end */
};

/* Loops over lanes are written for numbers that the compiler knows. */
#define FOR_WIDTH(call, ...)                                                                       \
    (back->width == 2   ? call(2, __VA_ARGS__)                                                     \
     : back->width == 4 ? call(4, __VA_ARGS__)                                                     \
                        : call(WIDTH_MOST, __VA_ARGS__))

/* P of a link as the adjoint is now. */
static inline void plain_press(int width, const PlainBack *back, int i, double *P) {
    const double *W = row_of_W(back->given, i);
    int row = back->given->caller_rows * (i + 1) - 1;
    for (int r = 0; r < width; r++) {
        P[r] = back->weight[i * width + r];
    }
    for (int j = back->given->column_first[row]; j < back->given->column_end[row]; j++) {
        for (int r = 0; r < width - 1; r++) {
            P[r] += W[j] * back->a[j * width + r];
        }
    }
}

#endif
