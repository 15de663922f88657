/* The slope of slip: how the path of one rigid contact changes with its data.
 *
 * In the impact's own units (rigid/process/impact.h), with K = B^-1 d, k = w - K.d and the change
 * eta = gamma - gamma- of the sliding velocity,
 *
 *   v_n(p) = v_n- + k p + K.eta(p)
 *   E(p)   = -(v_n- p + k p^2/2 + K.H(p)),   H = int eta dp     (no loss taken)
 *
 * hold for every path, in slip and in stick. So the derivatives of eta and of K.H at fixed p give
 * all others. Slip, gamma' = d - b s with b = mu B, depends on seven numbers: gamma- (2), d (2) and
 * b (b11, b12, b22). Where slip is fast eta changes much less than gamma: no digits are lost. */
#ifndef CAROM_DERIVATIVE_SLIP_SLOPE_H
#define CAROM_DERIVATIVE_SLIP_SLOPE_H

#include "derivative/copies.h"
#include "rigid/rigid_visit.h"

/* The eighth number stays 0: loops over eight fill vectors. */
enum { SLOPE_D = 2, SLOPE_B = 4, SLOPE_COUNT = 8 };

typedef struct Slope {
    /* the data */
    double B[3], d[2], b[3], mu;
    double K[2], k;
    /* the path so far */
    double first; /* gamma- = (first, 0) */
    double p, vn;
    double J[2];               /* tangential impulse: keeps its digits where slip is fast */
    double gamma[2], rate[2];  /* rate: gamma' at the end of the last piece */
    double by[2][SLOPE_COUNT]; /* of eta, at fixed p */
    double stop[SLOPE_COUNT];  /* of the p at which slip stopped */
    double heading[2];         /* along the last piece of slip, of any length */
    int missed_zero;           /* slip stopped while it was turning: it passes 0 below rounding */
    /* since the last crm_slope_mark() */
    double since;                 /* p */
    double H[2];                  /* int eta dp */
    double work[SLOPE_COUNT];     /* of K.H, at fixed p; K itself fixed */
    double missed;                /* largest error of p in the sums of a curve */
    int rough;                    /* the derivatives by gamma- do not exist */
    int careful;                  /* log-time for all curves */
    const struct SlopeRule *rule; /* of curves with nodes */
    int has_own;                  /* log-time has followed slip to here, with: */
    double own_s[2], own_r; /* direction and speed, which keep their digits where slip is slow */
    int fading;             /* slip is slow and straight: it counts as stopping */
} Slope;

/* At the start, gamma = (speed, 0), v_n = -1. */
void crm_slope_begin(Slope *slope, const RigidSetting *setting, double mu);

/* Count integrals from here on. */
void crm_slope_mark(Slope *slope);

/* Follow a piece. */
void crm_slope_piece(Slope *slope, const RigidPiece *piece);

/* Slip has stopped; it goes on from zero unless it sticks. */
void crm_slope_stop(Slope *slope, int sticks);

#endif
