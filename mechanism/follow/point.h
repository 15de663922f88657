/* The mechanics of the point of contact at one state.
 *
 * Without contact u' = -M^-1 b, and the point accelerates with a = J' u - J M^-1 b. A force f adds
 * W f, W = J M^-1 J^T. In slip along s (+1 or -1) f = n (-mu s, 1), and the point stays in touch if
 *
 *   n = -a_n/y,   y = W_nn - mu s W_nt.
 *
 * In stick W f = -a. */
#ifndef CAROM_MECHANISM_FOLLOW_POINT_H
#define CAROM_MECHANISM_FOLLOW_POINT_H

#include <stdbool.h>

#include <carom/mechanism.h>

typedef struct Point {
    double *M;      /* n x n */
    double *factor; /* room for n x n */
    double *rows;   /* 3 x n: J, and b */
    double *R;      /* 3 x n: M^-1 of each */
    double W[4], v[2];
    double a[2]; /* without contact */
} Point;

/* Numbers that a point needs as room for n coordinates. */
size_t crm_point_size(int n);
void crm_point_place(Point *point, int n, double *room);

/* Everything at q, u. False: M is not positive definite, or something is not finite. */
bool crm_point_find(Point *point, const CaromMechanism *mechanism, const double *q,
                    const double *u);

double crm_point_yield(const Point *point, double mu, double s);

/* The force (t, n) of a sliding point, and of a sticking one (false: W is singular). */
void crm_point_slide_force(const Point *point, double mu, double s, double f[2]);
bool crm_point_stick_force(const Point *point, double f[2]);

/* u' under a force on the point. */
void crm_point_rates(const Point *point, int n, const double f[2], double *rates);

#endif
