/* The pencil of [J], section 8.2. */
#include "figures/jia_2013/pencil.h"

#include <math.h>

const double j_pencil_radius = 0.5, j_pencil_cylinder = 3, j_pencil_cone = 0.5;

static const double pi = 3.14159265358979323846;

/* Desk and pencil, as carom takes them. */
static const CaromSite site = {.first = 0, .second = 1, .normal = {0, 0, 1}, .tangent = {1, 0, 0}};

double j_pencil_height(void) {
    double h1 = j_pencil_cylinder, h2 = j_pencil_cone;
    return (6 * h1 * h1 + 12 * h1 * h2 + 3 * h2 * h2) / (12 * h1 + 4 * h2);
}

/* About the axes across; the parts weigh as their volumes. */
double j_pencil_moment(JMoment moment) {
    double r = j_pencil_radius, h1 = j_pencil_cylinder, h2 = j_pencil_cone;
    double h = j_pencil_height(), l = h1 / 2 + h2 - h;
    double cylinder = h1 * ((3 * r * r + h1 * h1) / 12 + l * l);
    switch (moment) {
    case J_MOMENT_FORMULA:
        return (cylinder + h2 / 3 * (0.6 * (r * r / 4 + h2 * h2) + h * h)) / (h1 + h2 / 3);
    case J_MOMENT_PRINTED: /* from omega_x of (92), by (87) */
        return h / ((0.101268 + 1) / 0.668992);
    default:
        return (cylinder + h2 / 3 * (0.15 * r * r + 0.0375 * h2 * h2 + pow(h - 0.75 * h2, 2))) /
               (h1 + h2 / 3);
    }
}

/* About the axis: r^2/2 of the cylinder's mass, 3 r^2/10 of the cone's. */
static double axial_moment(void) {
    double r = j_pencil_radius, h1 = j_pencil_cylinder, h2 = j_pencil_cone;
    return r * r * (h1 / 2 + 0.3 * h2 / 3) / (h1 + h2 / 3);
}

CaromBody j_pencil_before(JMoment moment) {
    const double theta = pi / 3, h = j_pencil_height(), omega[3] = {-1, -0.5, -0.5};
    double s = sin(theta), c = cos(theta), turn = (pi / 2 - theta) / 2;
    CaromBody pencil = {
        .mass = 1,
        .position = {h * c, 0, h * s},
        .orientation = {cos(turn), 0, sin(turn), 0},
        .velocity = {-5 * cos(pi / 6), 0, -5 * sin(pi / 6)},
        /* (86) */
        .angular_velocity = {s * omega[0] + c * omega[2], omega[1], -c * omega[0] + s * omega[2]}};
    pencil.inertia[0] = pencil.inertia[4] = j_pencil_moment(moment);
    pencil.inertia[8] = axial_moment();
    return pencil;
}

/* At the impact the pencil is as j_pencil_before() puts it. */
void j_pencil_spin(const CaromBody *pencil, double omega[3]) {
    const double *w = pencil->angular_velocity;
    double s = sin(pi / 3), c = cos(pi / 3);
    omega[0] = s * w[0] - c * w[2];
    omega[1] = w[1];
    omega[2] = c * w[0] + s * w[2];
}

bool j_pencil_hit(FigureSheet *sheet, CaromBody *pencil, bool as_printed, CaromTrace *trace,
                  CaromResult *result) {
    CaromBody bodies[2] = {*pencil, carom_body_fixed()};
    CaromContact contact = carom_contact_default();
    contact.mu = 0.8;
    contact.e = 0.5;
    contact.stiffness_ratio = 17.0 / 14;
    double W[9], v[3];
    const char *message = "";
    if (carom_bodies_contact_space(bodies, 2, &site, 1, W, v, &message) < 0) {
        return figure_fail(sheet, "the pencil: %s", message);
    }
    const CaromProblem problem = {.model = CAROM_COMPLIANT,
                                  .contact_count = 1,
                                  .inverse_inertia = W,
                                  .velocity = v,
                                  .contacts = &contact};
    CaromOptions options = carom_options_default();
    if (as_printed) {
        options.method = CAROM_EULER;
        options.as_printed = 1;
        options.step = 5e-5;
    }
    CaromStatus status =
        trace ? carom_trace(&problem, trace, result) : carom_solve(&problem, &options, result);
    if (status < 0) {
        return figure_fail(sheet, "the pencil: %s", result->message);
    }
    carom_bodies_apply(bodies, &site, 1, result->impulse);
    *pencil = bodies[0];
    return true;
}
