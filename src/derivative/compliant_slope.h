/* How the state of one compliant contact changes with its data.
 *
 * In the impact's own units (compliant/process.h), with V = V- + d p + B J and
 * v_n = v_n- + w p + d.J, the state is p, J, N and the tangential force f; in slip M = N^2 and the
 * angle phi of f = mu N s take the place of N and f. The rows are the total derivatives of the
 * state at the present moment, events included: a piece starts from them, and where it ends at an
 * event h = 0 it adds F dx, dx = -dh/h' with F the rates there.
 *
 * v_n has a row of its own: while k grows by powers of ten its changes count sqrt(k) times, so they
 * must not be sums of those of p and J. A contact that is held has v_n = 0, so its p follows J,
 * and the lowest value n of its force, n' = -kt v with v = -d.V/w, takes the place of N. */
#ifndef CAROM_DERIVATIVE_COMPLIANT_SLOPE_H
#define CAROM_DERIVATIVE_COMPLIANT_SLOPE_H

#include "compliant/compliant_visit.h"
#include "derivative/one.h"

/* Columns: W and v as in one.h, then these. */
enum { COLUMN_MU = 9, COLUMN_E = 10, COLUMN_RATIO = 11, COLUMNS = 12 };

typedef double Column[COLUMNS];

typedef struct CompliantSlope {
    double B[3], d[2], mu, e, eta2, kt;
    int flat; /* the direction of slip does not matter */
    int direct, slips, held;
    Moment now;
    Column p, J[2], N, f[2], M, phi;
    Column vn; /* of a contact that is not held */
    Column k;  /* of the stiffness of the normal spring; held: of kt */
} CompliantSlope;

/* Add to the rows of a velocity what J and p of the state do through W. */
static inline void compliant_add_W(const Moment *at, Column V[2]) {
    V[0][ONE_W11] += at->J[0];
    V[0][ONE_W12] += at->J[1];
    V[1][ONE_W12] += at->J[0];
    V[1][ONE_W22] += at->J[1];
    V[0][ONE_W13] += at->p;
    V[1][ONE_W23] += at->p;
}

/* The rows of V - V-, for J and p of the state. */
static inline void compliant_velocity(const CompliantSlope *slope, const Moment *at,
                                      const double *const J[2], const double *p, Column V[2]) {
    const double *B = slope->B, *d = slope->d;
    for (int j = 0; j < COLUMNS; j++) {
        V[0][j] = d[0] * p[j] + B[0] * J[0][j] + B[1] * J[1][j];
        V[1][j] = d[1] * p[j] + B[1] * J[0][j] + B[2] * J[1][j];
    }
    compliant_add_W(at, V);
}

/* The rows of v = -d.V/w, for those of V. */
static inline void compliant_pull(const CompliantSlope *slope, const Moment *at, Column V[2],
                                  Column v) {
    for (int j = 0; j < COLUMNS; j++) {
        v[j] = -(slope->d[0] * V[0][j] + slope->d[1] * V[1][j]);
    }
    v[ONE_W13] -= at->V[0];
    v[ONE_W23] -= at->V[1];
    v[ONE_W33] += slope->d[0] * at->V[0] + slope->d[1] * at->V[1];
}

/* The rows of w p + d.J, for those of J and p. */
static inline void compliant_normal(const CompliantSlope *slope, const Moment *at,
                                    const double *const J[2], const double *p, Column vn) {
    for (int j = 0; j < COLUMNS; j++) {
        vn[j] = p[j] + slope->d[0] * J[0][j] + slope->d[1] * J[1][j];
    }
    vn[ONE_W13] += at->J[0];
    vn[ONE_W23] += at->J[1];
    vn[ONE_W33] += at->p;
}

/* Held: the rows of p such that those of w p + d.J are 0. */
static inline void compliant_hold(const CompliantSlope *slope, const Moment *at,
                                  const double *const J[2], Column p) {
    static const Column none = {0};
    compliant_normal(slope, at, J, none, p);
    for (int j = 0; j < COLUMNS; j++) {
        p[j] = -p[j];
    }
}

#endif
