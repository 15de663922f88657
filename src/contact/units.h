/* The units and axes that one contact is solved in, and the way back to the caller's.
 *
 * w = W_nn = 1 and v_n- = -1, and the tangent plane is turned so that its first axis lies along a
 * direction the solver chooses: that of the slip, if there is one. */
#ifndef CAROM_CONTACT_UNITS_H
#define CAROM_CONTACT_UNITS_H

typedef struct Units {
    double axis[2];  /* first tangent axis, in the caller's plane; a unit vector */
    double velocity; /* -v_n- */
    double impulse;  /* -v_n-/W_nn */
} Units;

/* W in these units and axes: B as B11, B12, B22, and d. W_nn is 1. inverse: 1/W_nn. */
static inline void units_mobility(const Units *units, const double W[9], double inverse,
                                  double B[3], double d[2]) {
    double c = units->axis[0], s = units->axis[1];
    double B11 = W[0] * inverse, B12 = W[1] * inverse, B22 = W[4] * inverse;
    double d1 = W[2] * inverse, d2 = W[5] * inverse;
    B[0] = c * c * B11 + 2 * c * s * B12 + s * s * B22;
    B[1] = c * s * (B22 - B11) + (c * c - s * s) * B12;
    B[2] = s * s * B11 - 2 * c * s * B12 + c * c * B22;
    d[0] = c * d1 + s * d2;
    d[1] = c * d2 - s * d1;
}

/* A vector with tangential part t and normal part n in the caller's axes, times unit. */
static inline void units_restore(const Units *units, const double t[2], double n, double unit,
                                 double vector[3]) {
    const double *axis = units->axis;
    vector[0] = unit * (axis[0] * t[0] - axis[1] * t[1]);
    vector[1] = unit * (axis[1] * t[0] + axis[0] * t[1]);
    vector[2] = unit * n;
}

#endif
