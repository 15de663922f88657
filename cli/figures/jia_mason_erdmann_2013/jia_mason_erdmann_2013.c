/* The figures of [JME]. Figs. 2 to 4, 10 to 13 and 15 are sketches of bodies and
 * method. */
#include "figures/jia_mason_erdmann_2013/jia_mason_erdmann_2013.h"

#include "figures/jia_mason_erdmann_2013/energies.h"
#include "figures/jia_mason_erdmann_2013/impulses.h"
#include "figures/jia_mason_erdmann_2013/masse.h"
#include "figures/jia_mason_erdmann_2013/ping_pong.h"
#include "figures/jia_mason_erdmann_2013/region.h"

static const Figure figures[] = {
    {"jme-1", "Fig. 1", "A ball falls on a ball on a table",
     "The impulses between the balls and on the table, from the origin to the end of the "
     "collision. The balls part at B, the lower one is thrown up by the table and catches up "
     "with the upper one at D; it leaves the table at E. Energy is lost where compression ends, "
     "at A, C and F.",
     jme_impulses, 0},
    {"jme-5", "Fig. 5", "The ellipse that bounds the impulses",
     "No collision gains energy, so its impulses stay in an ellipse; those on the table are not "
     "negative, so they stay above the axis. The ellipse is computed from the bodies; m2 is 2/√3, "
     "as "
     "in Fig. 7. The curves are 125 collisions: e1 and e2 from 0.2 to 1, k2/k1 from 0.1 to 10.",
     jme_figure_5, 0},
    {"jme-6", "Fig. 6", "Four regions of impulses",
     "On the line l1 the balls have the same velocity, on l2 the lower one is at rest. They divide "
     "the ellipse into regions where each contact is in compression (C) or in restitution (R); the "
     "index is the contact. Every collision ends in region IV.",
     jme_figure_6, 0},
    {"jme-7", "Fig. 7", "The same without loss",
     "With e = 1 at both contacts the curve ends on the ellipse of the impulses that keep the "
     "energy. At B the lower ball is fastest downwards, at C it is slowest beside the upper one.",
     jme_impulses, 1},
    {"jme-8", "Fig. 8", "Velocities and stored energies",
     "The collision of Fig. 1 once more. The energy of a contact falls by 1 - e² where its "
     "compression ends: from A to A', C to C', F to F'.",
     jme_figure_8, 0},
    {"jme-table1", "Table 1", "The beginning of each state",
     "The collision of Fig. 1 in numbers. The printed ones come from Euler's method; where one "
     "impulse hardly grows while the other does (S2, S3) its error is up to 0.025.",
     jme_table_1, 0},
    {"jme-9", "Fig. 9", "Compression that restarts",
     "A lower ball of mass 0.5. Between the balls compression ends at A, restarts at B and ends "
     "again at D; on the table it ends at C and restarts at E. The balls part at F and the lower "
     "one leaves the table at G, the other way round than the paper says.",
     jme_impulses, 2},
    {"jme-14", "Fig. 14", "Ping-pong balls",
     "A ping-pong ball is dropped on an equal one on plexiglass. Restitution was measured, the "
     "ratio of the stiffnesses k2/k1 guessed: 2.25 in (b), 2.7 in (c). The lines are what the "
     "model predicts. The paper's measured dots are not in its text, so they are not shown; it "
     "says that (b) fits v1 best and (c) the whole better.",
     jme_figure_14, 0},
    {"jme-16", "Fig. 16", "The way of the ball after a massé shot",
     "The ball slides on a parabola and rolls straight on from the dot, as if there were no "
     "cushions. (a), the fit to places of the ball in a video, is the beginning of (b); the places "
     "are not printed. The prediction that the paper prints looks like the measured way, but the "
     "model with the printed parameters gives another one, with a third of the spin.",
     jme_figure_16, 0},
    {0}};

const FigurePaper paper_jia_mason_erdmann_2013 = {
    "JME", "Y.-B. Jia, M. T. Mason and M. A. Erdmann",
    "Multiple impacts: a state transition diagram approach",
    "International Journal of Robotics Research 32(1), 84-114, 2013", figures};
