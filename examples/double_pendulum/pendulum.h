/* The double pendulum: two equal slender bars, hinged to each other and to a bearing above a floor.
 *
 * q1 is the angle of the first bar from the horizontal, q2 that of the second from the first; both
 * bars have length l and mass m. Heights are measured from the floor. The equations of motion are
 *
 *   M(q) u' + b(q, u) = J(q)^T f,      u = q',
 *
 * where b includes gravity and f = (f_t, f_n) is the force of the floor on the tip. */
#ifndef PENDULUM_H
#define PENDULUM_H

typedef struct Pendulum {
    double length;  /* l */
    double mass;    /* m */
    double gravity; /* g */
    double bearing; /* height of the bearing; more than l, so that only the tip meets the floor */
} Pendulum;

/* Coordinates and speeds. */
typedef struct Motion {
    double q[2], u[2];
} Motion;

/* M, 2 x 2 by rows. */
void pendulum_mass_matrix(const Pendulum *pendulum, const double q[2], double M[4]);

/* Jacobian of the tip, rows t (along the floor) and n (up). */
void pendulum_jacobian(const Pendulum *pendulum, const double q[2], double J[4]);

/* b: velocity and gravity terms. */
void pendulum_bias(const Pendulum *pendulum, const Motion *motion, double b[2]);

/* Acceleration (t, n) of the tip for u' = 0: J' u. */
void pendulum_tip_bias(const Pendulum *pendulum, const Motion *motion, double a[2]);

double pendulum_tip_height(const Pendulum *pendulum, const double q[2]);

/* Potential energy; 0 with both bars at the height of the floor. */
double pendulum_potential(const Pendulum *pendulum, const double q[2]);

/* x with A x = y, A 2 x 2 by rows. */
void pendulum_divide(const double A[4], const double y[2], double x[2]);

#endif
