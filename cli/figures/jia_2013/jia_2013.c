/* The figures of [J]. Figs. 2 to 4, 6 to 10 and 16 are sketches of bodies and method. */
#include "figures/jia_2013/jia_2013.h"

#include "figures/jia_2013/bounces.h"
#include "figures/jia_2013/impact.h"
#include "figures/jia_2013/particle.h"
#include "figures/jia_2013/pencil.h"
#include "figures/jia_2013/sweeps.h"

static const Figure figures[] = {
    {"j-1", "Fig. 1", "Five bounces of a ball",
     "A ball of mass and radius 1 is thrown to the left with a spin that would carry it to the "
     "right. What the contact stores along the table throws it back; each impact reverses the "
     "spin. The arrows are velocity (blue) and spin (vermilion), the numbers V = (V_x, V_z) and "
     "ω_y. With Coulomb's friction the first four impacts reverse V_x as well; the printed run, "
     "which has less friction in restitution, reverses it only twice. Gravity, which the paper "
     "does not give, is 9.81.",
     j_figure_1, 0},
    {"j-5", "Fig. 5", "Stored energy of a head-on impact",
     "A particle hits a table. The energy stored at the contact over the impulse consists of two "
     "halves of the same parabola; the right one is lower by the energy that is lost where "
     "compression ends.",
     j_figure_5, 0},
    {"j-11", "Fig. 11", "Impulse on the ball",
     "The first impact of Fig. 1. The contact slips along the edge of the friction cone, sticks "
     "through the end of compression, and slips back just before the end. That last piece is "
     "where the printed numbers depart from the paper's equations.",
     j_figure_11, 0},
    {"j-12", "Fig. 12", "Velocity, rate and length of the tangential spring",
     "The same impact over the normal impulse. In stick the spring is drawn as fast as the "
     "bodies move; in slip friction and the normal force set its rate, so that it jumps when "
     "slip starts. Thin vertical lines mark the events.",
     j_figure_12, 0},
    {"j-table1", "Table 1", "Velocities after eight bounces",
     "The ball of Fig. 1 with spin about two axes, (6, 6, 0). For each bounce first the exact "
     "chain of bounces beside the printed one; then the printed row as it follows from the "
     "printed row before it with friction eμ in restitution, by the published scheme.",
     j_table_1, 0},
    {"j-13", "Fig. 13", "Eight bounces from above",
     "Where the ball of Table 1 meets the table. Each impact is planar, but in a plane of its "
     "own, so the places are not quite on a line; the right panel magnifies that. With the right "
     "friction the ball goes farther.",
     j_figure_13, 0},
    {"j-14", "Fig. 14", "The motion before decides the motion after",
     "Velocity and spin of the ball after the impact over those before it. Where it slides all "
     "the way the impulse along the table is μ times the normal one, 3, not 5/2; with the "
     "printed rule the curves jump there.",
     j_figure_14, 0},
    {"j-15", "Fig. 15", "Friction, compliance, restitution",
     "Velocity and spin of the ball after the impact of Fig. 11 when one property of the surface "
     "is changed. As ω_y = 2 - 5/2 (V_x + 1), the two curves of a panel are mirror images of "
     "each other but for scale.",
     j_figure_15, 0},
    {"j-17", "Fig. 17", "Impulse on a pencil",
     "A pencil hits a desk with its point, obliquely and spinning. The slip turns, so that the "
     "impulse is a curve in space; the contact sticks through the end of compression and slips "
     "again at the end. Formula (85) for the pencil's moment of inertia is not right, and the "
     "printed result follows neither from it nor from the right one.",
     j_figure_17, 0},
    {"j-18", "Fig. 18", "The pencil before and after",
     "Free flight from 0.4 before the impact (followed backwards) to 0.4 after it, seen along y "
     "and along x. A dot marks the pencil's point. With the right moment of inertia and with "
     "gravity 9.81, which the paper does not give.",
     j_figure_18, 0},
    {0}};

const FigurePaper paper_jia_2013 = {
    "J", "Y.-B. Jia", "Three-dimensional impact: energy-based modeling of tangential compliance",
    "International Journal of Robotics Research 32(1), 56-83, 2013", figures};
