/* The double pendulum of [M]: two equal slender bars, hinged to each other and to a bearing above a
 * floor, which the tip may touch.
 *
 * q1 is the angle of the first bar from the horizontal, q2 that of the second from the first; both
 * bars have length l and mass m. Heights are measured from the floor. */
#ifndef CAROM_CLI_MECHANISM_DOUBLE_PENDULUM_H
#define CAROM_CLI_MECHANISM_DOUBLE_PENDULUM_H

#include <carom/mechanism.h>

typedef struct DoublePendulum {
    double length;  /* l */
    double mass;    /* m */
    double gravity; /* g, downwards */
    double bearing; /* its height; more than l, so that only the tip meets the floor */
} DoublePendulum;

/* As functions of q and u, for carom_mechanism_follow(). The pendulum must live as long. */
CaromMechanism double_pendulum_mechanism(DoublePendulum *pendulum);

/* The elbow and the tip: x and height each. */
void double_pendulum_points(const DoublePendulum *pendulum, const double q[2], double elbow[2],
                            double tip[2]);

#endif
