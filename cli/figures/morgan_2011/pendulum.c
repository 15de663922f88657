/* The double pendulum whose tip hits a floor. */
#include "figures/morgan_2011/pendulum.h"

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
        carom_planar_solve(impact->W, impact->v, &impact->contact, CAROM_LAW_ENERGETIC,
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
    const CaromEvent *slip = m_event(impact, CAROM_EVENT_SLIP);
    return slip ? slip : m_event(impact, CAROM_EVENT_STICK);
}

void m_speeds(const MImpact *impact, double t, double n, double u[2]) {
    const double impulse[2] = {t, n};
    u[0] = impact->u[0];
    u[1] = impact->u[1];
    carom_system_apply(2, 2, impact->R, impulse, u);
}
