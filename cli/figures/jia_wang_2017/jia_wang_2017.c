/* The figures of [JW]. */
#include "figures/jia_wang_2017/jia_wang_2017.h"

#include "figures/jia_wang_2017/hodograph.h"
#include "figures/jia_wang_2017/pin.h"
#include "figures/jia_wang_2017/schemes_table.h"

#define HODOGRAPH                                                                                  \
    "The sliding velocity in the tangent plane, from the start to the end of the impact, with "    \
    "the "                                                                                         \
    "invariant directions as rays from the origin. "

static const Figure figures[] = {
    {"jw-4a", "Fig. 4(a)", "Hodograph of the icosahedron on the tetrahedron",
     HODOGRAPH "The contact slips, turning, until compression has ended; it sticks before the "
               "bodies part. The contact velocity is not printed. It was found from the printed "
               "impulse, so that this impulse comes out here is no evidence; the other figures, "
               "with the same velocity, are.",
     jw_hodograph, 0},
    {"jw-4b", "Fig. 4(b)", "Less friction, faster: slip stops during compression",
     HODOGRAPH "With μ = 0.4 and V1z = 0.2 there are two centripetal directions. Slip is drawn "
               "towards one of them, and along it, nearly, to the origin; there it sticks.",
     jw_hodograph, 1},
    {"jw-4c", "Fig. 4(c)", "Slip that turns into the centrifugal direction",
     HODOGRAPH "With μ = 0.25 and V1z = 0.2 one direction is centrifugal: slip slows down, turns, "
               "and leaves along it, ever faster.",
     jw_hodograph, 2},
    {"jw-4d", "Fig. 4(d)", "Much friction: four centripetal directions",
     HODOGRAPH "With μ = 3 and V1z = 0.5 there are four, and slip stops early.", jw_hodograph, 3},
    {"jw-5", "Fig. 5", "The impulse curve",
     "The impulse of figure 4(a) as it grows, in the space of impulses. It starts at 0, crosses "
     "the plane of compression at Ic, reaches the line of sticking at Is and follows it to Ir. "
     "Below are its projections.",
     jw_impulse, 0},
    {"jw-6", "Fig. 6", "Fifteen hodographs that tend to the origin",
     "Slip of unit speed in fifteen directions, μ = 0.8 and vz = -0.2. Every one tends to the "
     "origin; those that do not reach it end with the impact. The directions are not printed, but "
     "for two that lie on the invariant directions: here the two sectors between these are divided "
     "into nine and six equal parts.",
     jw_bundle, 0},
    {"jw-7", "Fig. 7", "Slip that all but stops and goes another way",
     HODOGRAPH "With μ = 0.25 and V1 = (-0.7, -0.35, -0.5) it heads for the origin along the "
               "centripetal direction, passes it at a small distance, as the second picture "
               "shows, and leaves in the centrifugal direction.",
     jw_hodograph, 4},
    {"jw-8", "Fig. 8", "Thirteen hodographs that tend to the centrifugal direction",
     "Slip of unit speed in thirteen directions, μ = 0.25 and vz = -0.8. One starts on the "
     "centrifugal direction and stays there, one on the centripetal direction, runs straight into "
     "the origin and turns; the others bend towards the centrifugal direction. As in figure 6 "
     "the directions are ours: the sectors are divided into six and seven equal parts.",
     jw_bundle, 1},
    {"jw-10a", "Fig. 10(a)", "Slip stops during restitution, along an invariant direction",
     HODOGRAPH "μ = 0.35 and V1z = 0.2.", jw_hodograph, 5},
    {"jw-10b", "Fig. 10(b)", "Slip leaves along the centrifugal direction",
     HODOGRAPH "μ = 0.25 and V1z = -1: faster than in figure 4(c), so that it goes on for longer.",
     jw_hodograph, 6},
    {"jw-10c", "Fig. 10(c)", "Slip stops shortly before the bodies part",
     HODOGRAPH "μ = 0.55 and V1z = 0.9.", jw_hodograph, 7},
    {"jw-11", "Fig. 11", "The bowling pin and the ball from their geometry",
     "The configuration of figure 11 as bodies, and the hodograph of its impact. The pin is a body "
     "of "
     "revolution, but three different moments are printed for it; 0.014029 across the axis is that "
     "of a uniform pin of the specified shape within 2 %, and 0.012092 shows how much the choice "
     "matters. The spins are taken along the world's axes, because the bodies' axes are not "
     "printed.",
     jw_pin, 0},
    {"jw-table1", "Table 1", "Three Euler schemes, and the exact method",
     "Steps, error of the impulse, and time of the published schemes: numerical integration (NI), "
     "with closed forms once slip is straight or has stopped (FS), and with a step that adapts "
     "(VS), on the icosahedron with the tetrahedron and on a bowling pin with a ball. Errors are "
     "distances from the exact impulse; the contact velocities were found from the printed "
     "impulses. Times are of the machine that made this page, printed ones "
     "of Mathematica on the authors'.",
     jw_table1, 0},
    {0}};

const FigurePaper paper_jia_wang_2017 = {
    "JW", "Y.-B. Jia and F. Wang",
    "Analysis and Computation of Two Body Impact in Three Dimensions",
    "Journal of Computational and Nonlinear Dynamics 12(4), 041012, 2017", figures};
