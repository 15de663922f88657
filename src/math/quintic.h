/* Polynomial of degree five on [0, 1] that interpolates value and two derivatives at both ends.
 * Evaluated in pairs: shorter dependency chains than Horner's rule. */
#ifndef CAROM_MATH_QUINTIC_H
#define CAROM_MATH_QUINTIC_H

/* Coefficients; a[k] belongs to t^k. */
typedef struct Quintic {
    double a[6];
} Quintic;

/* From value, slope and half the second derivative at both ends. */
static inline Quintic quintic_between(double v0, double s0, double c0, double v1, double s1,
                                      double c1) {
    double D = v1 - v0 - (s0 + c0), E = s1 - (s0 + 2 * c0), F = c1 - c0;
    return (Quintic){
        {v0, s0, c0, 10 * D - (4 * E - F), 7 * E - (15 * D + 2 * F), 6 * D - (3 * E - F)}};
}

static inline double quintic_value(const Quintic *q, double t) {
    const double *a = q->a, tt = t * t;
    return (a[0] + t * a[1]) + tt * ((a[2] + t * a[3]) + tt * (a[4] + t * a[5]));
}

static inline double quintic_slope(const Quintic *q, double t) {
    const double *a = q->a, tt = t * t;
    return (a[1] + t * (2 * a[2])) + tt * ((3 * a[3] + t * (4 * a[4])) + tt * (5 * a[5]));
}

static inline double quintic_half_bend(const Quintic *q, double t) {
    const double *a = q->a;
    return (a[2] + t * (3 * a[3])) + t * t * (6 * a[4] + t * (10 * a[5]));
}

/* The integral from 0 to t. */
static inline double quintic_integral(const Quintic *q, double t) {
    const double *a = q->a, tt = t * t;
    return t * ((a[0] + t * (a[1] * (1.0 / 2))) +
                tt * ((a[2] * (1.0 / 3) + t * (a[3] * (1.0 / 4))) +
                      tt * (a[4] * (1.0 / 5) + t * (a[5] * (1.0 / 6)))));
}

#endif
