/* The impact of an icosahedron on a tetrahedron. */
#include "figures/jia_wang_2017/icosahedron.h"

#include <string.h>

#include "base/words.h"
#include "figures/sheet_picture.h"

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

bool jw_draw(FigureSheet *sheet, JwImpact *impact, const char *kind, const char *description) {
    double W[9];
    memcpy(W, jw_W, sizeof W);
    Words name = words_of("Jia and Wang, figure %s", sheet->figure->label + strlen("Fig. "));
    const Scene scene = {.name = name.text,
                         .model = CAROM_RIGID,
                         .law = CAROM_ENERGETIC,
                         .source = SCENE_CONTACT_SPACE,
                         .contact_count = 1,
                         .contacts = &impact->contact,
                         .inverse_inertia = W,
                         .velocity = impact->v};
    return figure_picture_scene(sheet, "", &scene, kind, description);
}
