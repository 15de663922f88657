/* Whole tosses by ODE: a box on a plane, its own collisions, steps of dWorldStep().
 *
 * Friction acts along the slip of each contact; with two directions (by default along axes that ODE
 * chooses), each with a limit of its own, it is a model of its own. Penetration is corrected at a
 * limited speed, or it would act like restitution. */
#include "toss.h"

#ifdef HAS_ODE
#include <math.h>

#include <ode/ode.h>

enum { CONTACTS = 8 };

/* Friction along the slip of a contact only: mu2 across it is 0. */
static void turn_along_slip(dBodyID body, dContact *contact) {
    dVector3 v;
    dBodyGetPointVel(body, contact->geom.pos[0], contact->geom.pos[1], contact->geom.pos[2], v);
    double speed = hypot(v[0], v[1]);
    if (speed > 1e-9) {
        contact->surface.mode |= dContactFDir1 | dContactMu2;
        contact->fdir1[0] = v[0] / speed;
        contact->fdir1[1] = v[1] / speed;
    }
}

static void step_once(dWorldID world, dGeomID plane, dGeomID box, dJointGroupID group,
                      const double *c, bool two_directions, double step) {
    dContactGeom found[CONTACTS];
    int n = dCollide(box, plane, CONTACTS, found, sizeof *found);
    for (int i = 0; i < n; i++) {
        dContact contact = {.geom = found[i]};
        contact.surface.mode = dContactBounce | dContactApprox1;
        contact.surface.mu = c[0];
        contact.surface.bounce = c[1];
        contact.surface.bounce_vel = 0;
        if (!two_directions) {
            turn_along_slip(dGeomGetBody(box), &contact);
        }
        dJointAttach(dJointCreateContact(world, group, &contact), dGeomGetBody(box), 0);
    }
    dWorldStep(world, step);
    dJointGroupEmpty(group);
}

static bool follow_by(const Toss *toss, const double *c, bool two_directions, Pose *poses) {
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
    dWorldSetContactMaxCorrectingVel(world, 0.05);
    for (int i = 0; i < toss->count; i++) {
        int steps = toss_steps(toss->frames[i].time - time);
        for (int k = 0; k < steps; k++) {
            step_once(world, plane, box, group, c, two_directions,
                      (toss->frames[i].time - time) / steps);
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

static bool follow(const Toss *toss, const double *c, Pose *poses) {
    return follow_by(toss, c, false, poses);
}

static bool follow_two(const Toss *toss, const double *c, Pose *poses) {
    return follow_by(toss, c, true, poses);
}

int toss_ode(TossModel *models) {
    models[0] = (TossModel){"ODE", follow, 2, {"mu", "e"}, {0.05, 0}, {0.4, 0.6}, {0}};
    models[1] = models[0];
    models[1].name = "ODE, two directions";
    models[1].follow = follow_two;
    return 2;
}
#else
int toss_ode(TossModel *models) {
    (void)models;
    return 0;
}
#endif
