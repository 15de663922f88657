/* A spinning ball, thrown obliquely, hits the floor: how does it leave? */
#include <carom/carom.h>
#include <stdio.h>

int main(void) {
    CaromBody floor = carom_body_fixed();
    CaromBody ball = {.mass = 1,
                      .inertia = {0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4}, /* 2/5 m r^2, r = 1 */
                      .position = {0, 0, 1},
                      .orientation = {1, 0, 0, 0},
                      .velocity = {2, 0, -3},
                      .angular_velocity = {5, 0, 0}};
    CaromContact contact = {.mu = 0.2, .e = 0.8};
    const double point[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    CaromStatus status = carom_bodies_collide(&ball, &floor, point, up, &contact, NULL);
    printf("%s: leaves with velocity (%g, %g, %g)\n", carom_status_string(status), ball.velocity[0],
           ball.velocity[1], ball.velocity[2]);
    return status < 0;
}
