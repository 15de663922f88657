/* The hodograph in closed form, in friction-scaled planar data b = mu B, d (invariants.h). */
#ifndef CAROM_RIGID_CLOSED_FORM_H
#define CAROM_RIGID_CLOSED_FORM_H

typedef struct Field {
    double b11, b12, b22, d1, d2;
} Field;

/* s.(d - b s) for s = (x, y) */
static inline double field_f(const Field *field, double x, double y) {
    return x * (field->d1 - field->b11 * x - field->b12 * y) +
           y * (field->d2 - field->b12 * x - field->b22 * y);
}

/* s_perp.(d - b s) for a unit vector s = (x, y) */
static inline double field_g(const Field *field, double x, double y) {
    return x * field->d2 - y * field->d1 + (field->b11 - field->b22) * x * y -
           field->b12 * (x * x - y * y);
}

/* *log_ratio = log r(to)/r(from) along the hodograph between two directions, as angles. Returns 0
 * if an invariant direction lies between them both ways round, or `from` is one to rounding. */
int closed_form_log_speed(const Field *field, double from, double to, double *log_ratio);

#endif
