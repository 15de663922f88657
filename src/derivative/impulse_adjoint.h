/* Gradients of several rigid contacts at impulse level, in reverse. With weights w of I and of y
 * brought to I, the adjoints of the equations of impulse_system.h
 *
 *   a = Z S^+ Z^T w,   A^T b = w - H a
 *
 * give the gradient of every input at once. Where A is not singular, a = 0. */
#ifndef CAROM_DERIVATIVE_IMPULSE_ADJOINT_H
#define CAROM_DERIVATIVE_IMPULSE_ADJOINT_H

#include "derivative/impulse_system.h"

typedef struct ImpulseSlope {
    ImpulseSystem system;
    double *w, *wy, *b;    /* m: weights of I and of y, adjoint of the equations */
    double *a, *Wa;        /* m: adjoint of the least energy */
    double *z, *p, *by_mu; /* m: weights of the share of least norm; W x; n: by mu through it */
    double *by_I, *by_y;   /* m */
    double *release;       /* m: ImpulseRelease */
    double *weights;       /* 2 m */
    double *row;           /* room for a gradient */
} ImpulseSlope;

/* What decides that a contact without load, which others hold in touch, takes up none. The release
 * n is the change of impulses that gives it a unit load along g and changes no equation of the
 * others: A n = unit g at the contact.
 *
 *   W n = 0:  the norm rises along n,     phi = I.n
 *   else:     the energy does, with the multipliers l,   phi = -unit g.l
 *
 * A contact that sticks takes its load up along the g of its cone for which phi is least. */
typedef struct ImpulseRelease {
    int contact, norm;
    double g[3], phi;
} ImpulseRelease;

/* The gradient of L with dL/dI = weight_I, dL/dy = weight_y (either NULL). 0: it does not exist,
 * and is NaN. */
int crm_impulse_gradient(ImpulseSlope *slope, const double *weight_I, const double *weight_y,
                         double *gradient);

/* The release of an open contact, with n in slope->release. 0: there is none, or its own velocity
 * would change. */
int crm_impulse_release(ImpulseSlope *slope, int contact, ImpulseRelease *release);

/* The gradient of its phi; 0 as above. */
int crm_impulse_release_gradient(ImpulseSlope *slope, const ImpulseRelease *release,
                                 double *gradient);

#endif
