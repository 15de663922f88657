/* When does a gap close? The first descent through zero of a parabola and of a polynomial. */
#ifndef CAROM_FLIGHT_DESCENT_H
#define CAROM_FLIGHT_DESCENT_H

typedef enum Descent {
    DESCENT_NONE,   /* it stays open */
    DESCENT_FOUND,  /* it closes */
    DESCENT_UNKNOWN /* so close to grazing that the steps allowed do not tell */
} Descent;

/* What is rounding: values, slopes and second derivatives below these count as 0. */
typedef struct DescentSlack {
    double value, slope, curvature;
} DescentSlack;

/* The first time t >= 0 at which g + r t + a t^2/2 is 0 while it falls, for g >= 0; INFINITY if
 * there is none. A start at g = 0 that rises does not count, one that stands still (r = 0) does if
 * a < 0. Without cancellation. */
double parabola_descent(double g, double r, double a);

/* The same for the polynomial with the given coefficients (orders 0 to order, order >= 2) on [0,
 * reach], which may be infinite if only orders up to 2 are not 0. *slope is the derivative there:
 * < 0, or 0 if it rests at 0 in the beginning and is pulled below. At most DESCENT_STEPS
 * evaluations. */
#define DESCENT_STEPS 1000
Descent polynomial_descent(const double *p, int order, double reach, const DescentSlack *slack,
                           double *time, double *slope);

#endif
