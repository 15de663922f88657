/* Speed: one loop, compiled for processors with AVX2 as well, in which nothing is called. */
#include "multiple/march.h"

#include "math/wide.h"
#include "multiple/friction.h"
#include "multiple/pace.h"
#include "multiple/product.h"
#include "multiple/slip_turn.h"

/* Forces of order g at a spring, from the velocities of order g - 1. */
INLINE void push_spring(const Given *given, Piece *piece, const Sprung *spring, int g,
                        const double *v, double *F) {
    LinkPiece *own = spring->own;
    double part = RECIPROCAL[g];
    v += spring->row;
    F += spring->row;
    F[2] = own->N[g] = spring->spring * part * v[2];
    if (spring->way == WAY_TURN) {
        turn_on(own, spring->material, piece->unit, g, v, F);
    } else if (spring->way == WAY_STICK) {
        double pull = spring->tangent * part;
        F[0] = pull * v[0];
        F[1] = pull * v[1];
    } else if (spring->way == WAY_OTHER) {
        crm_friction_slip(given, piece, spring->link, g);
    }
}

INLINE void march_on(const Given *given, Piece *piece, int springs, int first, int two) {
    size_t stride = two ? 6 : (size_t)given->stride;
    const Sprung *end = piece->sprung + springs;
    for (int g = first; g < TERMS; g++) {
        double *F = &piece->terms_f[(size_t)g * stride], *push = F;
        const double *travel = &piece->terms_travel[(size_t)(g - 1) * stride];
        for (const Sprung *spring = piece->sprung; spring < end; spring++) {
            push_spring(given, piece, spring, g, travel, F);
        }
        if (piece->closing) {
            pace_apply(piece, stride, piece->terms_f, g, piece->terms_push);
            push = &piece->terms_push[(size_t)g * stride];
        }
        if (g == ORDER) {
            return;
        }
        double *v = &piece->terms_v[(size_t)(g + 1) * stride],
               scale = piece->unit * RECIPROCAL[g + 1];
        if (two) {
            multiply_two(given->W, push, scale, v);
        } else if (given->in_blocks) {
            multiply_blocks(given, push, scale, v);
        } else {
            multiply_dense(given, &piece->columns, push, scale, v);
        }
        if (piece->closing) {
            pace_apply(piece, stride, piece->terms_v, g + 1, piece->terms_travel);
        }
    }
}

WIDE void march_two_wide(const Given *given, Piece *piece, int springs, int first) {
    march_on(given, piece, springs, first, 1);
}

NARROW void march_two_narrow(const Given *given, Piece *piece, int springs, int first) {
    march_on(given, piece, springs, first, 1);
}

WIDE void march_wide(const Given *given, Piece *piece, int springs, int first) {
    march_on(given, piece, springs, first, 0);
}

NARROW void march_narrow(const Given *given, Piece *piece, int springs, int first) {
    march_on(given, piece, springs, first, 0);
}

int crm_march_applies(const Given *given) {
    return given->rows == 3 && (given->in_blocks || product_is_dense(given));
}

void crm_march(const Given *given, Piece *piece, int springs, int first) {
    int two = given->stride == 6;
    if (has_wide()) {
        (two ? march_two_wide : march_wide)(given, piece, springs, first);
    } else {
        (two ? march_two_narrow : march_narrow)(given, piece, springs, first);
    }
}
