/* The figures of [M]. */
#include "figures/morgan_2011/morgan_2011.h"

#include "figures/morgan_2011/collision.h"
#include "figures/morgan_2011/orders.h"
#include "figures/morgan_2011/pendulum_motion.h"

#define OURS "The thesis prints no numbers; configuration, speeds, μ = 0.4 and e = 0.7 are ours. "

static const Figure figures[] = {
    {"m-2.2", "Figure 2.2", "The first direction of the collision",
     OURS "The plane of the generalised speeds of a double pendulum whose tip meets the floor. The "
          "tip slides to the left, so friction acts to the right: from the speeds before the "
          "impact they change along L = Ln + μ Lt.",
     m_plane, 0},
    {"m-2.3", "Figure 2.3", "Where the first line meets vt = 0 and vn = 0",
     "The same impact. The line along L meets vt = 0 first, and would meet vn = 0 later.", m_plane,
     1},
    {"m-2.4", "Figure 2.4", "Friction changes its direction",
     "At vt = 0 the contact cannot stick, as m > μ: friction reverses, and the speeds go on along "
     "L = Ln - μ Lt.",
     m_plane, 2},
    {"m-2.5", "Figure 2.5", "The end of compression, found again",
     "Along the new direction vn = 0 is met elsewhere, and that is where compression ends.",
     m_plane, 3},
    {"m-2.6", "Figure 2.6", "Where the energy goes",
     "The change E of the kinetic energy during the same impact, against the normal impulse, and "
     "its parts: En by the normal impulse, which is least where compression ends, and Ef by "
     "friction, which only falls. The impact ends where 1 - e² of the least En is left.",
     m_energy, 0},
    {"m-2.7", "Figure 2.7", "The whole collision",
     "All of it: friction reverses, compression ends, and the impact stops where En has risen to "
     "its stopping value.",
     m_plane, 4},
    {"m-2.8", "Figure 2.8", "Three orders of calculation",
     "The thesis has a flow chart here: (a) start, (b) vt = 0 comes first, (c) vn = 0 comes first, "
     "(d) vt = 0 before the stop, (e) the end. Here the speeds before the impact are coloured by "
     "the way that they take through it. Only their direction matters, so the regions are sectors.",
     m_orders, 0},
    {"m-2.9a", "Figure 2.9(a)", "A collision that ends before vt = 0",
     "The tip slides so fast that it slides to the end.", m_plane, 5},
    {"m-2.9b", "Figure 2.9(b)", "A collision that leads away from vt = 0",
     "The tip slides to the right, and faster and faster: the impact accelerates it more than "
     "friction brakes.",
     m_plane, 6},
    {"m-3.1", "Figure 3.1", "The pendulum in motion",
     "The bars at equal steps of time, and the path of the tip, from the start at rest through the "
     "first impacts with the floor. Start, g = 9.81 m/s², height of the bearing 1.25 m, μ = 0.15 "
     "and e = 0.8 are ours.",
     m_motion, 0},
    {0}};

const FigurePaper paper_morgan_2011 = {
    "M", "D. Morgan", "Algebraic Solution to the Planar Rigid Body Impact Problem",
    "thesis, The University of Texas at Arlington, 2011", figures};
