/* Optional competitors: physics engines on elastic balls in a box.
 *
 * Both take steps of fixed length and solve all contacts of a step together by iterations; balls
 * that overlap at its end have met. The same balls start from the same places. */
#ifndef CAROM_BENCH_BOX_ENGINES_H
#define CAROM_BENCH_BOX_ENGINES_H

#ifdef __cplusplus
extern "C" {
#endif

/* Balls of mass 1 in a cubic box from 0 to side, without gravity and friction, e = 1. */
typedef struct BallBox {
    int count;
    double radius, side;
    const double *positions, *velocities; /* x, y, z of each */
} BallBox;

/* Follow the balls for a time; returns their kinetic energy at the end. */
double box_by_bullet(const BallBox *box, double time, double step);
double box_by_ode(const BallBox *box, double time, double step);

#ifdef __cplusplus
}
#endif

#endif
