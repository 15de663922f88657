/* The double pendulum of [M]: two equal slender bars, the tip hits a floor. The thesis prints M and
 * J and no numbers; those here are ours.
 *
 * q1 is the angle of the first bar from the horizontal, q2 that of the second from the first. Bars
 * of length 1 m and mass 1 kg. The plane of the pictures is that of the generalised speeds u. */
#ifndef CAROM_CLI_FIGURES_MORGAN_2011_PENDULUM_H
#define CAROM_CLI_FIGURES_MORGAN_2011_PENDULUM_H

#include <carom/carom.h>

#include "figures/sheet.h"

#define M_MU 0.4
#define M_E 0.7

/* The impact of the tip with given speeds, always in the same configuration. */
typedef struct MImpact {
    double M[4], J[4];    /* rows of J: t, n */
    double R[4];          /* rows L_t and L_n: M^-1 J^T by columns */
    double W[4], v[2];    /* at the contact; (t, n) */
    double u[2];          /* before */
    double m;             /* share of friction that holds the tip, (3.1) */
    CaromContact contact; /* M_MU, M_E */
    double impulse[2];
    CaromEvent events[CAROM_RIGID_EVENTS];
    CaromResult result;
} MImpact;

/* M and the Jacobian of the tip, by rows. */
void m_pendulum(const double q[2], double M[4], double J[4]);

/* Solve for speeds before the impact. False: the figure has failed. */
bool m_solve(FigureSheet *sheet, const double u[2], MImpact *impact);

/* The first event of a kind, NULL: none. */
const CaromEvent *m_event(const MImpact *impact, CaromEventKind kind);

/* The event at which the tip stops sliding, for a moment or for good; NULL: none. */
const CaromEvent *m_tangential_pause(const MImpact *impact);

/* Speeds after the impulse (t, n). */
void m_speeds(const MImpact *impact, double t, double n, double u[2]);

/* The speeds of the example, figures 2.2 to 2.7. */
extern const double m_example[2];

#endif
