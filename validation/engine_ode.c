/* ODE: one contact joint, one step of dWorldStep(). */
#include "impact.h"

#ifdef HAS_ODE
#include <ode/ode.h>

static bool strike(const Impact *impact, const double *coefficients, double after[3]) {
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
    dBodySetLinearVel(body, impact->before[0], impact->before[1], 0);
    dBodySetAngularVel(body, 0, 0, impact->before[2]);
    dContact contact = {0};
    contact.geom.pos[0] = impact->r[0];
    contact.geom.pos[1] = impact->r[1];
    contact.geom.normal[1] = 1;
    contact.surface.mode = dContactBounce | dContactApprox1 | dContactFDir1;
    contact.fdir1[0] = 1;
    contact.surface.mu = coefficients[0];
    contact.surface.bounce = coefficients[1];
    contact.surface.bounce_vel = 0;
    dJointAttach(dJointCreateContact(world, group, &contact), body, 0);
    dWorldSetGravity(world, 0, 0, 0);
    dWorldSetCFM(world, 1e-12);
    dWorldStep(world, 1e-4);
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    after[0] = v[0];
    after[1] = v[1];
    after[2] = w[2];
    dJointGroupDestroy(group);
    dWorldDestroy(world);
    return true;
}

int engine_ode(Model *model) {
    *model = (Model){"ODE", strike, 2, {"mu", "e"}, {0, 0}, {1, 1}, {0.2, 0.5}};
    return 1;
}
#else
int engine_ode(Model *model) {
    (void)model;
    return 0;
}
#endif
