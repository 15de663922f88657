/* Several contacts without friction, backwards: what the files plain_... share. */
#ifndef CAROM_DERIVATIVE_PLAIN_STATE_H
#define CAROM_DERIVATIVE_PLAIN_STATE_H

#include "derivative/plain_back.h"

/* Lanes with the process itself and what fills up a width that the compiler knows. */
enum { WIDTH_MOST = 8 };

/* Orders of the series: 2^26/26! is rounding. */
enum { PLAIN_ORDER = 26 };

/* Legendre's polynomials that represent a and N over a step: the products of what is left out are
 * below rounding. */
enum { MODES = 9 };

/* Blocks of four places from first to before end. */
typedef struct BlockRange {
    int first, end;
} BlockRange;

struct PlainBack {
    const Given *given;
    Adjoint *adjoint;
    int lanes, width;
    /* links times width; the process is the last lane of a (N) and b (-v) */
    double *weight, *a, *b, *peak, *by_k, *by_e;
    /* held links H, -1: not known yet, and the free ones R, whose places all arrays below count. H
     * eliminated: W' of R, not 0 in columns from first to before end; C = W_HH^-1 W_HR, not 0 in
     * columns from reach[2h] to before reach[2h + 1]; what the weights make of P on R and of a on H
     */
    int *free, free_count, *holds, hold_count;
    int *first, *end, *reach;
    double *W, *C, *push, *held;
    double *factor; /* W_HH = L D L^T, L from column begins[] on */
    int *begins;
    double *column; /* room for a number per link */
    int *list;
    /* series (plain_series.h): W' by its diagonals, from -band to band; in the piece in hand k and
     * 1 of links that act, else 0, whose blocks are acting, those that they reach near */
    double *diagonals, *stiffness, *acts;
    int band, *block_acts;
    BlockRange acting, near;
    /* all orders of a step; by lanes terms that do not count, P, a and b at the end, the last order
     * of blocks that counts, and the last one that is written */
    double *terms_a, *terms_b, *limit_a, *limit_b, *term_P, *last_a, *last_b;
    int *order, *written;
    /* a by Legendre's polynomials, of x^g; degrees of blocks: of all that count, and those that
     * count where the other factor has no more */
    double legendre[MODES][PLAIN_ORDER + 1], *modes;
    int *degree, *half_degree;
    double *nodes;  /* a of R at the nodes */
    double *before; /* a v at the end of the piece */
    /* integrals (plain_integrals.h): int a v' of the piece; int F_j a_k dt and int F_j dt of all
     * pieces since H is what it is, 0 unless gathers[j]; the first one of all links of the pieces
     * before */
    double *bend, *gathered, *impulse, *by_W;
    int *gathers;
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
