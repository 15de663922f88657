/* ODE: a contact joint at each point, one step of dWorldStep(). */
#include "impact.h"

#ifdef HAS_ODE
#include <string.h>

#include <ode/ode.h>

static bool strike_by(const Impact *impact, const double *coefficients, bool along_slip,
                      double *after) {
    static int ready;
    if (!ready) {
        dInitODE();
        ready = 1;
    }
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    dJointGroupID group = dJointGroupCreate(0);
    double inertia = impact->mass * impact->gyration * impact->gyration;
    dMass mass;
    dMassSetParameters(&mass, impact->mass, 0, 0, 0, inertia, inertia, inertia, 0, 0, 0);
    dBodySetMass(body, &mass);
    const double *before = impact->before;
    dBodySetLinearVel(body, before[0], before[1], before[2]);
    dBodySetAngularVel(body, before[3], before[4], before[5]);
    for (int i = 0; i < impact->count; i++) {
        dContact contact = {0};
        memcpy(contact.geom.pos, impact->r[i], sizeof impact->r[i]);
        contact.geom.normal[1] = 1;
        contact.surface.mode = dContactBounce | dContactApprox1 | dContactFDir1;
        impact_slip(impact, i, contact.fdir1);
        contact.surface.mu = coefficients[0];
        contact.surface.mode |= along_slip ? dContactMu2 : 0; /* mu2 is 0 */
        contact.surface.bounce = coefficients[1];
        contact.surface.bounce_vel = 0;
        dJointAttach(dJointCreateContact(world, group, &contact), body, 0);
    }
    dWorldSetGravity(world, 0, 0, 0);
    dWorldSetCFM(world, 1e-12);
    dWorldStep(world, 1e-4);
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    for (int k = 0; k < 3; k++) {
        after[k] = v[k];
        after[3 + k] = w[k];
    }
    dJointGroupDestroy(group);
    dWorldDestroy(world);
    return true;
}

static bool strike(const Impact *impact, const double *coefficients, double *after) {
    return strike_by(impact, coefficients, false, after);
}

static bool strike_along_slip(const Impact *impact, const double *coefficients, double *after) {
    return strike_by(impact, coefficients, true, after);
}

int engine_ode(Model *model) {
    *model = (Model){"ODE", strike, 2, {"mu", "e"}, {0}, {1, 1}, {0.2, 0.5}, {0}};
    return 1;
}

int engine_ode_slip(Model *model) {
    engine_ode(model);
    model->name = "ODE, friction along slip";
    model->strike = strike_along_slip;
    return 1;
}
#else
int engine_ode(Model *model) {
    (void)model;
    return 0;
}

int engine_ode_slip(Model *model) {
    (void)model;
    return 0;
}
#endif
