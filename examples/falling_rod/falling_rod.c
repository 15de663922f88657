/* A mechanism of one's own over time: a rod that stands on a rough floor, a little inclined, and
 * falls.
 *
 * Its coordinates are the place x, z of its middle and its angle from the vertical, a. The lower
 * end is the point that touches. libcarom-mechanism gets the mechanism as functions of q = (x, z,
 * a) and u = q', and calls them.
 *
 *   falling_rod [MU]
 *
 * The exit status is 0 if the rod begins to slide where the textbooks say: falling from the
 * vertical, friction needs |F|/N = 3 sin a (3 cos a - 2)/(3 cos a - 1)^2. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <carom/mechanism.h>

static const double length = 1, mass = 1, gravity = 9.81;

static void mass_matrix(void *data, const double *q, double *M) {
    (void)data;
    (void)q;
    for (int i = 0; i < 9; i++) {
        M[i] = 0;
    }
    M[0] = M[4] = mass;
    M[8] = mass * length * length / 12;
}

/* M u' + b = J^T f: only the weight. */
static void bias(void *data, const double *q, const double *u, double *b) {
    (void)data;
    (void)q;
    (void)u;
    b[0] = b[2] = 0;
    b[1] = mass * gravity;
}

/* Height of the lower end, (x - l/2 sin a, z - l/2 cos a). */
static double gap(void *data, const double *q) {
    (void)data;
    return q[1] - length / 2 * cos(q[2]);
}

static void jacobian(void *data, const double *q, double *J) {
    (void)data;
    J[0] = 1, J[1] = 0, J[2] = -length / 2 * cos(q[2]);
    J[3] = 0, J[4] = 1, J[5] = length / 2 * sin(q[2]);
}

static void drift(void *data, const double *q, const double *u, double a[2]) {
    (void)data;
    a[0] = length / 2 * sin(q[2]) * u[2] * u[2];
    a[1] = length / 2 * cos(q[2]) * u[2] * u[2];
}

static double potential(void *data, const double *q) {
    (void)data;
    return mass * gravity * q[1];
}

/* Prints what happens and keeps the angle at which the rod first slides; the rod is on the floor at
 * 90 degrees. */
static int show(void *data, const CaromMechanismEvent *event) {
    double *angle = data;
    const double *q = event->state.q;
    const char *what = event->impact ? "impact" : carom_mechanism_phase_string(event->state.phase);
    printf("%9.6f  %-6s  angle %8.5f degrees, energy %.9f\n", event->state.time, what,
           q[2] * 180 / acos(-1), event->state.kinetic + event->state.potential);
    if (event->state.phase == CAROM_MECHANISM_SLIDE && isnan(*angle)) {
        *angle = q[2];
    }
    return 1;
}

int main(int argc, char **argv) {
    CaromMechanism rod = {3, NULL, mass_matrix, bias, gap, jacobian, drift, potential};
    CaromMechanismOptions options = carom_mechanism_options_default();
    CaromMechanismSummary summary;
    double slides_at = NAN;
    options.contact.mu = argc > 1 ? atof(argv[1]) : 0.3;
    options.contact.e = 0;
    options.duration = 0.62; /* before the rod lies on the floor */
    options.data = &slides_at;
    options.show_event = show;
    /* on its way from the vertical: a'^2 = 3 g/l (1 - cos a), and the lower end does not move */
    double a = 0.1, turn = sqrt(3 * gravity / length * (1 - cos(a)));
    double q[3] = {length / 2 * sin(a), length / 2 * cos(a), a};
    double u[3] = {length / 2 * cos(a) * turn, -length / 2 * sin(a) * turn, turn};
    if (carom_mechanism_follow(&rod, &options, q, u, &summary) < 0) {
        fprintf(stderr, "%s\n", summary.message);
        return 1;
    }
    printf("at time %g: %s\n", summary.time, carom_mechanism_end_string(summary.end));
    double c = cos(slides_at), needed = 3 * sin(slides_at) * (3 * c - 2) / pow(3 * c - 1, 2);
    printf("slides at %.9f rad, where |F|/N should be mu: %.9f\n", slides_at, needed);
    return fabs(fabs(needed) - options.contact.mu) < 1e-7 ? 0 : 1;
}
