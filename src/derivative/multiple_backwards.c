/* Piece by piece: what the events at its end do, then the piece itself. */
#include "derivative/multiple_backwards.h"

#include <string.h>

#include "derivative/multiple_events.h"
#include "derivative/multiple_moment.h"
#include "derivative/multiple_step.h"
#include "derivative/multiple_sweep.h"

/* Nothing acts after the end. */
static void begin_backwards(Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    size_t n = (size_t)given->count, m = (size_t)given->size, lanes = (size_t)adjoint->lanes;
    double *by_link[] = {adjoint->b,     adjoint->gamma, adjoint->peak, adjoint->by_k,
                         adjoint->by_kt, adjoint->by_mu, adjoint->by_e};
    for (size_t i = 0; i < sizeof by_link / sizeof *by_link; i++) {
        memset(by_link[i], 0, n * lanes * sizeof(double));
    }
    memset(adjoint->c, 0, 2 * n * lanes * sizeof(double));
    memset(adjoint->a, 0, m * lanes * sizeof(double));
    memset(adjoint->F_after, 0, m * sizeof(double));
    memcpy(adjoint->P, adjoint->weight, m * lanes * sizeof(double));
    memset(adjoint->power, 0, sizeof adjoint->power);
    memset(adjoint->missing, 0, sizeof adjoint->missing);
    crm_adjoint_clear_W(adjoint);
    for (int i = 0; i < given->count; i++) {
        adjoint->after[i] = (AdjointLink){.phase = OPEN};
    }
}

/* The start of the piece in hand is what the piece before it meets. */
static void leave_piece(Adjoint *adjoint) {
    crm_adjoint_describe(adjoint, 0);
    if (!crm_adjoint_press(adjoint)) {
        adjoint->message = "held contacts share their load in many ways: there is no derivative";
    }
    for (int r = 0; r < adjoint->lanes; r++) {
        double power = crm_adjoint_power(adjoint, r);
        if (crm_adjoint_has_no_length(adjoint)) {
            adjoint->missing[r] = adjoint->power[r] - power;
        } else {
            adjoint->power[r] = power;
            adjoint->missing[r] = 0;
        }
    }
    AdjointLink *links = adjoint->links;
    double *F = adjoint->F;
    adjoint->links = adjoint->after;
    adjoint->after = links;
    adjoint->F = adjoint->F_after;
    adjoint->F_after = F;
}

/* To the start of the piece in hand, and a new lane at each probe in it. Returns the number of
 * probes met so far. */
static int follow_piece_back(Adjoint *adjoint, int piece, const Probe *probes, int met, int count) {
    double end = adjoint->network->piece.moment, right = end;
    for (; met < count && probes[met].piece == piece; met++) {
        double x = probes[met].x < right ? probes[met].x : right;
        crm_adjoint_piece(adjoint, right, x);
        crm_adjoint_probe(adjoint, &probes[met], met);
        crm_adjoint_describe(adjoint, end);
        right = x;
    }
    crm_adjoint_piece(adjoint, right, 0);
    return met;
}

void crm_adjoint_run(const Tape *tape, Adjoint *adjoint, const Probe *probes, int count) {
    int last = count > 0 ? probes[0].piece : tape->count - 1, met = 0;
    begin_backwards(adjoint);
    adjoint->magnifies = tape->magnifies;
    for (int piece = last; piece >= 0 && !adjoint->message; piece--) {
        PieceEnd end = crm_tape_restore(tape, piece, adjoint->network);
        crm_adjoint_describe(adjoint, adjoint->network->piece.moment);
        if (piece == tape->count - 1) {
            for (int i = 0; i < adjoint->network->given.count; i++) {
                adjoint->after[i].k = adjoint->links[i].k; /* nothing has become stiffer */
            }
        }
        if (piece < last || count == 0) {
            crm_adjoint_meet(adjoint, &end);
        }
        if (!adjoint->message) {
            met = follow_piece_back(adjoint, piece, probes, met, count);
        }
        if (!adjoint->message) {
            leave_piece(adjoint);
        }
    }
    crm_adjoint_add_W(adjoint);
}
