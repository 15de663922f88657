/* The pieces of one rigid impact, for callers that follow the process: derivatives.
 *
 * A solve with a visitor reports its process piece by piece, cut at every event, in the impact's
 * own units (process/impact.h). If the first answer is refused the solve begins again.
 *
 * A curve comes with integrals over p of the functions that its linearisation needs
 * (docs/derivatives.md). With X = [gamma', gamma - p gamma'], Xi = int X dp = [gamma - gamma_0,
 * 2 int gamma dp - p gamma] and K = B^-1 d, these are the rows of X^-1 and the row K.Xi X^-1, each
 * times 1, s1 and s2. p counts from the start of the piece; from its end if that is at zero slip,
 * so that all is small where slip is slow: then the second row does not matter. */
#ifndef CAROM_RIGID_VISIT_H
#define CAROM_RIGID_VISIT_H

#include <carom/result.h>

#include "contact/units.h"

/* The problem in the impact's own units: w = 1, v_n- = -1, gamma- = (speed, 0). */
typedef struct RigidSetting {
    Units units;
    double B[3], d[2];
    double K[2], k; /* B^-1 d and 1 - K.d; 0 if directions are locked */
    double speed;
    int locked, wedged; /* W is singular (process/semidefinite.h) */
} RigidSetting;

typedef enum RigidPieceKind {
    RIGID_PIECE_CURVE, /* slip that turns */
    RIGID_PIECE_LINE,  /* J' is constant: straight slip, or no friction */
    RIGID_PIECE_STICK
} RigidPieceKind;

/* The integrals of each row times y = delta d - delta b s, b = mu B: what a change of d1, d2, b11,
 * b12, b22 adds. Two zeros before and one after them: the places of gamma-, and a multiple of four.
 */
typedef struct RigidSums {
    double sum[3][8];
    double gamma[2]; /* int gamma dp */
} RigidSums;

/* A curve at Gauss's nodes, in order: slip, and half the length of the piece times the rate of
 * log-time, dsigma = dp/r. */
enum { RIGID_NODES = 16 };
typedef struct RigidNodes {
    double s[2][RIGID_NODES], r[RIGID_NODES], pace[RIGID_NODES];
    double speed; /* r at the start */
} RigidNodes;

typedef struct RigidPiece {
    RigidPieceKind kind;
    double gamma[2][2]; /* at the start and at the end */
    double vn[2];
    double p;    /* its length */
    double J[2]; /* line: J'; curve: its tangential impulse */
    /* curve */
    double s[2][2]; /* directions at the start and at the end */
    double A;       /* -int v_n dp */
    double missed;  /* by how much the rule that gave the sums misses p */
    int stops;      /* it ends at zero slip */
    const RigidSums *sums;
    const RigidNodes *nodes; /* instead of sums: for visitors that want them, next to an invariant
                                direction */
} RigidPiece;

typedef struct RigidVisitor {
    void *context;
    int wants_nodes;
    void (*begin)(void *context, const RigidSetting *setting);
    void (*piece)(void *context, const RigidPiece *piece);
    /* at the end of the last piece */
    void (*event)(void *context, CaromEventKind kind);
} RigidVisitor;

#endif
