/* The figures of Morgan. */
#include "figures/morgan_2011/morgan_2011.h"

#include <math.h>

#include <carom/planar.h>
#include <carom/system.h>

static const double pi = 3.14159265358979323846;

const double m_example[2] = {0.2, -2.1};

void m_pendulum(const double q[2], double M[4], double J[4]) {
    double c = cos(q[1]);
    M[0] = 5.0 / 3 + c;
    M[1] = M[2] = 1.0 / 3 + c / 2;
    M[3] = 1.0 / 3;
    J[1] = -sin(q[0] + q[1]);
    J[0] = -sin(q[0]) + J[1];
    J[3] = cos(q[0] + q[1]);
    J[2] = cos(q[0]) + J[3];
}

bool m_solve(FigureSheet *sheet, const double u[2], MImpact *impact) {
    const double q[2] = {-130 * pi / 180, 110 * pi / 180};
    double workspace[4];
    *impact = (MImpact){.u = {u[0], u[1]}, .contact = carom_contact_default()};
    impact->contact.mu = M_MU;
    impact->contact.e = M_E;
    impact->result = (CaromResult){
        .impulse = impact->impulse, .events = impact->events, .event_capacity = CAROM_RIGID_EVENTS};
    m_pendulum(q, impact->M, impact->J);
    bool good =
        carom_system_responses(2, impact->M, 2, impact->J, workspace, impact->R, NULL) >= 0 &&
        carom_system_contact_space(2, 2, impact->J, impact->R, u, impact->W, impact->v, NULL) >=
            0 &&
        carom_planar_solve(impact->W, impact->v, &impact->contact, CAROM_ENERGETIC,
                           &impact->result) >= 0;
    impact->m = fabs(impact->W[1] / impact->W[0]);
    return good || figure_fail(sheet, "the impact of the pendulum: %s", impact->result.message);
}

const CaromEvent *m_event(const MImpact *impact, CaromEventKind kind) {
    for (int i = 0; i < impact->result.event_count; i++) {
        if (impact->events[i].kind == kind) {
            return &impact->events[i];
        }
    }
    return NULL;
}

const CaromEvent *m_tangential_pause(const MImpact *impact) {
    const CaromEvent *slip = m_event(impact, CAROM_SLIP);
    return slip ? slip : m_event(impact, CAROM_STICK);
}

void m_speeds(const MImpact *impact, double t, double n, double u[2]) {
    const double impulse[2] = {t, n};
    u[0] = impact->u[0];
    u[1] = impact->u[1];
    carom_system_apply(2, 2, impact->R, impulse, u);
}

const char *m_order(const MImpact *impact) {
    const CaromEvent *pause = m_tangential_pause(impact);
    const CaromEvent *compressed = m_event(impact, CAROM_COMPRESSION_END);
    return !pause || !compressed                                ? "a-c-e"
           : pause->normal_impulse < compressed->normal_impulse ? "a-b-e"
                                                                : "a-c-d-e";
}

#define OURS "The thesis prints no numbers; configuration, speeds, μ = 0.4 and e = 0.7 are ours. "

const Figure figures_m[] = {
    {"m-2.2", "M", "Figure 2.2", "The first direction of the collision",
     OURS "The plane of the generalised speeds of a double pendulum whose tip meets the floor. The "
          "tip slides to the left, so friction acts to the right: from the speeds before the "
          "impact they change along L = Ln + μ Lt.",
     m_plane},
    {"m-2.3", "M", "Figure 2.3", "Where the first line meets vt = 0 and vn = 0",
     "The same impact. The line along L meets vt = 0 first, and would meet vn = 0 later.", m_plane},
    {"m-2.4", "M", "Figure 2.4", "Friction changes its direction",
     "At vt = 0 the contact cannot stick, as m > μ: friction reverses, and the speeds go on along "
     "L = Ln - μ Lt.",
     m_plane},
    {"m-2.5", "M", "Figure 2.5", "The end of compression, found again",
     "Along the new direction vn = 0 is met elsewhere, and that is where compression ends.",
     m_plane},
    {"m-2.6", "M", "Figure 2.6", "Where the energy goes",
     "The change E of the kinetic energy during the same impact, against the normal impulse, and "
     "its parts: En by the normal impulse, which is least where compression ends, and Ef by "
     "friction, which only falls. The impact ends where 1 - e² of the least En is left.",
     m_energy},
    {"m-2.7", "M", "Figure 2.7", "The whole collision",
     "All of it: friction reverses, compression ends, and the impact stops where En has risen to "
     "its stopping value.",
     m_plane},
    {"m-2.8", "M", "Figure 2.8", "Three orders of calculation",
     "The thesis has a flow chart here: (a) start, (b) vt = 0 comes first, (c) vn = 0 comes first, "
     "(d) vt = 0 before the stop, (e) the end. Here the speeds before the impact are coloured by "
     "the way that they take through it. Only their direction matters, so the regions are sectors.",
     m_orders},
    {"m-2.9a", "M", "Figure 2.9(a)", "A collision that ends before vt = 0",
     "The tip slides so fast that it slides to the end.", m_plane},
    {"m-2.9b", "M", "Figure 2.9(b)", "A collision that leads away from vt = 0",
     "The tip slides to the right, and faster and faster: the impact accelerates it more than "
     "friction brakes.",
     m_plane},
    {"m-3.1", "M", "Figure 3.1", "The pendulum in motion",
     "The bars at equal steps of time, and the path of the tip, from the start at rest through the "
     "first impacts with the floor. Start, g = 9.81 m/s², height of the bearing 1.25 m, μ = 0.15 "
     "and e = 0.8 are ours.",
     m_motion},
    {0}};
