/* The time at which a gap closes: first descent through zero of a parabola or a polynomial. */
#ifndef CAROM_FLIGHT_DESCENT_H
#define CAROM_FLIGHT_DESCENT_H

typedef enum Descent {
    DESCENT_NONE,   /* the gap stays open */
    DESCENT_FOUND,  /* the gap closes */
    DESCENT_UNKNOWN /* too close to grazing to decide in DESCENT_STEPS steps */
} Descent;

/* Rounding: values, slopes and second derivatives below these count as 0. */
typedef struct DescentSlack {
    double value, slope, curvature;
} DescentSlack;

/* The first time t >= 0 at which g + r t + a t^2/2 is 0 while it falls, for g >= 0; INFINITY if
 * there is none. A start at g = 0 counts if r = 0 and a < 0, not if r > 0. No cancellation. */
double crm_descent_parabola(double g, double r, double a);

/* Most evaluations of one polynomial. */
#define DESCENT_STEPS 1000

/* The same for the polynomial p[0] + ... + p[order] t^order (order >= 2) on [0, reach]. reach may
 * be infinite if all coefficients above order 2 are 0. *slope is the derivative at *time: < 0, or 0
 * if the polynomial starts at rest at 0 and accelerates downwards. */
Descent crm_descent_polynomial(const double *p, int order, double reach, const DescentSlack *slack,
                               double *time, double *slope);

#endif
