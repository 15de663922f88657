/* A ball that slides over a floor all through an impact: a case with a closed form. */
#include <carom/carom.h>

#include <math.h>
#include <stdio.h>

int main(void) {
    CaromBody bodies[2] = {carom_body_default(), carom_body_fixed()};
    bodies[0].velocity[0] = 1;
    bodies[0].velocity[2] = -1;
    bodies[0].inertia[0] = bodies[0].inertia[4] = bodies[0].inertia[8] = 0.4;
    CaromSite site = {.first = 0, .second = 1, .point = {0, 0, -1}, .normal = {0, 0, 1}};

    double W[9], v[3], impulse[3];
    CaromContact contact = carom_contact_default();
    contact.mu = 0.1;
    contact.e = 0.5;
    CaromResult result = {.impulse = impulse};
    if (carom_bodies_contact_space(bodies, 2, &site, 1, W, v, NULL) != CAROM_OK ||
        carom_rigid_solve(W, v, &contact, CAROM_LAW_ENERGETIC, &result) != CAROM_OK) {
        return 1;
    }
    carom_bodies_apply(bodies, &site, 1, impulse);

    /* Normal impulse (1 + e) m |v_n|, friction mu times that against the slip. */
    double x = bodies[0].velocity[0], z = bodies[0].velocity[2];
    printf("carom %s: leaves with (%g, %g), %s\n", carom_version(), x, z, result.sequence);
    return fabs(x - 0.85) < 1e-12 && fabs(z - 0.5) < 1e-12 ? 0 : 1;
}
