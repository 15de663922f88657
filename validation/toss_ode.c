/* Whole tosses by ODE: a box on a plane, its own collisions, steps of dWorldStep(). */
#include "toss.h"

#ifdef HAS_ODE
#include <ode/ode.h>

enum { CONTACTS = 8 };

static void step_once(dWorldID world, dGeomID plane, dGeomID box, dJointGroupID group,
                      const double *c, double step) {
    dContactGeom found[CONTACTS];
    int n = dCollide(box, plane, CONTACTS, found, sizeof *found);
    for (int i = 0; i < n; i++) {
        dContact contact = {.geom = found[i]};
        contact.surface.mode = dContactBounce | dContactApprox1;
        contact.surface.mu = c[0];
        contact.surface.bounce = c[1];
        contact.surface.bounce_vel = 0;
        dJointAttach(dJointCreateContact(world, group, &contact), dGeomGetBody(box), 0);
    }
    dWorldStep(world, step);
    dJointGroupEmpty(group);
}

static bool follow(const Toss *toss, const double *c, Pose *poses) {
    static int ready;
    if (!ready) {
        dInitODE();
        ready = 1;
    }
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    dJointGroupID group = dJointGroupCreate(0);
    double edge = 2 * toss->half, I = toss->inertia, time = 0;
    dGeomID plane = dCreatePlane(0, 0, 0, 1, 0), box = dCreateBox(0, edge, edge, edge);
    dMass mass;
    dMassSetParameters(&mass, toss->mass, 0, 0, 0, I, I, I, 0, 0, 0);
    dBodySetMass(body, &mass);
    dGeomSetBody(box, body);
    const double *x = toss->start.position, *v = toss->velocity, *w = toss->angular_velocity;
    dBodySetPosition(body, x[0], x[1], x[2]);
    dBodySetQuaternion(body, toss->start.orientation);
    dBodySetLinearVel(body, v[0], v[1], v[2]);
    dBodySetAngularVel(body, w[0], w[1], w[2]);
    dWorldSetGravity(world, 0, 0, -toss->gravity);
    for (int i = 0; i < toss->count; i++) {
        int steps = toss_steps(toss->frames[i].time - time);
        for (int k = 0; k < steps; k++) {
            step_once(world, plane, box, group, c, (toss->frames[i].time - time) / steps);
        }
        time = toss->frames[i].time;
        for (int k = 0; k < 3; k++) {
            poses[i].position[k] = dBodyGetPosition(body)[k];
        }
        for (int k = 0; k < 4; k++) {
            poses[i].orientation[k] = dBodyGetQuaternion(body)[k];
        }
    }
    dGeomDestroy(box);
    dGeomDestroy(plane);
    dJointGroupDestroy(group);
    dWorldDestroy(world);
    return true;
}

int toss_ode(TossModel *model) {
    *model = (TossModel){"ODE", follow, 2, {"mu", "e"}, {0.05, 0}, {0.4, 0.6}, {0}};
    return 1;
}
#else
int toss_ode(TossModel *model) {
    (void)model;
    return 0;
}
#endif
