/* A lander with reaction wheels touches the ground with one leg: M, u and J in, u out, twice.
 *
 * The lander moves in a plane (x, z and its angle about y) and carries WHEELS wheels that spin
 * relative to it. The first solution factors its dense mass matrix; the second never builds it and
 * solves in O(n), as robotics libraries do for trees of bodies. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

enum { WHEELS = 40, N = 3 + WHEELS, ROWS = 2 };

static const double mass = 120, inertia = 30, wheel = 0.02; /* wheel: inertia of one */

/* M u = momenta; that of a wheel is its inertia times (spin + rate of the lander). */
static void mass_matrix(double M[N * N]) {
    for (int i = 0; i < N * N; i++) {
        M[i] = 0;
    }
    M[0] = M[N + 1] = mass;
    M[2 * N + 2] = inertia + WHEELS * wheel;
    for (int i = 3; i < N; i++) {
        M[i * N + i] = M[2 * N + i] = M[i * N + 2] = wheel;
    }
}

/* x = M^-1 y without M, in O(n): subtract the wheels' momenta from the lander's first. */
static void divide_by_mass(const double y[N], double x[N]) {
    double turning = y[2];
    for (int i = 3; i < N; i++) {
        turning -= y[i];
    }
    x[0] = y[0] / mass;
    x[1] = y[1] / mass;
    x[2] = turning / inertia;
    for (int i = 3; i < N; i++) {
        x[i] = y[i] / wheel - x[2];
    }
}

/* The rest is the same for every mechanism. */
static CaromStatus land(const double *J, const double *R, double *u) {
    double W[ROWS * ROWS], v[ROWS], impulse[ROWS];
    CaromContact contact = carom_contact_default();
    contact.mu = 0.6;
    contact.e = 0.2;
    CaromProblem problem = {
        .inverse_inertia = W, .velocity = v, .contact_count = 1, .contacts = &contact, .planar = 1};
    CaromResult result = {.impulse = impulse};
    carom_system_contact_space(N, ROWS, J, R, u, W, v, NULL); /* bad input: W, v are NaN */
    CaromStatus status = carom_solve(&problem, NULL, &result);
    if (status >= 0) {
        carom_system_apply(N, ROWS, R, impulse, u);
    } else {
        fprintf(stderr, "%s\n", result.message);
    }
    return status;
}

int main(void) {
    static double M[N * N], workspace[N * N], J[ROWS * N], R[ROWS * N];
    double dense[N] = {1.5, -2, 0.1}, fast[N] = {1.5, -2, 0.1};
    /* the foot is at (0.9, -1.2) from the centre of mass; rows t (along x) and n (along z) */
    J[0] = 1;
    J[2] = -1.2;
    J[N + 1] = 1;
    J[N + 2] = -0.9;

    mass_matrix(M);
    if (carom_system_responses(N, M, ROWS, J, workspace, R, NULL) < 0 || land(J, R, dense) < 0) {
        return 1;
    }
    for (int i = 0; i < ROWS; i++) {
        divide_by_mass(&J[i * N], &R[i * N]);
    }
    if (land(J, R, fast) < 0) {
        return 1;
    }
    double difference = 0;
    for (int i = 0; i < N; i++) {
        difference = fmax(difference, fabs(dense[i] - fast[i]));
    }
    printf("after: x' = %g, z' = %g, turning %g, each wheel %g\n", fast[0], fast[1], fast[2],
           fast[3]);
    printf("the two ways differ by %.1e\n", difference);
    return difference < 1e-12 ? 0 : 1; /* 2.5e-14 */
}
