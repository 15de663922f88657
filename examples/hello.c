/* A spinning ball, thrown obliquely, hits the floor: how does it leave? */
#include <carom/carom.h>
#include <stdio.h>

int main(void) {
    CaromBody bodies[2] = {carom_body_default(), carom_body_fixed()};
    bodies[0] = (CaromBody){.mass = 1,
                            .inertia = {0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4}, /* 2/5 m r^2, r = 1 */
                            .position = {0, 0, 1},
                            .orientation = {1, 0, 0, 0},
                            .velocity = {2, 0, -3},
                            .angular_velocity = {5, 0, 0}};
    CaromSite site = {.first = 0, .second = 1, .point = {0, 0, 0}, .normal = {0, 0, 1}};
    CaromContact contact = carom_contact_default();
    contact.mu = 0.2;
    contact.e = 0.8;

    double W[9], v[3], impulse[3];
    CaromProblem problem = {CAROM_RIGID, CAROM_ENERGETIC, 1, W, v, &contact};
    CaromResult result = {.impulse = impulse};
    carom_bodies_contact_space(bodies, 2, &site, 1, W, v, NULL); /* bad bodies: W, v are NaN */
    if (carom_solve(&problem, NULL, &result) != CAROM_OK) {
        fprintf(stderr, "%s\n", result.message);
        return 1;
    }
    carom_bodies_apply(bodies, &site, 1, impulse);

    const double *after = bodies[0].velocity;
    printf("leaves with velocity (%g, %g, %g)\n", after[0], after[1], after[2]);
    return 0;
}
