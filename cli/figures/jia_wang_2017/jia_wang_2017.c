/* The figures of Jia and Wang. */
#include "figures/jia_wang_2017/jia_wang_2017.h"

#include <string.h>

#include "scene/scene.h"

const double jw_W[9] = {11.5984,  -0.910367, 2.442355, -0.910367, 9.90134,
                        1.957465, 2.442355,  1.957465, 2.59042};
const double jw_v[3] = {-0.26197583, 0.38632923, -0.07685529};

bool jw_solve(FigureSheet *sheet, double mu, const double v[3], JwImpact *impact) {
    *impact = (JwImpact){.contact = carom_contact_default(), .v = {v[0], v[1], v[2]}};
    impact->contact.mu = impact->contact.mu_static = mu;
    impact->contact.e = JW_E;
    impact->result = (CaromResult){.impulse = impact->impulse,
                                   .velocity = impact->velocity,
                                   .events = impact->events,
                                   .event_capacity = CAROM_RIGID_EVENTS};
    CaromStatus status =
        carom_rigid_solve(jw_W, v, &impact->contact, CAROM_ENERGETIC, &impact->result);
    return status >= 0 || figure_fail(sheet, "%s", impact->result.message);
}

CaromProblem jw_problem(const JwImpact *impact) {
    return (CaromProblem){.model = CAROM_RIGID,
                          .law = CAROM_ENERGETIC,
                          .contact_count = 1,
                          .inverse_inertia = jw_W,
                          .velocity = impact->v,
                          .contacts = &impact->contact};
}

const CaromEvent *jw_event(const JwImpact *impact, CaromEventKind kind) {
    for (int i = 0; i < impact->result.event_count; i++) {
        if (impact->events[i].kind == kind) {
            return &impact->events[i];
        }
    }
    return NULL;
}

bool jw_draw(FigureSheet *sheet, const char *number, JwImpact *impact, const char *kind,
             const char *description) {
    char name[64];
    double W[9];
    memcpy(W, jw_W, sizeof W);
    snprintf(name, sizeof name, "Jia and Wang, figure %s", number);
    const Scene scene = {.name = name,
                         .model = CAROM_RIGID,
                         .law = CAROM_ENERGETIC,
                         .source = SCENE_CONTACT_SPACE,
                         .contact_count = 1,
                         .contacts = &impact->contact,
                         .inverse_inertia = W,
                         .velocity = impact->v};
    return figure_picture_scene(sheet, "", &scene, kind, description);
}

#define HODOGRAPH                                                                                  \
    "The sliding velocity in the tangent plane, from the start to the end of the impact, with "    \
    "the "                                                                                         \
    "invariant directions as rays from the origin. "

const Figure figures_jw[] = {
    {"jw-4a", "JW", "Fig. 4(a)", "Hodograph of the icosahedron on the tetrahedron",
     HODOGRAPH "The contact slips, turning, until compression has ended; it sticks before the "
               "bodies part. The contact velocity is not printed. It was found from the printed "
               "impulse, so that this impulse comes out here is no evidence; the other figures, "
               "with the same velocity, are.",
     jw_hodograph},
    {"jw-4b", "JW", "Fig. 4(b)", "Less friction, faster: slip stops during compression",
     HODOGRAPH "With μ = 0.4 and V1z = 0.2 there are two centripetal directions. Slip is drawn "
               "towards one of them, and along it, nearly, to the origin; there it sticks.",
     jw_hodograph},
    {"jw-4c", "JW", "Fig. 4(c)", "Slip that turns into the centrifugal direction",
     HODOGRAPH "With μ = 0.25 and V1z = 0.2 one direction is centrifugal: slip slows down, turns, "
               "and leaves along it, ever faster.",
     jw_hodograph},
    {"jw-4d", "JW", "Fig. 4(d)", "Much friction: four centripetal directions",
     HODOGRAPH "With μ = 3 and V1z = 0.5 there are four, and slip stops early.", jw_hodograph},
    {"jw-5", "JW", "Fig. 5", "The impulse curve",
     "The impulse of figure 4(a) as it grows, in the space of impulses. It starts at 0, crosses "
     "the plane of compression at Ic, reaches the line of sticking at Is and follows it to Ir. "
     "Below are its projections.",
     jw_impulse},
    {"jw-6", "JW", "Fig. 6", "Fifteen hodographs that tend to the origin",
     "Slip of unit speed in fifteen directions, μ = 0.8 and vz = -0.2. Every one tends to the "
     "origin; those that do not reach it end with the impact. The directions are not printed, but "
     "for two that lie on the invariant directions: here the two sectors between these are divided "
     "into nine and six equal parts.",
     jw_bundle},
    {"jw-7", "JW", "Fig. 7", "Slip that all but stops and goes another way",
     HODOGRAPH "With μ = 0.25 and V1 = (-0.7, -0.35, -0.5) it heads for the origin along the "
               "centripetal direction, passes it at a small distance, as the second picture "
               "shows, and leaves in the centrifugal direction.",
     jw_hodograph},
    {"jw-8", "JW", "Fig. 8", "Thirteen hodographs that tend to the centrifugal direction",
     "Slip of unit speed in thirteen directions, μ = 0.25 and vz = -0.8. One starts on the "
     "centrifugal direction and stays there, one on the centripetal direction, runs straight into "
     "the origin and turns; the others bend towards the centrifugal direction. As in figure 6 "
     "the directions are ours: the sectors are divided into six and seven equal parts.",
     jw_bundle},
    {"jw-10a", "JW", "Fig. 10(a)", "Slip stops during restitution, along an invariant direction",
     HODOGRAPH "μ = 0.35 and V1z = 0.2.", jw_hodograph},
    {"jw-10b", "JW", "Fig. 10(b)", "Slip leaves along the centrifugal direction",
     HODOGRAPH "μ = 0.25 and V1z = -1: faster than in figure 4(c), so that it goes on for longer.",
     jw_hodograph},
    {"jw-10c", "JW", "Fig. 10(c)", "Slip stops shortly before the bodies part",
     HODOGRAPH "μ = 0.55 and V1z = 0.9.", jw_hodograph},
    {"jw-table1", "JW", "Table 1", "Three Euler schemes, and the exact method",
     "Steps, error of the impulse, and time of the published schemes: numerical integration (NI), "
     "with closed forms once slip is straight or has stopped (FS), and with a step that adapts "
     "(VS), on the icosahedron with the tetrahedron and on a bowling pin with a ball. Errors are "
     "distances from the exact impulse; the contact velocities were found from the printed "
     "impulses. Times are of the machine that made this page, printed ones "
     "of Mathematica on the authors'.",
     jw_table1},
    {0}};
